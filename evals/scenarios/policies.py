"""How a simulated person decides what to do next: one interface, and the script.

A policy sees only what is shown. What it does carries labels that the service never gets.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Protocol

from evals.scenarios.schema import Act, Line
from evals.scenarios.triggers import comes_at, fits, has_come
from evals.scenarios.view import Json, View


@dataclass(frozen=True, slots=True, kw_only=True)
class Doing:
    """What is to be done, when, and to which question."""

    act: Act
    at_s: float
    question: Json | None = None
    apart: bool = False
    """Whether what is done several times comes from several tabs, each as if it were alone."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Nothing, until something new is shown, or until then."""

    until_s: float | None = None


class Policy(Protocol):
    """A person."""

    async def next(self, view: View, rng: Random) -> list[Doing] | Wait:
        """Return what to do now that this is shown."""
        ...

    @property
    def is_through(self) -> bool:
        """Whether all that was meant to be done from their own side is done."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """Who decides, and what a record calls them."""

    policy: Policy
    called: str


@dataclass
class Script:
    """Does each line once when its time has come; those about questions at each one they fit.

    The first line that fits a question answers it.
    """

    lines: list[Line]
    _done: set[int] = field(default_factory=set[int])
    _answered: set[str] = field(default_factory=set[str])

    async def next(self, view: View, rng: Random) -> list[Doing] | Wait:
        """Return what the script says for this moment."""
        del rng
        doing = [*self._answers(view), *self._lines_now(view)]
        return doing or Wait(self._next_time(view))

    @property
    def is_through(self) -> bool:
        """Whether every line was done that is not about a question."""
        return len(self._done) == sum(each.when.kind != "question" for each in self.lines)

    def _answers(self, view: View) -> list[Doing]:
        doing: list[Doing] = []
        for question in view.pending:
            if question["id"] in self._answered:
                continue
            line = next((each for each in self.lines if fits(each.when, question, view)), None)
            if line is not None:
                self._answered.add(question["id"])
                at_s = view.now_s + line.do.after_s
                doing.append(Doing(act=line.do, at_s=at_s, question=question))
        return doing

    def _lines_now(self, view: View) -> list[Doing]:
        doing: list[Doing] = []
        for number, line in self._left():
            if has_come(line.when, view):
                self._done.add(number)
                doing.append(Doing(act=line.do, at_s=view.now_s + line.do.after_s))
        return doing

    def _next_time(self, view: View) -> float | None:
        times = (comes_at(line.when, view) for _, line in self._left())
        return min((each for each in times if each is not None), default=None)

    def _left(self) -> list[tuple[int, Line]]:
        return [
            (number, line)
            for number, line in enumerate(self.lines)
            if number not in self._done and line.when.kind != "question"
        ]


def answer_to(question: Json, *, note: str | None = None) -> Act:
    """Return the answer that lets the work go on: yes, or the first thing that is offered."""
    if "approve" in question["actions"]:
        return Act(decide="approve", note=note, intent="answer")
    return Act(decide="choose", choice=_offered(question), note=note, intent="answer")


def _offered(question: Json) -> str:
    """Return the option to take: of where a message belongs a work of its own, if offered."""
    options = [each["id"] for each in question["options"]]
    if question["kind"] == "route" and "new" in options:
        return "new"
    return options[0] if options else "Whatever you think is best."
