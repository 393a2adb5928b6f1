"""Nine of forty shots are there: everybody is told so, and nobody but the person lets that pass.

What is missing is read from the vendors' books; what is said of it from the API and from the state
that the model was shown. `tests/e2e/test_incomplete_page.py` reads the same from the page.
"""

from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from evals.simulator.jobs import Job
from execution.approvals import Decision
from infra.db.pool import Pools
from tests.database import DatabaseClock
from tests.integration.graphs.production import (
    SHOT_S,
    SHOTS,
    Production,
    assemble,
    leave_out,
    open_production,
    propose,
    slot_of,
)
from tests.integration.server.conftest import live_server

pytestmark = pytest.mark.media
BROKE, MODERATED = "Runway's task failed: The task crashed.", "Runway refused the content"
SOON = timedelta(minutes=11)


@pytest.fixture
async def production(database_url: str, pools: Pools, tmp_path: Path) -> AsyncGenerator[Production]:
    async with open_production(database_url, pools, tmp_path) as opened:
        yield opened


async def told(production: Production, database_url: str, folder: Path) -> dict[str, Any]:
    """The task as the API shows it."""
    async with live_server(database_url, folder) as live:
        answer = await live.http.get(f"/v1/tasks/{production.task_id}")
    assert answer.status_code == 200
    return answer.json()


def ask(production: Production) -> Any:
    """The question about everything that is missing, as a model asks it."""
    return leave_out(production.slots().absent)


def working(production: Production) -> list[Job]:
    """The jobs that the first vendor works on."""
    return [job for job in production.first.vendor.jobs.values() if job.told == "slow"]


def numbers_in(lines: list[dict[str, Any]]) -> list[int]:
    """The shots that lines of a question name, such as 'Shots 1–3, 7'."""
    runs = [
        [int(end) for end in run.split("–")]
        for line in lines
        for run in line["label"].removeprefix("Shots ").split(", ")
    ]
    return [number for run in runs for number in range(run[0], run[-1] + 1)]


async def gaps(production: Production) -> list[Any]:
    return await production.machine.rows(
        "select status, outcome, result from ledger where tool = 'leave_out' and verdict = 'ask'"
    )


async def test_api_and_model_are_told_nine_of_forty_what_is_missing_and_what_was_replaced(
    production: Production, database_url: str, tmp_path: Path
) -> None:
    slots = production.slots()
    assert (len(slots.done), len(slots.rescued)) == (9, 2)
    assert (len(slots.working), len(slots.failed)) == (28, 3)
    await production.say("How far are you?", assemble())
    state = production.model.states[-1]["plan"]["steps"][0]
    task = await told(production, database_url, tmp_path)
    shown = task["checklist"]["items"][0]
    assert (shown["done"], shown["expected"]) == (state["done"], state["count"]) == (9, SHOTS)
    assert (shown["running"], shown["failed"]) == (state["running"], state["failed"]) == (28, 3)
    assert shown["missing"] == state["missing_slots"] == []
    working, failed = sorted(slots.working), sorted(slots.failed)
    assert shown["absent"] == {"running": working, "failed": failed}
    assert (state["running_slots"], state["failed_slots"]) == (working, failed)
    reasons = {each["slot"]: each["reason"] for each in shown["failures"]}
    assert state["failures"] == {str(slot): reason for slot, reason in reasons.items()}
    assert sorted(reasons) == failed
    assert sorted(reason[: len(MODERATED)] for reason in reasons.values()) == sorted(
        [BROKE[: len(MODERATED)]] * 2 + [MODERATED]
    )
    assert shown["replaced"] == [
        {"slot": slot, "provider": "replicate", "instead_of": ["runway"]}
        for slot in sorted(slots.rescued)
    ]
    assert state["replaced"] == {str(slot): "replicate instead of runway" for slot in slots.rescued}
    assert sorted(output["slot"] for output in shown["outputs"]) == slots.done
    jobs = task["jobs"]
    assert (jobs["succeeded"], jobs["running"], jobs["failed"]) == (9, 28, 5 + 3 + 3)
    await production.check()


async def test_assembly_is_refused_until_the_person_has_agreed_to_exactly_what_is_missing(
    production: Production,
) -> None:
    absent, failed = production.slots().absent, sorted(production.slots().failed)
    await production.say("Put it together.", assemble())
    for wrong in (failed, absent[1:], [*absent, 1], list(range(1, SHOTS + 1))):
        await production.say("Go on without them.", leave_out(wrong))
    refused = await production.refusals()
    assert [tool for tool, _ in refused] == ["assemble_film", *["leave_out"] * 4]
    assert all(str(absent) in said for _, said in refused)
    assert refused[0][1].startswith("refused (invalid)")
    assert f"9 of {SHOTS} of 'Shots' are there" in refused[0][1]
    assert await production.machine.pending() == []

    await production.say("Then ask me.", ask(production))
    asked = await production.question()
    assert (asked.kind, asked.title) == ("gaps", f"Shots: 9 / {SHOTS}")
    (working,) = (line for line in asked.card["lines"] if line["detail"] == "still running")
    assert [line["label"] for line in asked.card["lines"]].count(working["label"]) == 1
    assert sorted(numbers_in(asked.card["lines"])) == absent
    assert sorted(numbers_in([line for line in asked.card["lines"] if line != working])) == failed
    assert any(BROKE in line["detail"] for line in asked.card["lines"])

    await production.say("Now put it together.", assemble())  # nobody has agreed yet
    await production.answer(Decision.REJECT)
    await production.say("Put it together all the same.", assemble())
    refused = await production.refusals()
    assert [tool for tool, _ in refused].count("assemble_film") == 3
    assert all(str(absent) in said for tool, said in refused if tool == "assemble_film")
    assert [row[:2] for row in await gaps(production)] == []
    assert len(production.slots().working) == 28, "nothing was cancelled"
    await production.check()


async def test_a_yes_to_less_than_what_is_missing_allows_nothing(production: Production) -> None:
    await production.say("Finish it.", ask(production))
    await production.say("Make all of them anew.", propose(summary="All of them anew."))
    pending = sorted(await production.machine.pending(), key=lambda each: each.kind)
    assert [each.kind for each in pending] == ["gaps", "plan"], await production.refusals()
    before, revised = pending
    for pair in (production.first, production.second):
        pair.vendor.switches.by_number, pair.vendor.switches.default = {}, "slow"
    await production.machine.decide(revised, Decision.APPROVE)
    await production.machine.drain()
    await production.machine.decide(before, Decision.APPROVE)
    await production.machine.drain()
    await production.say("Put it together.", assemble())
    state = production.model.states[-1]
    shots = state["plan"]["steps"][0]
    assert (shots["done"], shots["running"]) == (0, SHOTS)
    assert "left_out_slots" not in shots
    assert "must be asked anew" in str(state["events"])
    tool, said = (await production.refusals())[-1]
    assert (tool, f"0 of {SHOTS} of 'Shots' are there" in said) == ("assemble_film", True)
    await production.check()


async def test_what_came_while_the_person_thought_is_used_and_only_the_rest_left_out(
    production: Production, database_clock: DatabaseClock
) -> None:
    absent = production.slots().absent
    await production.say("Finish it.", ask(production))
    came = working(production)[0]
    came.released = True
    await database_clock.advance(SOON)
    await production.machine.drain()
    assert came.state == "done"
    await production.answer(Decision.APPROVE)
    ((_, _, agreed),) = await gaps(production)
    assert agreed["left_out"]["slots"] == [slot for slot in absent if slot != slot_of(came)]
    ((request,),) = await production.machine.rows(
        "select request from jobs where operation = 'render'"
    )
    assert sorted(request["inputs"]) == sorted(
        f"shot.{slot}" for slot in [*production.slots().done, slot_of(came)]
    )
    await production.check()


async def test_after_a_yes_the_rest_is_cancelled_and_the_film_says_nine_of_forty(
    production: Production, database_url: str, database_clock: DatabaseClock, tmp_path: Path
) -> None:
    done, absent = production.slots().done, production.slots().absent
    rescued = sorted(production.slots().rescued)
    await production.say("Finish it.", ask(production))
    late, *others = working(production)
    await production.machine.decide(await production.question(), Decision.APPROVE)
    late.released = True  # it is ready before its vendor is asked to stop it
    await production.machine.drain()
    assert (late.state, {job.state for job in others}) == ("done", {"cancelled"})
    await database_clock.advance(SOON)
    await production.machine.drain()

    task = await told(production, database_url, tmp_path)
    assert (task["status"], task["delivery"]["status"]) == ("completed", "delivered")
    shown = task["checklist"]["items"][0]
    assert (shown["done"], shown["absent"]) == (9, {"left_out": absent})
    ((request,),) = await production.machine.rows(
        "select request from jobs where operation = 'render'"
    )
    assert sorted(request["inputs"]) == sorted(f"shot.{slot}" for slot in done)
    report = task["delivery"]
    (missing,) = report["missing"]
    assert missing.startswith(f"Shots: 9 of {SHOTS}; left out as agreed: ")
    assert missing in report["summary"]
    assert report["replaced"] == [
        f"Shots {slot} came at attempt 2 (replicate ← runway)" for slot in rescued
    ]
    master = next(file for file in report["files"] if file["role"] == "master")
    assert master["meta"]["duration_s"] == pytest.approx(9 * SHOT_S, abs=0.1)
    kept = await production.machine.rows("select slot from objects where role = 'clip'")
    assert sorted(row[0] for row in kept) == sorted([*done, slot_of(late)]), "it is kept and paid"
    assert task["budget"]["held_micros"] == 0
    await production.check()
