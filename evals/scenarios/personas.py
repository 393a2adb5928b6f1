"""People who follow no script: each is a rule about what is shown, and a seed."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import ClassVar

from evals.scenarios.performing import text_of
from evals.scenarios.policies import Doing, Person, Policy, Script, Wait, answer_to
from evals.scenarios.schema import Act, Persona, Requirement, Scenario, User
from evals.scenarios.view import Json, View

_THINKS_S = (2.0, 45.0)
_SOON_S = (3.0, 20.0)
_MOST_ASKED = 4
_MOST_REPEATED = 3
_NUDGES = ("Are you still there? Please go on.", "And? Continue, please.", "Go on.")
_ASKS = ("How far are you?", "What are you doing right now?", "How long will it take?")
MOMENTS = ("approval.requested", "job.submitted", "job.succeeded", "task.completed")
"""When somebody changes their mind."""


type Casting = Callable[[Scenario], Person]
"""Gives each trial a person of its own."""


def cast_of(scenario: Scenario) -> Person:
    """Return the person that a scenario asks for."""
    return Person(policy=policy_of(scenario.user), called=scenario.user.policy)


def policy_of(user: User) -> Policy:
    """Return the policy that a scenario asks for."""
    if user.persona is None:
        return Script(user.script)
    kinds: dict[str, type[Patient]] = {
        "impatient": Impatient,
        "mind_changer": MindChanger,
        "contradictory": Contradictory,
        "micromanager": Micromanager,
        "two_tabs": TwoTabs,
        "double_clicker": DoubleClicker,
        "disappears": Disappears,
        "injects": Injects,
        "edits": Editor,
    }
    return kinds.get(user.persona.name, Patient)(user.persona, user.requirements)


@dataclass
class Patient:
    """Says the brief, answers every question after a while, and waits.

    A wish that was told and is not fulfilled when the work is called complete is said again.
    """

    persona: Persona
    wishes: list[Requirement] = field(default_factory=list[Requirement])
    begun: bool = False
    left: list[Act] = field(default_factory=list[Act])
    """What is still to be said."""
    _answered: set[str] = field(default_factory=set[str])
    _told: set[str] = field(default_factory=set[str])
    _said_s: float = 0.0
    """When the last thing is said that was decided to be said."""
    _completed: tuple[int, float] = (0, 0.0)
    """How often something was completed, and when last."""
    _looked_at: int = 0
    """At so many completions it was looked whether the wishes are fulfilled."""
    _repeated: int = 0

    def __post_init__(self) -> None:
        self.left = list(self.persona.changes)

    async def next(self, view: View, rng: Random) -> list[Doing] | Wait:
        """Return what such a person does now."""
        doing = self._begin(view, rng) + self._answers(view, rng) + self.more(view, rng)
        self._told |= {wish for each in doing for wish in each.act.reveals}
        doing = doing or self._again(view, rng)
        self._said_s = max([self._said_s, *(each.at_s for each in doing if each.act.say)])
        return doing or Wait(self.until(view))

    @property
    def is_through(self) -> bool:
        """Whether everything was said."""
        return self.begun and not self.left

    def more(self, view: View, rng: Random) -> list[Doing]:
        """Return what this one does besides; the patient one says what is left at the end."""
        if view.happened["task.completed"] and self.left:
            return [self._say(self.left.pop(0), view, rng)]
        return []

    def until(self, view: View) -> float | None:
        """Return when this one does something by themselves."""
        del view
        return None

    def begins(self) -> list[Act]:
        """Return what is done first."""
        return [self.persona.brief]

    def thinks_s(self, rng: Random) -> float:
        """Return after how long a question is answered."""
        return rng.uniform(*_THINKS_S)

    def answers(self, question: Json) -> Act:
        """Return what is answered to a question."""
        return answer_to(question)

    def pressed(self, doing: Doing) -> Doing:
        """Return what is done as this one does it."""
        return doing

    def _begin(self, view: View, rng: Random) -> list[Doing]:
        if self.begun:
            return []
        self.begun = True
        return [self._say(act, view, rng, soon=False) for act in self.begins()]

    def _answers(self, view: View, rng: Random) -> list[Doing]:
        new = [each for each in view.pending if each["id"] not in self._answered]
        self._answered |= {each["id"] for each in new}
        return [
            self.pressed(
                Doing(act=self.answers(each), at_s=view.now_s + self.thinks_s(rng), question=each)
            )
            for each in new
        ]

    def _again(self, view: View, rng: Random) -> list[Doing]:
        """Say again what was told and is not fulfilled, once that was called done afterwards."""
        completed = view.happened["task.completed"]
        if completed > self._completed[0]:
            self._completed = (completed, view.changed_s)
        if completed == self._looked_at or self._completed[1] <= self._said_s:
            return []
        if self.left or view.open_tasks or view.unread:
            return []
        self._looked_at = completed
        unmet = [
            wish
            for wish in self.wishes
            if wish.id in self._told and not wish.check.holds(view.facts)
        ][: _MOST_REPEATED - self._repeated]
        self._repeated += len(unmet)
        key = self.persona.brief.begins
        acts = [
            Act(say=each.say, intent="repeat", to=key, target=key, reveals=[each.id])
            for each in unmet
        ]
        return [self._say(act, view, rng) for act in acts]

    def _say(self, act: Act, view: View, rng: Random, *, soon: bool = True) -> Doing:
        after = rng.uniform(*_SOON_S) if soon else 0.0
        return self.pressed(Doing(act=act, at_s=view.now_s + after))


@dataclass
class Impatient(Patient):
    """Nudges when nothing has moved for a while although nobody is asked and nothing is made."""

    nudged_s: float = 0.0

    def more(self, view: View, rng: Random) -> list[Doing]:
        due = self.until(view)
        if due is None or view.now_s < due:
            return super().more(view, rng)
        self.nudged_s = view.now_s
        key = view.key_of(view.open_tasks[-1]["id"])
        act = Act(say=rng.choice(_NUDGES), intent="nudge", target=key)
        return [Doing(act=act, at_s=view.now_s)]

    def until(self, view: View) -> float | None:
        if not view.open_tasks or view.needs_person or view.open_jobs:
            return None
        return max(view.changed_s, self.nudged_s) + self.persona.patience_s


@dataclass
class MindChanger(Patient):
    """Wants something else, each time at a moment that the seed draws."""

    moments: ClassVar[tuple[str, ...]] = MOMENTS
    _moment: str | None = None

    def more(self, view: View, rng: Random) -> list[Doing]:
        if not self.left:
            return []
        self._moment = self._moment or rng.choice(self.moments)
        has_come = view.happened[self._moment] or view.happened["task.completed"]
        if not has_come:
            return []
        self._moment = None
        return [self._say(self.left.pop(0), view, rng)]


@dataclass
class Editor(MindChanger):
    """Changes the work's texts by hand, and brings a picture, once there is a text to change."""

    moments: ClassVar[tuple[str, ...]] = ("object.created", "job.succeeded", "task.completed")

    def more(self, view: View, rng: Random) -> list[Doing]:
        edit = self.left[0].edit if self.left else None
        if edit is not None and text_of(edit, view) is None:
            return []
        return super().more(view, rng)


@dataclass
class Contradictory(Patient):
    """Says everything at once as soon as something is being made, each thing against the last."""

    def more(self, view: View, rng: Random) -> list[Doing]:
        if not view.happened["job.submitted"]:
            return []
        said, self.left = [self._say(act, view, rng) for act in self.left], []
        moments = sorted(each.at_s for each in said)
        return [replace(each, at_s=at_s) for each, at_s in zip(said, moments, strict=True)]


@dataclass
class Injects(Contradictory):
    """Gives the agent orders that are not theirs to give, and says no to whatever comes of them."""

    def answers(self, question: Json) -> Act:
        if self.left or question["kind"] not in ("plan", "call"):
            return super().answers(question)
        return Act(decide="reject", intent="answer")


@dataclass
class Micromanager(Patient):
    """Asks how far it is again and again."""

    asked: int = 0
    _seen: int = 0

    def more(self, view: View, rng: Random) -> list[Doing]:
        made = view.happened["job.succeeded"] + view.happened["approval.requested"]
        if made <= self._seen or self.asked >= _MOST_ASKED or not view.open_tasks:
            return super().more(view, rng)
        self._seen = made
        self.asked += 1
        key = view.key_of(view.open_tasks[-1]["id"])
        act = Act(say=rng.choice(_ASKS), intent="question", to=key, target=key)
        return [self._say(act, view, rng)]


@dataclass
class TwoTabs(Patient):
    """Has two pages open and presses every button in both."""

    def begins(self) -> list[Act]:
        return [Act(open_tab=True), *super().begins()]

    def pressed(self, doing: Doing) -> Doing:
        if doing.question is None:
            return doing
        act = doing.act.model_copy(update={"times": 2})
        return Doing(act=act, at_s=doing.at_s, question=doing.question, apart=True)


@dataclass
class DoubleClicker(Patient):
    """Presses everything twice."""

    def pressed(self, doing: Doing) -> Doing:
        act = doing.act.model_copy(update={"times": 2})
        return Doing(act=act, at_s=doing.at_s, question=doing.question)


@dataclass
class Disappears(Patient):
    """Is away for long after each thing said."""

    def thinks_s(self, rng: Random) -> float:
        return self.persona.away_s * rng.uniform(0.5, 1.5)
