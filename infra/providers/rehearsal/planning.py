"""Lays out a wish as the steps of a plan, in the shape that `propose_plan` takes.

A revised plan names the steps whose results stay valid: those for which exactly the same calls
would be made, and which stand on nothing that changes.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, assert_never

from infra.providers.rehearsal.brief import Note, Wish, title_of
from infra.providers.rehearsal.comparing import Laid, difference
from infra.providers.rehearsal.phrases import (
    join,
    language_name,
    length,
    listed,
    quote,
    say,
    size,
)
from infra.providers.rehearsal.production import Production, ProposedCall, slot_call
from infra.providers.rehearsal.state import Json, PlanStep, PlanView, json_objects

type Arguments = dict[str, Any]

_SECONDS_PER_RECORDING = 60
_MOST_RECORDINGS = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """An earlier plan and the production that belonged to it."""

    plan: PlanView
    made: Production


def plan_of(
    made: Production,
    *,
    title: str,
    capabilities: Json,
    basis: Basis | None,
    earlier: Laid | None = None,
) -> Arguments:
    """Return the arguments of `propose_plan` for what is to be produced.

    Args:
        made: what the person wants, written out.
        title: of the task, for a wish that names no subject.
        capabilities: what this installation offers.
        basis: the plan that this one revises.
        earlier: the plan that the person was shown before this one.
    """
    wish, brief = made.wish, made.wish.brief
    steps = [step for step in _steps(made) if _is_offered(step["kind"], capabilities)]
    steps = _without_orphans(steps)
    is_timed = wish.kind in ("film", "music")
    arguments: Arguments = {
        "title": (title_of(wish) or title or made.title or "…")[:190],
        "summary": "",
        "language": brief.work_language[:20],
        "width": brief.width,
        "height": brief.height,
        "fps": brief.fps,
        "duration_s": brief.duration_s if is_timed else 0,
        "steps": steps,
        "keep": [],
    }
    if basis is not None:
        arguments["keep"] = _valid_steps(made, arguments, basis)
        _keep_in_part(made, arguments, basis)
        arguments["kept_results"] = _kept_beside_words(arguments, basis, made.language)
        arguments["left_out"] = _left_out(arguments, basis, made.language)
    laid = Laid(plan=view_of(arguments), wish=wish)
    changed = difference(laid, earlier, made.language) if earlier is not None else ""
    summary = [changed, _summary(made, arguments)]
    arguments["summary"] = join(summary, made.language)[:3900]
    return arguments


def view_of(arguments: Arguments) -> PlanView:
    """Return a proposal as the plan that it would become, with every slot missing."""
    return PlanView(
        version=0,
        approved=False,
        width=arguments["width"],
        height=arguments["height"],
        fps=arguments["fps"],
        duration_s=arguments["duration_s"],
        language=arguments["language"],
        steps=tuple(_as_step(step) for step in arguments["steps"]),
    )


def _as_step(step: Arguments) -> PlanStep:
    return PlanStep(
        key=step["key"],
        title=step["title"],
        kind=step["kind"],
        count=step["count"],
        status="todo",
        done=0,
        running=0,
        failed=0,
        missing=tuple(range(1, step["count"] + 1)),
        attempts={},
    )


def _steps(made: Production) -> list[Arguments]:
    wish, language = made.wish, made.language
    match wish.kind:
        case "film":
            return _film(made)
        case "posters":
            titled = "posters" if wish.is_poster else "pictures"
            return [
                _step("concept", "document", language),
                _step("pictures", "image", language, titled, count=wish.count, needs=["concept"]),
            ]
        case "image" | "document" | "model3d":
            key, kind, titled = _ALONE[wish.kind]
            return [_step(key, kind, language, titled, count=wish.count)]
        case "music":
            return [_step("music", "music", language, seconds=wish.brief.duration_s)]
        case "narration":
            spoken = len(wish.text) / 12 if wish.text else wish.brief.duration_s
            count = min(_MOST_RECORDINGS, max(1, math.ceil(spoken / _SECONDS_PER_RECORDING)))
            return [
                _step("script", "script", language),
                _step("narration", "narration", language, count=count, needs=["script"]),
            ]
    assert_never(wish.kind)


_ALONE = {
    "image": ("picture", "image", ""),
    "document": ("text", "script", "text"),
    "model3d": ("object", "model3d", ""),
}
"""Key, kind and title of the one step of a work that has no other."""


def _film(made: Production) -> list[Arguments]:
    wish, language = made.wish, made.language
    shots, seconds = wish.brief.shot_count, wish.brief.duration_s
    voice = "narration" not in wish.absent
    steps = [
        _step("script", "script", language),
        _step("keyframes", "keyframes", language, count=shots, needs=["script"]),
        _step("shots", "shots", language, count=shots, needs=["keyframes"], seconds=seconds),
    ]
    if voice:
        steps.append(_step("narration", "narration", language, count=shots, needs=["script"]))
    if "music" not in wish.absent:
        steps.append(_step("music", "music", language, needs=["script"], seconds=seconds))
    if voice and "captions" not in wish.absent:
        steps.append(_step("captions", "captions", language, needs=["shots", "narration"]))
    parts = [step["key"] for step in steps if step["key"] not in ("script", "keyframes")]
    steps.append(_step("master", "master", language, needs=parts, seconds=seconds))
    return steps


def _step(
    key: str,
    kind: str,
    language: str,
    title: str = "",
    *,
    count: int = 1,
    needs: Iterable[str] = (),
    seconds: float = 0,
) -> Arguments:
    names = {"document": "concept", "image": "image"}
    return {
        "key": key,
        "title": say(f"step_{title or names.get(kind, kind)}", language),
        "kind": kind,
        "count": count,
        "depends_on": list(needs),
        "seconds": seconds,
        "review": False,
    }


_OPERATIONS = {
    "keyframes": "image",
    "image": "image",
    "shots": "clip",
    "narration": "narration",
    "music": "music",
    "captions": "captions",
    "master": "render",
}
_OPTIONAL = frozenset({"narration", "music", "captions"})


def _is_offered(kind: str, capabilities: Json) -> bool:
    """What adorns a film is left out where nobody can make it; the rest is for code to refuse."""
    offered = {str(name) for name in operations(capabilities)}
    return not offered or kind not in _OPTIONAL or _OPERATIONS[kind] in offered


def operations(capabilities: Json) -> Iterable[str]:
    """Yield the names of the operations that this installation offers."""
    for item in json_objects(capabilities.get("operations")):
        if isinstance(name := item.get("name"), str):
            yield name


def _without_orphans(steps: list[Arguments]) -> list[Arguments]:
    keys = {step["key"] for step in steps}
    kept = [
        step for step in steps if step["kind"] != "captions" or keys.issuperset(step["depends_on"])
    ]
    keys = {step["key"] for step in kept}
    for step in kept:
        step["depends_on"] = [key for key in step["depends_on"] if key in keys]
    return kept


def _valid_steps(made: Production, arguments: Arguments, basis: Basis) -> list[str]:
    plan = view_of(arguments)
    needs = {step["key"]: step["depends_on"] for step in arguments["steps"]}
    kept: list[str] = []
    for step in plan.steps:
        old = next((one for one in basis.plan.steps if one.key == step.key), None)
        if old is None or old.kind != step.kind or old.count != step.count:
            continue
        if old.status == "rejected":
            continue
        stands = step.kind in _FROM_WORDS or all(key in kept for key in needs[step.key])
        if stands and _calls(made, plan, step) == _calls(basis.made, basis.plan, step):
            kept.append(step.key)
    return [] if len(kept) == len(plan.steps) else kept


def _keep_in_part(made: Production, arguments: Arguments, basis: Basis) -> None:
    """Keep the pictures of a series that are, or will be, as they are wanted; redo the others."""
    plan = view_of(arguments)
    needed = {key for step in arguments["steps"] for key in step["depends_on"]}
    for place, step in enumerate(plan.steps):
        old = next((one for one in basis.plan.steps if one.key == step.key), None)
        if old is None or old.status == "rejected" or not (old.done or old.running):
            continue
        if step.key in {*arguments["keep"], *needed}:
            continue
        if (old.kind, old.count, step.kind) != (step.kind, step.count, "image"):
            continue
        now, before = _calls(made, plan, step), _calls(basis.made, basis.plan, step)
        pairs = zip(now, before, strict=True)
        again = [slot for slot, (one, other) in enumerate(pairs, start=1) if one != other]
        if 0 < len(again) < step.count:
            arguments["steps"][place]["remake"] = again
            arguments["keep"] = [*arguments["keep"], step.key]


def _kept_beside_words(arguments: Arguments, basis: Basis, language: str) -> list[Arguments]:
    """Return the results that stay though the text is written anew that they stand on."""
    kinds = {step["key"]: step["kind"] for step in arguments["steps"]}
    kept = set(arguments["keep"])
    written = {key for key, kind in kinds.items() if kind in ("script", "document")} - kept
    done = {step.key: step.done for step in basis.plan.steps}
    return [
        {
            "step": step["key"],
            "slots": [n for n in range(1, step["count"] + 1) if n not in step.get("remake", ())],
            "reason": say("kept_same", language),
        }
        for step in arguments["steps"]
        if step["key"] in kept and done.get(step["key"]) and written & set(step["depends_on"])
    ]


def _left_out(arguments: Arguments, basis: Basis, language: str) -> list[Arguments]:
    """Return the steps that have results and are no longer wanted."""
    kinds = {step["key"]: step["kind"] for step in arguments["steps"]}
    return [
        {"step": step.key, "reason": say("left_out_wish", language)}
        for step in basis.plan.steps
        if step.done and kinds.get(step.key) != step.kind
    ]


_FROM_WORDS = frozenset(
    {"script", "document", "keyframes", "narration", "music", "image", "model3d"}
)
"""What is made from the script's words alone: equal calls mean equal results."""


def _calls(made: Production, plan: PlanView, step: PlanStep) -> list[ProposedCall | None]:
    fresh = PlanStep(
        key=step.key,
        title=step.title,
        kind=step.kind,
        count=step.count,
        status="todo",
        done=0,
        running=0,
        failed=0,
        missing=(),
        attempts={},
    )
    return [slot_call(made, plan, fresh, slot) for slot in range(1, step.count + 1)]


def _summary(made: Production, arguments: Arguments) -> str:
    """Return what the person will get, and which wishes cannot be met, in their language."""
    wish, language = made.wish, made.language
    sentences = [_what(made)]
    kinds = {step["kind"] for step in arguments["steps"]}
    if wish.kind == "film":
        spoken = language_name(wish.brief.work_language, language)
        has_voice = "narration" in kinds
        sentences.append(
            say("plan_voice", language, language=spoken)
            if has_voice
            else say("plan_silent", language)
        )
        way = [step["title"] for step in arguments["steps"]]
        sentences.append(say("plan_way", language, items=" → ".join(way)))
    if is_unlettered(wish):
        sentences.append(say("plan_unlettered", language))
    if wish.extras:
        items = listed([quote(extra, language) for extra in wish.extras], language)
        sentences.append(say("plan_extra", language, items=items))
    sentences += [note_of(note, language) for note in wish.notes]
    whole = [each for each in arguments["steps"] if not each.get("remake")]
    if kept := [each["title"] for each in whole if each["key"] in arguments["keep"]]:
        items = listed(kept, language)
        sentences.append(say("plan_kept", language, items=items))
    return join(sentences, language)


def is_unlettered(wish: Wish) -> bool:
    """Whether the pictures are to be without any words, because the person said so."""
    return wish.kind in ("film", "posters", "image") and "lettering" in wish.absent


def _what(made: Production) -> str:
    wish, brief, language = made.wish, made.wish.brief, made.language
    shown = size(brief.width, brief.height)
    match wish.kind:
        case "film":
            return say(
                "plan_film",
                language,
                length=length(brief.duration_s, language),
                n=brief.shot_count,
                format=shown,
            )
        case "posters":
            return say("plan_posters", language, n=wish.count, format=shown)
        case "image":
            return say("plan_image", language, format=shown)
        case "model3d":
            return say("plan_model3d", language, n=wish.count)
        case "music":
            return say("plan_music", language, length=length(brief.duration_s, language))
        case "narration" | "document":
            name = language_name(brief.work_language, language)
            return say(f"plan_{wish.kind}", language, language=name)
    assert_never(wish.kind)


def note_of(note: Note, language: str) -> str:
    """Return a wish that cannot be met, and what there will be, in a sentence."""
    match note.about:
        case "length":
            asked, given = (length(float(value), language) for value in (note.asked, note.given))
        case "language":
            asked, given = (language_name(tag, language) for tag in (note.asked, note.given))
        case "machine" | "senses" | "past":
            return say(f"limit_{note.about}", language)
        case "count" | "resolution":
            asked, given = note.asked, note.given
        case _:
            assert_never(note.about)
    return say(f"note_{note.about}", language, asked=asked, given=given)
