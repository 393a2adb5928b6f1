"""Progress is heard while it can be; without it everything works as before."""

import asyncio
import json
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from evals.simulator.serving import serve
from evals.simulator.switches import Switches
from infra.providers.comfyui import progress
from infra.providers.comfyui.progress import Progress
from infra.providers.comfyui.provider import ComfyProvider
from infra.providers.ports import JobRef, RejectedError
from infra.supervision import Supervisor
from tests.integration.infra.providers.vendors import OPEN, order
from tests.integration.server.conftest import eventually


def said(kind: str, job_id: str = "j1", **facts: Any) -> str:
    return json.dumps({"type": kind, "data": {"prompt_id": job_id, **facts}})


def heard(*messages: str, nodes: int = 4) -> float | None:
    ours = Progress("http://127.0.0.1:8188")
    ours.expect("j1", nodes=nodes)
    for message in messages:
        ours.hear(message)
    return ours.of("j1")


FINISHED = {"value": 1, "max": 1, "state": "finished"}


def test_the_share_is_that_of_the_nodes_and_of_the_steps_in_them() -> None:
    state = {"1": FINISHED, "2": {"value": 5, "max": 10, "state": "running"}}
    assert heard(said("progress_state", nodes=state)) == 0.375
    assert heard(said("progress_state", nodes={"1": {"value": 3, "max": 3, "state": "error"}})) == (
        0.25
    )


def test_older_servers_tell_it_node_by_node() -> None:
    messages = [
        said("execution_cached", nodes=["1"]),
        said("executing", node="2"),
        said("progress", node="2", value=1, max=2),
        said("executing", node="3"),
        said("executed", node="3"),
        said("executing", node=None),
    ]
    shares = [heard(*messages[:count]) for count in range(1, len(messages) + 1)]
    assert shares == [0.25, 0.25, 0.375, 0.5, 0.75, 0.75]


def test_it_never_goes_back_and_never_beyond_the_whole() -> None:
    first = said("progress_state", nodes={"1": FINISHED, "2": FINISHED})
    again = said("progress_state", nodes={"2": {"value": 0, "max": 1, "state": "running"}})
    assert heard(first, again) == 0.5
    expanded = {str(node): FINISHED for node in range(9)}
    assert heard(said("progress_state", nodes=expanded)) == 1.0
    half = {str(node): {"value": 1, "max": 2, "state": "running"} for node in range(8)}
    assert heard(said("progress_state", nodes=half)) == 0.5


@pytest.mark.parametrize(
    "message",
    [
        "",
        "no json",
        "[" * 9999,
        "[]",
        "{}",
        '{"type": "progress_state", "data": []}',
        said("progress_state", "j2", nodes={"1": FINISHED}),
        said("progress_state", nodes=[FINISHED]),
        said("progress"),
        said("executed", node=7),
        said("execution_cached", nodes="1"),
        said("execution_cached", nodes=[1, None]),
        said("status", status={"exec_info": {"queue_remaining": 1}}),
        said("something new", node="1"),
    ],
)
def test_what_is_not_understood_or_another_s_says_nothing(message: str) -> None:
    assert heard(message) is None


@pytest.mark.parametrize(
    ("value", "most"), [(1, 0), ("1", 2), (-1, 2), (3, 2), (float("nan"), 1), (None, None)]
)
def test_a_share_that_is_none_is_nothing(value: Any, most: Any) -> None:
    assert heard(said("progress", node="1", value=value, max=most)) == 0.0


def test_only_the_newest_jobs_are_remembered() -> None:
    ours = Progress("http://127.0.0.1:8188")
    for number in range(1000):
        ours.expect(f"j{number}", nodes=1)
        ours.hear(said("executed", f"j{number}", node="1"))
    assert ours.of("j999") == 1.0
    assert ours.of("j0") is None
    assert len([number for number in range(1000) if ours.of(f"j{number}") is not None]) == 256


def test_a_job_s_nodes_are_not_remembered_without_end() -> None:
    state = {str(node): FINISHED for node in range(20_000)}
    assert heard(said("progress_state", nodes=state), nodes=40_000) == pytest.approx(0.1024)


class Talker:
    """A websocket that does as it is told with each connection."""

    def __init__(self, *talks: Callable[[WebSocket], Awaitable[None]]) -> None:
        self._talks = list(talks)
        self.opened: list[str] = []
        self.is_open = False

    async def listen(self, socket: WebSocket) -> None:
        self.opened.append(str(socket.url.query))
        talk = self._talks.pop(0) if self._talks else self.stay
        try:
            await talk(socket)
        except WebSocketDisconnect:
            pass
        finally:
            self.is_open = False

    async def stay(self, socket: WebSocket) -> None:
        await socket.accept()
        self.is_open = True
        while True:
            await socket.receive_text()


@asynccontextmanager
async def listening(talker: Talker) -> AsyncGenerator[Progress]:
    async with (
        serve([WebSocketRoute("/ws", talker.listen)]) as address,
        Supervisor("progress") as supervisor,
    ):
        ours = Progress(address)
        supervisor.start(ours.listen(), name="progress")
        yield ours


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_FIRST_DELAY_S", "_MOST_DELAY_S", "_LINGER_S"):
        monkeypatch.setattr(progress, name, 0.05)


@pytest.mark.usefixtures("quick")
async def test_the_connection_is_open_only_while_a_job_is_under_way() -> None:
    talker = Talker()

    async def is_open() -> bool:
        return talker.is_open

    async def is_closed() -> bool:
        return not talker.is_open

    async with listening(talker) as ours:
        assert talker.opened == []
        for count in (1, 2):
            ours.expect("j1", nodes=1)
            await eventually(is_open)
            ours.expect("j2", nodes=1)
            ours.forget("j1")
            ours.forget("j2")
            await eventually(is_closed)
            assert talker.opened == [f"clientId={ours.client_id}"] * count


@pytest.mark.usefixtures("quick")
async def test_a_job_that_nobody_asks_for_does_not_hold_the_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    talker = Talker()

    async def is_closed() -> bool:
        return bool(talker.opened) and not talker.is_open

    monkeypatch.setattr(progress, "_UNREAD_S", 0.1)
    async with listening(talker) as ours:
        ours.expect("j1", nodes=1)
        await eventually(is_closed)
    assert ours.of("j1") is None


@pytest.mark.usefixtures("quick")
async def test_a_broken_connection_is_opened_again_and_goes_on() -> None:
    async def refuse(socket: WebSocket) -> None:
        await socket.close()

    async def end(socket: WebSocket) -> None:
        await socket.accept()
        await socket.close(1011)

    async def tell(socket: WebSocket) -> None:
        await socket.accept()
        await socket.send_bytes(b"\x00\x00\x00\x01" + bytes(2 << 20))  # a preview
        await socket.send_text(said("executed", node="1"))
        await socket.receive_text()

    talker = Talker(refuse, end, tell)
    async with listening(talker) as ours:
        ours.expect("j1", nodes=2)

        async def is_told() -> bool:
            return ours.of("j1") == 0.5

        await eventually(is_told)
    assert len(talker.opened) == 3


@pytest.mark.usefixtures("quick")
async def test_what_is_no_websocket_is_asked_again_and_harms_nothing() -> None:
    asked = 0

    async def close(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        writer.close()

    async def is_asked_again() -> bool:
        return asked > 2

    server = await asyncio.start_server(close, "127.0.0.1")
    async with server, Supervisor("progress") as supervisor:
        port = server.sockets[0].getsockname()[1]
        ours = Progress(f"http://127.0.0.1:{port}")
        supervisor.start(ours.listen(), name="progress")
        ours.expect("j1", nodes=1)
        await eventually(is_asked_again)
    assert ours.of("j1") is None


@pytest.mark.parametrize("name", ["comfyui", "comfyui_newest"])
async def test_without_a_listener_a_job_is_read_as_before(name: str, tmp_path: Path) -> None:
    async with OPEN[name](tmp_path, Switches(default="slow")) as pair:
        ref = await pair.submit(order())
        running = await pair.provider.read(ref)
        assert (running.phase, running.progress) == ("running", None)
        pair.vendor.jobs[ref.provider_job_id].released = True
        assert (await pair.provider.read(ref)).outcome == "succeeded"


@pytest.mark.parametrize("name", ["comfyui", "comfyui_newest"])
async def test_what_a_job_of_ours_comes_to_is_read_with_it(name: str, tmp_path: Path) -> None:
    async with OPEN[name](tmp_path, Switches(default="slow")) as pair:
        assert isinstance(pair.provider, ComfyProvider)
        async with Supervisor("comfyui") as supervisor:
            supervisor.start(pair.provider.listen(), name="comfyui_progress")
            ref = await pair.submit(order())

            async def is_told() -> bool:
                return ((await pair.provider.read(ref)).progress or 0) > 0

            await eventually(is_told)
            stranger = ComfyProvider(pair.vendor.address)
            assert (await stranger.read(ref)).progress is None
            pair.vendor.jobs[ref.provider_job_id].released = True
            assert (await pair.provider.read(ref)).progress == 1.0


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("is_taken", [True, False])
async def test_what_was_refused_or_has_ended_is_no_longer_listened_for(*, is_taken: bool) -> None:
    talker, attempt = Talker(), order()
    job_id = str(attempt.attempt_id)
    taken: Any = {"prompt_id": job_id, "number": 0, "node_errors": {}}
    refused: Any = {"error": {"message": "no"}}

    async def submit(request: Request) -> Response:
        await eventually(is_open)
        return JSONResponse(taken) if is_taken else JSONResponse(refused, 400)

    async def read(request: Request) -> Response:
        return JSONResponse({"id": job_id, "status": "completed", "outputs": {}})

    async def is_open() -> bool:
        return talker.is_open

    async def is_closed() -> bool:
        return not talker.is_open

    routes = [
        WebSocketRoute("/ws", talker.listen),
        Route("/prompt", submit, methods=["POST"]),
        Route(f"/api/jobs/{job_id}", read),
    ]
    async with serve(routes) as address, Supervisor("comfyui") as supervisor:
        provider = ComfyProvider(address)
        supervisor.start(provider.listen(), name="comfyui_progress")
        if is_taken:
            ref = await provider.submit(attempt, lambda _: None)
            assert isinstance(ref, JobRef)
            assert talker.is_open
            assert (await provider.read(ref)).phase == "terminal"
        else:
            with pytest.raises(RejectedError):
                await provider.submit(attempt, lambda _: None)
        await eventually(is_closed)
