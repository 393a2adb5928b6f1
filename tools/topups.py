"""What was asked about only because money was short, and is covered now: it runs, unasked again.

A person has allowed it by what they did since: they added to the budget or to the allowances, or
the day of an allowance is over. Code alone decides, by the rules and under the locks of the call
itself, and only for exactly what the open question shows: the same request at the same price.
"""

from pydantic import BaseModel

from execution import approvals, checklist, facts, ledger, tasks
from execution.approvals import Approval, Decision
from execution.authorization import Risk
from execution.errors import ConflictError
from execution.tx import Tx
from infra.deps import Deps
from infra.errors import ToolRefusedError
from infra.ids import ApprovalId, TaskId, ThreadId
from tools import answers, orders, plan
from tools.registry import TOOLS
from tools.tool import Order, Tool, ToolContext


async def take_up(tx: Tx, deps: Deps, task_id: TaskId) -> None:
    """Let run what the money covers by now; the caller holds the task's fence."""
    for asked in await approvals.of_thread(tx.conn, ThreadId(task_id), statuses=["pending"]):
        if facts.is_about_money(asked) and await _is_covered(tx, deps, task_id, asked):
            await _allow(tx, deps, task_id, asked)


async def _is_covered(tx: Tx, deps: Deps, task_id: TaskId, asked: Approval) -> bool:
    """Tell whether what a question shows would not have to be asked about now."""
    if asked.call_key is None:
        return False
    entry = await ledger.get(tx.conn, tx.workspace_id, asked.call_key)
    tool = TOOLS.get(entry.tool)
    if tool is None:
        return False
    context = ToolContext(
        tx=tx,
        deps=deps,
        task=await tasks.get(tx.conn, tx.workspace_id, task_id),
        plan=await checklist.load(tx.conn, task_id),
        call_key=entry.call_key,
    )
    try:
        arguments = orders.validated(tool, entry.arguments)
        if isinstance(arguments, plan.ProposePlan):
            return await plan.is_covered(context, arguments, asked.maximum_micros or 0)
        return await _is_call_covered(context, asked, Risk(entry.risk), tool, arguments)
    except (ToolRefusedError, ConflictError):
        return False  # its place is gone or taken; whoever is asked sees that by themselves


async def _is_call_covered(
    context: ToolContext, asked: Approval, risk: Risk, tool: Tool, arguments: BaseModel
) -> bool:
    order = await tool.call(context, arguments)
    if not isinstance(order, Order):
        return False
    priced = await orders.price(context, order, risk, reserving=True)
    is_as_shown = asked.args_hash == ledger.hash_of(tool.name, priced.request, priced.quote_micros)
    return is_as_shown and priced.decided.verdict == "allow"


async def _allow(tx: Tx, deps: Deps, task_id: TaskId, asked: Approval) -> None:
    answered = await approvals.decide(
        tx,
        ApprovalId(asked.approval_id),
        decision=Decision.APPROVE,
        args_hash=asked.args_hash,
        choice=None,
        note=None,
        decided_by=answers.ALLOWANCE,
    )
    await answers.apply(tx, deps, task_id, answered)
