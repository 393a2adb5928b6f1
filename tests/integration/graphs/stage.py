"""A vendor and a model that do as a test tells them, and keep books of their own."""

import io
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, override
from uuid import UUID

from langchain_core.callbacks import (
    AsyncCallbackManagerForLLMRun,
    CallbackManagerForLLMRun,
)
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from PIL import Image
from pydantic import Field

from infra.ids import MessageId, TaskId
from infra.providers.ports import (
    Artifact,
    Attempt,
    CancelResult,
    Capabilities,
    Charge,
    ContentPolicyError,
    Correlation,
    Found,
    JobFailedError,
    JobRef,
    Lookup,
    NotDeliveredError,
    OutcomeUnknownError,
    ProviderError,
    QuotaError,
    RejectedError,
    ReportProgress,
    Snapshot,
)
from infra.providers.scripted import ScriptedChatModel
from tests.harness import Machine, calls
from tests.invariants import check

SIDE = 64
PRICE = 100

type Behaviour = Literal[
    "made",  # answered at once with the result
    "accepted",  # answered with an id; ready at the first read
    "slow",  # answered with an id; not ready until `ready` says so
    "over",  # made, and charged three times the quote
    "cheap",  # made, and charged half
    "broken_file",  # made and charged, but the file is no picture
    "not_delivered",
    "rejected",
    "policy",
    "quota",
    "failed",  # a job existed and failed, nothing said about money
    "failed_charged",  # a job existed and failed, and was charged
    "lost",  # made, but the answer was lost
    "lost_before",  # no byte of it was taken, but nobody knows
    "crash",  # our own code fails
]

_NO_ROUTE = "No route to the vendor."
_LOST = "The answer was lost."
_BROKE = "It broke."
_REFUSALS: dict[str, tuple[type[ProviderError], str]] = {
    "not_delivered": (NotDeliveredError, _NO_ROUTE),
    "rejected": (RejectedError, "That is no request."),
    "policy": (ContentPolicyError, "That is not allowed."),
    "quota": (QuotaError, "Come back later."),
    "lost_before": (OutcomeUnknownError, _LOST),
}


@dataclass
class Vendor:
    """Makes a picture of noise for every operation, unless a request is told to end otherwise.

    `orders` and `billed` are the vendor's own books: one order for each job that it made. It makes
    one job for one attempt id, as a vendor with client ids does.
    """

    behaviours: dict[int, Behaviour] = field(default_factory=dict[int, Behaviour])
    default: Behaviour = "made"
    prices: dict[str, int] = field(default_factory=dict[str, int])
    lookup: Lookup = Lookup.PROVABLY_ABSENT
    charge: Literal["reported", "derived"] = "derived"
    policy_block_billed: Literal["yes", "no", "unknown"] = "no"
    operations: frozenset[str] = frozenset({"image", "clip", "narration", "music"})
    name: str = "vendor"
    ready: bool = False
    find_fails: bool = False
    hides: bool = False
    quota_for_s: float | None = None
    fetch_fails: list[ProviderError] = field(default_factory=list[ProviderError])
    read_fails: list[ProviderError] = field(default_factory=list[ProviderError])
    can_cancel: Literal["best_effort", "none"] = "best_effort"
    heeds_cancels: bool = True
    cancels_for_free: bool = False
    cancelled: list[UUID] = field(default_factory=list[UUID])
    cancel_fails: list[ProviderError] = field(default_factory=list[ProviderError])
    requests: list[UUID] = field(default_factory=list[UUID])
    reads: int = 0
    discarded: list[UUID] = field(default_factory=list[UUID])
    orders: list[UUID] = field(default_factory=list[UUID])
    billed: dict[UUID, int] = field(default_factory=dict[UUID, int])
    _jobs: dict[UUID, Snapshot] = field(default_factory=dict[UUID, Snapshot])

    @property
    def capabilities(self) -> Capabilities:
        return Capabilities(
            operations=self.operations,
            shape="job",
            correlation=frozenset({Correlation.CLIENT_ID}),
            webhook="none",
            cancel=self.can_cancel,
            policy_block_billed=self.policy_block_billed,
            quote="exact",
            charge=self.charge,
            min_poll_s=5.0,
            max_poll_s=5.0,
            result_ttl_s=None,
        )

    def quote_micros(self, operation: str, payload: dict[str, Any]) -> int:
        return self.prices.get(operation, PRICE)

    def unit(self, operation: str) -> str:
        return "call"

    async def submit(self, attempt: Attempt, report: ReportProgress) -> JobRef | Snapshot:
        self.requests.append(attempt.attempt_id)
        told = self.behaviours.get(len(self.requests), self.default)
        report(0.5)
        if told == "crash":
            raise ZeroDivisionError
        if told in _REFUSALS:
            kind, message = _REFUSALS[told]
            if kind is QuotaError:
                raise QuotaError(message, retry_after_s=self.quota_for_s)
            raise kind(message)
        return self._take(attempt, told)

    def _take(self, attempt: Attempt, told: Behaviour) -> JobRef | Snapshot:
        ref = JobRef(provider=self.name, provider_job_id=str(attempt.attempt_id))
        if attempt.attempt_id in self._jobs:
            return ref
        quote = self.quote_micros(attempt.operation, attempt.payload)
        factor = {"over": 3, "cheap": 0.5, "failed": 0}.get(told, 1)
        snapshot = self._make(attempt.attempt_id, told, Charge(
            amount_micros=int(quote * factor), basis="reported"
        ))  # fmt: skip
        self.orders.append(attempt.attempt_id)
        self.billed[attempt.attempt_id] = int(quote * factor)
        self._jobs[attempt.attempt_id] = snapshot
        match told:
            case "lost":
                raise OutcomeUnknownError(_LOST)
            case "failed":
                raise JobFailedError(_BROKE)
            case "accepted" | "slow" | "failed_charged":
                return ref
            case _:
                return snapshot

    def _make(self, attempt_id: UUID, told: Behaviour, charge: Charge) -> Snapshot:
        if told in ("failed", "failed_charged"):
            error = JobFailedError(_BROKE)
            return Snapshot(phase="terminal", outcome="failed", error=error, charge=charge)
        artifact = Artifact(role="image", location=str(attempt_id), media_type="image/png")
        if told == "broken_file":
            artifact = Artifact(role="image", location="broken", media_type="image/png")
        return Snapshot(phase="terminal", outcome="succeeded", artifacts=(artifact,), charge=charge)

    async def find(self, attempt: Attempt) -> Found | Lookup:
        if self.find_fails:
            raise NotDeliveredError(_NO_ROUTE)
        if attempt.attempt_id in self._jobs and not self.hides:
            return Found(ref=JobRef(provider=self.name, provider_job_id=str(attempt.attempt_id)))
        return self.lookup

    def ref_of(self, attempt: Attempt, provider_job_id: str) -> JobRef:
        return JobRef(provider=self.name, provider_job_id=provider_job_id)

    async def read(self, ref: JobRef) -> Snapshot:
        self.reads += 1
        if self.read_fails:
            raise self.read_fails.pop(0)
        job_id = UUID(ref.provider_job_id)
        told = self.behaviours.get(1, self.default)
        if told == "slow" and not self.ready:
            if job_id in self.cancelled and self.heeds_cancels:
                self.billed[job_id] = 0 if self.cancels_for_free else self.billed[job_id]
                price = Charge(amount_micros=self.billed[job_id], basis="reported")
                return Snapshot(phase="terminal", outcome="cancelled", charge=price)
            return Snapshot(phase="running", progress=0.25)
        return self._jobs[UUID(ref.provider_job_id)]

    async def cancel(self, ref: JobRef) -> CancelResult:
        if self.cancel_fails:
            raise self.cancel_fails.pop(0)
        self.cancelled.append(UUID(ref.provider_job_id))
        return CancelResult.REQUESTED

    async def fetch(self, artifact: Artifact) -> AsyncIterator[bytes]:
        if self.fetch_fails:
            raise self.fetch_fails.pop(0)
        if artifact.location == "broken":
            yield b"this is no picture"
            return
        yield noise(artifact.location)

    async def discard(self, attempt_id: UUID) -> None:
        self.discarded.append(attempt_id)


def noise(seed: str) -> bytes:
    """A picture that is another one for each seed."""
    pixels = random.Random(seed).randbytes(SIDE * SIDE)  # noqa: S311 - a picture
    picture = io.BytesIO()
    Image.frombytes("L", (SIDE, SIDE), pixels).save(picture, "PNG")
    return picture.getvalue()


class PricedByWidth(Vendor):
    """A vendor that charges the tenth part of a picture's width."""

    @override
    def quote_micros(self, operation: str, payload: dict[str, Any]) -> int:
        return payload.get("width", 0) // 10


type Answer = AIMessage | Callable[[dict[str, Any]], AIMessage]


def state_of(prompt: Sequence[BaseMessage]) -> dict[str, Any]:
    """The persisted state as the model was shown it."""
    text = str(prompt[-1].content)
    return json.loads(text.removeprefix("<state>").removesuffix("</state>"))


class Model(ScriptedChatModel):
    """Answers the router from `route` and the worker from `answers`, by its number of answers.

    The router looks first into the tasks `reads`, one after another. An answer may be a function of
    the state that it was shown. `prompts` are the worker's inputs; `during` runs while it thinks.
    """

    # Not in the representation, which LangChain makes of a model at each of its calls.
    answers: list[Any] = Field(default_factory=list, repr=False)
    prompts: list[Any] = Field(default_factory=list, repr=False)
    routed: list[Any] = Field(default_factory=list, repr=False)
    reads: list[Any] = Field(default_factory=list, repr=False)
    during: dict[int, Any] = Field(default_factory=dict, repr=False)
    fails: list[Any] = Field(default_factory=list, repr=False)

    @override
    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        raise NotImplementedError

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        if self.fails:
            raise self.fails.pop()
        if self.bound and "route" not in self.bound:
            self.prompts.append(list(messages))
            hook: Callable[[], Awaitable[None]] | None = self.during.pop(len(self.prompts), None)
            if hook is not None:
                await hook()
            answer = self._worker(messages)
        else:
            self.routed.append(list(messages))
            answer = self._looked_into(messages) or self._answer(messages)
        return ChatResult(generations=[ChatGeneration(message=answer)])

    def _looked_into(self, messages: list[BaseMessage]) -> AIMessage | None:
        """The router's next look, if it looks into a task before it decides."""
        position = sum(isinstance(message, AIMessage) for message in messages)
        if "read_task" not in self.bound or position >= len(self.reads):
            return None
        return calls(("read_task", {"task_id": str(self.reads[position])}))

    def _worker(self, messages: list[BaseMessage]) -> AIMessage:
        position = sum(isinstance(message, AIMessage) for message in messages)
        if position >= len(self.answers):
            return AIMessage(content="")
        answer: Answer = self.answers[position]
        return answer if isinstance(answer, AIMessage) else answer(state_of(messages))

    @property
    def states(self) -> list[dict[str, Any]]:
        """The state that each of the worker's inputs ended with."""
        return [state_of(prompt) for prompt in self.prompts]

    def tool_messages(self) -> list[str]:
        """The tool messages of the worker's last input."""
        return [str(each.content) for each in self.prompts[-1] if each.type == "tool"]


def routed(outcome: str = "new", **given: Any) -> list[dict[str, Any]]:
    """What the router answers."""
    return [{"outcome": outcome, "title": "Work", "goal": "work", "language": "en", **given}]


PICTURE = ("generate_image", {"prompt": "a harbour", "name": "Harbour"})


def picture(**given: Any) -> AIMessage:
    return calls((PICTURE[0], {**PICTURE[1], **given}))


def plan(count: int = 2, *, title: str = "Posters", **given: Any) -> AIMessage:
    """A proposal of a concept and so many pictures."""
    return calls(("propose_plan", plan_arguments(count, title=title, **given)))


def plan_arguments(count: int = 2, *, title: str = "Posters", **given: Any) -> dict[str, Any]:
    return {
        "title": title,
        "summary": "Two posters.",
        "language": "en",
        "steps": [
            {"key": "concept", "title": "Concept", "kind": "document"},
            {
                "key": "posters",
                "title": "Posters",
                "kind": "image",
                "count": count,
                "depends_on": ["concept"],
            },
        ],
        **given,
    }


def concept() -> AIMessage:
    return calls(("write_document", {"step": "concept", "name": "Concept", "text": "Tea."}))


def fill(state: dict[str, Any]) -> AIMessage:
    """One call for each slot of the posters that is missing, as the prompt demands."""
    step = next(step for step in state["plan"]["steps"] if step["key"] == "posters")
    return calls(
        *(
            (
                "generate_image",
                {"step": "posters", "slot": slot, "prompt": f"poster {slot}", "name": f"P{slot}"},
            )
            for slot in step["missing_slots"]
        )
    )


@dataclass
class Stage:
    """A machine, its vendor and its model."""

    machine: Machine
    vendor: Vendor
    model: Model

    async def begin(self, text: str = "please") -> TaskId:
        """Send a message and let the machine run to its rest; return the task it made."""
        message_id = await self.machine.say(text)
        await self.machine.drain()
        return await self.machine.task_of(message_id)

    async def say(self, text: str, task_id: TaskId) -> MessageId:
        return await self.machine.say(text, task_id=task_id)

    async def task(self, task_id: TaskId) -> tuple[str, str | None, str]:
        """Status, what it waits for, and the reason it shows."""
        rows = await self.machine.rows(
            "select status, waiting_reason, reason from tasks where task_id = %s", task_id
        )
        return rows[0]  # pyright: ignore[reportReturnType]

    async def ledger(self) -> list[tuple[Any, ...]]:
        """Status and outcome of each call, in order."""
        return await self.machine.rows(
            "select status, outcome from ledger order by created_at, seq"
        )

    async def money(self) -> tuple[int, int, int, int]:
        """Limit, held, settled and absorbed, of all tasks together."""
        rows = await self.machine.rows(
            """
            select coalesce(sum(limit_micros), 0)::bigint, coalesce(sum(held_micros), 0)::bigint,
                   coalesce(sum(settled_micros), 0)::bigint,
                   coalesce(sum(absorbed_micros), 0)::bigint
            from budgets
            """
        )
        return rows[0]  # pyright: ignore[reportReturnType]

    async def check(self) -> None:
        """Everything in `tests.invariants`, on this stage's books."""
        async with self.machine.deps.pools.domain.connection() as conn:
            await check(conn, self.vendor, prompts=self.model.prompts)
        assert all(isinstance(prompt[0], SystemMessage) for prompt in self.model.prompts)
        assert all(isinstance(prompt[-1], HumanMessage) for prompt in self.model.prompts)
