"""What becomes of results under which something has changed: made again, or kept with a reason.

A result that was ordered by words which the change leaves as they are is kept. One that was made
from a picture or a sound that is another now is made again, and so is what was made from it.
"""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from infra.providers.rehearsal.phrases import listed, say
from infra.providers.rehearsal.production import ProposedCall
from infra.providers.rehearsal.state import Affected, PlanView, json_objects

type Arguments = dict[str, Any]
type Place = tuple[str, int]
type WordsOf = Callable[[Place], str]

_LONGEST_REASON = 600
_SHOWN = 300
"""So much of the words that a result was ordered by is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decided:
    """Which of the affected results are made again and which are kept."""

    again: frozenset[Place]
    kept: frozenset[Place]

    def slots_of(self, key: str) -> list[int]:
        """Return the slots of a step that are made again."""
        return [slot for step, slot in self.again if step == key]


def decide(changes: Sequence[Affected], words_of: WordsOf, *, anew: frozenset[str]) -> Decided:
    """Decide about every affected result.

    Args:
        changes: the results and how a change reaches them.
        words_of: by which words a place would be ordered now.
        anew: keys of steps that are made again as a whole.
    """
    again: set[Place] = {
        (one.step, one.slot)
        for one in changes
        if not one.through and not (one.by_words and _is_same(one, words_of))
    }
    grows = True
    while grows:
        reached = {
            (one.step, one.slot)
            for one in changes
            if any(each in again or each[0] in anew for each in one.through)
        }
        grows = not reached <= again
        again |= reached
    places = {(one.step, one.slot) for one in changes}
    return Decided(again=frozenset(again), kept=frozenset(places - again))


def _is_same(one: Affected, words_of: WordsOf) -> bool:
    """Tell whether a result would be ordered by the words that it was ordered by."""
    return words_of((one.step, one.slot))[:_SHOWN] == one.ordered


def with_decisions(arguments: Arguments, decided: Decided, language: str) -> Arguments:
    """Put decisions into a proposal, about the steps that it keeps."""
    keep = set(arguments["keep"])
    steps = [
        step | {"remake": sorted({*step.get("remake", ()), *decided.slots_of(step["key"])})}
        if step["key"] in keep
        else step
        for step in arguments["steps"]
    ]
    fresh = _kept({place for place in decided.kept if place[0] in keep}, say("kept_same", language))
    named = {each["step"] for each in fresh}
    before = [each for each in arguments.get("kept_results", []) if each["step"] not in named]
    return arguments | {"steps": steps, "kept_results": [*before, *fresh]}


def plan_again(plan: PlanView, decided: Decided, *, title: str, language: str) -> Arguments:
    """Return the plan as it is, with exactly the affected results made again."""
    titles = {step.key: step.title for step in plan.steps}
    items = [
        f"{titles.get(key, key)} {slot}" if _count_of(plan, key) > 1 else titles.get(key, key)
        for key, slot in sorted(decided.again, key=lambda place: _rank(plan, place))
    ]
    arguments: Arguments = {
        "title": title[:190] or "…",
        "summary": say("plan_rework", language, items=listed(items, language))[:3900],
        "language": plan.language[:20],
        "width": plan.width,
        "height": plan.height,
        "fps": plan.fps,
        "duration_s": plan.duration_s,
        "steps": [
            {
                "key": step.key,
                "title": step.title,
                "kind": step.kind,
                "count": step.count,
                "depends_on": list(step.depends_on),
                "seconds": step.seconds,
                "review": step.review,
            }
            for step in plan.steps
        ],
        "keep": [step.key for step in plan.steps],
    }
    return with_decisions(arguments, decided, language)


def is_rework(arguments: Arguments) -> bool:
    """Tell whether a proposal makes some results of kept steps again."""
    return any(step.get("remake") for step in json_objects(arguments.get("steps")))


def keep_calls(changes: Sequence[Affected], reason: str) -> tuple[ProposedCall, ...]:
    """Return the calls that keep all of these as they are.

    What a change reaches only through others is kept with those.
    """
    direct = {(one.step, one.slot) for one in changes if not one.through}
    return tuple(("keep_results", each) for each in _kept(direct, reason))


def _kept(places: Collection[Place], reason: str) -> list[Arguments]:
    slots: dict[str, list[int]] = {}
    for key, slot in sorted(places):
        slots.setdefault(key, []).append(slot)
    return [
        {"step": key, "slots": numbers, "reason": reason[:_LONGEST_REASON]}
        for key, numbers in slots.items()
    ]


def _count_of(plan: PlanView, key: str) -> int:
    return next((step.count for step in plan.steps if step.key == key), 1)


def _rank(plan: PlanView, place: Place) -> tuple[int, int]:
    keys = [step.key for step in plan.steps]
    return (keys.index(place[0]) if place[0] in keys else len(keys), place[1])
