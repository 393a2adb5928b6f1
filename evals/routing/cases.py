"""The labelled cases: situations, the messages sent in each, and where they belong.

A situation is a workspace as it stands: tasks, the last words, what was shown last. Each of its
cases is sent into a fresh copy of it. A file holds a list of situations; a situation is wholly in
one half. Anything that does not hang together is refused when it is read.
"""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, Self

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from infra.errors import OperatorError

FOLDER = Path(__file__).parent

type Half = Literal["dev", "unseen"]
type OutcomeName = Literal["answer", "lightweight", "existing", "new", "ask"]
type Tag = Literal[
    "ambiguous",  # several tasks fit equally well
    "archived",  # addressed to a task that was archived or stopped
    "changed-mind",
    "correction",  # of a misunderstanding or a misrouted message
    "deletion",  # words that delete
    "duplicate",  # of something that is under way
    "explicit",  # sent with a task, an object or the message it replies to
    "follow-up",  # days later
    "garbled",
    "hostile",  # orders inside a quotation, claims of authority
    "impossible",  # printing, shipping, sending …
    "long",
    "mixed",  # several languages in one situation or message
    "near-duplicate",  # looks like an existing task and is none
    "new",  # a plain wish for something new
    "promotion",  # a single picture grows into more
    "pronoun",
    "question",  # about status, price or what can be made
    "reply",  # answers what a task has asked
    "several",  # several intents in one message
    "similar",  # two similar tasks, told apart by a word
    "single",  # one picture or poster
    "small-talk",
    "spending",  # words about money
    "switch",  # from one task to another
]

_AGE = re.compile(r"(\d+) ?(min|h|d|w)")
_UNITS = {"min": "minutes", "h": "hours", "d": "days", "w": "weeks"}


class CasesError(OperatorError):
    """The labelled cases cannot be used."""

    code = "cases"


def _age(written: object) -> object:
    if isinstance(written, str) and (found := _AGE.fullmatch(written.strip())):
        return timedelta(**{_UNITS[found[2]]: int(found[1])})
    return written


type Age = Annotated[timedelta, BeforeValidator(_age)]
"""How long ago: `5 min`, `3 h`, `2 d`, `4 w`."""


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MadeObject(_Model):
    """Something that a task has made."""

    key: str
    name: str
    kind: Literal["image", "video", "audio", "document", "captions", "model3d"] = "image"


class Question(_Model):
    """A card on which a task waits."""

    kind: Literal["question", "plan"] = "question"
    title: str
    options: list[str] = []


class SomeTask(_Model):
    """A task that is there; `age` is when it was last active, its founding words came before."""

    key: str
    kind: Literal["lightweight", "persistent"] = "persistent"
    title: str
    goal: str
    words: str = ""
    """The message that began it; the goal, unless it was said in another way."""
    summary: str = ""
    status: Literal["active", "waiting", "paused", "completed", "failed", "stopped"] = "completed"
    archived: bool = False
    language: str = ""
    """The situation's, unless named."""
    age: Age
    asks: Question | None = None
    objects: list[MadeObject] = []


class Said(_Model):
    """Words of the last days; `key` lets a case reply to them."""

    role: Literal["user", "assistant"]
    text: str
    task: str | None = None
    age: Age
    key: str | None = None


class Label(_Model):
    """Where a message belongs."""

    outcome: OutcomeName
    task: str | None = None
    """For `existing`: the task."""
    options: list[str] = []
    """For `ask`: the tasks that must be offered."""
    object: str | None = None
    """Which object is meant, where the words point at one."""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if (self.task is not None) != (self.outcome == "existing"):
            message = "a task is named for `existing`, and only for it"
            raise ValueError(message)
        if bool(self.options) != (self.outcome == "ask"):
            message = "options are named for `ask`, and only for it"
            raise ValueError(message)
        return self


class Alternative(Label):
    """Another label that is honestly right too."""

    why: str = Field(min_length=10)


class Reference(_Model):
    """What the message was sent with; routed by code alone."""

    task: str | None = None
    object: str | None = None
    reply_to: str | None = None

    @model_validator(mode="after")
    def _is_one(self) -> Self:
        if sum(each is not None for each in (self.task, self.object, self.reply_to)) != 1:
            message = "a message is sent with one of task, object and reply_to"
            raise ValueError(message)
        return self


class Case(_Model):
    """One message and where it belongs."""

    id: str = Field(pattern=r"^[a-z0-9-]+$")
    say: str
    language: str = ""
    """Of the message, for the figures; the situation's, unless named. The product finds its own."""
    tags: list[Tag] = Field(min_length=1)
    expect: Label
    accept: list[Alternative] = []
    risk: Literal["spends", "deletes", "none"] = "none"
    """What the wrong target would do."""
    sent_with: Reference | None = None

    @property
    def labels(self) -> list[Label]:
        """Every label that counts as right."""
        return [self.expect, *self.accept]


class Situation(_Model):
    """A workspace as it stands, and the messages that are sent into copies of it."""

    id: str = Field(pattern=r"^[a-z0-9-]+$")
    language: str
    subjects: list[str] = Field(min_length=1)
    """What it is about, in English; no subject is in both halves."""
    tasks: list[SomeTask] = []
    recent: list[Said] = []
    shown: list[str] = []
    """Objects that the person saw in the last minutes, the last one last."""
    cases: list[Case] = Field(min_length=1)

    @model_validator(mode="after")
    def _hangs_together(self) -> Self:
        problems = [*_twice(self), *_missing(self)]
        if problems:
            raise ValueError("; ".join(problems))
        return self

    def language_of(self, case: Case) -> str:
        """Return the language that a case counts for."""
        return case.language or self.language


def _twice(situation: Situation) -> Iterable[str]:
    keys = [task.key for task in situation.tasks]
    keys += [each.key for task in situation.tasks for each in task.objects]
    keys += [said.key for said in situation.recent if said.key]
    for names in (keys, [case.id for case in situation.cases]):
        yield from (f"{name} is there twice" for name, count in Counter(names).items() if count > 1)


def _missing(situation: Situation) -> Iterable[str]:
    tasks = {task.key for task in situation.tasks}
    objects = {each.key for task in situation.tasks for each in task.objects}
    said = {each.key for each in situation.recent}
    yield from (f"no object {key}" for key in situation.shown if key not in objects)
    yield from (
        f"no task {each.task}" for each in situation.recent if each.task not in {*tasks, None}
    )
    for case in situation.cases:
        for label in case.labels:
            yield from (f"{case.id}: no task {key}" for key in _named(label) if key not in tasks)
            if label.object not in {*objects, None}:
                yield f"{case.id}: no object {label.object}"
        sent = case.sent_with or Reference.model_construct()
        for key, known in ((sent.task, tasks), (sent.object, objects), (sent.reply_to, said)):
            if key not in {*known, None}:
                yield f"{case.id}: sent with {key}, which is not there"


def _named(label: Label) -> list[str]:
    return [*label.options, *([label.task] if label.task else [])]


def load(half: Half, *, folder: Path = FOLDER) -> list[Situation]:
    """Return the situations of one half, in the order of their files.

    Raises:
        CasesError: a file is no list of situations, or one of them does not hang together.
    """
    found: list[Situation] = []
    for path in sorted((folder / half).glob("*.yaml")):
        found += read(path)
    return found


def read(path: Path) -> list[Situation]:
    """Return the situations of one file.

    Raises:
        CasesError: as for `load`.
    """
    try:
        written: Any = yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)
        return [Situation.model_validate(each) for each in written]
    except (yaml.YAMLError, ValidationError, TypeError) as error:
        message = f"{path}: {error}"
        raise CasesError(message) from error
