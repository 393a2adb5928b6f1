"""`/v1/approvals`: the questions that wait for a person, and their answers."""

from typing import Annotated, Any

from fastapi import APIRouter, Query

from execution import approvals, views, workspaces
from execution.approvals import Decision
from execution.tx import Tx
from infra.db.pool import transaction
from server.auth import Caller
from server.context import ApprovalInPath, IdempotencyKey, Opened
from server.models import DecisionBody
from server.requests import carry_out
from tools import edits

type Json = dict[str, Any]

router = APIRouter(prefix="/approvals")


@router.get("")
async def list_approvals(
    caller: Caller, opened: Opened, limit: Annotated[int, Query(ge=1, le=500)] = 100
) -> Json:
    """Return the workspace's questions, pending ones first."""
    async with transaction(opened.pool) as conn:
        workspace = await workspaces.get(conn, caller.workspace_id)
        rows = await approvals.recent(conn, caller.workspace_id, limit=limit)
    return {"approvals": [views.approval_card(row, workspace.currency) for row in rows]}


@router.post("/{approval_id}")
async def answer_approval(
    approval_id: ApprovalInPath,
    body: DecisionBody,
    caller: Caller,
    opened: Opened,
    idempotency_key: IdempotencyKey = None,
) -> Json:
    """Answer a question once; what was approved runs in the task's next turn.

    Returns the question as it stands then. An edit that costs more than the card said approves
    nothing: the answer is the pending question that asks about it, which `replaces` the old one.
    """

    async def act(tx: Tx) -> Json:
        if body.decision == "edit":
            shown = await edits.edit(
                tx,
                opened.deps,
                approval_id,
                edited=body.edited or {},
                args_hash=body.args_hash,
                note=body.note,
                decided_by=caller.name,
            )
            return await views.approval(tx.conn, tx.workspace_id, shown)
        await approvals.decide(
            tx,
            approval_id,
            decision=Decision(body.decision),
            args_hash=body.args_hash,
            choice=body.choice,
            note=body.note,
            decided_by=caller.name,
        )
        return await views.approval(tx.conn, tx.workspace_id, approval_id)

    request = {"approval": str(approval_id), "body": body.model_dump()}
    return await carry_out(opened, caller, act, key=idempotency_key, request=request)
