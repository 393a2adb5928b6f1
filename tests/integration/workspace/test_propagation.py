"""A change is followed to exactly the results that rest on it, whatever happens beside it."""

import asyncio

import psycopg

from execution import checklist
from tests.integration.workspace.film import (
    CAST,
    FILM,
    FRAMES,
    SHOTS,
    Books,
    make,
    open_books,
)
from tools import revision
from workspace import propagation

BENS = [(FRAMES, 2), (SHOTS, 2), (FILM, 1)]


async def blocked_or_done(database_url: str, second: asyncio.Future[object], of: Books) -> None:
    """Wait until a transaction either waits for another one's row or has done its work."""
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as watch:
        while not second.done():
            found = await watch.execute(
                "select cardinality(pg_blocking_pids(%s))", [of.conn.info.backend_pid]
            )
            if (await found.fetchall())[0][0]:
                return


async def test_a_changed_character_marks_only_what_shows_it_and_what_is_made_from_that(
    database_url: str,
) -> None:
    async with open_books(database_url) as books:
        made = await make(books)
        assert await books.marked(made.task_id) == []
        await books.edit(made.ben, "another")
        assert sorted(await books.marked(made.task_id)) == sorted(BENS)
        plan = await checklist.load(books.conn, made.task_id)
        assert plan is not None
        assert not plan.is_complete
        told = await (
            await books.conn.execute(
                "select text from happenings where task_id = %s", [made.task_id]
            )
        ).fetchall()
        assert told == [
            (
                (
                    "Changed: 'cast 2'. Made from what it was before, and to be decided about "
                    "(remade or kept): frames 2; shots 2; film 1."
                ),
            )
        ]


async def test_changed_twice_it_is_asked_once_and_changed_back_not_at_all(
    database_url: str,
) -> None:
    async with open_books(database_url) as books:
        made = await make(books)
        await books.edit(made.ben, "another")
        await books.edit(made.ben, "a third")
        assert sorted(await books.marked(made.task_id)) == sorted(BENS)
        assert len(await books.marked(made.task_id, "obsolete")) == 3
        await books.edit(made.ben, made.ben.blob_sha256)
        assert await books.marked(made.task_id) == []
        assert len(await books.marked(made.task_id, "obsolete")) == 6


async def test_what_another_task_made_from_it_is_marked_there(database_url: str) -> None:
    async with open_books(database_url) as books:
        made = await make(books)
        other = await books.task()
        await books.result(other, FRAMES, 1, (made.ben, {}))
        await books.result(other, FRAMES, 2, (made.anna, {}))
        await books.edit(made.ben, "another")
        assert await books.marked(other) == [(FRAMES, 1)]


async def test_what_was_made_again_settles_itself_and_marks_what_still_rests_on_the_old(
    database_url: str,
) -> None:
    async with open_books(database_url) as books:
        made = await make(books)
        other = await books.task()
        await books.result(other, FRAMES, 1, (made.frames[1], {}))
        ben = await books.edit(made.ben, "another")
        await books.version(made.task_id, 2, {FRAMES: [2], SHOTS: [2], FILM: [1]})
        holds = (await checklist.versions(books.conn, made.task_id))[-1]
        await revision.apply(books.tx, made.task_id, holds, decided_by="person")
        assert sorted(await books.marked(made.task_id, "remade")) == sorted(BENS)
        frame = await books.result(made.task_id, FRAMES, 2, (ben, {}), version=2)
        shot = await books.result(made.task_id, SHOTS, 2, (frame, {}), version=2, duration_s=2.0)
        shots = [made.shots[0], shot, made.shots[2]]
        await books.result(made.task_id, FILM, 1, *[(each, {}) for each in shots], version=2)
        assert await books.marked(made.task_id) == []
        plan = await checklist.load(books.conn, made.task_id)
        assert plan is not None
        found = plan.find(FILM)
        assert found is not None
        assert found.count("done") == 1
        assert await books.marked(other) == [(FRAMES, 1), (FRAMES, 1)], "by both causes"


async def test_a_plan_that_makes_something_again_may_keep_what_was_made_from_it(
    database_url: str,
) -> None:
    async with open_books(database_url) as books:
        made = await make(books)
        kept = [{"step": SHOTS, "slots": [1], "reason": "Far away.", "changes": []}]
        await books.version(made.task_id, 2, {FRAMES: [1]}, kept=kept)
        await books.result(made.task_id, FRAMES, 1, (made.anna, {}), version=2)
        assert await books.marked(made.task_id) == []
        assert await books.marked(made.task_id, "kept") == [(SHOTS, 1)]


async def test_a_result_made_from_an_old_version_is_marked_when_it_is_there(
    database_url: str,
) -> None:
    async with open_books(database_url) as books:
        task_id = await books.task()
        anna = await books.result(task_id, CAST, 1)
        frame = await books.result(task_id, FRAMES, 1, (anna, {}))
        await books.edit(anna, "another")
        await books.result(task_id, SHOTS, 1, (frame, {}))
        assert await books.marked(task_id) == [(FRAMES, 1), (SHOTS, 1)]


async def test_an_edit_and_a_result_at_once_always_see_each_other(database_url: str) -> None:
    """Whoever of the two comes first holds the row that the other one needs."""
    for edit_is_first in (True, False):
        async with open_books(database_url) as books:
            task_id = await books.task()
            anna = await books.result(task_id, CAST, 1)
            frame = await books.result(task_id, FRAMES, 1, (anna, {}))
        workspace_id = books.workspace_id

        async with (
            open_books(database_url, workspace_id) as one,
            open_books(database_url, workspace_id) as two,
        ):
            if edit_is_first:
                await one.edit(anna, "another")
                second = asyncio.ensure_future(two.result(task_id, SHOTS, 1, (frame, {})))
            else:
                await one.result(task_id, SHOTS, 1, (frame, {}))
                second = asyncio.ensure_future(two.edit(anna, "another"))
            await blocked_or_done(database_url, second, two)
            await one.conn.commit()
            await second
        async with open_books(database_url, workspace_id) as books:
            assert sorted(await books.marked(task_id)) == [(FRAMES, 1), (SHOTS, 1)]


async def test_of_two_tasks_one_that_remakes_and_one_that_uses_the_old_see_each_other(
    database_url: str,
) -> None:
    for remake_is_first in (True, False):
        async with open_books(database_url) as books:
            made = await make(books)
            other = await books.task()
            await books.version(made.task_id, 2, {FRAMES: [1], SHOTS: [1], FILM: [1]})
        workspace_id = books.workspace_id
        async with (
            open_books(database_url, workspace_id) as one,
            open_books(database_url, workspace_id) as two,
        ):
            remaking, using = (one, two) if remake_is_first else (two, one)
            remake = remaking.result(made.task_id, FRAMES, 1, (made.anna, {}), version=2)
            use = using.result(other, SHOTS, 1, (made.frames[0], {}))
            first, then = (remake, use) if remake_is_first else (use, remake)
            await first
            second = asyncio.ensure_future(then)
            await blocked_or_done(database_url, second, two)
            await one.conn.commit()
            await second
        async with open_books(database_url, workspace_id) as books:
            assert await books.marked(other) == [(SHOTS, 1)]


async def test_a_result_that_fills_no_place_is_decided_about_no_more(database_url: str) -> None:
    async with open_books(database_url) as books:
        made = await make(books)
        await books.edit(made.ben, "another")
        await books.version(made.task_id, 2, {FRAMES: [2]})
        await propagation.plan_decided(books.tx, made.task_id)
        assert (FRAMES, 2) not in await books.marked(made.task_id)
        assert await books.marked(made.task_id, "obsolete") == [(FRAMES, 2)]
