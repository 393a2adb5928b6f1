"""The boundary to generation services: one protocol, declared capabilities, typed errors.

Behaviour follows from what a provider declares, never from its name. `submit` is exactly one
request without any retry; whether to try again is the ledger's decision. An answer that was lost is
`OutcomeUnknownError`, and only `find` may say what became of it.
"""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal, Protocol
from uuid import UUID


class Correlation(StrEnum):
    """How a job whose answer was lost can be found again."""

    CLIENT_ID = "client_id"
    IDEMPOTENT_REPLAY = "replay"
    IDEMPOTENT_REJECT = "reject"
    CALLBACK_TAG = "callback_tag"
    LIST_MATCH = "list_match"
    LEDGER_MATCH = "ledger"
    NONE = "none"


class Lane(StrEnum):
    """Who runs a job: executors that keep this machine busy, or those that ask another one."""

    HERE = "here"
    AWAY = "away"


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationLimits:
    """What one call of an operation may ask for; None where nothing is refused that we know of.

    How long a call takes is declared for the time before any was measured here.
    """

    seconds: tuple[float, float] | None = None
    """The least and the most length of one result."""
    sides: tuple[int, int] | None = None
    """The least and the most of a picture's width and height."""
    frames: tuple[str, ...] = ()
    """The only sizes or shapes that are made; the nearest to what was asked for is."""
    characters: int | None = None
    """The most text that is spoken at once."""
    typical_s: float = 60.0
    """How long a call takes, apart from its result's length."""
    typical_per_second: float = 0.0
    """How much longer for each second of its result."""

    def refusal(self, *, seconds: float = 0, width: int = 0, height: int = 0) -> str | None:
        """Return which limit something is beyond and the nearest within it; None if it fits."""
        if seconds and self.seconds and not self.seconds[0] <= seconds <= self.seconds[1]:
            least, most = self.seconds
            return f"{seconds:g} s at once, possible are {least:g} to {most:g} s"
        given = [side for side in (width, height) if side]
        if given and self.sides and not self.sides[0] <= min(given) <= max(given) <= self.sides[1]:
            least, most = self.sides
            return f"{width} x {height}, possible are sides of {least} to {most}"
        return None

    def expected_s(self, seconds: float) -> float:
        """Return how long a call for so many seconds of media usually takes."""
        return self.typical_s + self.typical_per_second * seconds


UNKNOWN_LIMITS = OperationLimits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Capabilities:
    """What a provider can do; times in seconds."""

    operations: frozenset[str]
    shape: Literal["job", "sync"]
    correlation: frozenset[Correlation]
    webhook: Literal["signed", "unsigned", "none"]
    cancel: Literal["queued_only", "best_effort", "delete_destroys", "none"]
    policy_block_billed: Literal["yes", "no", "unknown"]
    quote: Literal["exact", "maximum", "estimate", "none"]
    charge: Literal["reported", "units_reported", "ledger_only", "derived"]
    min_poll_s: float
    max_poll_s: float
    result_ttl_s: float | None
    languages: frozenset[str] = frozenset()
    lane: Lane = Lane.AWAY
    references: int = 0
    """How many pictures it is shown with an order, as files `reference.1` and so on."""
    limits: Mapping[str, OperationLimits] = field(default_factory=dict[str, OperationLimits])
    """Of its operations; one that is not named has none that we know of."""

    def limits_of(self, operation: str) -> OperationLimits:
        """Return what a call of an operation may ask for."""
        return self.limits.get(operation, UNKNOWN_LIMITS)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try at one paid call, committed before a byte leaves.

    `attempt_id` never changes between tries of the same order: it is what `find` looks for.
    `files` maps a name in the payload to a local path with the input's bytes.
    """

    attempt_id: UUID
    operation: str
    payload: dict[str, Any]
    payload_sha256: str
    seed: int
    hold_micros: int
    deadline: datetime
    files: dict[str, Path] = field(default_factory=dict[str, Path])


@dataclass(frozen=True, slots=True, kw_only=True)
class JobRef:
    """A provider's own name of a job, with everything it gave us (some need several addresses)."""

    provider: str
    provider_job_id: str
    raw: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """One produced file, where it can be fetched and what the provider says it is."""

    role: str
    location: str
    media_type: str
    name_suffix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charge:
    """What a job cost and how we know."""

    amount_micros: int
    basis: Literal["reported", "units_price", "derived", "assumed_max"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A job as the provider describes it now; phase and outcome are separate on purpose."""

    phase: Literal["queued", "running", "terminal", "unknown"]
    outcome: Literal["succeeded", "failed", "cancelled", "expired"] | None = None
    error: "ProviderError | None" = None
    progress: float | None = None
    artifacts: tuple[Artifact, ...] = ()
    measured: dict[str, Any] = field(default_factory=dict[str, Any])
    charge: Charge | None = None
    retry_after_s: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """The job exists upstream."""

    ref: JobRef


class Lookup(StrEnum):
    """What `find` can say when it found no job."""

    PROVABLY_ABSENT = "provably_absent"
    NOT_FOUND_YET = "not_found_yet"
    CANNOT_TELL = "cannot_tell"


class CancelResult(StrEnum):
    """What a cancellation request came to; only a later read settles."""

    REQUESTED = "requested"
    ALREADY_TERMINAL = "already_terminal"
    NOT_FOUND = "not_found"
    UNSUPPORTED = "unsupported"


type ReportProgress = Callable[[float], None]


class Provider(Protocol):
    """A generation service. Implementations hold no state that a restart may not lose."""

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> Capabilities: ...

    def quote_micros(self, operation: str, payload: dict[str, Any]) -> int:
        """Return the most that this call may cost, in micro-units."""
        ...

    def unit(self, operation: str) -> str:
        """Return what a price is for, such as `call` or `second`."""
        ...

    async def submit(self, attempt: Attempt, report: ReportProgress) -> JobRef | Snapshot:
        """Send exactly one request. A synchronous service answers with a terminal snapshot."""
        ...

    async def find(self, attempt: Attempt) -> Found | Lookup:
        """Look for the job of an attempt whose answer was lost."""
        ...

    def ref_of(self, attempt: Attempt, provider_job_id: str) -> JobRef:
        """Return the job that the provider itself, in a signed call, names as this attempt's."""
        ...

    async def read(self, ref: JobRef) -> Snapshot:
        """Read the job now."""
        ...

    async def cancel(self, ref: JobRef) -> CancelResult:
        """Ask for the job to be stopped."""
        ...

    def fetch(self, artifact: Artifact) -> AsyncIterator[bytes]:
        """Stream the bytes of a result."""
        ...

    async def discard(self, attempt_id: UUID) -> None:
        """Forget an attempt whose results are stored elsewhere; may do nothing."""
        ...


class ProviderError(Exception):
    """A provider refused or failed.

    ProviderError
    ├── NotDeliveredError     no byte reached it: release, safe to send again
    ├── RejectedError         definite refusal, no job: release, never retry unchanged
    ├── ContentPolicyError    refused by policy: keep the hold unless declared free
    ├── QuotaError            no work started: release, later
    ├── OutcomeUnknownError   the answer was lost: hold stays, find before anything else
    └── JobFailedError        a job existed and failed
    """

    code = "provider_error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class NotDeliveredError(ProviderError):
    """The request never reached the provider."""

    code = "not_delivered"


class RejectedError(ProviderError):
    """The provider refused the request and made no job."""

    code = "rejected"


class ContentPolicyError(ProviderError):
    """The provider refused the content."""

    code = "content_policy"


class QuotaError(ProviderError):
    """The provider has no room for the request now."""

    code = "quota"

    def __init__(self, message: str, *, retry_after_s: float | None = None) -> None:
        super().__init__(message)
        self.retry_after_s = retry_after_s
        """After how many seconds the provider asks to be asked again, where it says so."""


class OutcomeUnknownError(ProviderError):
    """The answer to a submission was lost."""

    code = "outcome_unknown"


class JobFailedError(ProviderError):
    """The job ran and failed."""

    code = "job_failed"
