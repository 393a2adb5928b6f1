"""`/v1/events`: the log as a stream; `/v1/snapshot`: where the workspace stands now."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from sse_starlette.sse import EventSourceResponse

from execution import approvals, events, messages, tasks, views, workspaces
from infra.db.pool import transaction
from infra.ids import TaskId
from server.auth import Caller
from server.context import Opened, task_id_of
from server.sse import EventStream, position_from, stream_log
from workspace import objects

MESSAGES = 100
TASKS = 30
APPROVALS = 50
OBJECTS = 200

router = APIRouter()


@router.get("/events", response_class=EventSourceResponse)
async def stream_events(
    request: Request,
    caller: Caller,
    opened: Opened,
    after: Annotated[int, Query(ge=0, le=2**63 - 1)] = 0,
    task_id: str | None = None,
) -> EventStream:
    """Stream every event after a position, then what happens; Last-Event-ID wins over `after`."""
    task = task_id_of(task_id) if task_id is not None else None
    async with transaction(opened.pool) as conn:  # say now, as a problem, what would end the stream
        await workspaces.get(conn, caller.workspace_id)
        if task is not None:
            await tasks.get(conn, caller.workspace_id, task)
    client = opened.hub.new_client(caller.workspace_id)
    content = stream_log(
        opened.hub,
        client,
        after=position_from(request, after),
        epoch=opened.epoch,
        task=str(task) if task else None,
    )
    return EventStream(content, client)


@router.get("/snapshot")
async def read_snapshot(caller: Caller, opened: Opened) -> dict[str, Any]:
    """Return the workspace as it stands at one seq: the stream goes on from there."""
    workspace_id = caller.workspace_id
    async with transaction(opened.pool) as conn:
        await conn.execute("set transaction isolation level repeatable read, read only")
        seq = await events.last_seq(conn, workspace_id)
        workspace = await workspaces.get(conn, workspace_id)
        said = await messages.recent(conn, workspace_id, limit=MESSAGES)
        working = await tasks.recent(conn, workspace_id, limit=TASKS)
        asked = await approvals.recent(conn, workspace_id, limit=APPROVALS)
        made = await objects.recent(conn, workspace_id, limit=OBJECTS)
        return {
            "seq": seq,
            "server_epoch": opened.epoch,
            "workspace": {
                "id": str(workspace.workspace_id),
                "currency": workspace.currency,
                "autonomy": workspace.autonomy,
                "model": opened.deps.models.spec,
                "rehearsal": opened.deps.models.is_rehearsal,
            },
            "messages": await views.messages_view(conn, workspace_id, said),
            "tasks": [await views.task(conn, workspace_id, TaskId(row.task_id)) for row in working],
            "approvals": [views.approval_card(row, workspace.currency) for row in asked],
            "objects": [objects.view(row) for row in made],
        }
