"""The whole machine in one process, driven step by step: real tables, scripted model and provider.

`Machine.drain` runs every woken thread and due job until nothing is left to do, the way workers and
executors would, but in a known order; nothing sleeps.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from uuid import UUID

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage

from execution import approvals, intake, jobs, leases, messages, workspaces
from execution.approvals import Approval, Decision
from execution.intake import Incoming
from execution.transactions import work
from graphs.invoke import Graphs
from infra.blobs import BlobStore
from infra.db.pool import Pools
from infra.deps import Deps
from infra.ids import ApprovalId, MessageId, TaskId, WorkspaceId, new_id
from infra.providers.models import ChatModels
from infra.providers.ports import Lane, Provider
from infra.providers.scripted import ScriptedChatModel, ScriptedProvider
from infra.settings import Settings
from infra.signals import SilentSignals
from server.workers.executor import Executor
from server.workers.heartbeat import Heart
from server.workers.worker import Worker
from tools import edits

MAX_ROUNDS = 500
WORKSPACE = WorkspaceId(UUID(int=1))


class FixedModels(ChatModels):
    """Gives every role the same model."""

    def __init__(self, model: BaseChatModel) -> None:
        super().__init__("scripted")
        self._fixed = model

    def get(self, role: object) -> BaseChatModel:
        return self._fixed


class SilentQueue:
    """Drops every wake: the machine finds its work in the tables."""

    async def wake_job(self, job_id: str, lane: Lane, *, delay_seconds: float = 0.0) -> None: ...


@dataclass
class Machine:
    """Deps, graphs, a worker and an executor on one database."""

    deps: Deps
    worker: Worker
    executor: Executor
    workspace_id: WorkspaceId

    async def say(
        self, text: str, *, client_id: str | None = None, task_id: TaskId | None = None
    ) -> MessageId:
        async with work(self.deps, self.workspace_id) as tx:
            incoming = Incoming(text=text, client_id=client_id or str(new_id()), task_id=task_id)
            return await intake.accept(tx, incoming)

    async def drain(self) -> int:
        """Run until nothing is runnable; return how many turns and job visits that took."""
        for rounds in range(MAX_ROUNDS):
            async with self.deps.pools.domain.connection() as conn:
                threads = await leases.runnable(conn)
                due = await jobs.due(conn)
            if not threads and not due:
                return rounds
            for thread_id in threads:
                await self.worker.look_at(str(thread_id))
            for job_id in due:
                await self.executor.look_at(str(job_id))
        message = f"still busy after {MAX_ROUNDS} rounds"
        raise AssertionError(message)

    async def pending(self) -> list[Approval]:
        async with self.deps.pools.domain.connection() as conn:
            asked = await approvals.recent(conn, self.workspace_id, limit=50)
        return [question for question in asked if question.status == "pending"]

    async def decide(
        self, question: Approval, decision: Decision, *, choice: str | None = None
    ) -> Approval:
        async with work(self.deps, self.workspace_id) as tx:
            return await approvals.decide(
                tx,
                ApprovalId(question.approval_id),
                decision=decision,
                args_hash=question.args_hash,
                choice=choice,
                note=None,
                decided_by="person",
            )

    async def edit(
        self, question: Approval, edited: dict[str, Any], *, args_hash: str | None = None
    ) -> Approval:
        """Answer with changed arguments; return the question that stands afterwards."""
        async with work(self.deps, self.workspace_id) as tx:
            shown = await edits.edit(
                tx,
                self.deps,
                ApprovalId(question.approval_id),
                edited=edited,
                args_hash=args_hash or question.args_hash,
                note=None,
                decided_by="person",
            )
            return await approvals.get(tx.conn, tx.workspace_id, shown)

    async def task_of(self, message_id: MessageId) -> TaskId:
        async with self.deps.pools.domain.connection() as conn:
            message = await messages.get(conn, self.workspace_id, message_id)
        assert message.task_id is not None
        return TaskId(message.task_id)

    async def rows(self, statement: Any, *values: Any) -> list[tuple[Any, ...]]:
        async with self.deps.pools.domain.connection() as conn:
            return await (await conn.execute(statement, values)).fetchall()


@asynccontextmanager
async def open_machine(
    database_url: str,
    pools: Pools,
    folder: Path,
    *,
    model: BaseChatModel | None = None,
    provider: Provider | None = None,
    others: Sequence[Provider] = (),
    lease_seconds: float = 30.0,
    workspace_id: WorkspaceId = WORKSPACE,
) -> AsyncGenerator[Machine]:
    settings = Settings(
        data_dir=folder,
        blob_dir=folder / "blobs",
        lease_seconds=lease_seconds,
        watchdog_seconds=min(10.0, lease_seconds),
    )
    made = provider or ScriptedProvider(folder / "made")
    deps = Deps(
        settings=settings,
        dsn=database_url,
        pools=pools,
        blobs=BlobStore(settings.blob_dir),
        signals=SilentSignals(),
        models=FixedModels(model or ScriptedChatModel()),
        providers={each.name: each for each in (made, *others)},
    )
    async with pools.domain.connection() as conn:
        await workspaces.ensure(conn, workspace_id, name="test", currency="USD")
    heart = Heart(database_url, lease_seconds=lease_seconds)
    try:
        yield Machine(
            deps=deps,
            worker=Worker(deps, Graphs(deps), heart),
            executor=Executor(deps, SilentQueue(), heart),  # pyright: ignore[reportArgumentType]
            workspace_id=workspace_id,
        )
    finally:
        heart.close()


def calls(*proposed: tuple[str, dict[str, Any]], say: str = "") -> AIMessage:
    """An answer of a scripted model that proposes these calls."""
    return AIMessage(
        content=say,
        tool_calls=[
            {"name": name, "args": arguments, "id": f"c{number}"}
            for number, (name, arguments) in enumerate(proposed)
        ],
    )


def with_models(machine: Machine, model: BaseChatModel) -> Machine:
    """The same machine with another model."""
    deps = replace(machine.deps, models=FixedModels(model))
    machine.worker = Worker(deps, Graphs(deps), machine.worker._heart)
    return machine
