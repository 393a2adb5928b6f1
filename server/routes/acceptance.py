"""`/v1/tasks/{id}/acceptance`: a person accepts what was delivered, or asks for changes."""

from typing import Any

from fastapi import APIRouter

from execution import acceptance, intake, tasks, views
from execution.acceptance import Verdict
from execution.errors import PermissionDeniedError
from execution.intake import Incoming
from execution.tx import Tx
from infra.db.pool import transaction
from infra.ids import TaskId
from server.auth import Caller
from server.context import IdempotencyKey, Opened, TaskInPath
from server.models import AcceptanceBody
from server.requests import carry_out

type Json = dict[str, Any]

router = APIRouter(prefix="/tasks/{task_id}/acceptance")


@router.get("")
async def read_acceptance(task_id: TaskInPath, caller: Caller, opened: Opened) -> Json:
    """Return what became of the newest delivery; null before there is one."""
    async with transaction(opened.pool) as conn:
        await tasks.get(conn, caller.workspace_id, task_id)
        card = await views.acceptance_card(conn, task_id)
    return {"task_id": str(task_id), "acceptance": card}


@router.post("")
async def decide_acceptance(
    task_id: TaskInPath,
    body: AcceptanceBody,
    caller: Caller,
    opened: Opened,
    idempotency_key: IdempotencyKey = None,
) -> Json:
    """Accept a delivery, or ask for changes of it in words that go to its task; return the task.

    Only a person does: words of the agent, or a key of the open API, accept nothing.
    """
    if caller.confirms_each_call:
        message = "A delivery is accepted by its person, not over the open API."
        raise PermissionDeniedError(message)

    async def act(tx: Tx) -> Json:
        await tasks.get(tx.conn, tx.workspace_id, task_id)
        await acceptance.decide(
            tx,
            task_id,
            verdict=Verdict(body.decision),
            revision=body.revision,
            inputs_hash=body.args_hash,
            note=body.note,
            decided_by=caller.name,
        )
        if body.decision == Verdict.ASK_CHANGES and body.note:
            await intake.accept(tx, _words(task_id, body))
        return await views.task(tx.conn, tx.workspace_id, task_id)

    request = {"task": str(task_id), "acceptance": body.model_dump()}
    return await carry_out(opened, caller, act, key=idempotency_key, request=request)


def _words(task_id: TaskId, body: AcceptanceBody) -> Incoming:
    """Return the wish as a message to the task, sent once for a delivery."""
    return Incoming(
        text=body.note or "", client_id=f"changes {task_id}/{body.revision}", task_id=task_id
    )
