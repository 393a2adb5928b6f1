"""What counts as right, and the figures: pure functions over labels and routes.

A *wrong target* is a message that went to an existing task which no label names. Guessing one of
several that fit equally well is one too, as nobody could know: the label there is a question.
"""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from evals.routing.cases import Case, Label

MOST_MORE_OPTIONS = 1
"""So many tasks may a question offer besides those that must be among them."""
ACCURACY = 0.95
WRONG_TARGETS = 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class Got:
    """Where a message went; tasks by the keys of the situation, `?` for any other."""

    outcome: str
    """An outcome of the router, `refused` at the door, or `none` when it was never routed."""
    task: str | None = None
    options: list[str] = field(default_factory=list[str])
    brings_back: str | None = None
    """The stopped or archived task that the person is asked about first: whether it goes on."""
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """A case, where its message went, and what that was."""

    situation: str
    case: Case
    language: str
    got: Got

    @property
    def is_right(self) -> bool:
        """Whether any label of the case says so."""
        return any(matches(label, self.got) for label in self.case.labels)

    @property
    def is_wrong_target(self) -> bool:
        """Whether it went to an existing task to which it does not belong."""
        return self.got.outcome == "existing" and not self.is_right

    @property
    def is_risky(self) -> bool:
        """Whether a wrong target would spend or delete."""
        return self.case.risk != "none"

    @property
    def should_ask(self) -> bool:
        """Whether a question is what the label says."""
        return self.case.expect.outcome == "ask"

    @property
    def is_missed_question(self) -> bool:
        """Whether it should have been asked about and was not."""
        return self.should_ask and self.got.outcome != "ask" and not self.is_right

    @property
    def is_needless_question(self) -> bool:
        """Whether it was asked about although something else was right."""
        return not self.should_ask and self.got.outcome == "ask" and not self.is_right


def matches(label: Label, got: Got) -> bool:
    """Tell whether a message went where a label says; a question must offer what it has to."""
    if label.outcome == "existing" and got.outcome == "ask":
        # A task that was stopped or put away is found, and is never gone on with unasked.
        return got.brings_back is not None and got.brings_back == label.task
    if label.outcome != got.outcome:
        return False
    if label.outcome == "ask":
        offered, needed = set(got.options), set(label.options)
        return needed <= offered and len(offered - needed) <= MOST_MORE_OPTIONS
    return label.outcome != "existing" or label.task == got.task


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """The counts of some cases."""

    cases: int
    right: int
    wrong_targets: int
    guesses: int
    """Of the wrong targets: one of several that fit equally well was taken without asking."""
    risky: int
    risky_wrong_targets: int
    needless_questions: int
    should_ask: int
    missed_questions: int
    unrouted: int

    @property
    def accuracy(self) -> float:
        """The share of right ones."""
        return _share(self.right, self.cases)

    @property
    def wrong_target_rate(self) -> float:
        """The share of wrong targets in all cases."""
        return _share(self.wrong_targets, self.cases)

    @property
    def needless_question_rate(self) -> float:
        """The share of needless questions in the cases where none was to be asked."""
        return _share(self.needless_questions, self.cases - self.should_ask)

    @property
    def missed_question_rate(self) -> float:
        """The share of missed questions in the cases where one was to be asked."""
        return _share(self.missed_questions, self.should_ask)

    def as_json(self) -> dict[str, Any]:
        """Return counts and shares."""
        return {
            **asdict(self),
            "accuracy": round(self.accuracy, 4),
            "wrong_target_rate": round(self.wrong_target_rate, 4),
            "needless_question_rate": round(self.needless_question_rate, 4),
            "missed_question_rate": round(self.missed_question_rate, 4),
        }


def count(judged: Iterable[Judged]) -> Figures:
    """Return the figures of these cases."""
    all_of = list(judged)
    wrong = [each for each in all_of if each.is_wrong_target]
    return Figures(
        cases=len(all_of),
        right=sum(each.is_right for each in all_of),
        wrong_targets=len(wrong),
        guesses=sum(each.got.task in each.case.expect.options for each in wrong),
        risky=sum(each.is_risky for each in all_of),
        risky_wrong_targets=sum(each.is_risky for each in wrong),
        needless_questions=sum(each.is_needless_question for each in all_of),
        should_ask=sum(each.should_ask for each in all_of),
        missed_questions=sum(each.is_missed_question for each in all_of),
        unrouted=sum(each.got.outcome in ("none", "refused") for each in all_of),
    )


def count_by(
    judged: Iterable[Judged], names_of: Callable[[Judged], Iterable[str]]
) -> dict[str, Figures]:
    """Return the figures of each group; a case counts in every group that is named for it."""
    groups: dict[str, list[Judged]] = {}
    for each in judged:
        for name in names_of(each):
            groups.setdefault(name, []).append(each)
    return {name: count(members) for name, members in sorted(groups.items())}


def missed_thresholds(figures: Figures) -> list[str]:
    """Return a sentence for each threshold that these figures miss."""
    missed: list[str] = []
    if figures.accuracy < ACCURACY:
        missed.append(f"accuracy is {figures.accuracy:.1%}, below {ACCURACY:.0%}")
    if figures.wrong_target_rate > WRONG_TARGETS:
        missed.append(
            f"wrong targets are {figures.wrong_target_rate:.1%}, above {WRONG_TARGETS:.0%}"
        )
    if figures.risky_wrong_targets:
        missed.append(
            f"{figures.risky_wrong_targets} wrong targets would spend or delete; none may"
        )
    return missed


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
