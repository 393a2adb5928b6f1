"""Tasks are found by their present words: those of this workspace that are not archived."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

import numpy as np
import pytest

from execution import approvals, tasks
from execution.tasks import TaskStatus
from execution.tx import Tx
from infra.ids import ApprovalId, MessageId, TaskId, ThreadId, WorkspaceId, new_id
from infra.providers.embedding import DIMENSIONS, Embedder, Vector
from memory import candidates, keywords, task_index
from server.workers.indexing import embed_new, index_missing
from tests.integration.execution.world import World
from workspace import objects
from workspace.objects import NewObject

FILLING = 30
"""More tasks than fit into a list, so that the search has to choose."""


class Fixed:
    """Places each text at the number of the first of its words that it knows."""

    def __init__(self, *known: str) -> None:
        self.known = known
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        self.asked += texts
        return [self._place(text.casefold()) for text in texts]

    def _place(self, text: str) -> Vector:
        place = next((n for n, one in enumerate(self.known) if one in text), DIMENSIONS - 1)
        return np.eye(DIMENSIONS, dtype=np.float32)[place]


class Broken:
    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        raise RuntimeError


class Slow:
    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        await asyncio.Event().wait()
        raise AssertionError


async def add(
    world: World,
    title: str,
    *,
    goal: str = "",
    kind: str = "persistent",
    workspace_id: WorkspaceId | None = None,
    status: TaskStatus | None = None,
) -> TaskId:
    task_id = TaskId(new_id())
    async with world.work(workspace_id=workspace_id) as tx:
        await tasks.create(
            tx, task_id, kind=kind, title=title, goal=goal or title, language="en", brief={},
            source_message_id=MessageId(new_id()),
        )  # fmt: skip
        if status is not None:
            await tasks.set_status(tx, task_id, status, waiting_reason="message")
        await task_index.refresh(tx, task_id)
    return task_id


async def fill(world: World, *, workspace_id: WorkspaceId | None = None) -> None:
    """Tasks that came later and have ended."""
    for number in range(FILLING):
        await add(
            world, f"Sketch {number:03d}", workspace_id=workspace_id, status=TaskStatus.COMPLETED
        )


async def found(
    world: World,
    text: str,
    *,
    embedder: Embedder | None = None,
    workspace_id: WorkspaceId | None = None,
) -> list[UUID]:
    async with world.conn() as conn:
        vector = (await embedder.embed([text]))[0] if embedder else None
        return await candidates.search(conn, workspace_id or world.workspace_id, text, vector)


async def shown(world: World, text: str, embedder: Embedder | None = None) -> list[dict[str, Any]]:
    async with world.conn() as conn:
        return await candidates.find(conn, embedder, world.workspace_id, text)


async def test_a_dormant_task_returns_when_its_words_are_said(world: World) -> None:
    wanted = await add(world, "Poster for the bakery in Lisbon", status=TaskStatus.COMPLETED)
    await fill(world)
    assert str(wanted) not in {one["task_id"] for one in await shown(world, "hello there")}
    list_now = await shown(world, "that Lisbon bakeries placard, brighter please")
    assert list_now[0]["task_id"] == str(wanted)
    assert len(list_now) == candidates.MAX_CANDIDATES


async def test_tasks_at_work_come_first_and_are_few(world: World) -> None:
    live = [await add(world, f"Logo {number}") for number in range(candidates.MAX_RECENT + 3)]
    wanted = await add(world, "Poster for the bakery", status=TaskStatus.COMPLETED)
    await fill(world)
    list_now = [one["task_id"] for one in await shown(world, "the bakery")]
    newest = [str(task_id) for task_id in reversed(live)]
    assert list_now[: candidates.MAX_RECENT] == newest[: candidates.MAX_RECENT]
    assert list_now[candidates.MAX_RECENT] == str(wanted)


async def test_what_is_shown_of_a_task_is_bounded(world: World) -> None:
    await add(world, "長" * 5000, goal="длинный " * 3000)
    (one,) = await shown(world, "x")
    assert len(str(one).encode()) < 6000


async def test_what_a_task_waits_to_be_told_is_shown_as_it_was_asked(world: World) -> None:
    waits = await add(world, "Letter", status=TaskStatus.WAITING)
    other = await add(world, "Poster", status=TaskStatus.WAITING)
    async with world.work() as tx:
        await approvals.request(
            tx,
            ApprovalId(new_id()),
            thread_id=ThreadId(waits),
            task_id=waits,
            kind="question",
            title="To whom?",
            body="",
            card={"options": [{"id": str(n), "label": f"Ann {n}", "detail": ""} for n in range(9)]},
            actions=["choose"],
            args_hash="x",
        )
    asked = {one["task_id"]: one.get("asks") for one in await shown(world, "to Ann")}
    options = [f"Ann {n}" for n in range(4)]
    assert asked == {
        str(waits): {"question": "To whom?", "options": options},
        str(other): None,
    }


async def test_each_task_says_how_near_it_is_in_meaning_where_that_is_known(world: World) -> None:
    bread, stars = [await add(world, title) for title in ("La panadería", "Las estrellas")]
    world.deps = replace(world.deps, embedder=Fixed("panadería", "estrellas"))
    while await embed_new(world.deps):
        pass
    new = await add(world, "Not embedded yet")
    near = {
        one["task_id"]: one.get("meaning")
        for one in await shown(world, "the bakery", Fixed("bakery"))
    }
    assert near == {str(bread): 1.0, str(stars): 0.0, str(new): None}
    assert all("meaning" not in one for one in await shown(world, "the bakery", Broken()))


@pytest.mark.parametrize("small", [task_index.SMALL, 0], ids=["compared", "graph"])
async def test_a_task_is_found_by_meaning_alone(
    world: World, small: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(task_index, "SMALL", small)
    wanted = await add(world, "Cartel de la panadería")
    await fill(world)
    world.deps = replace(world.deps, embedder=Fixed("panadería"))
    while await embed_new(world.deps):
        pass
    assert (await found(world, "the bakery", embedder=Fixed("bakery")))[0] == wanted
    assert await found(world, "the bakery") == []


async def test_a_row_without_embedding_is_found_by_its_words(world: World) -> None:
    wanted = await add(world, "Poster for the bakery")
    assert (await found(world, "bakery", embedder=Fixed("bakery")))[0] == wanted


@pytest.mark.parametrize("embedder", [None, Broken(), Slow()], ids=["none", "broken", "slow"])
async def test_an_engine_that_fails_or_hangs_leaves_words_and_recency(
    world: World, embedder: Embedder | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(candidates, "EMBEDDING_SECONDS", 0.05)
    wanted = await add(world, "Poster for the bakery", status=TaskStatus.COMPLETED)
    await fill(world)
    list_now = await shown(world, "the bakery", embedder)
    assert list_now[0]["task_id"] == str(wanted)
    assert len(list_now) == candidates.MAX_CANDIDATES
    async with world.conn() as conn:
        await add(world, "Plakat für das Café")
        near = await candidates.near_duplicates(
            conn, embedder, world.workspace_id, "Plakat für das Café"
        )
    assert [one.title for one in near] == ["Plakat für das Café"]


async def test_another_workspace_is_never_searched(world: World) -> None:
    other = await world.workspace()
    theirs = await add(world, "Poster for the bakery", workspace_id=other)
    ours = await add(world, "Flyer for the bakery")
    for deps in (world.deps, replace(world.deps, embedder=Fixed("bakery"))):
        world.deps = deps
        while await embed_new(world.deps):
            pass
        assert await found(world, "bakery poster", embedder=deps.embedder) == [ours]
        in_other = await found(world, "bakery", embedder=deps.embedder, workspace_id=other)
        assert in_other == [theirs]
    async with world.conn() as conn:
        near = await candidates.near_duplicates(
            conn, Fixed("bakery"), world.workspace_id, "Poster for the bakery"
        )
    assert {one.task_id for one in near} <= {ours}


async def test_an_archived_task_is_not_found(world: World) -> None:
    gone = await add(world, "Poster for the bakery")
    await fill(world)
    await world.run("update tasks set archived_at = app_now() where task_id = %s", gone)
    assert str(gone) not in {one["task_id"] for one in await shown(world, "bakery")}
    async with world.work() as tx:
        await task_index.refresh(tx, gone)
    assert await found(world, "bakery") == []
    assert await index_missing(world.deps) is False
    assert await found(world, "bakery") == []


async def test_a_deleted_objects_name_leaves(world: World) -> None:
    task_id = await add(world, "Poster")
    async with world.work() as tx:
        made = await name(tx, world, task_id, "Lighthouse at dusk")
        await task_index.refresh(tx, task_id)
    assert await found(world, "lighthouses") == [task_id]
    (one,) = await shown(world, "x")
    assert one["objects"] == [{"id": str(made), "name": "Lighthouse at dusk"}]
    await world.run("update objects set deleted_at = app_now()")
    (one,) = await shown(world, "x")
    assert one["objects"] == []
    async with world.work() as tx:
        await task_index.refresh(tx, task_id)
    assert await found(world, "lighthouses") == []


async def name(tx: Tx, world: World, task_id: TaskId, called: str) -> UUID:
    blob = await world.deps.blobs.put_bytes(called.encode())
    stored = await objects.create(
        tx,
        NewObject(
            kind="image", role="picture", name=called, blob=blob, media_type="image/png",
            author="agent", cause=called, task_id=task_id,
        ),
    )  # fmt: skip
    return stored.object_id


async def test_tasks_from_before_the_index_are_indexed_and_embedded(world: World) -> None:
    made = [await add(world, f"Poster for the bakery {number}") for number in range(60)]
    await world.run("truncate task_index")
    embedder = Fixed("bakery")
    world.deps = replace(world.deps, embedder=embedder)
    assert await index_missing(world.deps) is True
    assert await index_missing(world.deps) is False
    while await embed_new(world.deps):
        pass
    assert len(embedder.asked) == len(made)
    assert await world.value("select count(*) from task_index where is_embedded") == len(made)
    assert await index_missing(world.deps) is False


async def test_a_text_that_changed_meanwhile_is_embedded_again(world: World) -> None:
    task_id = await add(world, "Poster for the bakery")
    async with world.conn() as conn:
        before = await task_index.to_embed(conn, limit=9)
    async with world.work() as tx:
        await tasks.set_summary(tx, task_id, "Now with a lighthouse.")
        await task_index.refresh(tx, task_id)
    vector = np.ones(DIMENSIONS, dtype=np.float32)
    async with world.conn() as conn:
        await task_index.set_embeddings(conn, [(before[0], vector)])
        left = await task_index.to_embed(conn, limit=9)
    assert [one.task_id for one in left] == [task_id]
    assert "lighthouse" in left[0].text


async def test_an_unchanged_task_is_not_written_again(world: World) -> None:
    task_id = await add(world, "Poster for the bakery")
    before = await world.value("select xmin::text from task_index")
    async with world.work() as tx:
        await task_index.refresh(tx, task_id)
    assert await world.value("select xmin::text from task_index") == before


async def test_common_words_bring_in_few_and_two_of_them_the_right_one(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keywords, "EACH", 10)
    for number in range(40):
        subject, place = ("bakery", "brewery")[number % 2], ("Lisbon", "Vienna")[number // 20]
        await add(world, f"Poster {subject} {place}", goal=f"for number {number}")
    wanted = await add(world, "Poster bakery Vienna lighthouse")
    for _ in range(20):
        await add(world, "Poster castle Prague")
    await world.run("analyze task_index")
    assert (await found(world, "poster with the lighthouse, bakery Vienna"))[0] == wanted
    best = (await found(world, "the bakery in Vienna"))[:5]
    titles = await world.rows("select title from tasks where task_id = any(%s)", best)
    assert all("bakery Vienna" in title for (title,) in titles)


@pytest.mark.parametrize("listed", [False, True])
async def test_words_of_many_tasks_bring_in_the_right_one(
    world: World, monkeypatch: pytest.MonkeyPatch, *, listed: bool
) -> None:
    """Of each word only the first tasks are looked at, and the one that is meant came last.

    So it is whether the statistics of Postgres list the words or not.
    """
    monkeypatch.setattr(keywords, "EACH", 10)
    for number in range(40):
        title = ("Poster castle Lisbon", "Poster fox Vienna")[number % 2]
        await add(world, title, goal=f"number {number}")
    wanted = await add(world, "Poster castle Vienna")
    if listed:
        await world.run("analyze task_index")
    assert (await found(world, "castle Vienna, wider please"))[0] == wanted
    assert (await found(world, "castle Viena, wider please"))[0] == wanted, "with a slip"
    for said in (
        "the castle",
        "a violin castle",  # beside a word that no task has
        "the castle of the number",  # beside a word of asking
    ):
        ids = await found(world, said)
        titles = await world.rows("select title from tasks where task_id = any(%s)", ids)
        assert titles, said
        assert all("castle" in title for (title,) in titles)


async def test_how_many_tasks_a_workspace_has_is_its_own(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await world.workspace()
    await fill(world, workspace_id=other)
    for number in range(3):
        await add(world, f"Poster {number}")
    await world.run("analyze task_index")
    for small in (task_index.SMALL, 2):
        monkeypatch.setattr(task_index, "SMALL", small)
        async with world.conn() as conn:
            mine = await task_index.size(conn, world.workspace_id)
            theirs = await task_index.size(conn, other)
        assert (mine.own, mine.every) == (3, FILLING + 3)
        assert (theirs.own, theirs.every) == (FILLING, FILLING + 3)
        assert mine.is_small == (small > 2)


async def test_a_slip_in_a_name_is_seen_through(world: World) -> None:
    for called in ("Velmar", "Shaba", "Morgo"):
        await add(world, f"Logo for the brewery {called}")
    wanted = await add(world, "Poster for the brewery Velri")
    for text in ("the brewery Veli, wider please", "Velrri", "brewery Vleri", "Zelri"):
        assert (await found(world, text))[0] == wanted
    assert await found(world, "Ve") == []


async def test_a_slip_in_a_common_word_is_seen_through(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keywords, "EACH", 10)
    for number in range(40):
        place = ("Lima", "Bonn")[number // 20]
        await add(world, f"Poster {('brewery', 'bakery')[number % 2]} {place}", goal=f"{number}")
    await world.run("analyze task_index")
    best = (await found(world, "bakery Lina"))[:5]
    titles = await world.rows("select title from tasks where task_id = any(%s)", best)
    assert all("bakery Lima" in title for (title,) in titles)


async def test_words_of_grammar_do_not_outvote_what_is_meant(world: World) -> None:
    wanted = await add(world, "Plakat Fuchs")
    for number in range(3):
        await add(world, f"Plakat Eule {number}", goal="Das brauchen wir bitte noch einmal schnell")
    text = "Das brauchen wir bitte noch einmal: Plakat, Fuchs"
    assert (await found(world, text))[0] == wanted


async def test_tasks_that_were_put_away_follow_the_others_and_say_so(world: World) -> None:
    here = await add(world, "Poster fox")
    gone = [await add(world, f"Comet posters {number}") for number in range(6)]
    await world.run("update tasks set archived_at = app_now() where task_id = any(%s)", gone)
    await world.run("update tasks set merged_into = %s where task_id = %s", here, gone[0])
    async with world.conn() as conn:
        shown = await candidates.find(conn, None, world.workspace_id, "the comet posters")
    assert [one["archived"] for one in shown] == [False, True, True, True, True]
    assert UUID(shown[0]["task_id"]) == here
    assert str(gone[0]) not in {one["task_id"] for one in shown}


async def test_only_persistent_tasks_in_progress_are_near(world: World) -> None:
    title = "Poster for the bakery in Lisbon"
    live = await add(world, title)
    waiting = await add(world, "Lisbon bakery poster", status=TaskStatus.WAITING)
    await add(world, title, kind="lightweight")
    await add(world, title, status=TaskStatus.COMPLETED)
    await add(world, "Trailer about a fox")
    async with world.conn() as conn:
        near = await candidates.near_duplicates(conn, None, world.workspace_id, title)
    assert {one.task_id for one in near} == {live, waiting}


async def test_hostile_words_are_searched_like_any_other(world: World) -> None:
    hostile = "it's \\ 'quoted' & | ! :* <-> (x) \\' ''"
    wanted = await add(world, hostile)
    assert await found(world, hostile) == [wanted]
