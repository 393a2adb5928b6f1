"""What our adapter needs of a ComfyUI server, simulated or real: `make test-comfyui URL=…`.

It runs on simulated servers with all other tests, and on a real one when that is named. Workflows
without model files only; every job that is left running is stopped again.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from PIL import Image
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from evals.simulator.serving import serve
from evals.simulator.wire import Wires
from infra.ids import new_id
from infra.media.verify import UnusableMediaError
from infra.providers.comfyui.provider import ComfyProvider
from infra.providers.ports import (
    Attempt,
    CancelResult,
    Found,
    JobRef,
    Lookup,
    OutcomeUnknownError,
    RejectedError,
)
from tests.live.comfyui.conftest import Site, work
from tests.live.comfyui.workflows import ALL, NODES

pytestmark = pytest.mark.timeout(300)


@asynccontextmanager
async def running(site: Site, attempt: Attempt) -> AsyncGenerator[JobRef]:
    """A job that is at work, and stopped at the end of the block."""
    ref = await site.submit(attempt)
    try:
        await site.when(ref, lambda seen: seen.phase == "running")
        yield ref
    finally:
        await site.provider.cancel(ref)
        await site.ended(ref)


async def test_a_picture_is_made_fetched_and_what_it_is_said_to_be(site: Site) -> None:
    attempt = work("image")
    ref = await site.submit(attempt)
    assert ref.provider_job_id == str(attempt.attempt_id)
    snapshot = await site.ended(ref)
    assert snapshot.charge is not None
    assert snapshot.charge.amount_micros == 0
    path, facts = await site.kept(snapshot)
    assert facts == {"width": 64, "height": 64}
    assert path.read_bytes().startswith(b"\x89PNG")


@asynccontextmanager
async def swallowing(address: str) -> AsyncGenerator[str]:
    """A way to the server on which every answer is lost."""
    wires = Wires()

    async def relay(request: Request) -> Response:
        async with httpx.AsyncClient(trust_env=False) as client:
            body = await request.body()
            answer = await client.post(f"{address}{request.url.path}", content=body)
        assert answer.status_code == 200
        return await wires.drop(request)

    async with serve([Route("/{rest:path}", relay, methods=["POST"])], wires) as relayed:
        yield relayed


async def test_an_order_whose_answer_was_lost_is_found_by_its_id(site: Site) -> None:
    attempt = work("image")
    async with swallowing(site.address) as address:
        with pytest.raises(OutcomeUnknownError):
            await ComfyProvider(address, workflows=ALL).submit(attempt, lambda _: None)
    found = await site.provider.find(attempt)
    assert isinstance(found, Found)
    await site.kept(await site.ended(found.ref))
    assert isinstance(await site.provider.find(attempt), Found)


async def test_what_was_never_ordered_is_provably_absent(site: Site) -> None:
    attempt = work("image")
    assert await site.provider.find(attempt) is Lookup.PROVABLY_ABSENT
    ref = JobRef(
        provider="comfyui", provider_job_id=str(attempt.attempt_id), raw={"operation": "image"}
    )
    assert await site.provider.cancel(ref) is CancelResult.NOT_FOUND
    assert (await site.provider.read(ref)).outcome == "expired"


async def test_what_runs_is_found_stopped_and_ends_as_cancelled(site: Site) -> None:
    attempt = work("slow")
    async with running(site, attempt) as ref:
        assert isinstance(await site.provider.find(attempt), Found)
        assert await site.provider.cancel(ref) is CancelResult.REQUESTED
        snapshot = await site.ended(ref)
        assert snapshot.outcome == "cancelled"
        assert snapshot.artifacts == ()
        assert await site.provider.cancel(ref) is CancelResult.ALREADY_TERMINAL


async def test_what_waits_is_stopped_alone_and_leaves_no_trace(site: Site) -> None:
    async with running(site, work("slow")) as first:
        attempt = work("image")
        waiting = await site.submit(attempt)
        assert (await site.provider.read(waiting)).phase == "queued"
        assert isinstance(await site.provider.find(attempt), Found)
        assert await site.provider.cancel(waiting) is CancelResult.REQUESTED
        assert (await site.provider.read(waiting)).outcome == "expired"
        assert await site.provider.find(attempt) is Lookup.PROVABLY_ABSENT
        assert (await site.provider.read(first)).phase == "running"


async def test_what_has_ended_cannot_be_stopped(site: Site) -> None:
    ref = await site.submit(work("image"))
    await site.ended(ref)
    assert await site.provider.cancel(ref) is CancelResult.ALREADY_TERMINAL
    await site.kept(await site.provider.read(ref))


@pytest.mark.parametrize(
    ("operation", "said"),
    [("unknown_node", "AtelierHasNoSuchNode"), ("unconnected", "node 7: .*missing.*images")],
)
async def test_a_wrong_workflow_is_refused_with_its_node_and_makes_no_job(
    site: Site, operation: str, said: str
) -> None:
    attempt = work(operation)
    with pytest.raises(RejectedError, match=said):
        await site.submit(attempt)
    assert await site.provider.find(attempt) is Lookup.PROVABLY_ABSENT


async def test_the_same_order_twice_gives_two_files(site: Site) -> None:
    places: set[str] = set()
    contents: set[bytes] = set()
    for _ in range(2):
        snapshot = await site.ended(await site.submit(work("image")))
        path, _ = await site.kept(snapshot)
        places.add(snapshot.artifacts[0].location)
        contents.add(path.read_bytes())
    assert (len(places), len(contents)) == (2, 2)


async def test_a_workflow_without_the_attempt_in_it_gives_the_old_file(site: Site) -> None:
    """Why every graph of ours has the attempt's id in it."""
    prompt = str(new_id())
    first, second = [
        await site.ended(await site.submit(work("unmarked", prompt=prompt))) for _ in range(2)
    ]
    assert first.outcome == "succeeded"
    assert first.artifacts == second.artifacts


async def test_progress_is_heard_while_a_job_runs_and_never_goes_back(site: Site) -> None:
    async with running(site, work("slow")) as ref:
        shares: list[float] = []
        for _ in range(3):
            least = shares[-1] if shares else 0.0
            seen = await site.when(ref, lambda seen, least=least: (seen.progress or 0.0) > least)
            assert seen.progress is not None
            shares.append(seen.progress)
        assert 0.0 < shares[0] < shares[1] < shares[2] < 1.0


async def test_an_input_file_is_handed_over_and_worked_on(site: Site, tmp_path: Path) -> None:
    """Two pictures of one name: the second must not be taken for the first."""
    for colour, inverted in (((255, 0, 255), (0, 255, 0)), ((255, 255, 0), (0, 0, 255))):
        given = tmp_path / "given.png"
        Image.new("RGB", (48, 32), colour).save(given)
        ref = await site.submit(work("inverted", files={"image": given}))
        path, facts = await site.kept(await site.ended(ref))
        assert facts == {"width": 48, "height": 32}
        with Image.open(path) as made:
            assert made.convert("RGB").getpixel((20, 20)) == inverted


@pytest.mark.parametrize("operation", list(NODES))
async def test_sound_and_film_are_made_where_the_server_has_the_nodes(
    site: Site, operation: str
) -> None:
    """A server without them refuses the workflow; nothing is left open either way."""
    has_all = all([await site.has(each) for each in NODES[operation]])
    if not has_all:
        with pytest.raises(RejectedError):
            await site.submit(work(operation))
        return
    _, facts = await site.kept(await site.ended(await site.submit(work(operation))))
    assert facts["duration_s"] == pytest.approx(1.0 if operation == "film" else 1.5, abs=0.1)


async def test_a_file_that_is_not_there_is_no_result(site: Site) -> None:
    snapshot = await site.ended(await site.submit(work("image")))
    artifact = snapshot.artifacts[0]
    gone = type(artifact)(
        role=artifact.role,
        location=artifact.location.replace("_00001_", "_99999_"),
        media_type=artifact.media_type,
    )
    with pytest.raises(UnusableMediaError, match="no longer there"):
        async for _ in site.provider.fetch(gone):
            pass
