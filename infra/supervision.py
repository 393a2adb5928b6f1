"""The one starter of background tasks.

asyncio keeps only weak references to tasks and drops their exceptions; a task started here is held,
its failure is logged, and it has ended when its supervisor has. An `essential` task must not end by
itself: if it does, `wait` says so, and the process stops instead of living on without a part.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, Self

from infra.errors import AppError
from infra.telemetry import get_logger

_log = get_logger(__name__)


class EssentialTaskEndedError(AppError):
    """A part that has to run for as long as the process does has ended."""

    code = "essential_task_ended"

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"{name} has ended although it must run as long as the process.")


class Supervisor:
    """Starts tasks, holds them and ends them: `async with Supervisor("worker") as supervisor`.

    Leaving the block cancels what still runs and waits for it, so nothing outlives the block.
    Nothing can be started once it closes.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._tasks: set[asyncio.Task[Any]] = set()
        self._stopping = asyncio.Event()
        self._failure: BaseException | None = None
        self._closed = False

    def start[T](
        self, work: Coroutine[Any, Any, T], *, name: str, essential: bool = False
    ) -> asyncio.Task[T]:
        """Run a coroutine in the background; its result may be awaited, its failure is logged."""
        if self._closed:
            work.close()
            message = f"the supervisor {self.name} is closed"
            raise RuntimeError(message)
        task = asyncio.create_task(work, name=name)  # noqa: TID251 - the place the rule points to
        self._tasks.add(task)
        task.add_done_callback(self._essential_done if essential else self._done)
        return task

    def stop(self) -> None:
        """Ask for an end: `wait` returns, and loops that watch `stopping` finish what they hold."""
        self._stopping.set()

    @property
    def stopping(self) -> bool:
        """Whether an end was asked for."""
        return self._stopping.is_set()

    async def pause(self, seconds: float) -> bool:
        """Wait, but no longer than until an end is asked for; returns whether to go on."""
        try:
            async with asyncio.timeout(seconds):
                await self._stopping.wait()
        except TimeoutError:
            return True
        return False

    async def wait(self) -> None:
        """Wait until `stop` is called.

        Raises:
            EssentialTaskEndedError: an essential task returned, or failed (then it is the cause).
        """
        await self._stopping.wait()
        if self._failure is not None:
            raise self._failure

    async def drain(self, *, seconds: float) -> None:
        """Give running tasks this long to end by themselves."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=seconds)

    async def close(self) -> None:
        """Cancel what still runs and wait until it has ended."""
        self._closed = True
        self._stopping.set()
        while self._tasks:
            for task in self._tasks:
                task.cancel()
            await asyncio.wait(self._tasks)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _done(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("task_failed", supervisor=self.name, task=task.get_name(), exc_info=error)

    def _essential_done(self, task: asyncio.Task[Any]) -> None:
        self._done(task)
        if self._stopping.is_set():
            return
        self._failure = EssentialTaskEndedError(task.get_name())
        if not task.cancelled():
            self._failure.__cause__ = task.exception()
        self._stopping.set()
