"""How far a ComfyUI server's jobs are, heard over its websocket; nothing depends on it.

From the source of ComfyUI 0.3.64 (server.py, comfy_execution/progress.py) and a running one
(generation.md 3.3, 2026-11): what happens to a job is sent to the one connection whose `clientId`
its submission named, and is never sent again. So each process has an id and at most one connection,
which is open only while a job of its own is under way.
"""

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from infra import clock
from infra.ids import new_id
from infra.providers.http.places import is_loopback
from infra.telemetry import get_logger

_MOST_JOBS = 256
_MOST_NODES = 4096
_LINGER_S = 5.0
"""How long the connection outlasts the last job: the next may follow at once."""
_UNREAD_S = 900.0
"""After how long a job is given up that nobody asks for: another process may have it now."""
_FIRST_DELAY_S = 1.0
_MOST_DELAY_S = 60.0
_OPEN_S = 10.0
_MOST_BYTES = 16 << 20
"""A frame may hold a preview: not wanted, but it must not end the connection."""

_log = get_logger(__name__)


@dataclass(slots=True, kw_only=True)
class _Job:
    """What was heard of a job: the share of each of its nodes that is done."""

    nodes: int
    asked_at: float
    shares: dict[str, float] = field(default_factory=dict[str, float])
    at: str | None = None
    share: float | None = None

    def take(self, shares: Mapping[str, float]) -> None:
        """Take what a message says of nodes; the share of the whole never goes back."""
        for node, share in shares.items():
            if node in self.shares or len(self.shares) < _MOST_NODES:
                self.shares[node] = share
        if shares:
            done = sum(self.shares.values()) / max(self.nodes, len(self.shares))
            self.share = max(self.share or 0.0, done)


class Progress:
    """Remembers how far the newest jobs of this process are."""

    def __init__(self, base_url: str) -> None:
        self.client_id = str(new_id())
        self._url = f"ws{base_url.removeprefix('http')}/ws?clientId={self.client_id}"
        self._jobs: dict[str, _Job] = {}
        self._is_wanted = asyncio.Event()

    def expect(self, job_id: str, *, nodes: int) -> None:
        """Listen for a job of so many nodes from now on."""
        self._jobs.pop(job_id, None)
        while len(self._jobs) >= _MOST_JOBS:
            del self._jobs[next(iter(self._jobs))]
        self._jobs[job_id] = _Job(nodes=nodes, asked_at=clock.monotonic())
        self._is_wanted.set()

    def of(self, job_id: str) -> float | None:
        """Return the share of a job that is done, if anything was heard of it."""
        job = self._jobs.get(job_id)
        if job is None:
            return None
        job.asked_at = clock.monotonic()
        return job.share

    def forget(self, job_id: str) -> None:
        """Listen no longer for a job: it has ended."""
        self._jobs.pop(job_id, None)

    async def listen(self) -> None:
        """Hear what the server says for as long as jobs are under way; ends when it is cancelled.

        A server that cannot be reached is asked again later, ever more rarely.
        """
        delay = _FIRST_DELAY_S
        while True:
            await self._is_wanted.wait()
            try:
                async with connect(
                    self._url,
                    proxy=None if is_loopback(self._url) else True,
                    open_timeout=_OPEN_S,
                    close_timeout=1.0,
                    max_size=_MOST_BYTES,
                    compression=None,
                ) as connection:
                    delay = _FIRST_DELAY_S
                    await self._hear_from(connection)
            except (OSError, TimeoutError, WebSocketException) as error:
                _log.info("comfyui_progress_not_heard", reason=str(error), again_in_s=delay)
                await asyncio.sleep(delay)
                delay = min(delay * 2, _MOST_DELAY_S)
            self._give_up_unread()

    async def _hear_from(self, connection: ClientConnection) -> None:
        """Take messages until no job is under way any more."""
        while self._is_wanted.is_set():
            try:
                async with asyncio.timeout(_LINGER_S):
                    message = await connection.recv()
            except TimeoutError:
                message = None
            if isinstance(message, str):
                self.hear(message)
            self._give_up_unread()

    def _give_up_unread(self) -> None:
        since = clock.monotonic() - _UNREAD_S
        for job_id in [each for each, job in self._jobs.items() if job.asked_at < since]:
            del self._jobs[job_id]
        if not self._jobs:
            self._is_wanted.clear()

    def hear(self, message: str) -> None:
        """Take one message of the server; any that is not understood says nothing."""
        try:
            told = _object(json.loads(message))
        except (ValueError, RecursionError):
            return
        facts = _object(told.get("data"))
        job = self._jobs.get(str(facts.get("prompt_id")))
        if job is not None:
            job.take(dict(_shares(job, str(told.get("type")), facts)))


def _shares(job: _Job, kind: str, facts: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """Yield the nodes of which a message says how far they are."""
    node = facts["node"] if isinstance(facts.get("node"), str) else None
    match kind:
        case "progress_state":
            for name, state in _object(facts.get("nodes")).items():
                yield name, _share(_object(state))
        case "execution_cached":
            for name in _strings(facts.get("nodes")):
                yield name, 1.0
        case "progress" if node is not None:
            yield node, _share(facts)
        case "executed" if node is not None:
            yield node, 1.0
        case "executing":
            if job.at is not None and job.at != node:
                yield job.at, 1.0
            job.at = node
        case _:
            pass


def _share(state: dict[str, Any]) -> float:
    """Return how far a node is: `value` of `max`, or all of it once it is finished."""
    if state.get("state") == "finished":
        return 1.0
    value, most = state.get("value"), state.get("max")
    if not isinstance(value, int | float) or not isinstance(most, int | float) or most <= 0:
        return 0.0
    share = value / most
    return share if 0.0 <= share <= 1.0 else 0.0


def _object(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _strings(value: Any) -> Iterator[str]:
    for item in cast("list[Any]", value) if isinstance(value, list) else []:
        if isinstance(item, str):
            yield item
