"""Real worker processes for fault tests: started, killed, started again, ended by their pid."""

import asyncio
import contextlib
import os
import signal
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from evals.scenarios import processes
from evals.scenarios.processes import Process
from infra.crash_points import CrashPoint
from infra.signals import EVENTS_CHANNEL

ROOT = Path(__file__).parent.parent
BROKEN_BUILD = "ATELIER_TEST_BROKEN_BUILD"
"""Names a build of `tests.faults.builds` that every process is started as."""


@dataclass(frozen=True, slots=True)
class WorkerProcess:
    """One `python -m server work`, forked from a process that has imported it."""

    process: Process

    @property
    def pid(self) -> int:
        return self.process.pid

    @property
    def returncode(self) -> int | None:
        return self.process.exit_code

    def is_alive(self) -> bool:
        return not self.process.has_ended

    def is_frozen(self) -> bool:
        """Tell whether it stands still, by a signal that stops a process."""
        try:
            stat = Path(f"/proc/{self.pid}/stat").read_text(encoding="utf-8")
        except FileNotFoundError:
            return False
        return stat.rpartition(")")[2].split()[0] == "T"

    def freeze(self) -> None:
        self.process.send(signal.SIGSTOP)

    def thaw(self) -> None:
        self.process.send(signal.SIGCONT)

    async def end(self) -> None:
        self.process.kill()
        await self.process.wait()

    async def stop(self) -> None:
        """Ask it to end, and wait until what it had begun is done."""
        self.process.send(signal.SIGTERM)
        await self.process.wait()


@dataclass
class Workers:
    """Starts `python -m server work` on one database and ends what it started."""

    database_url: str
    folder: Path
    lease_seconds: float = 3.0
    settings: dict[str, str] = field(default_factory=dict[str, str])
    """More of the environment, for every process."""
    started: list[WorkerProcess] = field(default_factory=list[WorkerProcess])

    async def start(
        self,
        *,
        crash_at: tuple[CrashPoint, int] | None = None,
        freezes: bool = False,
        database_url: str | None = None,
        pooler_url: str | None = None,
        program: tuple[str, ...] = ("server", "work"),
        settings: Mapping[str, str] | None = None,
        log: Path | None = None,
    ) -> WorkerProcess:
        """Start a worker that is killed (or `freezes`) at a point, if one is given.

        What it prints is added to the log; without one it goes where that of the first went.
        """
        if (broken := os.environ.get(BROKEN_BUILD)) and program[0] == "server":  # noqa: TID251 - set by a test
            program = ("tests.faults.broken", broken, *program[1:])
        environment = {
            **os.environ,  # noqa: TID251 - a child gets what its parent has
            "DATABASE_URL": database_url or self.database_url,
            "ATELIER_DATA_DIR": str(self.folder),
            "ATELIER_LEASE_SECONDS": str(self.lease_seconds),
            "ATELIER_WATCHDOG_SECONDS": "0.5",
            "ATELIER_LOG_LEVEL": "warning",
            **self.settings,
            **(settings or {}),
        }
        if pooler_url is not None:
            environment["ATELIER_POOLER_URL"] = pooler_url
        if crash_at is not None:
            action = ":stop" if freezes else ""
            environment["ATELIER_CRASH_AT"] = f"{crash_at[0]}:{crash_at[1]}{action}"
        process = WorkerProcess(
            await processes.start(program, folder=ROOT, environment=environment, log=log)
        )
        self.started.append(process)
        return process

    async def end(self) -> None:
        for process in self.started:
            await process.end()


@asynccontextmanager
async def workers(
    database_url: str, folder: Path, *, lease_seconds: float = 3.0
) -> AsyncGenerator[Workers]:
    running = Workers(database_url=database_url, folder=folder, lease_seconds=lease_seconds)
    try:
        yield running
    finally:
        await running.end()


async def committed(database_url: str) -> AsyncGenerator[None]:
    """Yield after each commit that anybody announces, and at least once a second."""
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as conn:
        await conn.execute(f"listen {EVENTS_CHANNEL}")
        while True:
            yield
            async for _ in conn.notifies(timeout=1.0, stop_after=1):
                pass


async def child_of(parent: int, words: str, *, seconds: float = 20) -> int:
    """Wait for a child process whose command line has these words; return its pid."""
    async with asyncio.timeout(seconds):
        while (found := _child_of(parent, words)) is None:  # noqa: ASYNC110 - nobody tells of it
            await asyncio.sleep(0.01)
    return found


def _child_of(parent: int, words: str) -> int | None:
    for task in Path(f"/proc/{parent}/task").iterdir():
        for child in (task / "children").read_text(encoding="utf-8").split():
            with contextlib.suppress(FileNotFoundError):
                if words in Path(f"/proc/{child}/cmdline").read_text(encoding="utf-8"):
                    return int(child)
    return None


async def ended(pid: int, *, seconds: float = 60) -> None:
    """Wait for the end of a process that need not be our child."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    over = asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.add_reader(handle, over.set)
    try:
        async with asyncio.timeout(seconds):
            await over.wait()
    finally:
        loop.remove_reader(handle)
        os.close(handle)
