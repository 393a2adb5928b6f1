"""The worker process: turns, jobs and the watchdog, under one supervisor."""

import asyncio
from typing import Protocol

import psycopg

from graphs.invoke import Graphs
from infra.crash_points import arm
from infra.db.errors import DatabaseUnreachableError
from infra.deps import open_deps
from infra.queue import Handler
from infra.settings import Settings
from infra.supervision import EssentialTaskEndedError, Supervisor
from infra.telemetry import get_logger
from server.outages import outage
from server.workers.executor import Executor
from server.workers.heartbeat import Heart
from server.workers.indexing import keep_index
from server.workers.watchdog import watch
from server.workers.worker import Worker

_log = get_logger(__name__)


class Consumer(Protocol):
    """What receives wakes of one kind until the process ends."""

    async def __call__(self, handler: Handler, *, slots: int) -> None: ...


async def run_workers(settings: Settings, dsn: str, supervisor: Supervisor) -> None:
    """Work until the supervisor is asked to stop.

    Raises:
        OperatorError: the process cannot work as it was set up.
    """
    arm(settings.crash_at)
    async with open_deps(settings, dsn, supervisor) as opened:
        deps, queue = opened.deps, opened.queue
        heart = Heart(dsn, lease_seconds=settings.lease_seconds)
        graphs = Graphs(deps)
        await graphs.seat_strays()
        worker = Worker(deps, graphs, heart)
        executor = Executor(deps, queue, heart)
        async with Supervisor("workers") as parts:
            parts.start(
                _consume("turns", queue.run_threads, worker.look_at, settings.worker_slots),
                name="turns",
                essential=True,
            )
            parts.start(
                _consume("jobs", queue.run_jobs, executor.look_at, settings.executor_slots),
                name="jobs",
                essential=True,
            )
            parts.start(
                _consume("jobs_away", queue.run_jobs_away, executor.look_at, settings.away_slots),
                name="jobs_away",
                essential=True,
            )
            parts.start(watch(deps, parts), name="watchdog", essential=True)
            parts.start(keep_index(deps, parts), name="task index")
            _log.info("worker_started", model=settings.model)
            try:
                await _first_end(supervisor, parts)
            except EssentialTaskEndedError as error:
                if (said := outage(error)) is not None:
                    raise DatabaseUnreachableError(dsn, said) from error
                raise
            finally:
                heart.close()


async def _consume(name: str, run: Consumer, handler: Handler, slots: int) -> None:
    """Receive wakes for as long as the process runs, also after others took it for dead.

    Whoever starts while this process is frozen strikes it off the queue's list of workers; it
    then takes its place anew. Whose the work is has been decided by the leases all the while.
    """
    while True:
        try:
            await run(handler, slots=slots)
        except Exception as error:
            if not _was_struck_off(error):
                raise
            _log.warning("worker_registered_anew", part=name)
        else:
            return


def _was_struck_off(error: BaseException | None) -> bool:
    while error is not None and not isinstance(error, psycopg.errors.ForeignKeyViolation):
        error = error.__cause__
    return error is not None


async def _first_end(supervisor: Supervisor, parts: Supervisor) -> None:
    """Wait until the process is asked to end, or a part it cannot work without has ended.

    A worker without its consumers would hold nothing and do nothing; ending lets it be restarted.
    """
    waits = [asyncio.ensure_future(supervisor.wait()), asyncio.ensure_future(parts.wait())]
    try:
        ended, _ = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in ended:
            wait.result()
    finally:
        for wait in waits:
            wait.cancel()
