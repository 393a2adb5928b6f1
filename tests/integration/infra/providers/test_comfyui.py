"""What is peculiar to a ComfyUI server: its memory, its queue, its interrupt."""

import json
from collections.abc import AsyncGenerator, Mapping
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.simulator.books import Books
from evals.simulator.comfyui import ComfyDialect
from evals.simulator.jobs import Vendor
from evals.simulator.serving import serve
from evals.simulator.wire import Wires
from infra.media.verify import UnusableMediaError
from infra.providers.comfyui.provider import ComfyProvider
from infra.providers.comfyui.workflows import WORKFLOWS, Workflow
from infra.providers.ports import (
    Attempt,
    CancelResult,
    Found,
    JobRef,
    Lookup,
    NotDeliveredError,
    OutcomeUnknownError,
    ProviderError,
    QuotaError,
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


async def test_files_outlive_a_restart_that_everything_else_is_forgotten_in(tmp_path: Path) -> None:
    vendor, wires = Vendor(books=Books(tmp_path / "books.jsonl")), Wires()
    dialect = ComfyDialect(vendor, wires)
    async with serve(dialect.routes, wires) as address:
        provider, attempt = ComfyProvider(address), order()
        ref = await provider.submit(attempt, lambda _: None)
        assert isinstance(ref, JobRef)
        snapshot = await provider.read(ref)
        dialect.restart()
        assert (await provider.read(ref)).outcome == "expired"
        made = b"".join([chunk async for chunk in provider.fetch(snapshot.artifacts[0])])
        assert made.startswith(b"\x89PNG")
        again = await provider.submit(attempt, lambda _: None)
        assert isinstance(again, JobRef)
        (artifact,) = (await provider.read(again)).artifacts
    assert artifact.location != snapshot.artifacts[0].location, "an old file would be overwritten"


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
        told = self._answers.get(path, (404, {"error": "none"}))
        status, body = told.pop(0) if isinstance(told, list) else told
        return JSONResponse(body, status)

    def serve(self) -> Any:
        return serve([Route("/{rest:path}", self.answer, methods=["GET", "POST"])])


REF = JobRef(provider="comfyui", provider_job_id="j1", raw={"operation": "image"})


async def read(history: Any, queue: Any = None, job: Any = None) -> Snapshot:
    answers: dict[str, Any] = {"/history/j1": (200, history), "/queue": (200, queue or {})}
    if job is not None:
        answers = {"/api/jobs/j1": (200, {"id": "j1", **job})}
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


PICTURE = {"9": {"images": [{"filename": "p.png", "subfolder": "", "type": "output"}]}}
INTERRUPTED: Any = {"status_str": "error", "messages": [["execution_interrupted", {}]]}


@pytest.mark.parametrize(
    ("job", "phase", "outcome"),
    [
        ({"status": "pending"}, "queued", None),
        ({"status": "in_progress"}, "running", None),
        ({"status": "completed", "outputs": PICTURE}, "terminal", "succeeded"),
        ({"status": "completed", "outputs": {}}, "terminal", "failed"),
        ({"status": "failed"}, "terminal", "failed"),
        ({"status": "cancelled"}, "terminal", "cancelled"),
        # The first servers with this route call an interrupted job failed.
        ({"status": "failed", "execution_status": INTERRUPTED}, "terminal", "cancelled"),
        ({"status": "dreaming"}, "unknown", None),
        ({}, "unknown", None),
    ],
)
async def test_the_newest_servers_tell_all_of_a_job_in_one_answer(
    job: Any, phase: str, outcome: str | None
) -> None:
    snapshot = await read({}, job=job)
    assert (snapshot.phase, snapshot.outcome) == (phase, outcome)


async def test_a_job_is_called_absent_only_when_history_and_queue_were_read_too() -> None:
    """What stands before the server may answer 404 for it, in whatever words."""
    for broken in ("/history/j1", "/queue"):
        answers: dict[str, Any] = {
            "/api/jobs/j1": (404, {"error": "Job not found"}),
            "/history/j1": (200, {}),
            "/queue": (200, {}),
        }
        async with Server(answers).serve() as address:
            assert (await ComfyProvider(address).read(REF)).outcome == "expired"
        answers[broken] = (404, {"error": "Job not found"})
        async with Server(answers).serve() as address:
            assert (await ComfyProvider(address).read(REF)).phase == "unknown"


async def test_a_job_that_ends_between_two_looks_is_not_called_absent() -> None:
    ended = finished(["execution_success", {}], status="success", outputs=PICTURE)
    answers: dict[str, Any] = {"/history/j1": [(200, {}), (200, ended)], "/queue": (200, {})}
    async with Server(answers).serve() as address:
        assert (await ComfyProvider(address).read(REF)).outcome == "succeeded"


async def test_a_result_is_of_the_workflow_s_kind_whatever_else_was_saved() -> None:
    names = ("mask.png", "poster.jpg", "voice.flac", "no-ending", "clip.mp4")
    files = [{"filename": name, "subfolder": "", "type": "output"} for name in names]
    ended = await read(finished(status="success", outputs={"9": {"images": files}}))
    found = [each.location.partition("filename=")[2].partition("&")[0] for each in ended.artifacts]
    assert found == ["mask.png", "poster.jpg", "no-ending"]


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
    known: dict[str, Any] = {"/history/j1": (200, {}), "/queue": (200, {})}
    async with Server({**known, "/api/jobs/j1": (502, {})}).serve() as address:
        assert (await ComfyProvider(address).read(REF)).phase == "unknown"
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
    sent = [(path, body) for method, path, body in server.asked if method == "POST" and body]
    # It may begin to run between the two; the other way round it would be missed.
    assert sent == [("/queue", b'{"delete": ["j1"]}'), ("/interrupt", b'{"prompt_id": "j1"}')]


async def test_a_refused_workflow_says_which_node_is_wrong() -> None:
    problem: Any = {
        "error": {"type": "prompt_outputs_failed_validation", "message": "Failed validation"},
        "node_errors": {"4": {"errors": [{"message": "Value not in list", "details": "ckpt"}]}},
    }
    async with Server({"/prompt": (400, problem)}).serve() as address:
        with pytest.raises(RejectedError, match="node 4: Value not in list"):
            await ComfyProvider(address).submit(order(), lambda _: None)


UPLOADED = (200, {"name": "in.png", "subfolder": "atelier", "type": "input"})
SENT: Any = (200, {"prompt_id": "p", "number": 0, "node_errors": {}})


def named(attempt: Attempt, files: Mapping[str, str]) -> dict[str, Any]:
    return {"1": {"class_type": "LoadImage", "inputs": {"image": files["image"]}}}


TAKING = Workflow(
    operation="image",
    graph=named,
    role="image",
    media_type="image/png",
    takes=frozenset({"image"}),
)


async def submit_with_a_file(folder: Path, answers: dict[str, Any]) -> Server:
    """Order with an input file at a server with these answers."""
    picture = folder / "in.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + b"x" * 40)
    server = Server(answers)
    async with server.serve() as address:
        attempt = order(files={"image": picture})
        try:
            await ComfyProvider(address, workflows=[TAKING]).submit(attempt, lambda _: None)
        finally:
            form = server.asked[0][2]
            assert f'filename="{attempt.attempt_id}_image.png"'.encode() in form
            assert picture.read_bytes() in form
            assert b'name="overwrite"\r\n\r\ntrue\r\n' in form, "half of it may be there already"
    return server


async def test_a_workflow_is_told_what_the_server_calls_its_file(tmp_path: Path) -> None:
    server = await submit_with_a_file(tmp_path, {"/upload/image": UPLOADED, "/prompt": SENT})
    assert [path for _, path, _ in server.asked] == ["/upload/image", "/prompt"]
    assert json.loads(server.asked[1][2])["prompt"]["1"]["inputs"] == {"image": "atelier/in.png"}


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ((413, {"error": "too large"}), RejectedError),
        ((429, {}), QuotaError),
        ((500, {}), NotDeliveredError),
        ((200, {}), NotDeliveredError),
        ((200, {"name": ""}), NotDeliveredError),
    ],
)
async def test_a_file_that_is_not_taken_orders_nothing(
    tmp_path: Path, answer: Any, error: type[ProviderError]
) -> None:
    answers = {"/upload/image": answer, "/prompt": SENT}
    with pytest.raises(error) as raised:
        await submit_with_a_file(tmp_path, answers)
    assert type(raised.value) is error


async def test_a_file_whose_upload_was_lost_may_be_sent_again(tmp_path: Path) -> None:
    """An upload orders nothing, so its outcome is never unknown."""
    wires, asked = Wires(), list[str]()

    async def drop(request: Request) -> Response:
        asked.append(request.url.path)
        await request.body()
        return await wires.drop(request)

    picture = tmp_path / "in.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    async with serve([Route("/{rest:path}", drop, methods=["POST"])], wires) as address:
        with pytest.raises(NotDeliveredError):
            await ComfyProvider(address, workflows=[TAKING]).submit(
                order(files={"image": picture}), lambda _: None
            )
    assert asked == ["/upload/image"]


async def test_a_file_that_no_server_takes_is_not_even_read(tmp_path: Path) -> None:
    huge = tmp_path / "huge.png"
    with huge.open("wb") as file:
        file.truncate((100 << 20) + 1)
    server = Server({})
    async with server.serve() as address:
        with pytest.raises(RejectedError, match="larger than 100 MB"):
            await ComfyProvider(address, workflows=[TAKING]).submit(
                order(files={"image": huge}), lambda _: None
            )
    assert server.asked == []
