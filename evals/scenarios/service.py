"""The service under test: an HTTP server and a worker, real processes on a database of their own.

Each is ended by its pid, and with the process that started it. A worker that dies is started again,
as whoever runs the service would.
"""

import asyncio
import os
import socket
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from evals.scenarios import processes
from evals.scenarios.processes import Process
from infra.clock import monotonic
from infra.errors import AppError
from infra.supervision import Supervisor

ROOT = Path(__file__).parents[2]
PROGRAM = ("server",)
LEASE_S = 6.0
_START_S = 120.0
_LOOK_S = 0.05
_MOST_STARTS = 12
_LAST_LINES = 8


class HarnessError(AppError):
    """The harness or its machine failed, which says nothing about the service."""

    code = "harness_failed"


@dataclass
class Service:
    """A server and its worker."""

    database_url: str
    folder: Path
    settings: Mapping[str, str]
    program: tuple[str, ...] = PROGRAM
    """What `python -m` runs, and its first arguments; broken builds are run by another module."""
    crash_points: Sequence[str] = ()
    """Where the first worker dies, the one that takes its place, and so on."""
    address: str = ""
    worker_starts: int = 0
    worker_deaths: int = 0
    _running: dict[str, Process] = field(default_factory=dict[str, Process])

    async def start(self) -> None:
        """Start both, and wait until the server answers.

        Raises:
            HarnessError: it does not.
        """
        port = _free_port()
        self.address = f"http://127.0.0.1:{port}"
        await self._start("serve", "--port", str(port))
        await self._start("work")
        give_up = monotonic() + _START_S
        async with httpx.AsyncClient(base_url=self.address, trust_env=False) as http:
            while not await _is_ready(http):
                ended = self._running["serve"].has_ended
                if ended or monotonic() > give_up:
                    fault = "ended before it answered" if ended else "was too slow to answer"
                    message = f"The service {fault}: {await asyncio.to_thread(self.tail)}"
                    raise HarnessError(message)
                await asyncio.sleep(_LOOK_S)

    async def keep_worker(self) -> None:
        """Start the worker again whenever it has died."""
        while self.worker_starts < _MOST_STARTS:
            await self._running["work"].wait()
            self.worker_deaths += 1
            await self._start("work")

    async def end(self) -> None:
        """End both at once: their database goes with them, so there is nothing to finish."""
        for process in self._running.values():
            process.kill()
            await process.wait()

    def tail(self, lines: int = 30) -> str:
        """Return the end of what the processes printed."""
        log = self.folder / "service.log"
        printed = log.read_text("utf-8", "replace").splitlines() if log.exists() else []
        return "\n".join(printed[-lines:])

    def told(self) -> str:
        """Return in words which of its processes run, and what they printed last."""
        ended = [command for command, process in self._running.items() if process.has_ended]
        return (
            f"Its worker was started {self.worker_starts} times; "
            f"{' and '.join(ended) or 'nothing'} has ended. "
            f"Printed last: {self.tail(_LAST_LINES) or 'nothing'}"
        )

    async def _start(self, command: str, *options: str) -> None:
        kept = {
            name: value
            for name, value in os.environ.items()  # noqa: TID251 - a child gets what we have
            if name != "DATABASE_URL" and not name.startswith("ATELIER_")
        }
        environment = {
            **kept,
            "DATABASE_URL": self.database_url,
            "ATELIER_DATA_DIR": str(self.folder / "data"),
            "ATELIER_LEASE_SECONDS": f"{LEASE_S:g}",
            "ATELIER_WATCHDOG_SECONDS": "0.2",
            "ATELIER_LOG_LEVEL": "warning",
            **self.settings,
        }
        if command == "work":
            if self.worker_starts < len(self.crash_points):
                environment["ATELIER_CRASH_AT"] = self.crash_points[self.worker_starts]
            self.worker_starts += 1
        self._running[command] = await processes.start(
            (*self.program, command, *options),
            folder=ROOT,
            environment=environment,
            log=self.folder / "service.log",
        )


@asynccontextmanager
async def running(service: Service) -> AsyncGenerator[Service]:
    """Run the service for as long as the block lasts."""
    await asyncio.to_thread(service.folder.mkdir, parents=True, exist_ok=True)
    async with Supervisor("service under test") as supervisor:
        try:
            await service.start()
            supervisor.start(service.keep_worker(), name="keep worker")
            yield service
        finally:
            await supervisor.close()
            await service.end()


async def _is_ready(http: httpx.AsyncClient) -> bool:
    try:
        return (await http.get("/readyz", timeout=5.0)).is_success
    except httpx.HTTPError:
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
