"""A documentary of forty shots that goes through everything at once, and is finished by itself."""

from collections import Counter
from datetime import timedelta
from pathlib import Path

import pytest

from evals.chat_server.filmmaker import CAST, FRAMES, MASTER, SCRIPT, SHOTS, in_turn
from tests.faults.documentary import (
    BRIEF,
    CLIPS,
    PEOPLE,
    Held,
    Rows,
    Set,
    open_set,
)
from tests.integration.graphs.production import slot_of

pytestmark = [pytest.mark.faults, pytest.mark.long, pytest.mark.timeout(900)]

BEN = 2
OUTAGE = timedelta(hours=1)
DEADLINE = timedelta(hours=2)


@pytest.mark.parametrize(("count", "made"), [(8, 5), (40, 25)])
async def test_a_documentary_is_finished_through_a_change_an_outage_and_two_deaths(
    count: int, made: int, database_url: str, tmp_path: Path
) -> None:
    bens = [slot for slot, shown in in_turn(count, PEOPLE).items() if BEN in shown]
    async with open_set(database_url, tmp_path, count) as film:
        film.clips.switches.by_number = dict.fromkeys(range(1, made + 1), "made")
        film.clips.switches.default = "slow"
        await film.allow("balanced", review_points=["characters"])
        await film.say(BRIEF)
        await film.approve(await film.question("plan"))
        seen = await film.question("review")
        assert len(seen["results"]) == PEOPLE
        assert film.pictures.books.submissions == PEOPLE, "nothing that rests on them has begun"
        await film.approve(seen)

        async def all_are_ordered() -> bool:
            return await film.shots() == made and len(film.working(film.clips)) == count - made

        await film.until(all_are_ordered, hurry=True)
        assert len(film.deaths) == 2, "a worker did not die where it was to"
        assert all(0 < shots < made for shots in film.deaths), "no shots were being made then"

        before = await film.held()
        stored = await film.versions()
        done = {slot for step, slot in before if step == SHOTS}
        assert len(done) == made
        await change_ben(film, before, bens)
        instead = await during_an_outage(film, bens, done)

        film.clips.switches.default = "made"
        for job in film.clips.jobs.values():
            job.released = True

        await film.until(film.is_completed, hurry=True)
        await film.pass_time(DEADLINE + timedelta(minutes=30), timedelta(minutes=30))

        await only_bens_were_made_again(film, before, stored, count, bens)
        await the_graph_is_that_of_the_tables(film, count, bens, done)
        await the_money_is_what_the_vendors_say(film, count, bens, instead)
        await nobody_had_to_say_go_on(film)
        await film.check()


async def change_ben(film: Set, before: Held, bens: list[int]) -> None:
    """Another Ben, from now on without a question; his keyframes are being made anew after this.

    What is within the allowances needs no card: it is the person themselves who has changed him.
    """
    await film.allow("free", review_points=["characters"])
    film.pictures.switches.default = "slow"
    await film.edit(before[CAST, BEN][0])
    # A change wakes nobody: the next clip that ends does.
    first = next(job for job in film.working(film.clips) if slot_of(job) not in bens)
    first.released = True

    async def are_ordered() -> bool:
        return len(film.working(film.pictures)) == len(bens)

    await film.until(are_ordered, hurry=True)


async def during_an_outage(film: Set, bens: list[int], done: set[int]) -> int:
    """Let the vendor of clips be away for an hour; return how many were made here instead."""
    film.clips.switches.is_out = True
    waiting = len(film.working(film.clips))
    film.pictures.switches.default = "made"
    for job in film.pictures.jobs.values():
        job.released = True
    await film.pass_time(OUTAGE, timedelta(minutes=10))
    assert film.clips.turned_away
    assert len(film.working(film.clips)) == waiting, "what it works on is left to it"
    film.clips.switches.is_out = False
    instead = await film.number(
        "select count(*) from jobs where operation = 'clip' and provider = 'local'"
    )
    assert instead == len(done & set(bens)), "what was to be made meanwhile was not"
    return instead


async def only_bens_were_made_again(
    film: Set, before: Held, stored: Rows, count: int, bens: list[int]
) -> None:
    after = await film.held()
    assert [row for row in stored if row not in await film.versions()] == []
    again = {key for key, held in before.items() if after[key] != held}
    assert {key for key in again if key[0] == FRAMES} == {(FRAMES, slot) for slot in bens}
    assert {slot for step, slot in again if step == SHOTS} <= set(bens)
    assert {step for step, _ in again} <= {FRAMES, SHOTS}
    made = Counter(
        (step, slot)
        for step, slot in await film.rows(
            "select step_key, slot from jobs where phase = 'succeeded'"
        )
    )
    places = [(CAST, slot) for slot in range(1, PEOPLE + 1)] + [(MASTER, 1)]
    places += [(step, slot) for step in (FRAMES, SHOTS) for slot in range(1, count + 1)]
    twice = {(step, slot) for step in (FRAMES, SHOTS) for slot in bens}
    assert made == {place: 2 if place in twice else 1 for place in places}
    ((inputs,),) = await film.rows(
        "select inputs from object_versions where object_id = %s", after[MASTER, 1][0]
    )
    shots = [after[SHOTS, slot] for slot in range(1, count + 1)]
    assert sorted((each["object_id"], each["version"]) for each in inputs) == sorted(shots)


async def the_graph_is_that_of_the_tables(
    film: Set, count: int, bens: list[int], done: set[int]
) -> None:
    graph = await film.read("/graph")
    assert [(node["key"], node["status"], node["done"]) for node in graph["nodes"]] == [
        (SCRIPT, "done", 1),
        (CAST, "done", PEOPLE),
        (FRAMES, "done", count),
        (SHOTS, "done", count),
        (MASTER, "done", 1),
    ]
    made_by = {
        (str(object_id), version): cause
        for object_id, version, cause in await film.rows(
            "select object_id, version, cause from object_versions"
        )
    }
    for slot in (slot for node in graph["nodes"] for slot in node["slots"]):
        assert (slot["state"], slot["is_affected"]) == ("done", False)
        assert slot["evidence"]
        for each in slot["evidence"]:
            assert made_by[each["object_id"], each["version"]] == slot["call_key"]

    decided = Counter(
        (each["step"], each["slot"]) for each in graph["changes"] if each["status"] == "remade"
    )
    assert set(decided) == {(step, slot) for step in (FRAMES, SHOTS) for slot in bens}
    assert {each["status"] for each in graph["changes"]} <= {"remade", "kept", "obsolete"}
    for change in graph["changes"]:
        assert change["reason"]
        assert change["decided_by"]

    first, *revised = graph["versions"]
    assert first["why"]["words"] == [BRIEF]
    assert [each["status"] for each in graph["versions"]] == [
        *["superseded"] * len(revised),
        "approved",
    ]
    assert all(each["why"]["changes"] and each["within_allowance"] for each in revised)
    again = [each["made_again"] for each in revised]
    assert sorted(slot for each in again for slot in each.get(FRAMES, [])) == bens
    assert sorted(slot for each in again for slot in each.get(SHOTS, [])) == bens
    assert again[0][SHOTS] == sorted(done & set(bens))
    assert {key for each in again for key in each} == {FRAMES, SHOTS}


async def the_money_is_what_the_vendors_say(
    film: Set, count: int, bens: list[int], instead: int
) -> None:
    books = await film.books()
    ((limit, held, settled, absorbed),) = await film.rows(
        "select limit_micros, held_micros, settled_micros, absorbed_micros from budgets"
    )
    assert (held, settled, absorbed) == (0, sum(books.billed.values()), 0)
    assert settled <= limit
    assert len(film.pictures.books.orders) == PEOPLE + count + len(bens)
    assert len(film.clips.books.orders) == count + len(bens) - instead
    assert len(books.orders) == PEOPLE + 2 * (count + len(bens)) + 1
    paid = {row[0] for row in await film.rows("select job_id from jobs where phase = 'succeeded'")}
    assert set(books.billed) == paid, "something was paid that is not there, or not paid that is"
    lost = await film.rows(
        """
        select operation, provider, call_key in (
            select result ->> 'looked_at' from ledger where tool = 'check_call'
        )
        from jobs join ledger using (call_key) where outcome = 'unknown'
        """
    )
    assert lost == [("clip", CLIPS, True)] * instead


async def nobody_had_to_say_go_on(film: Set) -> None:
    said = await film.rows("select text, status from messages where role = 'user'")
    assert said == [(BRIEF, "consumed")]
    asked = await film.rows("select kind, status from approvals order by created_at")
    assert asked == [("plan", "approved"), ("review", "approved")]
    kept = (await film.read("/verdicts", limit=1000))["verdicts"]
    assert all(each["reason"] and each["facts"] for each in kept)
    waits = {each["waiting_reason"] for each in kept if each["verdict"] == "wait"}
    # Who answers at once is not waited for.
    assert {"jobs"} <= waits <= {"approval", "review", "jobs"}
    assert kept[-1]["verdict"] == "complete"
