"""Jobs: paid or slow work that a provider does while nobody waits.

Owns `jobs`. A job has its own lease and generation; every write of an executor names its
generation, so a thawed one changes nothing. `phase` is the provider's side and moves only up its
ladder; how far our attempt got is the ledger's status.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID, uuid4, uuid5

from psycopg.types.json import Jsonb

from execution.errors import StaleLeaseError
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all, fetch_one, fetch_value
from infra.ids import JobId, TaskId, WorkspaceId
from infra.providers.ports import Lane

RENEW: LiteralString = """
    update jobs
    set lease_expires_at = app_now() + %(lease)s
    where job_id = %(id)s
      and generation = %(generation)s
      and closed_at is null
      and lease_expires_at > app_now()
"""
"""Extends a job's lease by the database clock; no row when it has expired or was taken over."""

ENDED: LiteralString = """
    select 1
    from jobs
    where job_id = %(id)s
      and generation = %(generation)s
      and (closed_at is not null or lease_expires_at is null)
"""
"""A row when this holder has closed its job or put it off: nothing to renew, nothing lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A row of `jobs`."""

    job_id: UUID
    workspace_id: UUID
    task_id: UUID
    call_key: str
    provider: str
    operation: str
    title: str
    step_key: str | None
    slot: int | None
    request: dict[str, Any]
    request_sha256: str
    phase: str
    provider_job_id: str | None
    provider_ref: dict[str, Any] | None
    progress: float | None
    error: dict[str, Any] | None
    generation: int
    attempts: int
    due_at: datetime
    deadline_at: datetime
    hinted_job_id: str | None
    cancel_asked_at: datetime | None
    cancel_sent_at: datetime | None
    closed_at: datetime | None
    created_at: datetime

    @property
    def is_to_be_cancelled(self) -> bool:
        """Whether its provider is still to be asked to stop it."""
        return self.cancel_asked_at is not None and self.cancel_sent_at is None


def job_id_of(workspace_id: WorkspaceId, call_key: str) -> JobId:
    """Return the job id of a call: one call, one job, whoever creates it."""
    return JobId(uuid5(workspace_id, call_key))


async def create(
    tx: Tx,
    *,
    task_id: TaskId,
    call_key: str,
    provider: str,
    operation: str,
    title: str,
    step_key: str | None,
    slot: int | None,
    request: dict[str, Any],
    request_sha256: str,
    deadline: timedelta,
    lane: Lane,
) -> JobId:
    """Hand a held call over to the executor; one job per call, whoever runs this again."""
    job_id = job_id_of(tx.workspace_id, call_key)
    stored = await execute(
        tx.conn,
        """
        insert into jobs (job_id, workspace_id, task_id, call_key, provider, operation, title,
                          step_key, slot, request, request_sha256, deadline_at, lane)
        values (%(job_id)s, %(workspace_id)s, %(task_id)s, %(call_key)s, %(provider)s,
                %(operation)s, %(title)s, %(step_key)s, %(slot)s, %(request)s, %(sha256)s,
                app_now() + %(deadline)s, %(lane)s)
        on conflict do nothing
        """,
        {
            "job_id": job_id,
            "workspace_id": tx.workspace_id,
            "task_id": task_id,
            "call_key": call_key,
            "provider": provider,
            "operation": operation,
            "title": title,
            "step_key": step_key,
            "slot": slot,
            "request": Jsonb(request),
            "sha256": request_sha256,
            "deadline": deadline,
            "lane": lane,
        },
    )
    if stored:
        tx.touched_jobs[job_id] = "job.submitted"
        tx.due_jobs[job_id] = lane
    return job_id


async def claim(conn: Conn, job_id: JobId, *, lease_seconds: float) -> Job | None:
    """Take a due job that nobody holds; the claim raises its generation."""
    return await fetch_one(
        conn,
        Job,
        """
        update jobs
        set generation = generation + 1, holder = %(holder)s, attempts = attempts + 1,
            lease_expires_at = app_now() + %(lease)s, hinted_at = null,
            begun_at = coalesce(begun_at, app_now())
        where job_id = (
            select job_id
            from jobs
            where job_id = %(job_id)s
              and closed_at is null
              and due_at <= app_now()
              and (lease_expires_at is null or lease_expires_at <= app_now())
            for no key update skip locked
        )
        returning job_id, workspace_id, task_id, call_key, provider, operation, title, step_key,
                  slot, request, request_sha256, phase, provider_job_id, provider_ref, progress,
                  error, generation, attempts, due_at, deadline_at, hinted_job_id, cancel_asked_at,
                  cancel_sent_at, closed_at, created_at
        """,
        {"job_id": job_id, "holder": uuid4(), "lease": timedelta(seconds=lease_seconds)},
    )


async def check(tx: Tx, job: Job) -> None:
    """Refuse a stale executor, holding the row so that nobody takes over before the commit.

    Raises:
        StaleLeaseError: another executor holds the job.
    """
    found = await fetch_value(
        tx.conn,
        """
        select 1
        from jobs
        where job_id = %(job_id)s
          and generation = %(generation)s
          and closed_at is null
        for no key update
        """,
        {"job_id": job.job_id, "generation": job.generation},
    )
    if found is None:
        raise StaleLeaseError


async def set_phase(
    tx: Tx,
    job: Job,
    phase: str,
    *,
    event_type: str,
    progress: float | None = None,
    provider_job_id: str | None = None,
    provider_ref: dict[str, Any] | None = None,
    error: dict[str, Any] | None = None,
) -> bool:
    """Move a job up its ladder under the executor's generation; never back, never from the end."""
    changed = await execute(
        tx.conn,
        """
        update jobs
        set phase = %(phase)s, progress = greatest(progress, %(progress)s),
            provider_job_id = coalesce(%(provider_job_id)s, provider_job_id),
            provider_ref = coalesce(%(provider_ref)s, provider_ref), error = %(error)s,
            updated_at = app_now()
        where job_id = %(job_id)s
          and generation = %(generation)s
          and phase not in ('succeeded', 'failed', 'cancelled')
          and not (phase = 'running' and %(phase)s = 'queued')
        """,
        {
            "phase": phase,
            "progress": progress,
            "provider_job_id": provider_job_id,
            "provider_ref": Jsonb(provider_ref) if provider_ref is not None else None,
            "error": Jsonb(error) if error is not None else None,
            "job_id": job.job_id,
            "generation": job.generation,
        },
    )
    if changed:
        tx.touched_jobs[JobId(job.job_id)] = event_type
    return bool(changed)


async def restart_deadline(tx: Tx, job: Job) -> None:
    """Let a job that waited for its first sending have its whole time from now on."""
    await execute(
        tx.conn,
        """
        update jobs
        set deadline_at = greatest(deadline_at, app_now() + (deadline_at - created_at))
        where job_id = %(job_id)s
          and generation = %(generation)s
        """,
        {"job_id": job.job_id, "generation": job.generation},
    )


async def put_off(tx: Tx, job: Job, *, delay_seconds: float) -> float:
    """Give the job back; return after how many seconds it is looked at again.

    That is the delay, or at once if its provider has said meanwhile that there is news of it.
    """
    is_hinted = await fetch_value(
        tx.conn,
        """
        update jobs
        set due_at = case when hinted_at is null then app_now() + %(delay)s else app_now() end,
            lease_expires_at = null, holder = null, updated_at = app_now()
        where job_id = %(job_id)s
          and generation = %(generation)s
        returning hinted_at is not null
        """,
        {
            "delay": timedelta(seconds=delay_seconds),
            "job_id": job.job_id,
            "generation": job.generation,
        },
    )
    return 0.0 if is_hinted else delay_seconds


async def note_problem(tx: Tx, job: Job, error: dict[str, Any]) -> None:
    """Tell why a job is not under way at the moment; its next phase forgets it."""
    await execute(
        tx.conn,
        """
        update jobs
        set error = %(error)s, updated_at = app_now()
        where job_id = %(job_id)s
          and generation = %(generation)s
          and closed_at is null
        """,
        {"error": Jsonb(error), "job_id": job.job_id, "generation": job.generation},
    )
    tx.touched_jobs[JobId(job.job_id)] = "job.progress"


async def hint(conn: Conn, job_id: JobId, provider_job_id: str | None) -> Lane | None:
    """Let a job be read now; None when nothing more is read of it.

    While an executor holds the job it counts once it is given back. The first name is kept.
    """
    lane = await fetch_value(
        conn,
        """
        update jobs
        set hinted_at = app_now(), due_at = least(due_at, app_now()),
            late_look_at = case when late_look_at is not null
                                then least(late_look_at, app_now()) end,
            hinted_job_id = coalesce(hinted_job_id, %(provider_job_id)s)
        where job_id = %(job_id)s
          and (closed_at is null or late_look_at is not null)
        returning lane
        """,
        {"job_id": job_id, "provider_job_id": provider_job_id},
    )
    return Lane(lane) if lane is not None else None


async def ask_to_cancel(tx: Tx, task_id: TaskId, call_keys: Collection[str] | None = None) -> None:
    """Have the providers of a task's open jobs, or of these calls' alone, asked to stop them."""
    cursor = await tx.conn.execute(
        """
        update jobs
        set cancel_asked_at = app_now(), due_at = least(due_at, app_now()), hinted_at = app_now()
        where task_id = %(task_id)s
          and closed_at is null
          and cancel_asked_at is null
          and (%(call_keys)s::text[] is null or call_key = any(%(call_keys)s))
        returning job_id, lane
        """,
        {"task_id": task_id, "call_keys": None if call_keys is None else list(call_keys)},
    )
    for job_id, lane in await cursor.fetchall():
        tx.due_jobs[JobId(job_id)] = Lane(lane)


async def is_unwanted(conn: Conn, job_id: JobId) -> bool:
    """Tell whether a job has lost its task or its place in the plan, maybe since its claim."""
    found = await get(conn, job_id)
    return found is not None and found.cancel_asked_at is not None


async def note_cancel(tx: Tx, job: Job) -> None:
    """Record that the provider was asked to stop a job, or cannot be."""
    await execute(
        tx.conn,
        """
        update jobs
        set cancel_sent_at = app_now()
        where job_id = %(job_id)s
          and generation = %(generation)s
        """,
        {"job_id": job.job_id, "generation": job.generation},
    )


async def close(tx: Tx, job: Job) -> None:
    """End a job: its money is settled and nothing will look at it again."""
    await execute(
        tx.conn,
        """
        update jobs
        set closed_at = app_now(), lease_expires_at = null, holder = null
        where job_id = %(job_id)s
          and generation = %(generation)s
        """,
        {"job_id": job.job_id, "generation": job.generation},
    )


_LATE_LOOKS = [timedelta(minutes=10), timedelta(hours=1), timedelta(hours=6), timedelta(days=1)]
"""How long after one another a job that was given up is looked for; results are kept for days."""


async def look_late(tx: Tx, job: Job) -> None:
    """Look again for a closed job of unknown outcome, ever more rarely and in the end no more."""
    await execute(
        tx.conn,
        """
        update jobs
        set late_look_at = app_now() + (%(after)s::interval[])[late_looks + 1]
        where job_id = %(job_id)s
          and generation = %(generation)s
          and closed_at is not null
        """,
        {"after": _LATE_LOOKS, "job_id": job.job_id, "generation": job.generation},
    )


async def claim_late(conn: Conn, job_id: JobId) -> Job | None:
    """Take a closed job that is to be looked for; no lease, as the claim moves its time away.

    A look counts once it was had (`put_off_late`, `end_late_looks`); whoever dies over it only
    delays it.
    """
    return await fetch_one(
        conn,
        Job,
        """
        update jobs
        set generation = generation + 1, late_look_at = app_now() + %(again)s
        where job_id = %(job_id)s
          and closed_at is not null
          and late_look_at <= app_now()
        returning job_id, workspace_id, task_id, call_key, provider, operation, title, step_key,
                  slot, request, request_sha256, phase, provider_job_id, provider_ref, progress,
                  error, generation, attempts, due_at, deadline_at, hinted_job_id, cancel_asked_at,
                  cancel_sent_at, closed_at, created_at
        """,
        {"job_id": job_id, "again": _LATE_LOOKS[0]},
    )


async def put_off_late(tx: Tx, job: Job) -> None:
    """Count a look that found nothing yet; after the last one there is no further."""
    await execute(
        tx.conn,
        """
        update jobs
        set late_looks = late_looks + 1,
            late_look_at = app_now() + (%(after)s::interval[])[late_looks + 2]
        where job_id = %(job_id)s
          and generation = %(generation)s
          and closed_at is not null
        """,
        {"after": _LATE_LOOKS, "job_id": job.job_id, "generation": job.generation},
    )


async def end_late_looks(tx: Tx, job: Job) -> None:
    """Look for a closed job no more: it was found, or it is certain that it never was.

    Raises:
        StaleLeaseError: someone else has looked for it since.
    """
    ended = await execute(
        tx.conn,
        """
        update jobs
        set late_look_at = null
        where job_id = %(job_id)s
          and generation = %(generation)s
          and closed_at is not null
        """,
        {"job_id": job.job_id, "generation": job.generation},
    )
    if not ended:
        raise StaleLeaseError


async def due(conn: Conn, *, limit: int = 200) -> dict[JobId, Lane]:
    """Return open jobs that are due and that no live lease holds, and closed ones to look for."""
    cursor = await conn.execute(
        """
        (
            select job_id, lane
            from jobs
            where closed_at is null
              and due_at <= app_now()
              and (lease_expires_at is null or lease_expires_at <= app_now())
            order by due_at
            limit %(limit)s
        )
        union all
        (
            select job_id, lane
            from jobs
            where late_look_at <= app_now()
            order by late_look_at
            limit %(limit)s
        )
        """,
        {"limit": limit},
    )
    return {JobId(row[0]): Lane(row[1]) for row in await cursor.fetchall()}


async def of_task(conn: Conn, task_id: TaskId) -> list[Job]:
    """Return a task's jobs, oldest first."""
    return await fetch_all(
        conn,
        Job,
        """
        select job_id, workspace_id, task_id, call_key, provider, operation, title, step_key, slot,
               request, request_sha256, phase, provider_job_id, provider_ref, progress, error,
               generation, attempts, due_at, deadline_at, hinted_job_id, cancel_asked_at,
               cancel_sent_at, closed_at, created_at
        from jobs
        where task_id = %(task_id)s
        order by created_at, job_id
        """,
        {"task_id": task_id},
    )


async def get(conn: Conn, job_id: JobId) -> Job | None:
    """Return a job, or None."""
    return await fetch_one(
        conn,
        Job,
        """
        select job_id, workspace_id, task_id, call_key, provider, operation, title, step_key, slot,
               request, request_sha256, phase, provider_job_id, provider_ref, progress, error,
               generation, attempts, due_at, deadline_at, hinted_job_id, cancel_asked_at,
               cancel_sent_at, closed_at, created_at
        from jobs
        where job_id = %(job_id)s
        """,
        {"job_id": job_id},
    )


async def is_overdue(conn: Conn, job_id: JobId) -> bool:
    """Tell whether a job's deadline has passed, by the database clock."""
    return bool(
        await fetch_value(
            conn,
            "select deadline_at <= app_now() from jobs where job_id = %(job_id)s",
            {"job_id": job_id},
        )
    )
