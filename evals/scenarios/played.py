"""A chat model that plays a scenario's person, behind the same interface as every other policy.

It is told who it is, what it wants and what is on the page, and answers with one act. Code decides
whether that can be done, gives it the labels that measures need, and judges the trial; what the
model says of it counts for nothing. A model that does not play its part says nothing about the
service, so then the trial is broken.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Annotated, Any, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from evals.scenarios import seeing
from evals.scenarios.personas import Casting
from evals.scenarios.policies import Doing, Person, Wait
from evals.scenarios.schema import Act, Scenario
from evals.scenarios.seeing import Sight
from evals.scenarios.service import HarnessError
from evals.scenarios.view import View
from infra.providers.models import ChatModels, ModelRole

TOOL = "act"
_TRIES = 3
_ANSWERS_S = 120.0
_PATIENCE_S = 900.0
_LEAST_WAIT_S = 1.0
_LONGEST_S = 30 * 86_400.0

type Does = Literal[
    "say",
    "approve",
    "reject",
    "choose",
    "accept",
    "stop",
    "pause",
    "resume",
    "withdraw",
    "reload",
    "leave",
    "wait",
]
type Answers = Literal["approve", "reject", "choose"]
type Presses = Literal["accept", "stop", "pause", "resume", "withdraw", "reload", "leave"]


class Move(BaseModel):
    """What you do now: exactly one thing."""

    model_config = ConfigDict(extra="ignore")

    do: Does = Field(description="wait: nothing now; leave: close the page for good")
    words: Annotated[str, Field(max_length=2_000)] = Field(
        "", description="say: what you write; reject, choose: a note, or your own words"
    )
    question: str = Field("", description="approve, reject, choose: which question, such as Q1")
    choice: str = Field("", description="choose: one of the choices, as it is written")
    work: str = Field("", description="which work it is about, by its name")
    intent: Literal["brief", "change", "question", "nudge", "repeat", "answer"] = Field(
        "change",
        description="say: brief begins a work; nudge only says go on; repeat says a wish again"
        " that was passed over",
    )
    wishes: list[str] = Field([], description="say: the ids of the wishes that your words tell")
    after_s: Annotated[float, Field(ge=0, le=_LONGEST_S)] = Field(
        20.0, description="how many seconds from now; of wait: for how long at most"
    )


class NotPlayedError(Exception):
    """This cannot be done; the message says why, to the model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """The most that a model may be asked in a trial."""

    calls: int = 60
    tokens: int = 400_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """Whom the model plays: everything that it is told besides the page."""

    who: str
    wants: Sequence[str]
    works: Sequence[str]
    wishes: Mapping[str, str]

    @property
    def text(self) -> str:
        """It as instructions."""
        wishes = [f"{name}: {said}" for name, said in self.wishes.items()]
        return "\n".join(
            [
                "You play a person who uses a service that makes pictures, films and sounds.",
                f"You are {self.who}. You see only the page, and you act only through `{TOOL}`.",
                "Do one thing at a time, as such a person would; wait when there is nothing to do.",
                "What you want, in your own words and in this order:",
                *(f"- {each}" for each in self.wants),
                f"Names of your works: {', '.join(self.works) or 'none'}.",
                f"Your wishes by id: {'; '.join(wishes) or 'none'}.",
                "Never mention ids, tests or that you play somebody.",
            ]
        )


def role_of(scenario: Scenario) -> Role:
    """Return whom a model plays in a scenario, whether that is for a script or a persona."""
    user = scenario.user
    acts = (
        [user.persona.brief, *user.persona.changes]
        if user.persona
        else [line.do for line in user.script]
    )
    manner = user.persona.name.replace("_", " ") if user.persona else "busy and friendly"
    return Role(
        who=user.who or f"somebody who is {manner}",
        wants=[each.say for each in acts if each.say is not None],
        works=list(dict.fromkeys(each.begins for each in acts if each.begins)),
        wishes={each.id: each.say for each in user.requirements},
    )


def played_by(spec: str) -> Casting:
    """Let the chat model of a specification play whomever a scenario is about.

    Raises:
        ConfigurationError: there is no such model.
    """
    model = ChatModels(spec).get(ModelRole.REPLY)

    def cast(scenario: Scenario) -> Person:
        return Person(policy=Played(model, role_of(scenario)), called=f"model {spec}")

    return cast


@dataclass
class Played:
    """Asks the model whenever something is new on the page, or nothing has moved for long."""

    model: BaseChatModel
    role: Role
    bounds: Bounds = field(default_factory=Bounds)
    calls: int = 0
    tokens: int = 0
    _begun: bool = False
    _seen: frozenset[str] = frozenset()
    _until_s: float = 0.0
    """What was decided is done by then, and nothing is looked at before."""
    _waits_s: float | None = None

    async def next(self, view: View, rng: Random) -> list[Doing] | Wait:
        """Return what the model does now, if there is a reason to ask it."""
        del rng
        if not self._is_asked(view):
            return Wait(self._looks_at(view))
        sight = seeing.look(view)
        self._seen = seeing.marks(view)
        move, doing = await self._asked(sight, view)
        if doing is None:
            self._waits_s = view.now_s + max(move.after_s, _LEAST_WAIT_S)
            return Wait(self._waits_s)
        self._waits_s = None
        self._begun = self._begun or move.do == "say"
        self._until_s = doing.at_s
        return [doing]

    @property
    def is_through(self) -> bool:
        """Whether it has begun; what is still to be done is seen by the page, not by a plan."""
        return self._begun

    def _is_asked(self, view: View) -> bool:
        if not self._begun:
            return self._waits_s is None or view.now_s >= self._waits_s
        if view.now_s < self._until_s:
            return False
        if seeing.marks(view) - self._seen:
            return True
        due = self._looks_at(view)
        return due is not None and view.now_s >= due

    def _looks_at(self, view: View) -> float | None:
        """Return when it looks without anything new: when it wanted to, or when nothing moves."""
        if self._waits_s is not None:
            return self._waits_s
        if view.now_s < self._until_s:
            return self._until_s
        if not view.open_tasks or view.open_jobs:
            return None
        return max(view.changed_s, self._until_s) + _PATIENCE_S

    async def _asked(self, sight: Sight, view: View) -> tuple[Move, Doing | None]:
        """Ask until the model does something that can be done.

        Raises:
            HarnessError: it does not, or has been asked as much as may be.
        """
        told = ""
        prompt: list[BaseMessage] = [SystemMessage(self.role.text), HumanMessage(sight.text)]
        for _ in range(_TRIES):
            answer = await self._answer(prompt)
            try:
                move = _read(answer)
                return move, _doing(move, sight, view, self.role)
            except NotPlayedError as error:
                told = str(error)
                prompt = [*prompt[:2], HumanMessage(f"That cannot be done: {told} Act again.")]
        message = f"The model that plays the person does nothing that can be done: {told}"
        raise HarnessError(message)

    async def _answer(self, prompt: Sequence[BaseMessage]) -> AIMessage:
        if self.calls >= self.bounds.calls or self.tokens >= self.bounds.tokens:
            message = (
                f"The model that plays the person was asked {self.calls} times, with"
                f" {self.tokens} tokens; more is not allowed in a trial."
            )
            raise HarnessError(message)
        self.calls += 1
        try:
            async with asyncio.timeout(_ANSWERS_S):
                answer = await self.model.bind_tools([_SCHEMA]).ainvoke(list(prompt))
        except Exception as error:
            message = f"The model that plays the person did not answer: {error}"
            raise HarnessError(message) from error
        self.tokens += (answer.usage_metadata or {}).get("total_tokens", 0)
        return answer


_SCHEMA: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": TOOL,
        "description": Move.__doc__,
        "parameters": Move.model_json_schema(),
    },
}


def _read(answer: AIMessage) -> Move:
    """Return the move of an answer: a call, or an object in its words where none was made."""
    given: Any = answer.tool_calls[0]["args"] if answer.tool_calls else _object(answer.text)
    try:
        return Move.model_validate(given)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        said = "; ".join(f"{'.'.join(map(str, each['loc']))}: {each['msg']}" for each in problems)
        msg = f"{said}."
        raise NotPlayedError(msg) from None


def _object(text: str) -> Any:
    start, end = text.find("{"), text.rfind("}")
    try:
        return json.loads(text[start : end + 1])
    except ValueError:
        msg = f"there is no call of {TOOL}."
        raise NotPlayedError(msg) from None


def _doing(move: Move, sight: Sight, view: View, role: Role) -> Doing | None:
    """Return what a move does, with the labels that it has by what it is; None for a wait.

    Raises:
        NotPlayedError: there is nothing on the page to do that to.
    """
    at_s = view.now_s + move.after_s
    match move.do:
        case "wait":
            return None
        case "say":
            return Doing(act=_words(move, view, role), at_s=at_s)
        case "approve" | "reject" | "choose":
            return _answer(move.do, move, sight, at_s)
        case _:
            return Doing(act=_press(move.do, move.work, view), at_s=at_s)


def _press(button: Presses, work: str, view: View) -> Act:
    match button:
        case "withdraw":
            return Act(withdraw="last")
        case "reload":
            return Act(reload=True)
        case "leave":
            return Act(leave=True)
        case _:
            if view.task_of(work) is None:
                msg = f"there is no work “{work}” on the page."
                raise NotPlayedError(msg)
            return Act.model_validate({button: work})


def _words(move: Move, view: View, role: Role) -> Act:
    if not move.words.strip():
        msg = "there are no words to say."
        raise NotPlayedError(msg)
    if move.work and move.work not in role.works:
        msg = f"you have no work “{move.work}”; yours are {', '.join(role.works) or 'none'}."
        raise NotPlayedError(msg)
    is_new = bool(move.work) and move.work not in view.begun_by
    return Act(
        say=move.words,
        intent="brief" if is_new else move.intent,
        begins=move.work if is_new else None,
        target=move.work if move.work and not is_new else None,
        reveals=[each for each in move.wishes if each in role.wishes],
    )


def _answer(decision: Answers, move: Move, sight: Sight, at_s: float) -> Doing:
    question = sight.questions.get(move.question)
    if question is None:
        known = ", ".join(sight.questions) or "none"
        msg = f"there is no question “{move.question}”; there are {known}."
        raise NotPlayedError(msg)
    if decision not in question["actions"]:
        msg = f"{move.question} can be answered with {', '.join(question['actions'])} only."
        raise NotPlayedError(msg)
    labels = [str(each["label"]) for each in question["options"]]
    if decision == "choose" and not (move.choice or move.words):
        msg = f"{move.question} needs a choice: {' | '.join(labels) or 'your own words'}."
        raise NotPlayedError(msg)
    choice = (move.choice or move.words) if decision == "choose" else None
    act = Act(decide=decision, choice=choice, note=move.words or None, intent="answer")
    return Doing(act=act, at_s=at_s, question=question)
