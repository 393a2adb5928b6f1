"""What is different about a plan that is proposed again, in a sentence in the person's language.

Two plans are compared as they are laid out, step by step, with the looks that belong to them; what
was said in between is not guessed at.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from infra.providers.rehearsal.brief import Wish, WorkKind
from infra.providers.rehearsal.concept import looks_of
from infra.providers.rehearsal.lexicon import fold, speak_language
from infra.providers.rehearsal.phrases import (
    language_name,
    length,
    listed,
    look_name,
    quote,
    say,
    size,
)
from infra.providers.rehearsal.state import PlanView

KIND_NAMES: dict[WorkKind, str] = {
    "film": "step_film",
    "posters": "step_posters",
    "image": "step_image",
    "narration": "step_narration",
    "music": "step_music",
    "document": "step_text",
    "model3d": "step_model3d",
}
_TELLING = ("shots", "image", "narration", "model3d")
"""Of several steps that change alike, the one by whose name people know it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Laid:
    """A plan with the wish that it was laid out for."""

    plan: PlanView
    wish: Wish


def difference(new: Laid, old: Laid, language: str) -> str:
    """Return what is different in a sentence, empty if nothing is."""
    items = [item for item in _items(new, old, language) if item]
    if items:
        joint = "；" if speak_language(language) in ("zh", "ja") else "; "
        return say("diff", language, items=joint.join(items))
    return say("diff_again", language) if new.wish.remake > old.wish.remake else ""


def _items(new: Laid, old: Laid, language: str) -> Iterator[str]:
    if new.wish.kind != old.wish.kind:
        names = [say(KIND_NAMES[one.wish.kind], language) for one in (new, old)]
        yield _value("diff_kind", names[0], names[1], language)
    else:
        yield from _counts(new.plan, old.plan, language)
    yield from _form(new, old, language)
    yield from _look(new.wish, old.wish, language)
    yield from _parts(new, old, language)


def _counts(new: PlanView, old: PlanView, language: str) -> Iterator[str]:
    """Yield each change of a number once; the pictures and the shots of a film go together."""
    before = {step.key: step for step in old.steps}
    changed: dict[tuple[int, int], list[tuple[str, str]]] = {}
    for step in new.steps:
        earlier = before.get(step.key)
        if earlier is not None and earlier.count != step.count:
            pair = (step.count, earlier.count)
            changed.setdefault(pair, []).append((step.kind, step.title))
    for (count, earlier_count), steps in changed.items():
        known = [title for kind in _TELLING for found, title in steps if found == kind]
        title = next(iter(known), steps[0][1])
        yield say("diff_value", language, what=title, new=count, old=earlier_count)


def _form(new: Laid, old: Laid, language: str) -> Iterator[str]:
    one, other = new.plan, old.plan
    if one.duration_s != other.duration_s and one.duration_s and other.duration_s:
        lengths = [length(plan.duration_s, language) for plan in (one, other)]
        yield _value("diff_length", lengths[0], lengths[1], language)
    sizes = [size(plan.width, plan.height) for plan in (one, other)]
    yield _value("diff_format", sizes[0], sizes[1], language)
    if new.wish.kind == "film":
        yield _value("diff_rate", str(one.fps), str(other.fps), language)
    names = [language_name(plan.language, language) for plan in (one, other) if plan.language]
    if len(names) == 2:  # noqa: PLR2004 - both of them
        yield _value("diff_language", names[0], names[1], language)


def _look(new: Wish, old: Wish, language: str) -> Iterator[str]:
    told, before = _told(new, language), _told(old, language)
    for what, shown in told.items():
        yield _value(what, shown, before[what], language)
    is_bare, was_bare = ("lettering" in wish.absent for wish in (new, old))
    if is_bare != was_bare:
        yield say("diff_unlettered" if is_bare else "diff_lettered", language)


def _told(wish: Wish, language: str) -> dict[str, str]:
    """Return what a work is about and how it looks, in words."""
    colours = [look_name("colour", colour, language) for colour in wish.brief.palette]
    return {
        "diff_subject": _quoted(wish.brief.subject, language),
        "diff_look": listed(looks_of(wish, language), language),
        "diff_colours": listed(colours, language),
        "diff_title": _quoted(wish.title, language),
        "diff_words": _quoted(wish.lettering, language),
    }


def _parts(new: Laid, old: Laid, language: str) -> Iterator[str]:
    """Yield the steps and free wishes that are new, and those that are no longer there."""
    for key, one, other in (("diff_added", new, old), ("diff_removed", old, new)):
        there = {step.kind for step in other.plan.steps}
        is_same_kind = new.wish.kind == old.wish.kind
        steps = [s.title for s in one.plan.steps if s.kind not in there and is_same_kind]
        free = [quote(w, language) for w in one.wish.extras if w not in other.wish.extras]
        if steps or free:
            yield say(key, language, items=listed([*steps, *free], language))


def _value(what: str, new: str, old: str, language: str) -> str:
    """Return a change of one value, empty if it is the same."""
    if fold(new) == fold(old):
        return ""
    name = say(what, language)
    if not new:
        return say("diff_removed", language, items=name)
    if not old:
        return say("diff_set", language, what=name, new=new)
    return say("diff_value", language, what=name, new=new, old=old)


def _quoted(text: str, language: str) -> str:
    return quote(text, language) if text else ""
