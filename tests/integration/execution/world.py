"""Rows to work on: tasks, turns, steps, calls and jobs of a workspace, made by the real functions.

For tests of one owner module at a time; whole runs are driven by `tests.harness.Machine`.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Literal
from uuid import UUID

from psycopg import AsyncConnection

from execution import budget, inbox, jobs, leases, ledger, messages, steps, tasks, workspaces
from execution.jobs import Job
from execution.leases import Fence, Lease
from execution.transactions import work
from execution.tx import Tx
from infra.deps import Deps
from infra.ids import JobId, MessageId, StepId, TaskId, ThreadId, WorkspaceId, new_id
from infra.providers.ports import Lane

LEASE_SECONDS = 30.0


@dataclass(slots=True, kw_only=True)
class World:
    """One workspace on this test's database."""

    deps: Deps
    workspace_id: WorkspaceId

    @asynccontextmanager
    async def work(
        self, fence: Fence | None = None, *, workspace_id: WorkspaceId | None = None
    ) -> AsyncGenerator[Tx]:
        async with work(self.deps, workspace_id or self.workspace_id, fence=fence) as tx:
            yield tx

    @asynccontextmanager
    async def conn(self) -> AsyncGenerator[AsyncConnection[tuple[Any, ...]]]:
        async with self.deps.pools.domain.connection() as opened:
            yield opened

    async def value(self, statement: Any, *values: Any) -> Any:
        async with self.conn() as conn:
            row = await (await conn.execute(statement, values)).fetchone()
        return row[0] if row else None

    async def rows(self, statement: Any, *values: Any) -> list[tuple[Any, ...]]:
        async with self.conn() as conn:
            return await (await conn.execute(statement, values)).fetchall()

    async def run(self, statement: Any, *values: Any) -> None:
        async with self.conn() as conn:
            await conn.execute(statement, values)

    async def workspace(self) -> WorkspaceId:
        workspace_id = WorkspaceId(new_id())
        async with self.conn() as conn:
            await workspaces.ensure(conn, workspace_id, name="another", currency="USD")
        return workspace_id

    async def message(self, text: str = "hello", **given: Any) -> MessageId:
        message_id = MessageId(new_id())
        async with self.work() as tx:
            await messages.accept(
                tx,
                message_id=message_id,
                client_id=str(message_id),
                text=text,
                language="en",
                **given,
            )
        return message_id

    async def thread(
        self, kind: Literal["main", "task"] = "task", *, holds_order: bool = False
    ) -> ThreadId:
        """A woken thread without a task."""
        thread_id = ThreadId(new_id())
        async with self.conn() as conn:
            await leases.create_thread(
                conn, thread_id, self.workspace_id, kind, holds_order=holds_order
            )
            await leases.wake(conn, thread_id)
        return thread_id

    async def task(self, *, kind: str = "persistent", limit: int | None = None) -> TaskId:
        """A task that was just begun: its first message waits in its inbox."""
        message_id = await self.message("make something")
        task_id = TaskId(new_id())
        async with self.work() as tx:
            await tasks.create(
                tx,
                task_id,
                kind=kind,
                title="Something",
                goal="something",
                language="en",
                brief={},
                source_message_id=message_id,
            )
            await inbox.post(tx, task_id, message_id)
            if limit is not None:
                await budget.raise_limit(tx, task_id, limit, "test")
        return task_id

    async def claim(self, thread_id: UUID, *, lease_seconds: float = LEASE_SECONDS) -> Lease | None:
        async with self.conn() as conn:
            return await leases.claim(
                conn, ThreadId(thread_id), lease_seconds=lease_seconds, graph_version="test"
            )

    async def held(self, thread_id: UUID, **given: Any) -> Lease:
        lease = await self.claim(thread_id, **given)
        assert lease is not None
        return lease

    async def current_lease(self, thread_id: UUID) -> Lease:
        """The lease of the thread's live turn, as its holder has it."""
        rows = await self.rows(
            """
            select turn_id, generation, holder, attempts
            from turns where thread_id = %s and status = 'active'
            """,
            thread_id,
        )
        turn_id, generation, holder, attempts = rows[0]
        return Lease(
            thread_id=ThreadId(thread_id),
            workspace_id=self.workspace_id,
            kind="task",
            turn_id=turn_id,
            generation=generation,
            holder=holder,
            attempts=attempts,
        )

    async def step(self, lease: Lease, **given: Any) -> StepId:
        step_id = StepId(new_id())
        async with self.work(lease.fence) as tx:
            await record_step(tx, lease, step_id, **given)
        return step_id

    async def call(
        self, lease: Lease, step_id: StepId, *, price: int = 0, seq: int = 1, **given: Any
    ) -> str:
        """A held call with its money."""
        async with self.work(lease.fence) as tx:
            return await record_call(tx, lease, step_id, price=price, seq=seq, **given)

    async def job(self, task_id: TaskId, call_key: str, *, seconds: float = 3600) -> JobId:
        async with self.work() as tx:
            entry = await ledger.get(tx.conn, tx.workspace_id, call_key)
            return await jobs.create(
                tx,
                task_id=task_id,
                call_key=call_key,
                provider="scripted",
                operation="image",
                title="A picture",
                step_key=entry.step_key,
                slot=entry.slot,
                request=entry.request or {},
                request_sha256=entry.args_hash,
                deadline=timedelta(seconds=seconds),
                lane=Lane.HERE,
            )

    async def claim_job(self, job_id: JobId, *, lease_seconds: float = LEASE_SECONDS) -> Job | None:
        async with self.conn() as conn:
            return await jobs.claim(conn, job_id, lease_seconds=lease_seconds)

    async def new_job(self, *, price: int = 0, **given: Any) -> tuple[TaskId, Job]:
        """A claimed job of a new task."""
        task_id = await self.task(limit=price)
        lease = await self.held(task_id)
        call_key = await self.call(lease, await self.step(lease), price=price)
        job = await self.claim_job(await self.job(task_id, call_key, **given))
        assert job is not None
        return task_id, job


async def record_step(
    tx: Tx, lease: Lease, step_id: StepId, *, calls: int = 1, content: str = ""
) -> None:
    thread_id = ThreadId(lease.thread_id)
    await steps.record(
        tx,
        step_id,
        thread_id=thread_id,
        turn_id=lease.turn_id,
        number=await steps.next_number(tx.conn, thread_id),
        model="test",
        content=content,
        calls=[{"name": "generate_image"}] * calls,
        usage={},
        prompt_sha256="",
        read_wake_seq=await leases.read_wake_seq(tx.conn, thread_id),
        read_at=await steps.now(tx.conn),
    )


async def record_call(
    tx: Tx,
    lease: Lease,
    step_id: StepId,
    *,
    price: int = 0,
    seq: int = 1,
    tool: str = "generate_image",
    status: str = "held",
    **given: Any,
) -> str:
    task_id = TaskId(lease.thread_id)
    call_key = f"{lease.turn_id}/{step_id}/{seq}"
    request = {
        "operation": "image",
        "provider": "scripted",
        "payload": {"prompt": "a harbour", "seq": seq},
        "inputs": {},
        "name": "A picture",
        "title": "A picture",
    }
    await ledger.record(
        tx,
        **{
            "call_key": call_key,
            "task_id": task_id,
            "step_id": step_id,
            "seq": seq,
            "tool": tool,
            "risk": "paid",
            "arguments": {},
            "args_hash": ledger.hash_of(tool, request, price),
            "tool_call_id": f"call_{seq}",
            "tool_message": "pending: job",
            "status": status,
            "verdict": "allow",
            "quote_micros": price,
            "request": request,
            **given,
        },
    )
    if status == "held":
        await budget.reserve(tx, task_id, call_key, price)
    return call_key


async def record_look(tx: Tx, lease: Lease, step_id: StepId, seq: int, call_key: str) -> None:
    """A look of the model at a call of unknown outcome."""
    await record_call(
        tx,
        lease,
        step_id,
        seq=seq,
        tool="check_call",
        risk="read",
        status="settled",
        outcome="succeeded",
        result={"looked_at": call_key},
    )
