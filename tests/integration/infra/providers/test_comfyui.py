"""What is peculiar to a ComfyUI server: its memory, its queue, its interrupt."""

from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.simulator.serving import serve
from infra.media.verify import UnusableMediaError
from infra.providers.comfyui.provider import ComfyProvider
from infra.providers.comfyui.workflows import WORKFLOWS
from infra.providers.ports import (
    CancelResult,
    Found,
    JobRef,
    Lookup,
    OutcomeUnknownError,
    RejectedError,
    Snapshot,
)
from tests.integration.infra.providers.vendors import OPEN, Pair, order


@pytest.fixture(params=["comfyui", "comfyui_newest"])
async def pair(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[Pair]:
    async with OPEN[request.param](tmp_path) as opened:
        yield opened


async def test_the_attempt_s_id_is_the_server_s(pair: Pair) -> None:
    attempt = order()
    ref = await pair.submit(attempt)
    assert ref.provider_job_id == str(attempt.attempt_id)
    assert list(pair.vendor.jobs) == [str(attempt.attempt_id)]


async def test_a_lost_job_is_found_while_it_still_runs(pair: Pair) -> None:
    pair.vendor.switches.default = "lost"
    attempt = order()
    with pytest.raises(OutcomeUnknownError):
        await pair.submit(attempt)
    pair.vendor.jobs[str(attempt.attempt_id)].told = "never"
    assert isinstance(await pair.provider.find(attempt), Found)


async def test_a_restarted_server_has_forgotten_and_nothing_is_owed(pair: Pair) -> None:
    attempt = order()
    ref = await pair.submit(attempt)
    pair.vendor.jobs.clear()
    snapshot = await pair.provider.read(ref)
    assert (snapshot.phase, snapshot.outcome) == ("terminal", "expired")
    assert snapshot.charge is not None
    assert snapshot.charge.amount_micros == 0
    assert await pair.provider.find(attempt) is Lookup.PROVABLY_ABSENT
    assert await pair.provider.cancel(ref) is CancelResult.NOT_FOUND


async def test_a_result_whose_file_is_gone_is_no_result(pair: Pair) -> None:
    """As after a run out of the server's cache, whose files were deleted meanwhile."""
    pair.vendor.switches.default = "expired"
    snapshot = await pair.ended(order())
    assert snapshot.outcome == "succeeded"
    with pytest.raises(UnusableMediaError, match="no longer there"):
        async for _ in pair.provider.fetch(snapshot.artifacts[0]):
            pass


def test_each_attempt_is_a_graph_of_its_own() -> None:
    first, second = (WORKFLOWS[0].graph(order(), {}) for _ in range(2))
    assert first != second
    assert first["2"]["inputs"]["seed"] != second["2"]["inputs"]["seed"]


class Server:
    """A server with fixed answers, that remembers what was sent to it."""

    def __init__(self, answers: dict[str, Any]) -> None:
        self._answers = answers
        self.asked: list[tuple[str, str, bytes]] = []

    async def answer(self, request: Request) -> Response:
        path = request.url.path
        self.asked.append((request.method, path, await request.body()))
        status, body = self._answers.get(path, (404, {"error": "none"}))
        return JSONResponse(body, status)

    def serve(self) -> Any:
        return serve([Route("/{rest:path}", self.answer, methods=["GET", "POST"])])


REF = JobRef(provider="comfyui", provider_job_id="j1", raw={"operation": "image"})


async def read(history: Any, queue: Any = None) -> Snapshot:
    answers: dict[str, Any] = {"/history/j1": (200, history), "/queue": (200, queue or {})}
    async with Server(answers).serve() as address:
        return await ComfyProvider(address).read(REF)


def finished(*messages: Any, status: str = "error", outputs: Any = None) -> Any:
    return {"j1": {"status": {"status_str": status, "messages": messages}, "outputs": outputs}}


async def test_what_waits_is_queued_and_what_runs_is_running() -> None:
    assert (await read({}, {"queue_pending": [[0, "j1"]]})).phase == "queued"
    assert (await read({}, {"queue_running": [[0, "j1"]]})).phase == "running"


async def test_an_interrupted_job_is_cancelled_and_not_failed() -> None:
    interrupted = await read(finished(["execution_interrupted", {}]))
    assert interrupted.outcome == "cancelled"
    failed = await read(finished(["execution_error", {"node_type": "VAE"}]))
    assert failed.outcome == "failed"
    for strange in (finished(), finished("x"), finished([]), {"j1": {"status": None}}):
        assert (await read(strange)).outcome == "failed"


async def test_previews_are_nobody_s_result() -> None:
    preview = {"filename": "p.png", "subfolder": "", "type": "temp"}
    saved = {"filename": "a b&c.png", "subfolder": "x/y", "type": "output"}
    ended = await read(finished(status="success", outputs={"9": {"images": [preview, saved]}}))
    assert [each.location.partition("/view?")[2] for each in ended.artifacts] == [
        "filename=a+b%26c.png&subfolder=x%2Fy&type=output"
    ]
    none = await read(finished(status="success", outputs={"9": {"images": [preview]}}))
    assert none.outcome == "failed"


async def test_a_server_in_trouble_proves_nothing() -> None:
    async with Server({"/history/j1": (500, {})}).serve() as address:
        provider = ComfyProvider(address)
        assert (await provider.read(REF)).phase == "unknown"
        with pytest.raises(OutcomeUnknownError):
            await provider.cancel(REF)
    attempt = order()
    async with Server({f"/history/{attempt.attempt_id}": (503, {})}).serve() as address:
        assert await ComfyProvider(address).find(attempt) is Lookup.NOT_FOUND_YET


async def test_an_interrupt_always_names_its_job() -> None:
    running: Any = {"queue_running": [[0, "j1"]]}
    answers: dict[str, Any] = {
        "/history/j1": (200, {}),
        "/queue": (200, running),
        "/interrupt": (200, {}),
    }
    server = Server(answers)
    async with server.serve() as address:
        assert await ComfyProvider(address).cancel(REF) is CancelResult.REQUESTED
    sent = [body for _, path, body in server.asked if path == "/interrupt"]
    assert sent == [b'{"prompt_id": "j1"}']


async def test_a_refused_workflow_says_which_node_is_wrong() -> None:
    problem: Any = {
        "error": {"type": "prompt_outputs_failed_validation", "message": "Failed validation"},
        "node_errors": {"4": {"errors": [{"message": "Value not in list", "details": "ckpt"}]}},
    }
    async with Server({"/prompt": (400, problem)}).serve() as address:
        with pytest.raises(RejectedError, match="node 4: Value not in list"):
            await ComfyProvider(address).submit(order(), lambda _: None)
