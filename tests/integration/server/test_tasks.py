"""Tasks over HTTP: what they show, and stop, pause and resume that act once."""

import asyncio
from functools import partial
from pathlib import Path

import httpx
import pytest

from execution import inbox, route_examples, tasks
from execution.transactions import work
from infra import deps
from infra.db.pool import Limits, transaction
from infra.ids import new_id
from infra.supervision import Supervisor
from server.auth import LOCAL_WORKSPACE
from tests.integration.server.conftest import (
    FOREIGN,
    Live,
    assert_problem,
    live_server,
    make_object,
    make_step,
    make_task,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(name="live")
def _live(shared: Live) -> Live:
    return shared


PARTS = (
    "checklist",
    "steps",
    "verdicts",
    "ledger",
    "jobs",
    "budget",
    "account",
    "model_usage",
    "inbox",
    "objects",
    "delivery",
)


async def test_a_task_shows_its_state_in_every_part(live: Live) -> None:
    task_id = await make_task(live.deps)
    await make_step(live.deps, task_id)
    made = await make_object(live.deps, b"data", task_id=task_id)
    task = (await live.http.get(f"/v1/tasks/{task_id}")).json()
    assert (task["id"], task["title"], task["status"]) == (str(task_id), "A film", "active")
    listed = (await live.http.get("/v1/tasks")).json()["tasks"]
    assert task in listed
    parts = {part: (await live.http.get(f"/v1/tasks/{task_id}/{part}")).json() for part in PARTS}
    assert {part["task_id"] for part in parts.values()} == {str(task_id)}
    assert parts["checklist"]["checklist"] is None
    assert parts["delivery"]["delivery"] is None
    assert parts["jobs"]["jobs"] == task["jobs"]
    assert parts["budget"]["budget"]["limit_micros"] == 0
    assert (parts["account"]["budget"], parts["account"]["entries"]) == (task["budget"], [])
    assert parts["model_usage"]["model_usage"] == task["model_usage"]
    assert task["model_usage"]["calls"] == 0
    assert parts["ledger"]["calls"] == []
    assert parts["verdicts"]["verdicts"] == []
    assert [step["content"] for step in parts["steps"]["steps"]] == ["thinking"]
    assert [row["text"] for row in parts["inbox"]["waiting"]] == ["A film"]
    assert [item["id"] for item in parts["objects"]["objects"]] == [str(made.object_id)]


async def test_a_task_is_paused_resumed_and_stopped(live: Live) -> None:
    task_id = await make_task(live.deps)
    states = [
        (await live.http.post(f"/v1/tasks/{task_id}/{action}")).json()["status"]
        for action in ("pause", "resume", "stop")
    ]
    assert states == ["paused", "active", "stopped"]
    task = (await live.http.get(f"/v1/tasks/{task_id}")).json()
    assert task["reason"] == "You stopped this task."


async def test_a_stop_waits_for_who_holds_the_task(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deps, "Limits", partial(Limits, lock=0.2))
    async with live_server(database_url, tmp_path) as live, Supervisor("test") as supervisor:
        task_id = await make_task(live.deps)
        async with transaction(live.deps.pools.domain) as conn:
            await conn.execute("select 1 from threads where thread_id = %s for update", (task_id,))
            stopping = supervisor.start(
                live.http.post(f"/v1/tasks/{task_id}/stop"), name="stopping"
            )
            waited: set[object] = set()
            while len(waited) < 2 and not stopping.done():
                waited |= await _waiting_transactions(live)
        stopped = await stopping
    assert len(waited) == 2
    assert stopped.json()["status"] == "stopped"


async def _waiting_transactions(live: Live) -> set[object]:
    """Return the transactions that wait for a row, by when they began."""
    async with transaction(live.deps.pools.domain) as conn:
        cursor = await conn.execute(
            """
            select xact_start
            from pg_stat_activity
            where datname = current_database()
              and wait_event_type = 'Lock'
            """
        )
        return {row[0] for row in await cursor.fetchall()}


async def test_a_task_says_what_ends_its_rest(live: Live) -> None:
    task_id = await make_task(live.deps)
    path = f"/v1/tasks/{task_id}"
    assert (await live.http.get(path)).json()["ends_with"] is None
    paused = (await live.http.post(f"{path}/pause")).json()
    assert paused["ends_with"] == "It goes on when you resume it."
    stopped = (await live.http.post(f"{path}/stop")).json()
    assert stopped["ends_with"] is None


async def test_a_task_is_given_more_than_each_production_has_and_is_woken_once(live: Live) -> None:
    task_id, other = await make_task(live.deps), await make_task(live.deps)
    limits = (await live.http.get("/v1/settings/limits")).json()
    assert limits == {"rounds": 400, "rounds_without_progress": 3, "seconds": 86_400}
    more = {"rounds": 10, "seconds": 3600, "budget_micros": 500}
    key = {"Idempotency-Key": f"more {task_id}"}
    for _ in range(2):
        given = await live.http.post(f"/v1/tasks/{task_id}/more", json=more, headers=key)
        assert given.json()["budget"]["limit_micros"] == 500
    shown = (await live.http.get(f"/v1/tasks/{task_id}/verdicts")).json()["limits"]
    assert shown.pop("worked_seconds") < 60
    assert shown == {"rounds": 410, "rounds_without_progress": 3, "seconds": 90_000}
    fewer = {"rounds": 7, "rounds_without_progress": 2, "seconds": 60}
    assert (await live.http.put("/v1/settings/limits", json=fewer)).json() == fewer
    assert (await live.http.get("/v1/settings/limits")).json() == fewer
    shown = (await live.http.get(f"/v1/tasks/{task_id}/verdicts")).json()["limits"]
    assert (shown["rounds"], shown["rounds_without_progress"]) == (410, 2)
    shown = (await live.http.get(f"/v1/tasks/{other}/verdicts")).json()["limits"]
    assert (shown["rounds"], shown["seconds"]) == (7, 60)
    for wrong in ({"rounds": 0}, {"seconds": 59}, {"rounds_without_progress": "3"}, {"hours": 1}):
        answer = await live.http.put("/v1/settings/limits", json=fewer | wrong)
        assert_problem(answer, 422, "invalid_request")
    assert_problem(
        await live.http.post(f"/v1/tasks/{task_id}/more", json={"rounds": -1}),
        422,
        "invalid_request",
    )
    await live.http.post(f"/v1/tasks/{task_id}/stop")
    answer = await live.http.post(f"/v1/tasks/{task_id}/more", json=more)
    assert_problem(answer, 409, "not_possible_now")
    await live.http.put("/v1/settings/limits", json=limits)


async def test_what_is_not_possible_now_is_told(live: Live) -> None:
    task_id = await make_task(live.deps)
    assert_problem(await live.http.post(f"/v1/tasks/{task_id}/resume"), 409, "not_possible_now")
    await live.http.post(f"/v1/tasks/{task_id}/stop")
    for action in ("stop", "pause", "resume"):
        answer = await live.http.post(f"/v1/tasks/{task_id}/{action}")
        assert_problem(answer, 409, "not_possible_now")


async def post(live: Live, path: str, key: str) -> httpx.Response:
    """Post under a key that only the task in the path uses."""
    own = f"{key} {path.split('/')[3]}"
    return await live.http.post(path, headers={"Idempotency-Key": own})


async def test_a_repeated_key_acts_once_and_answers_the_same(live: Live) -> None:
    task_id = await make_task(live.deps)
    path = f"/v1/tasks/{task_id}"
    first = await post(live, f"{path}/pause", "one")
    await post(live, f"{path}/resume", "two")
    again = await post(live, f"{path}/pause", "one")
    assert (first.status_code, again.status_code) == (200, 200)
    assert again.json() == first.json()
    assert (await live.http.get(path)).json()["status"] == "active"


async def test_a_key_used_for_another_request_is_refused(live: Live) -> None:
    task_id = await make_task(live.deps)
    await post(live, f"/v1/tasks/{task_id}/pause", "one")
    answer = await post(live, f"/v1/tasks/{task_id}/resume", "one")
    assert_problem(answer, 422, "idempotency_key_reused")


async def test_a_key_of_a_refused_request_may_be_used_again(live: Live) -> None:
    task_id = await make_task(live.deps)
    path = f"/v1/tasks/{task_id}"
    assert_problem(await post(live, f"{path}/resume", "one"), 409, "not_possible_now")
    await live.http.post(f"{path}/pause")
    assert (await post(live, f"{path}/resume", "one")).status_code == 200


async def test_the_same_key_at_once_acts_once(live: Live) -> None:
    task_id = await make_task(live.deps)
    posts = [post(live, f"/v1/tasks/{task_id}/stop", "one") for _ in range(6)]
    answers = await asyncio.gather(*posts)
    assert [answer.status_code for answer in answers] == [200] * 6
    assert all(answer.json() == answers[0].json() for answer in answers)


async def test_a_key_that_is_too_long_is_refused(live: Live) -> None:
    task_id = await make_task(live.deps)
    answer = await post(live, f"/v1/tasks/{task_id}/stop", "k" * 201)
    assert_problem(answer, 422, "invalid_request")


async def test_foreign_and_unknown_tasks_are_not_found_on_every_route(live: Live) -> None:
    foreign = await make_task(live.deps, FOREIGN)
    wrong = (
        str(foreign),
        str(new_id()),
        "x",
        "%00",
        "{}",
        f"urn:uuid:{foreign}",
        "ü" * 300,
    )
    for task in wrong:
        for part in ("", *(f"/{part}" for part in PARTS)):
            answer = await live.http.get(f"/v1/tasks/{task}{part}")
            assert_problem(answer, 404, "not_found")
        for action in ("stop", "pause", "resume"):
            answer = await live.http.post(f"/v1/tasks/{task}/{action}")
            assert_problem(answer, 404, "not_found")
    async with work(live.deps, FOREIGN) as tx:
        assert (await tasks.get(tx.conn, FOREIGN, foreign)).status == "active"


async def test_lists_are_limited(live: Live) -> None:
    for number in range(3):
        await make_task(live.deps, title=f"Film {number}")
    found = (await live.http.get("/v1/tasks", params={"limit": 2})).json()["tasks"]
    assert [task["title"] for task in found] == ["Film 2", "Film 1"]
    for limit in ("0", "201", "x", "-1", "1e3", "9" * 30):
        answer = await live.http.get("/v1/tasks", params={"limit": limit})
        assert_problem(answer, 422, "invalid_request")


async def test_another_workspaces_tasks_are_not_listed(live: Live) -> None:
    foreign = await make_task(live.deps, FOREIGN)
    mine = await make_task(live.deps, LOCAL_WORKSPACE)
    listed = [task["id"] for task in (await live.http.get("/v1/tasks")).json()["tasks"]]
    assert str(mine) in listed
    assert str(foreign) not in listed


async def _change(live: Live, statement: str, *values: object) -> None:
    async with transaction(live.context.pool) as conn:
        await conn.execute(statement, values)  # pyright: ignore[reportArgumentType]


async def _listed(live: Live, *mine: object, **params: str) -> list[str]:
    answer = await live.http.get("/v1/tasks", params={"limit": "200", **params})
    titles = {str(task["id"]): task["title"] for task in answer.json()["tasks"]}
    return [titles[str(task_id)] for task_id in mine if str(task_id) in titles]


async def test_the_list_needs_no_tidying(live: Live) -> None:
    made = {name: await make_task(live.deps, title=name) for name in
            ("at work", "resting", "over", "long over", "archived", "picture")}  # fmt: skip
    ids = list(made.values())
    old = "update tasks set updated_at = app_now() - interval '15 days', status = %s,"
    old += " waiting_reason = 'approval' where task_id = %s"
    await _change(live, old, "active", made["at work"])
    await _change(live, old, "waiting", made["resting"])
    await _change(live, old, "completed", made["long over"])
    await _change(live, "update tasks set status = 'completed' where task_id = %s", made["over"])
    await _change(
        live,
        "update tasks set status = 'stopped', archived_at = app_now() where task_id = %s",
        made["archived"],
    )
    await _change(live, "update tasks set kind = 'lightweight' where task_id = %s", made["picture"])
    assert await _listed(live, *ids) == ["at work", "over"]
    assert await _listed(live, *ids, scope="all") == ["at work", "resting", "over", "long over"]
    assert await _listed(live, *ids, scope="archived") == ["archived"]
    assert await _listed(live, *ids, kind="lightweight") == ["picture"]
    assert await _listed(live, *ids, kind="any") == ["at work", "over", "picture"]
    await live.say("go on", task_id=str(made["long over"]))
    assert await _listed(live, *ids) == ["at work", "over", "long over"]
    for params in ({"scope": "some"}, {"kind": "films"}):
        answer = await live.http.get("/v1/tasks", params=params)
        assert_problem(answer, 422, "invalid_request")


async def test_a_task_is_archived_brought_back_and_opened_again(live: Live) -> None:
    task_id = await make_task(live.deps)
    path = f"/v1/tasks/{task_id}"
    assert_problem(await live.http.post(f"{path}/archive"), 409, "not_possible_now")
    assert_problem(await live.http.post(f"{path}/reopen"), 409, "not_possible_now")
    await live.http.post(f"{path}/stop")
    for _ in range(2):
        assert (await live.http.post(f"{path}/archive")).json()["archived_at"]
    back = (await live.http.post(f"{path}/unarchive")).json()
    assert (back["archived_at"], back["status"]) == (None, "stopped")
    await live.http.post(f"{path}/archive")
    opened = (await live.http.post(f"{path}/reopen")).json()
    assert (opened["archived_at"], opened["status"]) == (None, "active")


async def test_a_task_is_joined_to_another_with_its_words_and_objects(live: Live) -> None:
    one, other = await make_task(live.deps), await make_task(live.deps, title="Another")
    await live.say("in blue", task_id=str(one))
    made = await make_object(live.deps, b"data", task_id=one)
    path = f"/v1/tasks/{one}/merge"
    whole = (await live.http.post(path, json={"into": str(other)})).json()
    assert whole["id"] == str(other)
    first = (await live.http.get(f"/v1/tasks/{one}")).json()
    assert (first["status"], first["merged_into"]) == ("stopped", str(other))
    assert first["archived_at"]
    assert first["reason"] == "It was joined to “Another”."
    async with transaction(live.context.pool) as conn:
        waiting = [row.text for row in await inbox.drain(conn, other)]
        left = await inbox.drain(conn, one)
        learnt = await route_examples.recent(conn, LOCAL_WORKSPACE, limit=1)
    assert (waiting, left) == (["Another", "A film", "in blue"], [])
    assert (learnt[0].how, learnt[0].proposed, learnt[0].belongs_to) == (
        "merged",
        "A film",
        "Another",
    )
    found = (await live.http.get(f"/v1/tasks/{other}/objects")).json()["objects"]
    assert [item["id"] for item in found] == [str(made.object_id)]
    for into, code in ((str(other), "not_possible_now"), (str(one), "not_possible_now")):
        assert_problem(await live.http.post(path, json={"into": into}), 409, code)
    foreign = await make_task(live.deps, FOREIGN)
    assert_problem(await live.http.post(path, json={"into": str(foreign)}), 404, "not_found")
