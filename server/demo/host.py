"""The server that the demonstration talks to: the one of the data folder, or one started for it."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncGenerator
from pathlib import Path

from infra import clock
from infra.errors import storage_error
from infra.settings import Settings
from server.demo.client import AtelierClient
from server.errors import DemoError
from server.everything import read_address

_START_SECONDS = 120.0
_GONE_SECONDS = 60.0
_STOP_SECONDS = 15.0
_LOOK_SECONDS = 0.1
_LOG = "demo.log"


@contextlib.asynccontextmanager
async def hosted(settings: Settings) -> AsyncGenerator[AtelierClient]:
    """Yield a client of a running server; what was started for it ends with the block.

    Raises:
        DemoError: a server could not be started; the message says why.
    """
    address = read_address(settings.data_dir)
    if address is not None:
        async with AtelierClient(address, _Patience(address).check) as client:
            if await client.is_ready():
                yield client
                return
    async with _started(settings) as host, AtelierClient(await host.wait(), host.check) as client:
        yield client


class _Patience:
    """Bears with a server that is not ours, for a while."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._last_look = 0.0
        self._first_look = 0.0

    async def check(self) -> None:
        now = clock.monotonic()
        if now - self._last_look > _GONE_SECONDS / 2:
            self._first_look = now
        self._last_look = now
        if now - self._first_look > _GONE_SECONDS:
            message = f"The server at {self._address} does not answer any more."
            raise DemoError(message)


class _Host:
    """A server that was started for the demonstration."""

    def __init__(self, settings: Settings, process: asyncio.subprocess.Process, log: Path) -> None:
        self._settings = settings
        self._process = process
        self._log = log

    async def wait(self) -> str:
        """Return the server's address once it is ready."""
        give_up = clock.monotonic() + _START_SECONDS
        while clock.monotonic() < give_up:
            await self.check()
            address = read_address(self._settings.data_dir, pid=self._process.pid)
            if address is not None:
                async with AtelierClient(address, self.check) as client:
                    if await client.is_ready():
                        return address
            await asyncio.sleep(_LOOK_SECONDS)
        message = f"The server is not ready after {_START_SECONDS:.0f} s; its log is {self._log}."
        raise DemoError(message)

    async def check(self) -> None:
        """Say why the server has ended, if it has."""
        if self._process.returncode is None:
            return
        lines = (await asyncio.to_thread(self._log.read_text, "utf-8", "replace")).splitlines()
        said = next((line for line in reversed(lines) if line.strip()), "nothing")
        message = f"The server has ended: {said} (log: {self._log})"
        raise DemoError(message)


@contextlib.asynccontextmanager
async def _started(settings: Settings) -> AsyncGenerator[_Host]:
    log = settings.data_dir / _LOG
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        output = log.open("wb")
    except OSError as error:
        raise storage_error(error, log) from error
    with output:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "server",
            "all",
            "--port",
            "0",
            "--parent",
            str(os.getpid()),
            stdout=output,
            stderr=output,
            start_new_session=True,  # Ctrl-C is for this process, which then ends the server
        )
    try:
        yield _Host(settings, process, log)
    finally:
        await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGTERM)
    try:
        async with asyncio.timeout(_STOP_SECONDS):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
