"""The real executor at vendors that cannot be asked what was lost, or that answer at once."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from evals.simulator.switches import Told
from execution.approvals import Decision
from infra.db.pool import Pools
from tests.database import DatabaseClock
from tests.harness import calls, open_machine
from tests.integration.graphs.stage import Model, picture, routed
from tests.integration.infra.providers.test_executor import Run
from tests.integration.infra.providers.vendors import OPEN, SPEECH

STEPS: dict[str, dict[str, Any]] = {
    "runway": {"key": "shots", "title": "Shots", "kind": "shots", "seconds": 4},
    "elevenlabs": {"key": "voice", "title": "Voice", "kind": "narration"},
}
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "runway": (
        "generate_clip",
        {"step": "shots", "name": "Shot", "prompt": "a harbour", "duration_s": 4},
    ),
    "elevenlabs": ("generate_narration", {"step": "voice", "name": "Voice", **SPEECH}),
}


@asynccontextmanager
async def opened(
    vendor: str, database_url: str, pools: Pools, folder: Path, clock: DatabaseClock
) -> AsyncGenerator[Run]:
    answers: list[Any] = [picture()]
    if vendor in STEPS:
        said = {"title": "Film", "summary": "A part.", "language": "en"}
        answers = [
            calls(("propose_plan", {**said, "steps": [STEPS[vendor]]})),
            calls(CALLS[vendor]),
        ]
    model = Model(route=routed("lightweight" if vendor not in STEPS else "new"), answers=answers)
    async with (
        OPEN[vendor](folder) as pair,
        open_machine(database_url, pools, folder, model=model, provider=pair.provider) as machine,
    ):
        yield Run(machine=machine, pair=pair, model=model, clock=clock)


@pytest.fixture
async def run(
    request: pytest.FixtureRequest,
    database_url: str,
    pools: Pools,
    tmp_path: Path,
    database_clock: DatabaseClock,
) -> AsyncGenerator[Run]:
    async with opened(request.param, database_url, pools, tmp_path, database_clock) as made:
        yield made


def at(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("run", names, indirect=True)


async def ordered(run: Run) -> None:
    await run.order()
    for question in await run.machine.pending():
        await run.machine.decide(question, Decision.APPROVE)
    await run.machine.drain()


async def paid(run: Run) -> list[tuple[str, str | None]]:
    rows = await run.machine.rows("select status, outcome from ledger where risk = 'paid'")
    return [(row[0], row[1]) for row in rows]


@at("openai_images", "runway", "elevenlabs")
async def test_what_is_made_is_kept_and_paid_as_the_vendor_counted(run: Run) -> None:
    await ordered(run)
    assert await paid(run) == [("settled", "succeeded")]
    (billed,) = run.pair.books.billed.values()
    assert await run.money() == (0, billed, 0)
    roles = await run.machine.rows(
        "select role from objects where role <> 'delivery_report' order by role"
    )
    wanted = {"narration": ["narration", "timings"]}
    operation = run.pair.operation
    assert [row[0] for row in roles] == wanted.get(operation, [operation])
    await run.check()


@at("openai_images", "runway")
@pytest.mark.parametrize("told", ["lost", "half"])
async def test_what_nobody_can_tell_holds_its_money_to_its_deadline_and_is_never_sent_again(
    run: Run, told: Told
) -> None:
    run.pair.vendor.switches.default = told
    await ordered(run)
    assert await paid(run) == [("unknown", "unknown")]
    held, settled, _ = await run.money()
    assert (held > 0, settled) == (True, 0)
    for _ in range(3):
        await run.later(hours=1)
    assert (run.pair.books.submissions, len(run.pair.books.orders)) == (1, 1)
    assert await run.money() == (0, 0, 0)
    assert await run.objects() == 0
    await run.check()


@at("elevenlabs")
@pytest.mark.parametrize("told", ["lost", "timeout"])
async def test_a_lost_speech_is_taken_from_the_history_and_paid_once(run: Run, told: Told) -> None:
    run.pair.vendor.switches.default = told
    await ordered(run)
    assert run.pair.books.submissions == 1
    assert await paid(run) == [("settled", "succeeded")]
    (billed,) = run.pair.books.billed.values()
    assert await run.money() == (0, billed, 0)
    await run.check()


@at("runway", "openai_images")
@pytest.mark.parametrize("told", ["policy", "policy_billed", "failed_charged", "broken_file"])
async def test_what_ends_badly_is_never_paid_less_than_it_cost(run: Run, told: Told) -> None:
    run.pair.vendor.switches.default = told
    await ordered(run)
    assert await paid(run) == [("settled", "failed")]
    held, settled, _ = await run.money()
    assert held == 0
    assert settled >= sum(run.pair.books.billed.values())
    await run.check()


@at("runway")
async def test_a_task_that_somebody_cancelled_ends_and_is_paid_as_it_might_have_cost(
    run: Run,
) -> None:
    run.pair.vendor.switches.default = "never"
    await ordered(run)
    await run.later(seconds=6)
    (job,) = run.pair.vendor.jobs.values()
    ((raw,),) = await run.machine.rows("select provider_ref from jobs")
    assert raw["most_micros"] == job.micros
    await run.pair.vendor.cancel(job)
    job.facts["is_gone"] = True
    await run.later(seconds=6)
    assert await paid(run) == [("settled", "failed")]
    assert await run.money() == (0, job.micros, 0)
    await run.check()
