"""The queue that carries wakes: procrastinate on the same Postgres, and nothing but wakes.

A queued entry says "look at the tables"; losing the whole queue loses no work, since the watchdog
finds woken threads and due jobs in the tables. A queueing lock keeps one waiting entry per thread
or job.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
from psycopg import AsyncConnection

from infra.db.pool import Limits, network_limits, set_limits
from infra.providers.ports import Lane

type Handler = Callable[[str], Awaitable[None]]

_THREADS = "threads"
_JOBS = {Lane.HERE: "jobs", Lane.AWAY: "jobs_away"}
_POLL_SECONDS = 2.0


class WakeQueue:
    """Sends wakes, and in a worker process receives them."""

    def __init__(self, app: App) -> None:
        self._app = app
        self._handlers: dict[str, Handler] = {}
        for name in (_THREADS, *_JOBS.values()):
            self._register(name)

    def _register(self, name: str) -> None:
        @self._app.task(name=f"atelier.{name}", queue=name)
        async def look_at(identity: str) -> None:
            await self._handlers[name](identity)

    async def wake_thread(self, thread_id: str) -> None:
        """Queue a look at a thread, unless one is waiting already."""
        await self._wake(_THREADS, thread_id)

    async def wake_job(self, job_id: str, lane: Lane, *, delay_seconds: float = 0.0) -> None:
        """Queue a look at a job, now or after a delay, unless one such is waiting already.

        One that waits for its time keeps no other from being had before: there may be news.
        """
        await self._wake(_JOBS[lane], job_id, delay_seconds)

    async def _wake(self, name: str, identity: str, delay_seconds: float = 0.0) -> None:
        deferrer = self._app.configure_task(
            f"atelier.{name}",
            queue=name,
            queueing_lock=f"{name}:{identity}{':later' if delay_seconds else ''}",
            schedule_in={"seconds": delay_seconds} if delay_seconds else None,
        )
        try:
            await deferrer.defer_async(identity=identity)
        except AlreadyEnqueued:
            return
        except ConnectorException as error:
            message = f"The queue cannot be reached: {error}"
            raise ConnectionError(message) from error

    async def run_threads(self, handler: Handler, *, slots: int) -> None:
        """Receive thread wakes for as long as the process runs."""
        await self._run(_THREADS, handler, slots)

    async def run_jobs(self, handler: Handler, *, slots: int) -> None:
        """Receive wakes of jobs that are done here, for as long as the process runs."""
        await self._run(_JOBS[Lane.HERE], handler, slots)

    async def run_jobs_away(self, handler: Handler, *, slots: int) -> None:
        """Receive wakes of jobs that others do: none of them waits behind one that is done here."""
        await self._run(_JOBS[Lane.AWAY], handler, slots)

    async def _run(self, name: str, handler: Handler, slots: int) -> None:
        self._handlers[name] = handler
        await self._app.run_worker_async(
            queues=[name],
            name=f"atelier-{name}",
            concurrency=slots,
            fetch_job_polling_interval=_POLL_SECONDS,
            delete_jobs="always",
            install_signal_handlers=False,
            shutdown_graceful_timeout=5.0,
        )


@asynccontextmanager
async def open_queue(dsn: str, *, limits: Limits | None = None) -> AsyncGenerator[WakeQueue]:
    """Open the queue's own small pool and close it at the end.

    Its connections wait no longer than all others: a worker that is frozen while it takes a wake
    holds that wake's row, and whoever sends wakes would wait behind it for ever.
    """
    chosen = limits or Limits()

    async def configure(conn: AsyncConnection) -> None:
        await set_limits(conn, chosen)

    # The connector itself has each connection checked before it is lent.
    connector = PsycopgConnector(
        conninfo=dsn, min_size=1, max_size=6, kwargs=network_limits(dsn), configure=configure
    )
    app = App(connector=connector)
    queue = WakeQueue(app)
    async with app.open_async():
        yield queue
