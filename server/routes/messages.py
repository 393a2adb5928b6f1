"""`/v1/messages`: a message is stored before it is acknowledged, and corrected until it is read."""

from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, Request

from execution import approvals, corrections, events, intake, views
from execution.errors import AlreadyReadError
from execution.intake import Incoming
from execution.transactions import work
from execution.tx import Tx
from infra.db.pool import transaction
from infra.ids import MessageId, ObjectId, TaskId
from server import deep_links, idempotency
from server.auth import Caller, Principal
from server.context import (
    Context,
    IdempotencyKey,
    MessageInPath,
    Opened,
    approval_id_of,
    message_id_of,
    object_id_of,
    task_id_of,
)
from server.models import MessageBody, MoveBody, ReplacementBody
from server.requests import carry_out
from workspace import objects

router = APIRouter()

NEW_TASK = "new"


@dataclass(frozen=True, slots=True, kw_only=True)
class Posted:
    """An accepted message, the position of the log before its first event and that event's seq."""

    message_id: MessageId
    view: dict[str, Any]
    after: int
    seq: int


@router.post("/messages", status_code=202)
async def post_message(
    request: Request,
    body: MessageBody,
    caller: Caller,
    opened: Opened,
    idempotency_key: IdempotencyKey = None,
) -> dict[str, Any]:
    """Accept a message; its `client_id` makes a repetition harmless."""
    del idempotency_key  # the client_id does what it would do
    posted = await post(opened, caller, body, host=request.headers.get("host"))
    return {
        "message_id": str(posted.message_id),
        "status": posted.view["status"],
        "task_id": posted.view["task_id"],
        "seq": posted.seq,
    }


async def post(
    opened: Context, caller: Principal, body: MessageBody, *, host: str | None
) -> Posted:
    """Store a message and send it on its way; sent again, return what the first one became.

    Links in it are ours if they lead to where this server is known, such as the `host` just used.

    Raises:
        NotFoundError: what it refers to is not here.
        InvalidCallError: it is too long.
    """
    workspace_id = caller.workspace_id
    async with work(opened.deps, workspace_id) as tx:
        places = deep_links.places(opened.deps.settings, host)
        incoming = await _incoming(tx, caller, body, places)
        after = await events.last_seq(tx.conn, workspace_id)
        message_id = await intake.accept(tx, incoming)
        await idempotency.remember_position(tx, body.client_id, after)
    async with transaction(opened.pool) as conn:
        after = await idempotency.position_of(conn, workspace_id, body.client_id)
        view = await views.message(conn, workspace_id, message_id)
        following = await events.read(conn, workspace_id, after=after, limit=100)
        last = await events.last_seq(conn, workspace_id)
    mine = (
        event.seq
        for event in following
        if event.type == "message.received" and event.data["id"] == view["id"]
    )
    return Posted(message_id=message_id, view=view, after=after, seq=next(mine, last))


async def _incoming(tx: Tx, caller: Principal, body: MessageBody, places: list[str]) -> Incoming:
    """Look up every id that the message names; one about a question goes to its task."""
    task_id = task_id_of(body.task_id) if body.task_id is not None else None
    approval_id = approval_id_of(body.approval_id) if body.approval_id is not None else None
    if approval_id is not None:
        asked = await approvals.get(tx.conn, tx.workspace_id, approval_id)
        task_id = task_id or (TaskId(asked.task_id) if asked.task_id else None)
    object_id: ObjectId | None = None
    object_task_id: TaskId | None = None
    if body.object_id is not None:
        about = await objects.get(tx.conn, tx.workspace_id, object_id_of(body.object_id))
        object_id = ObjectId(about.object_id)
        object_task_id = await deep_links.task_of(tx, about)
    return Incoming(
        text=body.text,
        client_id=body.client_id,
        task_id=task_id,
        object_id=object_id,
        object_task_id=object_task_id,
        approval_id=approval_id,
        reply_to=message_id_of(body.reply_to) if body.reply_to is not None else None,
        linked=await deep_links.follow(tx, body.text, places),
        origin=caller.origin,
    )


@router.get("/messages/{message_id}")
async def read_message(message_id: MessageInPath, caller: Caller, opened: Opened) -> dict[str, Any]:
    """Return a message: where it went and why, and the step that read it."""
    async with transaction(opened.pool) as conn:
        return await views.message(conn, caller.workspace_id, message_id)


@router.delete("/messages/{message_id}")
async def withdraw_message(
    message_id: MessageInPath, caller: Caller, opened: Opened
) -> dict[str, Any]:
    """Withdraw a message that no step has read; a repetition changes nothing."""

    async def act(tx: Tx) -> dict[str, Any]:
        await corrections.withdraw(tx, message_id)
        return await views.message(tx.conn, tx.workspace_id, message_id)

    return await carry_out(opened, caller, act)


@router.put("/messages/{message_id}")
async def replace_message(
    message_id: MessageInPath, body: ReplacementBody, caller: Caller, opened: Opened
) -> dict[str, Any]:
    """Put other words in the place of a message that no step has read; return the new message."""

    async def act(tx: Tx) -> dict[str, Any]:
        replacement = await corrections.replace(
            tx,
            message_id,
            text=body.text,
            client_id=body.client_id,
            origin=caller.origin,
        )
        return await views.message(tx.conn, tx.workspace_id, replacement)

    return await carry_out(opened, caller, act)


@router.post("/messages/{message_id}/move")
async def move_message(
    message_id: MessageInPath,
    body: MoveBody,
    caller: Caller,
    opened: Opened,
    idempotency_key: IdempotencyKey = None,
) -> dict[str, Any]:
    """Give a message to another task, or to a new one; of what was read already, a copy.

    Then the answer is the copy, `copy_of` names the message, and `note` says which step used it.
    """

    async def act(tx: Tx) -> dict[str, Any]:
        to = None if body.task_id == NEW_TASK else task_id_of(body.task_id)
        try:
            async with tx.attempt():
                await corrections.move(tx, message_id, to)
        except AlreadyReadError:
            return await _give_copy(tx, message_id, to)
        return await views.message(tx.conn, tx.workspace_id, message_id)

    request = {"message": str(message_id), "move_to": body.task_id}
    return await carry_out(opened, caller, act, key=idempotency_key, request=request)


async def _give_copy(tx: Tx, message_id: MessageId, to: TaskId | None) -> dict[str, Any]:
    copied = await corrections.give_copy(tx, message_id, to)
    view = await views.message(tx.conn, tx.workspace_id, copied.message_id)
    note = f"Already used in step {copied.used_in}; a copy of its words was delivered."
    return {**view, "copy_of": str(message_id), "note": note}
