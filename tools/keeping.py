"""`keep_results`: something has changed, and these results fit all the same; nothing is made again.

It costs nothing and changes no plan. The decision and its reason are recorded with the change; a
further change is decided about anew.
"""

from execution import changes
from execution.authorization import Risk
from execution.errors import InvalidCallError, PermissionDeniedError
from tools import revision
from tools.tool import Tool, ToolContext, ToolResult


class KeepResults(revision.KeptResults):
    """Arguments of `keep_results`."""


async def keep_results(context: ToolContext, arguments: KeepResults) -> ToolResult:
    """Keep results as they are, with the reason."""
    plan = context.plan
    if plan is None or not plan.is_approved:
        message = "Only results of an approved plan can be kept."
        raise PermissionDeniedError(message)
    pending = await changes.pending(context.tx.conn, context.task_id)
    rows = [
        row
        for row in pending
        if row.step_key == arguments.step and row.slot in set(arguments.slots)
    ]
    if unknown := set(arguments.slots) - {row.slot for row in rows}:
        message = f"Nothing is undecided about {sorted(unknown)} of '{arguments.step}'."
        raise InvalidCallError(message)
    await revision.keep(
        context.tx,
        context.task_id,
        rows,
        arguments.reason,
        decided_by=context.call_key,
        plan_version=plan.checklist.version,
    )
    rest = await changes.pending(context.tx.conn, context.task_id)
    places = sorted({(row.step_key, row.slot) for row in rest})
    left = f" Undecided still: {revision.in_words(places)}." if places else ""
    return ToolResult(message=f"Kept as they are.{left}")


KEEP_RESULTS = Tool(
    name="keep_results",
    description=(
        "Keep results as they are though something has changed that they were made from, with the "
        "reason why they still fit. For results that do not, propose the plan with `remake`."
    ),
    arguments=KeepResults,
    risk=Risk.WRITE,
    call=keep_results,
)
