"""`POST /v1/chat`: the stream of one message, from its acceptance to the end of its turn."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import UUID

from execution import approvals, inbox, leases, messages, tasks
from execution.approvals import Decision
from execution.messages import Outcome
from execution.tasks import TaskStatus
from execution.transactions import work
from execution.tx import Tx
from infra.db.pool import transaction
from infra.ids import ApprovalId, MessageId, TaskId, ThreadId, new_id
from server.auth import LOCAL_WORKSPACE
from tests.integration.server.conftest import (
    Event,
    Live,
    assert_problem,
    make_step,
    make_task,
    read_stream,
)


@asynccontextmanager
async def chat(
    live: Live, body: dict[str, Any], **headers: str
) -> AsyncGenerator[AsyncIterator[Event]]:
    async with live.http.stream("POST", "/v1/chat", json=body, headers=headers) as answer:
        assert answer.status_code == 200
        yield read_stream(answer)


async def whole(live: Live, body: dict[str, Any], **headers: str) -> list[Event]:
    async with asyncio.timeout(15), chat(live, body, **headers) as stream:
        return [event async for event in stream]


def types(events: list[Event]) -> list[str]:
    return [event.type for event in events]


async def posted(live: Live, client_id: str) -> MessageId:
    """Wait for a message that a chat has posted."""
    async with asyncio.timeout(10):
        while True:
            async with transaction(live.context.pool) as conn:
                for message in await messages.recent(conn, LOCAL_WORKSPACE, limit=20):
                    if message.client_id == client_id:
                        return MessageId(message.message_id)
            await asyncio.sleep(0.02)


async def route(tx: Tx, message_id: MessageId, outcome: Outcome) -> None:
    await messages.record_route(
        tx, message_id, layer=2, outcome=outcome, language="en", reason="said so"
    )


async def answer(live: Live, message_id: MessageId) -> None:
    """What Main does when it answers by itself; the reply is announced after the message's end."""
    async with work(live.deps, LOCAL_WORKSPACE) as tx:
        await route(tx, message_id, Outcome.ANSWER)
    async with work(live.deps, LOCAL_WORKSPACE) as tx:
        await messages.advance(tx, message_id, "answered")
        await messages.say(
            tx, text="No.", language="en", cause=f"reply {message_id}", reply_to=message_id
        )


async def test_an_answer_ends_the_stream(live: Live) -> None:
    body = {"text": "A print on the moon?", "client_id": "mine"}
    async with asyncio.TaskGroup() as group:
        chatting = group.create_task(whole(live, body))
        message_id = await posted(live, "mine")
        await live.say("something else")
        await answer(live, message_id)
    events = chatting.result()
    assert types(events) == [
        "hello",
        "message.received",
        "message.routed",
        "message.answered",
        "assistant.completed",
        "done",
    ]
    assert events[-2].data["data"]["text"] == "No."
    assert events[-1].data == {
        "message_id": str(message_id),
        "task_id": None,
        "reason": "message.answered",
    }
    assert events[-1].id is None


async def test_the_same_body_again_replays_and_last_event_id_goes_on(live: Live) -> None:
    body = {"text": "again", "client_id": "mine"}
    async with asyncio.TaskGroup() as group:
        chatting = group.create_task(whole(live, body))
        await answer(live, await posted(live, "mine"))
    first = chatting.result()
    again = await whole(live, body)
    assert again[1:] == first[1:]
    seen = first[2].id
    rest = await whole(live, body, **{"Last-Event-ID": str(seen)})
    assert rest[1:] == first[3:]
    snapshot = (await live.http.get("/v1/snapshot")).json()
    assert len([item for item in snapshot["messages"] if item["role"] == "user"]) == 1


async def test_closing_the_stream_cancels_nothing(live: Live) -> None:
    body = {"text": "bye", "client_id": "mine"}
    async with chat(live, body) as stream:
        async for event in stream:
            if event.type == "message.received":
                break
    await answer(live, await posted(live, "mine"))
    assert types(await whole(live, body))[-1] == "done"


async def consume(live: Live, task_id: TaskId) -> None:
    step_id = await make_step(live.deps, task_id)
    async with work(live.deps, LOCAL_WORKSPACE) as tx:
        await inbox.consume(tx, await inbox.drain(tx.conn, task_id), step_id)


async def set_status(
    live: Live, task_id: TaskId, status: TaskStatus, *, waiting_reason: str | None = None
) -> None:
    async with work(live.deps, LOCAL_WORKSPACE) as tx:
        assert await tasks.set_status(tx, task_id, status, waiting_reason=waiting_reason)


async def test_the_end_of_the_turn_that_read_it_ends_the_stream(live: Live) -> None:
    task_id, other = await make_task(live.deps), await make_task(live.deps)
    body = {"text": "redder", "client_id": "mine", "task_id": str(task_id)}
    async with asyncio.TaskGroup() as group:
        chatting = group.create_task(whole(live, body))
        await posted(live, "mine")
        await set_status(live, task_id, TaskStatus.WAITING, waiting_reason="jobs")  # not read yet
        await set_status(live, task_id, TaskStatus.ACTIVE)
        await live.emit(2, task=other)
        await consume(live, task_id)
        await set_status(live, task_id, TaskStatus.WAITING, waiting_reason="answer")
    events = chatting.result()
    assert (
        types(events)
        == [
            "hello",
            "message.received",
            "message.delivered",
            "task.waiting",
            "task.updated",
            "step.started",
            "message.consumed",
            "task.waiting",
            "done",
        ]
        or types(events).count("message.delivered") == 1
    )
    assert types(events)[-3:] == ["message.consumed", "task.waiting", "done"]
    assert events[-1].data["task_id"] == str(task_id)
    assert {event.data["task"] for event in events if event.id} <= {str(task_id), None}


async def test_a_task_that_is_stopped_or_paused_ends_the_stream(live: Live) -> None:
    for status, reason in (
        (TaskStatus.STOPPED, "task.stopped"),
        (TaskStatus.PAUSED, "task.paused"),
    ):
        task_id = await make_task(live.deps)
        body = {"text": "x", "client_id": reason, "task_id": str(task_id)}
        async with asyncio.TaskGroup() as group:
            chatting = group.create_task(whole(live, body))
            await posted(live, reason)
            await set_status(live, task_id, status)
        assert chatting.result()[-1].data["reason"] == reason


async def test_a_message_to_a_paused_task_does_not_wait_for_ever(live: Live) -> None:
    task_id = await make_task(live.deps)
    await set_status(live, task_id, TaskStatus.PAUSED)
    events = await whole(live, {"text": "x", "client_id": "a", "task_id": str(task_id)})
    assert types(events)[-2:] == ["message.delivered", "done"]


async def test_a_message_that_is_gone_ends_the_stream(live: Live) -> None:
    for status in ("withdrawn", "replaced", "moved", "refused"):
        async with asyncio.TaskGroup() as group:
            chatting = group.create_task(whole(live, {"text": "x", "client_id": status}))
            message_id = await posted(live, status)
            async with work(live.deps, LOCAL_WORKSPACE) as tx:
                await messages.advance(tx, message_id, status)
        assert types(chatting.result())[-2:] == [f"message.{status}", "done"]


async def test_a_question_of_main_ends_the_stream_until_it_is_answered(live: Live) -> None:
    body = {"text": "that one", "client_id": "mine"}
    question = ApprovalId(new_id())
    async with asyncio.TaskGroup() as group:
        chatting = group.create_task(whole(live, body))
        message_id = await posted(live, "mine")
        async with work(live.deps, LOCAL_WORKSPACE) as tx:
            await route(tx, message_id, Outcome.ASK)
            await approvals.request(
                tx,
                question,
                thread_id=ThreadId(UUID(str(message_id))),
                task_id=None,
                kind="route",
                title="Which?",
                body="",
                card={"options": [{"id": "new", "label": "Something new", "detail": ""}]},
                actions=["choose"],
                args_hash="hash",
            )
    assert types(chatting.result())[-2:] == ["approval.requested", "done"]
    async with asyncio.TaskGroup() as group:
        chatting = group.create_task(whole(live, body))
        async with work(live.deps, LOCAL_WORKSPACE) as tx:
            await approvals.decide(
                tx,
                question,
                decision=Decision.CHOOSE,
                args_hash="hash",
                choice="new",
                note=None,
                decided_by="owner",
            )
            await leases.release_order(tx.conn, ThreadId(UUID(str(message_id))))
        await answer(live, message_id)
    again = await whole(live, body)
    assert "approval.answered" in types(again)
    assert again[-1].data["reason"] == "message.answered"


async def test_a_wrong_body_is_a_problem_before_any_stream(live: Live) -> None:
    assert_problem(await live.http.post("/v1/chat", json={}), 422, "invalid_request")
    body = {"text": "x", "client_id": "a", "task_id": str(new_id())}
    assert_problem(await live.http.post("/v1/chat", json=body), 404, "not_found")
