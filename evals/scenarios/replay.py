"""A person who does again what somebody did in a recorded trial.

Ids are drawn anew in each trial and a machine is never equally fast twice. So what is done again is
tied to what had been shown when it was done: the same events, the question that had the same part,
and then after as much time. Where that is not shown any more, it is done all the same, later: then
the logs tell the difference.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pydantic import ValidationError

from evals.reports.volatile import NOISE
from evals.scenarios.policies import Doing, Wait
from evals.scenarios.schema import Act
from evals.scenarios.view import Json, View
from evals.trials import Happening, Record
from infra.errors import ConfigurationError

GRACE_S = 600.0
"""So much later something is done that waits for what is not shown this time."""
_UNSEEN = ("world", "money")
"""What a person does not hear of by itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """The part that a question had: the n-th of its kind and title."""

    kind: str
    title: str
    number: int
    options: tuple[str, ...] = ()
    """The ids that it offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """What is to be done again."""

    act: Act
    at_s: float
    after_s: float
    """How long after the last thing shown it was done."""
    shown: Counter[str]
    """How many events of each type had been shown before."""
    question: Part | None
    apart: bool


@dataclass
class Replay:
    """Does again what is left, one after another."""

    left: list[Again]
    _met_s: float | None = field(default=None)

    async def next(self, view: View, rng: Random) -> list[Doing] | Wait:
        """Return the next thing, as soon as everything is shown that was shown before it."""
        del rng
        if not self.left:
            return Wait()
        again = self.left[0]
        is_late = view.now_s >= again.at_s + GRACE_S
        if not is_late and not _is_shown(again, view):
            return Wait(again.at_s + GRACE_S)
        self.left.pop(0)
        question = _question(again.question, view) if again.question else None
        act = _as_offered(again, question)
        # What was done before it comes first, whatever it waited for.
        at_s = max(self._met_s or 0.0, min(view.changed_s + again.after_s, again.at_s + GRACE_S))
        self._met_s = at_s
        return [Doing(act=act, at_s=at_s, question=question, apart=again.apart)]

    @property
    def is_through(self) -> bool:
        """Whether everything was done again."""
        return not self.left


def replayed(record: Record) -> Replay:
    """Return the person of a record.

    Raises:
        ConfigurationError: the record does not say what they did.
    """
    happened = [each for each in record.happenings if each.track not in _UNSEEN]
    parts = _parts(happened)
    left = [
        _again(happened[:place], each, parts)
        for place, each in enumerate(happened)
        if each.track == "person"
    ]
    return Replay(left)


def _again(before: Sequence[Happening], each: Happening, parts: dict[str, Part]) -> Again:
    heard = [one for one in before if one.track != "person" and one.what not in NOISE]
    try:
        act = Act.model_validate(each.data["act"])
    except (KeyError, ValidationError) as error:
        message = f"What the person did at {each.at_s:g} s cannot be done again: {error}"
        raise ConfigurationError(message) from error
    return Again(
        act=act,
        at_s=each.at_s,
        after_s=each.at_s - (heard[-1].at_s if heard else 0.0),
        shown=Counter(one.what for one in heard),
        question=parts.get(each.data.get("question_id") or ""),
        apart=bool(each.data.get("apart")),
    )


def _parts(happened: Sequence[Happening]) -> dict[str, Part]:
    """Return which part each question of a record had, by its id."""
    parts: dict[str, Part] = {}
    for each in happened:
        if each.what == "approval.requested" and each.data["id"] not in parts:
            parts[each.data["id"]] = _part(each.data, parts.values())
    return parts


def _part(question: Json, others: Any) -> Part:
    kind, title = question["kind"], question["title"]
    alike = sum((other.kind, other.title) == (kind, title) for other in others)
    options = tuple(str(each["id"]) for each in question.get("options", []))
    return Part(kind=kind, title=title, number=alike + 1, options=options)


def _is_shown(again: Again, view: View) -> bool:
    if any(view.happened[what] < count for what, count in again.shown.items()):
        return False
    return again.question is None or _question(again.question, view) is not None


def _question(part: Part, view: View) -> Json | None:
    alike = [
        each
        for each in view.questions.values()
        if (each["kind"], each["title"]) == (part.kind, part.title)
    ]
    return alike[part.number - 1] if len(alike) >= part.number else None


def _as_offered(again: Again, question: Json | None) -> Act:
    """Return the act with the id of the option that stands where the chosen one stood."""
    act, part = again.act, again.question
    if question is None or part is None or act.choice not in part.options:
        return act
    options = [str(each["id"]) for each in question.get("options", [])]
    place = part.options.index(act.choice)
    return act.model_copy(update={"choice": options[place]}) if place < len(options) else act
