"""A call that cannot be undone: a person is asked before it runs, every time, at every level.

The tool is not even called before their yes, which is bound to its arguments. It then runs in the
transaction that applies the answer, so a yes runs it once or not at all.
"""

from typing import Any

from pydantic import BaseModel

from execution import checklist, ledger, steps, tasks
from execution.approvals import Approval
from execution.authorization import CANNOT_BE_UNDONE
from execution.errors import CapabilityError, ConflictError, PermissionDeniedError
from execution.ledger import LedgerEntry
from execution.tx import Tx
from infra.deps import Deps
from infra.errors import ToolRefusedError
from infra.ids import TaskId
from tools.orders import validated
from tools.registry import TOOLS
from tools.tool import Question, Tool, ToolContext, ToolResult

_CHANGED = "What was approved is not what would have run."
_NOT_AT_ONCE = "What cannot be undone is done at once here or not at all."


def question(tool: Tool, arguments: BaseModel) -> Question:
    """Return what a person is asked before a tool may do what cannot be undone."""
    given: dict[str, Any] = arguments.model_dump(mode="json")
    return Question(
        kind="call",
        title=tool.description.partition(". ")[0].removesuffix("."),
        body=CANNOT_BE_UNDONE.reason,
        request={"arguments": given},
        actions=["approve", "reject"],
        lines=[{"label": name, "detail": str(value)} for name, value in given.items()],
        decided=CANNOT_BE_UNDONE,
    )


async def run(tx: Tx, deps: Deps, task_id: TaskId, answered: Approval, entry: LedgerEntry) -> None:
    """Do what a person has approved, exactly that, and tell the model what came of it."""
    try:
        async with tx.attempt():
            done = await _call(tx, deps, task_id, answered, entry)
    except (ToolRefusedError, ConflictError) as error:
        category = error.code if isinstance(error, ToolRefusedError) else "invalid"
        await ledger.finish(
            tx,
            entry.call_key,
            status="rejected",
            outcome="refused",
            refusal=category,
            result={"reason": error.message},
        )
        said = f"The person approved '{answered.title}', but it was refused ({category}): "
        await steps.happen(tx, task_id, said + error.message, call_key=entry.call_key)
        return
    await ledger.finish(
        tx,
        entry.call_key,
        status="settled",
        outcome="succeeded",
        result={"outputs": done.outputs},
    )
    said = f"The person approved '{answered.title}', and it was done: {done.message}"
    await steps.happen(tx, task_id, said, call_key=entry.call_key)


async def _call(
    tx: Tx, deps: Deps, task_id: TaskId, answered: Approval, entry: LedgerEntry
) -> ToolResult:
    request = entry.request or {}
    if ledger.hash_of(entry.tool, request, entry.quote_micros) != answered.approved_hash:
        raise PermissionDeniedError(_CHANGED)
    tool = TOOLS.get(entry.tool)
    if tool is None:
        message = f"There is no tool '{entry.tool}' any more."
        raise CapabilityError(message)
    context = ToolContext(
        tx=tx,
        deps=deps,
        task=await tasks.get(tx.conn, tx.workspace_id, task_id),
        plan=await checklist.load(tx.conn, task_id),
        call_key=entry.call_key,
    )
    done = await tool.call(context, validated(tool, request["question"]["arguments"]))
    if not isinstance(done, ToolResult):
        raise CapabilityError(_NOT_AT_ONCE)
    return done
