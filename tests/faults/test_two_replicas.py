"""Two servers on one database: clients are cut and hop between them, and one server is killed."""

import asyncio
import random
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from infra.db.pool import Pools
from server.auth import LOCAL_WORKSPACE
from tests.faults.stage import Stage, briefs, open_stage
from tests.integration.server.conftest import free_port
from tests.processes import WorkerProcess

pytestmark = pytest.mark.faults


@dataclass
class Listener:
    """A client of the log that stays nowhere for long and notes what it was told."""

    ports: list[int]
    chance: random.Random
    received: list[int] = field(default_factory=list[int])
    streams: int = 0

    async def listen(self) -> None:
        """Read a few events of one server, then go on at any of them, until cancelled."""
        async with httpx.AsyncClient(trust_env=False, timeout=20) as http:
            while True:
                try:
                    await self._read_some(http, self.chance.randint(1, 30))
                except httpx.HTTPError:
                    await asyncio.sleep(0.1)

    async def _read_some(self, http: httpx.AsyncClient, count: int) -> None:
        address = f"http://127.0.0.1:{self.chance.choice(self.ports)}/v1/events"
        headers = {"last-event-id": str(self.received[-1])} if self.received else {}
        async with http.stream("GET", address, headers=headers) as answer:
            if answer.status_code == 503:  # on a busy machine its session may have been ended
                return
            assert answer.status_code == 200
            self.streams += 1
            async for seq in _sequence(answer):
                self.received.append(seq)
                count -= 1
                if not count:
                    return


async def _sequence(answer: httpx.Response) -> AsyncIterator[int]:
    """Yield the id of each message that arrived whole."""
    rest = b""
    async for chunk in answer.aiter_bytes():
        *messages, rest = (rest + chunk).split(b"\n\n")
        for message in messages:
            assert b"event: reset" not in message
            for line in message.splitlines():
                if line.startswith(b"id: "):
                    yield int(line[4:])


@pytest.mark.parametrize(
    ("works", "clients"), [(1, 6), pytest.param(8, 40, marks=pytest.mark.long)]
)
async def test_every_client_receives_every_event_once_and_in_order(
    works: int, clients: int, database_url: str, pools: Pools, tmp_path: Path
) -> None:
    ports = [free_port(), free_port()]
    async with open_stage(database_url, pools, tmp_path) as stage:
        stage.machine.workspace_id = LOCAL_WORKSPACE
        replicas = [await serve(stage, port) for port in ports]
        listeners = [
            Listener(ports, random.Random(number))  # noqa: S311 - no secret
            for number in range(clients)
        ]
        async with asyncio.TaskGroup() as group:
            listening = [group.create_task(each.listen()) for each in listeners]
            await until(lambda: all(each.streams for each in listeners))
            said = [await stage.machine.say(brief) for brief in briefs(works)]
            worker = await stage.running.start()
            async for _ in stage.until_all_finished(said):
                if replicas[0].is_alive() and await last(stage) > 20 * works:
                    await replicas[0].end()
            assert not replicas[0].is_alive(), "the works made fewer events than expected"
            if works > 1:
                replicas[0] = await serve(stage, ports[0])
            await worker.end()
            events = await last(stage)
            await until(lambda: all(len(each.received) >= events for each in listeners))
            for each in listening:
                each.cancel()
        for listener in listeners:
            assert listener.received == list(range(1, events + 1))
            assert listener.streams > 1, "it never hopped"
        await stage.check(works=works)


async def serve(stage: Stage, port: int) -> WorkerProcess:
    return await stage.running.start(program=("server", "serve", "--port", str(port)))


async def last(stage: Stage) -> int:
    rows = await stage.machine.rows("select coalesce(max(seq), 0) from events")
    return int(rows[0][0])


async def until(holds: Callable[[], bool], *, seconds: float = 60) -> None:
    async with asyncio.timeout(seconds):
        while not holds():  # noqa: ASYNC110 - what it waits for is elsewhere
            await asyncio.sleep(0.02)
