"""The worker process: turns, jobs and the watchdog, under one supervisor."""

import asyncio

from graphs.invoke import Graphs
from infra.crash_points import arm
from infra.deps import open_deps
from infra.settings import Settings
from infra.supervision import Supervisor
from infra.telemetry import get_logger
from server.workers.executor import Executor
from server.workers.heartbeat import Heart
from server.workers.watchdog import watch
from server.workers.worker import Worker

_log = get_logger(__name__)


async def run_workers(settings: Settings, dsn: str, supervisor: Supervisor) -> None:
    """Work until the supervisor is asked to stop.

    Raises:
        OperatorError: the process cannot work as it was set up.
    """
    arm(settings.crash_at)
    async with open_deps(settings, dsn, supervisor) as opened:
        deps, queue = opened.deps, opened.queue
        heart = Heart(dsn, lease_seconds=settings.lease_seconds)
        worker = Worker(deps, Graphs(deps), heart)
        executor = Executor(deps, queue, heart)
        async with Supervisor("workers") as parts:
            parts.start(
                queue.run_threads(worker.look_at, slots=settings.worker_slots),
                name="turns",
                essential=True,
            )
            parts.start(
                queue.run_jobs(executor.look_at, slots=settings.executor_slots),
                name="jobs",
                essential=True,
            )
            parts.start(watch(deps, parts), name="watchdog", essential=True)
            _log.info("worker_started", model=settings.model)
            await _first_end(supervisor, parts)
        heart.close()


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
