"""A claimed job with everything that its steps need: its call, its provider, its one attempt."""

from dataclasses import dataclass
from typing import Any

from execution import ledger
from execution.jobs import Job
from execution.ledger import LedgerEntry
from execution.transactions import work
from infra.deps import Deps
from infra.errors import AppError
from infra.ids import JobId, TaskId, WorkspaceId
from infra.providers.ports import Attempt, Charge, Provider, ProviderError
from server.workers import charges, collection


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """A claimed job with its call and the provider that does it."""

    deps: Deps
    job: Job
    entry: LedgerEntry
    provider: Provider
    attempt: Attempt

    @property
    def job_id(self) -> JobId:
        """The job's id, by which its provider knows the attempt."""
        return JobId(self.job.job_id)

    @property
    def workspace_id(self) -> WorkspaceId:
        """The workspace it works for."""
        return WorkspaceId(self.job.workspace_id)

    @property
    def task_id(self) -> TaskId:
        """The task it works for."""
        return TaskId(self.job.task_id)

    @property
    def call_key(self) -> str:
        """The call that ordered it."""
        return self.job.call_key

    def tx(self) -> Any:
        """Open a transaction of its workspace, with the call as its cause."""
        return work(self.deps, self.workspace_id, cause=self.call_key)

    def whole_hold(self) -> Charge:
        """Return the most that it may have cost."""
        return charges.whole(self.attempt.hold_micros)

    def charge_for(self, error: ProviderError, *, was_accepted: bool = False) -> Charge | None:
        """Return what a failure without a stated charge is taken to cost; None when it is free."""
        return charges.of_failure(
            error,
            self.provider.capabilities,
            self.attempt.hold_micros,
            was_accepted=was_accepted,
        )


class ProviderGoneError(AppError):
    """The service of this job is not set up here any more."""

    code = "provider_gone"


async def open_order(deps: Deps, job: Job) -> Order:
    """Return the order of a job, its inputs as local files.

    Raises:
        ProviderGoneError: this installation has the job's service no more.
    """
    if job.provider not in deps.providers:
        message = f"{job.provider} is not set up here any more; set it up again to read this job."
        raise ProviderGoneError(message)
    async with deps.pools.domain.connection() as conn:
        entry = await ledger.get(conn, WorkspaceId(job.workspace_id), job.call_key)
    request: dict[str, Any] = job.request
    files = {
        name: await deps.blobs.open(item["sha256"]) for name, item in request["inputs"].items()
    }
    return Order(
        deps=deps,
        job=job,
        entry=entry,
        provider=deps.providers[job.provider],
        attempt=collection.attempt_of(job, entry.quote_micros or 0, files),
    )
