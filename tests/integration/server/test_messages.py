"""Posting messages: stored before acknowledged, once per client id, whatever is in them."""

import asyncio
import json
import re
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from execution import inbox, leases, steps, tasks
from infra.db.pool import transaction
from infra.ids import TaskId, new_id
from server.auth import LOCAL_WORKSPACE
from tests.integration.server.conftest import (
    FOREIGN,
    Live,
    assert_problem,
    make_object,
    make_question,
    make_step,
    make_task,
    take,
)
from workspace.objects import ObjectVersion


async def test_a_message_is_acknowledged_with_the_seq_of_its_event(live: Live) -> None:
    await live.emit(3)
    posted = await live.say("Make a film")
    assert posted["status"] == "received"
    assert posted["task_id"] is None
    assert posted["seq"] == 4
    snapshot = (await live.http.get("/v1/snapshot")).json()
    assert [message["id"] for message in snapshot["messages"]] == [posted["message_id"]]


async def test_the_same_client_id_is_accepted_once(live: Live) -> None:
    body = {"text": "once", "client_id": "mine"}
    answers = [(await live.http.post("/v1/messages", json=body)).json() for _ in range(3)]
    await live.emit(2)
    answers.append((await live.http.post("/v1/messages", json=body)).json())
    assert answers == [answers[0]] * 4


async def test_the_same_client_id_at_once_is_accepted_once(live: Live) -> None:
    body = {"text": "once", "client_id": "mine"}
    posts = await asyncio.gather(*(live.http.post("/v1/messages", json=body) for _ in range(8)))
    assert len({post.json()["message_id"] for post in posts}) == 1
    assert {post.status_code for post in posts} == {202}


async def test_the_same_client_id_with_another_message_is_refused(live: Live) -> None:
    task_id = await make_task(live.deps)
    made = await make_object(live.deps, b"data", task_id=task_id)
    body = {"text": "once", "client_id": "mine"}
    first = (await live.http.post("/v1/messages", json=body)).json()
    for other in ({"text": "twice"}, {"object_id": str(made.object_id)}):
        for path in ("/v1/messages", "/v1/chat"):
            answer = await live.http.post(path, json=body | other)
            assert_problem(answer, 409, "client_id_reused")
    assert (await live.http.post("/v1/messages", json=body)).json() == first
    snapshot = (await live.http.get("/v1/snapshot")).json()
    said = [item["text"] for item in snapshot["messages"] if item["client_id"] == "mine"]
    assert said == ["once"]


async def test_of_two_messages_with_one_client_id_at_once_one_is_refused(live: Live) -> None:
    bodies = [{"text": f"text {number % 2}", "client_id": "mine"} for number in range(8)]
    posts = await asyncio.gather(*(live.http.post("/v1/messages", json=body) for body in bodies))
    kept = {body["text"] for body, post in zip(bodies, posts, strict=True) if post.is_success}
    assert len(kept) == 1
    assert sorted(post.status_code for post in posts) == [202] * 4 + [409] * 4


async def test_a_message_in_which_nothing_can_be_seen_is_refused(live: Live) -> None:
    for text in ("", " ", "\n\t \u00a0\u3000", "\u200b\ufeff\u2060", "\x00"):
        answer = await live.http.post("/v1/messages", json={"text": text, "client_id": "a"})
        problem = assert_problem(answer, 422, "invalid_request")
        assert problem["detail"] == "The message is empty. Write what you want."
    assert (await live.http.get("/v1/snapshot")).json()["messages"] == []
    for text in (".", "👍", "?", "\u202eא"):
        assert (await live.say(text))["status"] == "received"


async def test_a_client_id_that_could_not_be_kept_as_it_came_is_refused(live: Live) -> None:
    headers = {"content-type": "application/json"}
    for client_id in ("a\x00", "\x00", "a\ud800", "\udfff\ud800"):
        body = json.dumps({"text": "x", "client_id": client_id})
        answer = await live.http.post("/v1/messages", content=body, headers=headers)
        assert "client_id" in assert_problem(answer, 422, "invalid_request")["detail"]
    assert (await live.http.get("/v1/snapshot")).json()["messages"] == []


TEXTS = {
    "a\x00b": "ab",
    "\ud800 lone": "\ufffd lone",
    "שלום \u202eabc": "שלום \u202eabc",
    "👩‍👩‍👧 🇩🇪": "👩‍👩‍👧 🇩🇪",
    "<script>alert(1)</script>": "<script>alert(1)</script>",
    "line\u2028separator\x85": "line\u2028separator\x85",
}


async def test_any_text_is_kept_as_far_as_it_can_be(live: Live) -> None:
    headers = {"content-type": "application/json"}
    for number, text in enumerate(TEXTS):
        body = json.dumps({"text": text, "client_id": str(number)})
        answer = await live.http.post("/v1/messages", content=body, headers=headers)
        assert answer.status_code == 202
    snapshot = (await live.http.get("/v1/snapshot")).json()
    async with live.events() as stream:
        received = [event.data["data"] for event in (await take(stream, len(TEXTS) + 1))[1:]]
    for told in (snapshot["messages"], received):
        stored = [re.sub("\ufffd+", "\ufffd", message["text"]) for message in told]
        assert stored == list(TEXTS.values())


async def test_a_message_with_a_task_goes_to_its_inbox(live: Live) -> None:
    task_id = await make_task(live.deps)
    posted = await live.say("faster", task_id=str(task_id))
    assert posted["task_id"] == str(task_id)
    assert posted["status"] == "delivered"
    async with transaction(live.context.pool) as conn:
        waiting = await inbox.drain(conn, task_id)
    assert [row.text for row in waiting] == ["A film", "faster"]


async def test_a_message_about_an_object_or_question_goes_to_its_task(live: Live) -> None:
    task_id = await make_task(live.deps)
    made = await make_object(live.deps, b"data", task_id=task_id)
    question = await make_question(live.deps, task_id)
    about_object = await live.say("bluer", object_id=str(made.object_id))
    about_question = await live.say("why?", approval_id=str(question))
    reply = await live.say("and?", reply_to=about_object["message_id"])
    assert {item["task_id"] for item in (about_object, about_question, reply)} == {str(task_id)}


async def test_a_message_reopens_a_task_that_has_ended(live: Live) -> None:
    task_id = await make_task(live.deps)
    await live.http.post(f"/v1/tasks/{task_id}/stop")
    await live.say("go on", task_id=str(task_id))
    async with transaction(live.context.pool) as conn:
        assert (await tasks.get(conn, LOCAL_WORKSPACE, task_id)).status == "active"


async def test_what_a_message_refers_to_must_be_there(live: Live) -> None:
    for field in ("task_id", "object_id", "approval_id", "reply_to"):
        for value in ("no-uuid", str(new_id()), "", "\x00", "{}", "x" * 200):
            body = {"text": "x", "client_id": "mine", field: value}
            assert_problem(await live.http.post("/v1/messages", json=body), 404, "not_found")


async def test_what_a_message_refers_to_must_be_of_the_same_workspace(live: Live) -> None:
    task_id = await make_task(live.deps, FOREIGN)
    made = await make_object(live.deps, b"data", FOREIGN)
    question = await make_question(live.deps, task_id, FOREIGN)
    for field, value in (
        ("task_id", task_id),
        ("object_id", made.object_id),
        ("approval_id", question),
    ):
        body = {"text": "x", "client_id": "mine", field: str(value)}
        assert_problem(await live.http.post("/v1/messages", json=body), 404, "not_found")


async def test_a_message_that_is_too_long_is_a_problem_and_not_stored(live: Live) -> None:
    answer = await live.http.post("/v1/messages", json={"text": "x" * 200_000, "client_id": "a"})
    problem = assert_problem(answer, 422, "invalid_request")
    assert "200,000" in problem["detail"]
    assert (await live.http.get("/v1/snapshot")).json()["messages"] == []


WRONG: list[tuple[Any, str]] = [
    ({}, "text is missing. client_id is missing."),
    ({"text": "x"}, "client_id is missing."),
    ({"text": 5, "client_id": "a"}, "text: Input should be a valid string."),
    ({"text": None, "client_id": "a"}, "text: Input should be a valid string."),
    ({"text": "x", "client_id": ""}, "client_id must not be empty."),
    ({"text": "x", "client_id": "a" * 201}, "client_id has more than 200 characters."),
    ({"text": "x", "client_id": "a", "txt": 1}, "txt is not known here."),
    ({"text": "x", "client_id": "a", "\x00": 1}, "is not known here."),
    ([], "The body must be a JSON object, sent as application/json."),
    ("x", "The body must be a JSON object, sent as application/json."),
    (None, "The body is missing; send a JSON object as application/json."),
]


async def test_a_wrong_body_is_told_in_sentences(live: Live) -> None:
    for body, said in WRONG:
        answer = await live.http.post("/v1/messages", json=body)
        assert said in assert_problem(answer, 422, "invalid_request")["detail"]


NO_JSON_OBJECTS: list[tuple[bytes, str | None]] = [
    (b"{", "application/json"),
    (b"\xff\xfe", "application/json"),
    (b"[" * 100_000, "application/json"),
    (b'{"text":"x","client_id":"a"}', "text/plain"),
    (b'{"text":"x","client_id":"a"}', None),
    (b'{"text":"x","client_id":"a","\\ud800":1}', "application/json"),
    (b"text=x&client_id=a", "application/x-www-form-urlencoded"),
    (b"", "application/json"),
]


async def test_what_is_no_json_object_is_a_problem(live: Live) -> None:
    for content, media_type in NO_JSON_OBJECTS:
        headers = {} if media_type is None else {"content-type": media_type}
        answer = await live.http.post("/v1/messages", content=content, headers=headers)
        assert answer.status_code in {400, 422}
        assert_problem(answer, answer.status_code, "invalid_request")


async def test_a_message_wakes_its_thread(live: Live) -> None:
    posted = await live.say("hello")
    async with transaction(live.context.pool) as conn:
        woken = await leases.runnable(conn)
    assert [str(thread) for thread in woken] == [posted["message_id"]]


async def test_a_message_to_an_archived_task_is_refused(live: Live) -> None:
    task_id = await make_task(live.deps)
    async with transaction(live.context.pool) as conn:
        await conn.execute("update tasks set archived_at = app_now()")
    body = {"text": "x", "client_id": "a", "task_id": str(TaskId(task_id))}
    assert_problem(await live.http.post("/v1/messages", json=body), 409, "not_possible_now")


async def test_a_message_that_waits_is_withdrawn_replaced_or_moved(live: Live) -> None:
    one, other = await make_task(live.deps), await make_task(live.deps, title="Another")
    sent = [(await live.say(text, task_id=str(one)))["message_id"] for text in ("a", "b", "c", "d")]
    for _ in range(2):
        answer = await live.http.delete(f"/v1/messages/{sent[0]}")
        assert (answer.status_code, answer.json()["status"]) == (200, "withdrawn")
        body = {"text": "instead of b", "client_id": "instead"}
        replaced = await live.http.put(f"/v1/messages/{sent[1]}", json=body)
        assert (replaced.json()["status"], replaced.json()["text"]) == ("delivered", body["text"])
        moved = await live.http.post(
            f"/v1/messages/{sent[2]}/move",
            json={"task_id": str(other)},
            headers={"Idempotency-Key": "move"},
        )
        assert (moved.json()["status"], moved.json()["task_id"]) == ("moved", str(other))
    begun = await live.http.post(f"/v1/messages/{sent[3]}/move", json={"task_id": "new"})
    async with transaction(live.context.pool) as conn:
        waiting = {
            task_id: [row.text for row in await inbox.drain(conn, task_id)]
            for task_id in (one, other, TaskId(UUID(begun.json()["task_id"])))
        }
    assert list(waiting.values()) == [["A film", "instead of b"], ["Another", "c"], ["d"]]
    told = (await live.http.get(f"/v1/messages/{sent[2]}")).json()
    assert told["route"]["reason"] == "You moved it to this task."


async def test_a_message_that_was_read_or_began_its_task_is_not_corrected(live: Live) -> None:
    task_id = await make_task(live.deps)
    read = (await live.say("b", task_id=str(task_id)))["message_id"]
    async with transaction(live.context.pool) as conn:
        began = (await inbox.drain(conn, task_id))[0].message_id
        await conn.execute(
            "update inbox set status = 'consumed', consumed_by = %s where message_id = %s",
            [new_id(), read],
        )
    body = {"text": "other", "client_id": "other"}
    for message_id, code in ((read, "already_read"), (began, "not_possible_now")):
        path = f"/v1/messages/{message_id}"
        assert_problem(await live.http.delete(path), 409, code)
        assert_problem(await live.http.put(path, json=body), 409, code)
    path = f"/v1/messages/{began}/move"
    answer = await live.http.post(path, json={"task_id": "new"})
    assert_problem(answer, 409, "not_possible_now")


async def test_of_a_message_that_was_read_a_copy_is_moved_and_said_so(live: Live) -> None:
    one, other = await make_task(live.deps), await make_task(live.deps, title="Another")
    read = (await live.say("blue", task_id=str(one)))["message_id"]
    step_id = await make_step(live.deps, one)
    async with transaction(live.context.pool) as conn:
        await conn.execute(
            "update inbox set status = 'consumed', consumed_by = %s where message_id = %s",
            [step_id, read],
        )
    path, body = f"/v1/messages/{read}/move", {"task_id": str(other)}
    first, again = [(await live.http.post(path, json=body)).json() for _ in range(2)]
    assert first["note"] == "Already used in step 1; a copy of its words was delivered."
    assert (first["copy_of"], first["text"], first["task_id"]) == (read, "blue", str(other))
    assert first["route"]["reason"] == (
        "You gave a copy of it to this task; step 1 of “A film” had read it."
    )
    assert again["id"] == first["id"] != read
    stays = (await live.http.get(f"/v1/messages/{read}")).json()
    assert (stays["task_id"], stays["consumed_by"]) == (str(one), {"step": 1})
    async with transaction(live.context.pool) as conn:
        waiting = [row.text for row in await inbox.drain(conn, other)]
        told = await steps.recent_happenings(conn, one, limit=9)
    assert waiting == ["Another", "blue"]
    assert "meant for another task: 'blue'" in told[0].text
    here = await live.http.post(path, json={"task_id": str(one)})
    assert_problem(here, 409, "not_possible_now")


async def test_a_message_or_task_that_is_not_here_is_not_corrected(live: Live) -> None:
    task_id = await make_task(live.deps)
    foreign = await make_task(live.deps, FOREIGN)
    mine = (await live.say("b", task_id=str(task_id)))["message_id"]
    body = {"text": "other", "client_id": "other"}
    for message_id in ("no-uuid", str(new_id())):
        path = f"/v1/messages/{message_id}"
        assert_problem(await live.http.get(path), 404, "not_found")
        assert_problem(await live.http.delete(path), 404, "not_found")
        assert_problem(await live.http.put(path, json=body), 404, "not_found")
        assert_problem(
            await live.http.post(f"{path}/move", json={"task_id": "new"}), 404, "not_found"
        )
    for target in ("no-uuid", str(new_id()), str(foreign), ""):
        answer = await live.http.post(f"/v1/messages/{mine}/move", json={"task_id": target})
        assert_problem(answer, 404, "not_found")


async def _use(live: Live, made: ObjectVersion, task_id: TaskId) -> None:
    """Make something of an object in a task."""
    other = await make_object(live.deps, b"other", task_id=task_id)
    async with transaction(live.context.pool) as conn:
        await conn.execute(
            "update object_versions set inputs = %s where object_id = %s",
            [Jsonb([{"object_id": str(made.object_id), "version": 1}]), other.object_id],
        )


async def test_an_object_names_the_only_open_task_that_it_is_bound_to(live: Live) -> None:
    maker, user = await make_task(live.deps), await make_task(live.deps, title="Another")
    made = await make_object(live.deps, b"data", task_id=maker)
    about = {"object_id": str(made.object_id)}
    assert (await live.say("bluer", **about))["task_id"] == str(maker)
    await _use(live, made, user)
    both = await live.say("greener", **about)
    assert (both["task_id"], both["status"]) == (None, "received"), "Main decides between two"
    await live.http.post(f"/v1/tasks/{maker}/stop")
    said = await live.say("darker", **about)
    assert said["task_id"] == str(user)
    told = (await live.http.get(f"/v1/messages/{said['message_id']}")).json()
    assert (told["route"]["layer"], told["route"]["reason"]) == (
        1,
        "It is about an object of this task.",
    )
    assert told["object_ids"] == [str(made.object_id)]


async def test_a_reply_to_an_archived_task_is_kept_for_a_question(live: Live) -> None:
    task_id = await make_task(live.deps)
    first = (await live.say("b", task_id=str(task_id)))["message_id"]
    await live.http.post(f"/v1/tasks/{task_id}/stop")
    await live.http.post(f"/v1/tasks/{task_id}/archive")
    said = await live.say("and this?", reply_to=first)
    assert said["status"] == "routed"
    async with transaction(live.context.pool) as conn:
        assert await inbox.waiting_count(conn, task_id) == 2
        assert said["message_id"] in [str(one) for one in await leases.runnable(conn)]
