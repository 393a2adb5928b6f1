"""Live rows that nothing will ever move again: without an owner, a timer or a person to wait for.

Owns no table and changes none: one query over the record, for the operator's command and for every
test. What it returns is a fault of ours, never a state that work may normally be in. Whatever the
watchdog is about to find has two of its periods before it counts.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import LiteralString
from uuid import UUID

from infra.db.query import Conn, fetch_all


@dataclass(frozen=True, slots=True, kw_only=True)
class Orphan:
    """A row that waits for nothing, and which rule it breaks."""

    kind: str
    identity: str
    workspace_id: UUID
    why: str

    def __str__(self) -> str:
        return f"{self.kind} {self.identity} (workspace {self.workspace_id}): {self.why}"


_ORPHANS: LiteralString = """
    with leased as (
        select thread_id
        from turns
        where status = 'active'
          and lease_expires_at > app_now()
    ),
    -- A wake leaves no time of its own; what can wake a thread does.
    stirred as (
        select thread_id, created_at as at from threads
        union all select thread_id, coalesce(finished_at, lease_expires_at) from turns
        union all select task_id, created_at from inbox
        union all select thread_id, coalesce(decided_at, expires_at, created_at) from approvals
            where status <> 'pending'
        union all select task_id, closed_at from jobs where closed_at is not null
        union all select task_id, updated_at from tasks
    ),
    quiet as (
        select thread_id
        from stirred
        group by thread_id
        having max(least(at, app_now())) <= app_now() - %(grace)s
    ),
    idle as (
        select task_id
        from tasks
        join threads on threads.thread_id = tasks.task_id
        where wake_seq = handled_seq
          and wake_at is null
          and task_id not in (select thread_id from leased)
    )
    select 'thread' as kind, t.thread_id::text as identity, t.workspace_id,
           'was woken, and no worker holds it' as why
    from threads as t
    where t.wake_seq > t.handled_seq
      and t.thread_id in (select thread_id from quiet)
      and t.thread_id not in (select thread_id from leased)
      and is_its_turn(t)
    union all
    select 'task', task_id::text, workspace_id,
           'is ' || status || coalesce(' for ' || waiting_reason, '') || ' with nothing to come'
    from tasks
    where task_id in (select task_id from idle)
      and (status = 'active'
           or (status = 'waiting' and waiting_reason = 'provider')
           or (status = 'waiting' and waiting_reason = 'tasks'
               and not exists (
                   select 1 from delegations
                   where parent_id = tasks.task_id and closed_at is null)
               and not exists (
                   select 1 from task_words
                   where (from_task = tasks.task_id and question = 'open')
                      or (to_task = tasks.task_id and task_words.status = 'pending')))
           or (status = 'waiting' and waiting_reason = 'jobs' and not exists (
                   select 1
                   from jobs
                   where jobs.task_id = tasks.task_id
                     and closed_at is null))
           or (status = 'waiting' and waiting_reason in ('approval', 'review', 'budget')
               and not exists (
                   select 1
                   from approvals
                   where approvals.task_id = tasks.task_id
                     and approvals.status = 'pending')))
    union all
    select 'hold', h.call_key, h.workspace_id, 'is open, but its call has ended'
    from holds as h
    join ledger as l using (workspace_id, call_key)
    where h.status = 'held'
      and l.status in ('settled', 'rejected')
    union all
    select 'hold', h.call_key, h.workspace_id, 'is open, but its task has ended without a job'
    from holds as h
    join tasks using (task_id)
    where h.status = 'held'
      and tasks.status in ('completed', 'failed', 'stopped')
      and not exists (
          select 1
          from jobs
          where jobs.workspace_id = h.workspace_id
            and jobs.call_key = h.call_key
            and closed_at is null
      )
    union all
    select 'job', job_id::text, jobs.workspace_id, 'is open past its deadline, and nobody holds it'
    from jobs
    join tasks using (task_id)
    where closed_at is null
      and tasks.status <> 'paused'
      and deadline_at <= app_now() - %(grace)s
      and due_at <= app_now() - %(grace)s
      and (lease_expires_at is null or lease_expires_at <= app_now() - %(grace)s)
    union all
    select 'message', message_id::text, inbox.workspace_id, 'was delivered, and nobody will read it'
    from inbox
    join tasks using (task_id)
    where inbox.status = 'delivered'
      and tasks.status not in ('paused', 'failed', 'stopped')
      and task_id in (select task_id from idle)
      -- at a limit only a person's words are read
      and not (tasks.waiting_reason is not distinct from 'limit'
               and message_id in (select word_id from task_words))
    union all
    select 'word', word_id::text, workspace_id, 'was said, and nobody has delivered it'
    from task_words
    where status = 'pending'
      and created_at <= app_now() - %(grace)s
    union all
    select 'child', child_id::text, d.workspace_id, 'works for a task that has ended'
    from delegations as d
    join tasks on tasks.task_id = d.parent_id
    where d.closed_at is null
      and tasks.status in ('completed', 'failed', 'stopped')
      and tasks.updated_at <= app_now() - %(grace)s
    union all
    select 'child', child_id::text, d.workspace_id, 'has ended, and its parent was not told'
    from delegations as d
    join tasks on tasks.task_id = d.child_id
    where d.closed_at is null
      and tasks.status in ('completed', 'failed', 'stopped')
    union all
    select 'child', child_id::text, d.workspace_id, 'has ended, and its money did not come back'
    from delegations as d
    join budgets on budgets.task_id = d.child_id
    where d.closed_at is not null
      and least(carved_micros - returned_micros - settled_micros - held_micros,
                limit_micros - settled_micros - held_micros) > 0
    union all
    select 'approval', approval_id::text, approvals.workspace_id,
           'is pending, but its task has ended'
    from approvals
    join tasks using (task_id)
    where approvals.status = 'pending'
      and tasks.status in ('completed', 'failed', 'stopped')
    order by kind, identity
"""


async def find(conn: Conn, *, watchdog_seconds: float = 10.0) -> list[Orphan]:
    """Return every orphan of every workspace; none is what a healthy record has."""
    grace = timedelta(seconds=2 * watchdog_seconds)
    return await fetch_all(conn, Orphan, _ORPHANS, {"grace": grace})
