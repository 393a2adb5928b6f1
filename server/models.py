"""The bodies that clients send, with their limits; what people write is cleaned, then measured.

What programs choose (client ids) is refused when it could not be kept as it came:
cleaned, two ids could become one. Unknown fields are refused: a misspelled one must not silently
be ignored. Ids are opaque strings here; one that is no id of ours is answered like one that does
not exist.
"""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from execution.workspaces import AutonomyLevel
from infra.sanitize import clean_json, clean_text
from tools.plan import StepKind

_MAX_MICROS = 10**15


def _clean(value: Any) -> Any:
    return clean_text(value) if isinstance(value, str) else value


def _as_it_is(value: Any) -> Any:
    if isinstance(value, str) and clean_text(value) != value:
        message = "it holds NUL or half of a surrogate pair, which no text has"
        raise ValueError(message)
    return value


Text = Annotated[str, BeforeValidator(_clean)]
Opaque = Annotated[str, Field(max_length=200), BeforeValidator(_clean)]


class Body(BaseModel):
    """A JSON object of a request."""

    model_config = ConfigDict(extra="forbid")


class MessageBody(Body):
    """A message of a person; one in which nothing can be seen is refused."""

    text: Text
    """Up to 100,000 characters."""
    client_id: Annotated[str, Field(min_length=1, max_length=200), BeforeValidator(_as_it_is)]
    """The client's own id of the message: sent again, it is accepted once; with another text it
    is refused."""
    task_id: Opaque | None = None
    object_id: Opaque | None = None
    approval_id: Opaque | None = None
    reply_to: Opaque | None = None


class PassageBody(Body):
    """A passage that stands once in a text, and what is to stand there instead."""

    find: Annotated[str, Field(min_length=1, max_length=20_000), BeforeValidator(_clean)]
    replace: Annotated[str, Field(max_length=200_000), BeforeValidator(_clean)]


class EditsBody(Body):
    """Changes of a text, all of them or none."""

    edits: Annotated[list[PassageBody], Field(min_length=1, max_length=100)]


class RewriteBody(Body):
    """A text anew."""

    text: Annotated[str, Field(min_length=1, max_length=200_000), BeforeValidator(_clean)]


class ReplacementBody(Body):
    """Other words for a message that waits; its own `client_id` makes a repetition harmless."""

    text: Text
    client_id: Annotated[str, Field(min_length=1, max_length=200), BeforeValidator(_as_it_is)]


class MoveBody(Body):
    """Where a message belongs: a task's id, or `new`."""

    task_id: Opaque


class MergeBody(Body):
    """Which task goes on with the words of both."""

    into: Opaque


class DecisionBody(Body):
    """A person's answer to a question; `args_hash` is what they saw.

    An edit names in `edited` the arguments that change; the others stay as the card shows them.
    """

    decision: Literal["approve", "edit", "reject", "choose"]
    args_hash: Opaque
    choice: Annotated[str, Field(max_length=20_000), BeforeValidator(_clean)] | None = None
    edited: Annotated[dict[str, Any], BeforeValidator(clean_json)] | None = None
    note: Annotated[str, Field(max_length=20_000), BeforeValidator(_clean)] | None = None

    @model_validator(mode="after")
    def _edits_are_called_so(self) -> Self:
        if self.edited is not None and self.decision != "edit":
            message = "Changes in `edited` need the decision `edit`; nothing was decided"
            raise ValueError(message)
        return self


class AcceptanceBody(Body):
    """What a person says of a delivery; `revision` and `args_hash` are what they saw."""

    decision: Literal["accept", "ask_changes"]
    revision: Annotated[int, Field(ge=1, le=1_000_000, strict=True)]
    args_hash: Opaque
    note: Annotated[str, Field(max_length=20_000), BeforeValidator(_clean)] | None = None
    """What should be different; it goes to the task as their words."""


class SettingsBody(Body):
    """What the owner allows; replaces what was there. Amounts in micro-units of the currency."""

    autonomy: AutonomyLevel
    per_call_allowance_micros: int = Field(ge=0, le=_MAX_MICROS, strict=True)
    daily_allowance_micros: int = Field(ge=0, le=_MAX_MICROS, strict=True)
    review_points: list[StepKind] = Field(max_length=50)
    """Kinds of steps whose results you look at before the work goes on, in plans from now on."""
    accepts_deliveries: bool | None = None
    """Whether what is delivered counts as accepted without being asked about; null: as before."""


class LimitsBody(Body):
    """How much each production does by itself; replaces what was there."""

    rounds: int = Field(ge=1, le=100_000, strict=True)
    rounds_without_progress: int = Field(ge=1, le=100, strict=True)
    seconds: int = Field(ge=60, le=366 * 86_400, strict=True)
    """Of time that it goes on by itself; none of it passes while it waits for a person."""


class MoreBody(Body):
    """What a person gives one production beyond what it has."""

    rounds: int = Field(default=0, ge=0, le=100_000, strict=True)
    seconds: int = Field(default=0, ge=0, le=366 * 86_400, strict=True)
    budget_micros: int = Field(default=0, ge=0, le=_MAX_MICROS, strict=True)
