"""A scenario: who the person is, what they want and do, what befalls the service, what must hold.

One YAML file each, in `files/`. Unknown keys are refused: a misspelled fault must not silently be
no fault. Times are written as `90s`, `5m`, `2h` or `7d`, and pass on the service's own clock.
"""

import re
from typing import Annotated, Any, Literal, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    model_validator,
)

from evals.metrics import MEASURES
from evals.scenarios.conditions import Condition
from evals.simulator.switches import Told
from infra.crash_points import CrashPoint

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}
_TIME = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)")


_LONGEST_S = 3650 * 86_400.0


def seconds(text: object) -> object:
    """Return the seconds that a time such as `90s` is; a number is seconds already.

    Raises:
        ValueError: it is no time, or so long that no clock has it.
    """
    found = _TIME.fullmatch(text.strip()) if isinstance(text, str) else None
    value = float(found[1]) * _UNITS[found[2]] if found else text
    if isinstance(value, bool) or not isinstance(value, int | float):
        msg = f"'{text}' is no time, such as 90s, 5m, 2h or 7d"
        raise ValueError(msg)  # noqa: TRY004 - pydantic tells a ValueError
    if not 0 <= value <= _LONGEST_S:
        msg = f"'{text}' is no time from 0 to ten years"
        raise ValueError(msg)
    return float(value)


def _condition(text: object) -> Condition:
    return text if isinstance(text, Condition) else Condition.parse(str(text))


Seconds = Annotated[float, BeforeValidator(seconds)]
Text = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(ge=1)]
Micros = Annotated[int, Field(ge=0, le=10**15)]
Where = Annotated[Condition, BeforeValidator(_condition), PlainSerializer(str)]
type Intent = Literal["brief", "change", "answer", "question", "nudge", "repeat", "inject", "stop"]
type Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$")]


class Part(BaseModel):
    """A part of a scenario."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)


_TRIGGER = re.compile(
    r"start|event (?P<type>[a-z_.]+)(?: (?P<number>\d+))?(?: of (?P<of>[a-z0-9_]+))?"
    r"|question(?: (?P<kind>[a-z]+))?(?: (?P<nth>\d+))?"
    r"|idle (?P<idle>\S+)|t\+(?P<at>\S+)|shown (?P<shown>.+)"
)


class Trigger(Part):
    """When something is done, as read from one line.

    `start` · `event job.submitted 2 of posters` · `question plan 1` (the first of this kind; each
    one without a number, of any kind without one) · `idle 90s` (nothing new shown for so long) ·
    `t+5m` · `shown film.videos >= 2`.
    """

    kind: Literal["start", "event", "question", "idle", "time", "shown"]
    type: str = ""
    number: Annotated[int, Field(ge=0)] = 1
    """Which one of its kind; 0, of a question, each."""
    of: str | None = None
    after_s: Seconds = 0.0
    condition: Where | None = None

    @model_validator(mode="before")
    @classmethod
    def _read(cls, given: object) -> object:
        if not isinstance(given, str):
            return given
        found = _TRIGGER.fullmatch(given.strip())
        if found is None:
            msg = f"'{given}' is nothing that can be waited for"
            raise ValueError(msg)
        return _trigger(given.strip(), found)


def _trigger(text: str, found: re.Match[str]) -> dict[str, Any]:
    word = text.partition(" ")[0]
    match word:
        case "start":
            return {"kind": "start"}
        case "event":
            number = _counted(text, found["number"], 1)
            return {"kind": "event", "type": found["type"], "number": number, "of": found["of"]}
        case "question":
            number = _counted(text, found["nth"], 0)
            return {"kind": "question", "type": found["kind"] or "", "number": number}
        case "idle":
            return {"kind": "idle", "after_s": seconds(found["idle"])}
        case "shown":
            return {"kind": "shown", "condition": Condition.parse(found["shown"])}
        case _:
            return {"kind": "time", "after_s": seconds(found["at"])}


def _counted(text: str, number: str | None, otherwise: int) -> int:
    if number is not None and int(number) < 1:
        msg = f"'{text}' never comes: they are counted from 1"
        raise ValueError(msg)
    return int(number or otherwise)


class Edit(Part):
    """A change of a text of a work, made by hand."""

    work: Key
    role: str = "script"
    behind: str
    """In the first line that has these words, what stands behind them is replaced."""
    put: str


class Act(Part):
    """One thing that a person does, and labels of it that the service never sees.

    Exactly one of `say`, `decide`, `accept`, `stop`, `pause`, `resume`, `edit`, `upload`,
    `withdraw`, `reload`, `open_tab` and `leave`.
    """

    say: str | None = None
    decide: Literal["approve", "reject", "edit", "choose"] | None = None
    accept: Key | None = None
    stop: Key | None = None
    pause: Key | None = None
    resume: Key | None = None
    edit: Edit | None = None
    upload: str | None = None
    """What a picture is called that is brought for the work that it goes `to`."""
    withdraw: Literal["last"] | None = None
    reload: Literal[True] | None = None
    open_tab: Literal[True] | None = None
    leave: Literal[True] | None = None

    choice: str | None = None
    """Of a decision: the id, or a part of the label, of an option; words where those are asked."""
    edited: dict[str, Any] | None = None
    note: str | None = None
    times: Annotated[int, Field(ge=1, le=5)] = 1
    """So often the same is sent: a double click is 2."""
    to: Key | None = None
    """Which work the words are sent to, as from its own page; none: as a new line on the page."""
    about_question: bool = False
    """Whether the words are written under the question that is being answered."""
    after_s: Seconds = 0.0

    intent: Intent | None = None
    begins: Key | None = None
    """The work that these words begin; all others call it so."""
    target: Key | None = None
    """Which work the words are for; `none`: they are for nobody's work."""
    reveals: list[str] = []

    @model_validator(mode="after")
    def _does_one_thing(self) -> Self:
        does = [name for name in DOINGS if getattr(self, name) is not None]
        if len(does) != 1:
            msg = f"does {len(does)} things; it must do exactly one of {', '.join(DOINGS)}"
            raise ValueError(msg)
        return self

    @property
    def what(self) -> str:
        """The one thing that is done."""
        return next(name for name in DOINGS if getattr(self, name) is not None)


DOINGS = (
    *("say", "decide", "accept", "stop", "pause", "resume"),
    *("edit", "upload", "withdraw", "reload", "open_tab", "leave"),
)


class Line(Part):
    """A line of a script; each is done once, those about questions at each question."""

    when: Trigger
    do: Act


class Requirement(Part):
    """A wish, and how it is checked."""

    id: Text
    say: Text
    check: Where


type PersonaName = Literal[
    "patient",
    "impatient",
    "mind_changer",
    "contradictory",
    "micromanager",
    "two_tabs",
    "double_clicker",
    "disappears",
    "injects",
    "edits",
]


class Persona(Part):
    """How a person is who follows no script."""

    name: PersonaName
    brief: Act
    changes: list[Act] = []
    """What they say besides, while it is made."""
    patience_s: Seconds = 120.0
    away_s: Seconds = 86_400.0
    """How long one who disappears is away."""


class User(Part):
    """The person: a script, or a persona."""

    script: list[Line] = []
    persona: Persona | None = None
    who: str = ""
    """Who they are, for a model that plays them."""
    requirements: list[Requirement] = []

    @model_validator(mode="after")
    def _is_one_of_both(self) -> Self:
        if bool(self.script) == (self.persona is not None):
            msg = "needs either a script or a persona"
            raise ValueError(msg)
        return self

    @property
    def policy(self) -> str:
        """What it is called."""
        return f"persona {self.persona.name}" if self.persona else "script"


class Fault(Part):
    """What befalls the service.

    `kill` a worker at a crash point, the first the first worker, the next the one after it · how a
    submission at a `vendor` `ends` · an `outage` of a `vendor` · the connections of `drop_stream`
    break.
    """

    when: Trigger = Trigger(kind="start")
    kill: CrashPoint | None = None
    nth: Count = 1
    vendor: str | None = None
    submission: Count | None = None
    ends: Told | None = None
    outage: Seconds | None = None
    drop_stream: Literal[True] | None = None

    @model_validator(mode="after")
    def _is_one_fault(self) -> Self:
        kinds = [self.kill, self.ends, self.outage, self.drop_stream]
        if sum(each is not None for each in kinds) != 1:
            msg = "must be one of kill, ends, outage and drop_stream"
            raise ValueError(msg)
        if (self.ends or self.outage is not None) and self.vendor is None:
            msg = "needs its vendor"
            raise ValueError(msg)
        if self.kill is not None and self.when.kind != "start":
            msg = "of a worker is armed at the start; take another point or number instead of when"
            raise ValueError(msg)
        if idle := self._idle:
            msg = f"has {idle}, which does nothing here"
            raise ValueError(msg)
        return self

    @property
    def _idle(self) -> str:
        """What is said of another kind of fault."""
        at_vendor = self.ends or self.outage is not None
        said = {
            "nth": self.nth != 1 and self.kill is None,
            "submission": self.submission is not None and self.ends is None,
            "vendor": self.vendor is not None and not at_vendor,
        }
        return ", ".join(name for name, is_idle in said.items() if is_idle)

    @property
    def told(self) -> str:
        """It in words."""
        if self.kill is not None:
            return f"a worker is killed at {self.kill.value}, time {self.nth}"
        if self.outage is not None:
            return f"{self.vendor} is away for {self.outage:g} s"
        if self.drop_stream:
            return "the event streams break"
        which = f"submission {self.submission}" if self.submission else "every submission"
        return f"{self.vendor}: {which} ends {self.ends}"


class Filmmaker(Part):
    """A model that makes a film with a cast by the state alone (`evals.chat_server.filmmaker`)."""

    shots: Annotated[int, Field(ge=1, le=60)]
    people: Annotated[int, Field(ge=1, le=6)] = 3
    sides: Annotated[int, Field(ge=64, le=2048)] = 256
    """Width and height of every picture: this is about the work, not about the pictures."""


class World(Part):
    """What the service is set up with, and what always befalls it in this scenario."""

    services: Annotated[list[str], Field(min_length=1)] = ["fal", "local"]
    autonomy: Literal["cautious", "balanced", "free"] = "balanced"
    per_call_allowance_micros: Micros = 100_000
    daily_allowance_micros: Micros = 2_000_000
    review_points: list[str] = []
    filmmaker: Filmmaker | None = None
    """Who answers instead of the rehearsal model, over HTTP as a service of chat models does."""
    faults: list[Fault] = []


class Limits(Part):
    """When a trial is over at the latest."""

    virtual_s: Seconds = 14 * 86_400.0
    wall_s: Seconds = 240.0
    """Of the real clock, on a machine that does nothing else."""
    actions: Count = 60


class Expect(Part):
    """What must hold at the end."""

    ends: Literal["done", "leave"] = "done"
    state: list[Where] = []
    metrics: dict[str, Annotated[float, Field(ge=0, allow_inf_nan=False)]] = {}
    """The most that a measure may be here, where its gate is another one (`evals/metrics.py`)."""
    why: str = ""
    """Why a gate is another one here."""

    @model_validator(mode="after")
    def _gates_are_measures(self) -> Self:
        if unknown := sorted(set(self.metrics) - {each.__name__ for each in MEASURES}):
            msg = f"has a gate for {', '.join(unknown)}, which nobody measures"
            raise ValueError(msg)
        if self.metrics and not self.why:
            msg = "needs a why for its gates"
            raise ValueError(msg)
        return self


class Scenario(Part):
    """A scenario."""

    id: Annotated[str, Field(pattern=r"^[a-z0-9]+(-[a-z0-9]+)*$")]
    why: Text
    tags: list[str] = []
    values: dict[str, str | int] = {}
    """What `{name}` stands for in its texts."""
    quick: dict[str, str | int] = {}
    """What it stands for in a quick run."""
    in_quick: bool = True
    world: World = World()
    user: User
    faults: list[Fault] = []
    """What befalls the service besides, where faults are listed."""
    done: list[Where] = []
    """When a person would say that it is done."""
    expect: Expect = Expect()
    limits: Limits = Limits()
