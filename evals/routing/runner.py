"""Sends the labelled messages through the product and reads where each one went.

Every case has a workspace of its own in one database. The message is accepted as the server accepts
it, and a real worker runs its Main thread to the end of its turn; threads of tasks are never run.
"""

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any

from evals.routing import recording
from evals.routing.build import Built, build
from evals.routing.cases import Case, Reference, Situation
from evals.routing.metrics import Got, Judged
from evals.routing.recording import AtWork, ListeningModels, Recorded
from execution import approvals, intake, messages, tasks
from execution.intake import Incoming
from execution.transactions import work
from graphs.invoke import Graphs
from infra import clock
from infra.blobs import BlobStore
from infra.db.pool import Limits, open_pools
from infra.deps import Deps
from infra.errors import AppError
from infra.ids import MessageId, TaskId, ThreadId, new_id
from infra.language import load_language_model
from infra.providers.catalog import open_catalog
from infra.providers.embedding import InlineEmbedder
from infra.providers.models import ChatModels
from infra.settings import Settings
from infra.signals import SilentSignals
from memory import duplicates, task_index
from memory.candidates import IN_PROGRESS
from server.workers.heartbeat import Heart
from server.workers.indexing import embed_new
from server.workers.worker import Worker
from workspace import objects

AT_ONCE = 4
_LIMITS = Limits(lock=60.0, statement=120.0, idle_in_transaction=120.0, transaction=240.0)
"""A busy machine makes a run slow; it must not end a transaction, and with it the run."""
_PATIENCE_S = 120.0
"""So long is a model that is away waited for, a case."""
_AGAIN_S = 1.0
_NEWEST = 5
"""So few messages back is the one that was sent."""
_NEW = "new"
_STRANGER = "?"
_STOPPED = "stopped"
"""A task that the situation does not know."""

type Told = Callable[[Judged], None]
type Keeper = Callable[[Recorded], None]


@asynccontextmanager
async def open_deps(settings: Settings, dsn: str) -> AsyncGenerator[Deps]:
    """Open what a worker needs on a migrated database; nobody is told of any wake."""
    await load_language_model()
    blobs = await asyncio.to_thread(BlobStore, settings.blob_dir)
    async with open_pools(dsn, name="evals routing", size=2 * AT_ONCE, limits=_LIMITS) as pools:
        yield Deps(
            settings=settings,
            dsn=dsn,
            pools=pools,
            blobs=blobs,
            signals=SilentSignals(),
            models=ChatModels(settings.model),
            embedder=InlineEmbedder(),
            providers=open_catalog(settings, None).providers,
        )


async def run(
    deps: Deps,
    situations: Sequence[Situation],
    *,
    is_wanted: Callable[[Situation, Case], bool] = lambda _, __: True,
    told: Told = lambda _: None,
    keep: Keeper | None = None,
) -> list[Judged]:
    """Send every wanted message, a few at a time; return what became of each, in their order.

    Args:
        deps: what a worker needs.
        situations: where the messages are sent.
        is_wanted: which of them are.
        told: is told of each as it has found its way.
        keep: is given what the router was shown for each. The router then only listens.
    """
    if keep is not None:
        deps = replace(deps, models=ListeningModels())
    heart = Heart(deps.dsn, lease_seconds=deps.settings.lease_seconds)
    room = asyncio.Semaphore(AT_ONCE)
    router = _Router(deps, Worker(deps, Graphs(deps), heart))

    async def one(situation: Situation, case: Case) -> Judged:
        async with room:
            heard = recording.listen()
            built, got = await router.send(situation, case)
        if keep is not None:
            live, again = await router.at_work(built)
            keep(
                recording.recorded(situation, case, built, got, heard=heard, live=live, again=again)
            )
        language = situation.language_of(case)
        judged = Judged(situation=situation.id, case=case, language=language, got=got)
        told(judged)
        return judged

    try:
        return await asyncio.gather(
            *(
                one(each, case)
                for each in situations
                for case in each.cases
                if is_wanted(each, case)
            )
        )
    finally:
        heart.close()


@dataclass(frozen=True, slots=True)
class _Router:
    """The product's way of a message, in a workspace that is made for it."""

    deps: Deps
    worker: Worker

    async def send(self, situation: Situation, case: Case) -> tuple[Built, Got]:
        """Set the situation up, send the message and return both, and where it went."""
        built = await build(self.deps, situation)
        while await embed_new(self.deps):
            pass
        try:
            message_id = await self._accept(built, case)
        except AppError as error:
            return built, Got(outcome="refused", reason=error.message)
        await self._work(built, message_id)
        got = await self._read(built, message_id)
        resting = {task.key for task in situation.tasks if task.archived or task.status == _STOPPED}
        first = next(iter(got.options), None)
        return built, replace(got, brings_back=first) if first in resting else got

    async def at_work(self, built: Built) -> tuple[list[AtWork], list[str]]:
        """Return the tasks at work, and those of them that the very same words had begun."""
        async with self.deps.pools.domain.connection() as conn:
            recent = await messages.recent(conn, built.workspace_id, limit=_NEWEST)
            said = [one for one in recent if one.role == "user"][-1:]
            again = [
                task_id
                for one in said
                for task_id in await duplicates.said_again(conn, built.workspace_id, one)
            ]
            live = await tasks.in_progress(conn, built.workspace_id, limit=IN_PROGRESS)
            texts = await task_index.texts(
                conn, built.workspace_id, [task.task_id for task in live]
            )
        found = [
            AtWork(
                task_id=task.task_id,
                title=task.title,
                goal=task.goal,
                status=task.status,
                is_persistent=task.kind == "persistent",
                text=texts.get(task.task_id, ""),
            )
            for task in live
        ]
        return found, [str(task_id) for task_id in again]

    async def _accept(self, built: Built, case: Case) -> MessageId:
        sent = case.sent_with or Reference.model_construct()
        async with work(self.deps, built.workspace_id) as tx:
            object_id = built.objects[sent.object] if sent.object else None
            maker: TaskId | None = None
            if object_id is not None:
                about = await objects.get(tx.conn, tx.workspace_id, object_id)
                maker = TaskId(about.task_id) if about.task_id else None
            return await intake.accept(
                tx,
                Incoming(
                    text=case.say,
                    client_id=str(new_id()),
                    task_id=built.tasks[sent.task] if sent.task else None,
                    object_id=object_id,
                    object_task_id=maker,
                    reply_to=built.said[sent.reply_to] if sent.reply_to else None,
                ),
            )

    async def _work(self, built: Built, message_id: MessageId) -> None:
        """Run the message's thread until it has a route, or nothing answers for too long."""
        give_up = clock.monotonic() + _PATIENCE_S
        while True:
            await self.worker.look_at(str(message_id))
            async with self.deps.pools.domain.connection() as conn:
                route = await messages.get_route(conn, built.workspace_id, message_id)
            if route is not None or clock.monotonic() > give_up:
                return
            await asyncio.sleep(_AGAIN_S)

    async def _read(self, built: Built, message_id: MessageId) -> Got:
        async with self.deps.pools.domain.connection() as conn:
            route = await messages.get_route(conn, built.workspace_id, message_id)
            asked = await approvals.of_thread(conn, ThreadId(message_id), statuses=["pending"])
        if route is None:
            return Got(outcome="none", reason="it was not routed in time")
        for question in asked:
            if question.kind == "route":
                options = [_key(built, each["id"]) for each in _offered(question.card)]
                return Got(outcome="ask", options=options, reason=route.reason)
        return Got(
            outcome=route.outcome,
            task=_key(built, route.task_id) if route.outcome == "existing" else None,
            reason=route.reason,
        )


def _offered(card: dict[str, Any]) -> list[dict[str, Any]]:
    return [option for option in card["options"] if option["id"] != _NEW]


def _key(built: Built, task_id: object) -> str:
    return built.task_key(task_id) or _STRANGER
