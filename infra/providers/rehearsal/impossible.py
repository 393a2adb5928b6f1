"""What cannot be made here: printing, shipping, buying, publishing, things in the world."""

import re
from collections.abc import Iterator

from infra.providers.rehearsal.lexicon import entries, has, is_unspaced, pattern
from infra.providers.rehearsal.utterance import Said

ACTS = frozenset({"print", "ship", "publish", "buy", "live"})


def impossible(said: Said, frame: str) -> str | None:
    """Return what of a text cannot be done if that is what it asks for, None otherwise.

    A wish is impossible if its first act is, if all that it wants with a known thing is such an
    act, or if it names nothing that can be made.

    Args:
        said: what was said.
        frame: the folded text without what a work is about.
    """
    head = said.head
    known = head is not None and not said.is_new
    whole = said.folded if known or _is_all(said) else frame
    if head is None and _changes_first(whole):
        return None
    for what, place in _acts(whole):
        if what == "physical" and not has("act.build", said.folded):
            continue
        is_act = what in ACTS
        is_first = is_act and head is not None and _leads(said.folded, place, head.start)
        is_all = is_act and _is_all(said)
        is_all = is_all or ((is_act or what == "other") and known and not said.changes)
        is_program = what == "code" and head is not None and head.verb == "write"
        if (known or is_first) and _changes_first(whole[:place]):
            continue
        if head is None or is_first or is_all or is_program:
            return what
    return None


def _leads(folded: str, place: int, head: int) -> bool:
    """Whether an act is named before the kind of work, in the same sentence."""
    return place < head and re.search(r"[.!?。！？]\s", folded[place:head]) is None


def _is_all(said: Said) -> bool:
    """Whether nothing is to be made, in scripts where the verb comes last."""
    makes = any(has(f"verbs.{name}", said.folded) for name in ("make", "draw", "write"))
    return is_unspaced(said.folded) and not makes


def _changes_first(before: str) -> bool:
    """Whether a thing is to be changed: `fix the printer's address`, `change it and print it`."""
    return has("edit.verb", pattern("act.put").sub(" ", before))


def frame_of(said: Said) -> str:
    """Return the folded text without what the work is about: a film about prices asks no price."""
    makes = said.head is not None and said.head.verb != "write"
    place = said.text.find(said.subject) if said.subject and makes else -1
    if place < 0:
        return said.folded
    end = place + len(said.subject)
    return said.folded[:place] + " " * len(said.subject) + said.folded[end:]


def _acts(frame: str) -> Iterator[tuple[str, int]]:
    """Yield what cannot be done, in the order in which it is named."""
    found = [
        (match.start(), what)
        for what in entries("impossible")
        if (match := pattern(f"impossible.{what}").search(frame)) is not None
    ]
    for place, what in sorted(found):
        yield what, place


def second_act(folded: str) -> str | None:
    """Return what cannot be done in `… and print it`."""
    small = r"\b(?:and then|and|then|und dann|und|dann|y|luego|et|ensuite|e|poi|depois)\s"
    joints = rf"(?:{small}|[,，、]\s*(?:然后|并且?|그리고)?|하고|して)\s*"
    for what in sorted(ACTS):
        listed = pattern(f"impossible.{what}").pattern
        if re.search(rf"{joints}(?:{listed})", folded):
            return what
    return None
