"""`POST /v1/chat`: a message, and the stream of what comes of it until its turn waits or ends.

The stream is a view of the log: closing it cancels nothing, and the same body sent again (with
Last-Event-ID or without) goes on or starts over without acting twice. It ends with a `done` frame.
"""

from collections.abc import AsyncGenerator
from uuid import UUID

import psycopg
from fastapi import APIRouter, Request
from sse_starlette.sse import EventSourceResponse

from execution import approvals, events, tasks
from execution.tasks import TaskStatus
from infra.db.pool import transaction
from infra.ids import ApprovalId, TaskId
from infra.telemetry import get_logger
from server.auth import Caller
from server.context import Context, Opened
from server.exchange import Exchange
from server.hub import Client, Frame, control_frame
from server.models import MessageBody
from server.routes.messages import Posted, post
from server.sse import RETRY, EventStream, continuous, position_from

_log = get_logger(__name__)

router = APIRouter()


@router.post("/chat", response_class=EventSourceResponse)
async def chat(request: Request, body: MessageBody, caller: Caller, opened: Opened) -> EventStream:
    """Post a message and stream its events, its answer and the work it starts."""
    posted = await post(opened, caller, body, host=request.headers.get("host"))
    client = opened.hub.new_client(caller.workspace_id)
    seen = position_from(request, posted.after)
    resume = posted.after if seen is None else seen
    return EventStream(_stream(opened, client, posted, resume), client)


async def _stream(
    opened: Context, client: Client, posted: Posted, resume: int
) -> AsyncGenerator[bytes]:
    exchange = Exchange(str(posted.message_id))
    until: int | None = None
    try:
        async with opened.hub.subscribed(client) as last:
            hello = {"seq": last, "server_epoch": opened.epoch}
            yield RETRY + control_frame("hello", hello).body
            async for batch in continuous(opened.hub, client, after=posted.after):
                for frame in batch:
                    mine = exchange.take(frame)
                    mine = await _look_up(opened, client, exchange, frame) or mine
                    if mine and (frame.seq is None or frame.seq > resume):
                        yield frame.body
                    if exchange.ended is not None and until is None:
                        until = await _end_of(opened, client, frame)
                    if until is not None and (frame.seq or 0) >= until:
                        yield _done(exchange)
                        return
    except psycopg.Error as error:
        _log.warning("stream_ended", error=str(error).strip())


def _done(exchange: Exchange) -> bytes:
    done = {
        "message_id": exchange.message_id,
        "task_id": exchange.task_id,
        "reason": exchange.ended,
    }
    return control_frame("done", done).body


async def _end_of(opened: Context, client: Client, frame: Frame) -> int:
    """Return the seq up to which the exchange is read: an answer stands beside its message's end.

    The events of one transaction follow each other, and a turn's end is the last of its own.
    """
    if not frame.type.startswith("message."):
        return frame.seq or 0
    async with transaction(opened.pool) as conn:
        return await events.last_seq(conn, client.workspace_id)


async def _look_up(opened: Context, client: Client, exchange: Exchange, frame: Frame) -> bool:
    """Ask the tables what the log alone does not say; tell whether a question belongs here."""
    if frame.type == "message.delivered" and exchange.task_id is not None:
        async with transaction(opened.pool) as conn:
            task = await tasks.get(conn, client.workspace_id, TaskId(UUID(exchange.task_id)))
        if task.status == TaskStatus.PAUSED:
            exchange.asked("task.paused")
        return False
    if not frame.type.startswith("approval.") or frame.task is not None:
        return False
    async with transaction(opened.pool) as conn:
        question = await approvals.get(
            conn, client.workspace_id, ApprovalId(UUID(frame.data["id"]))
        )
    if str(question.thread_id) != exchange.message_id:
        return False
    if question.status == "pending":
        exchange.asked("approval.requested")
    return True
