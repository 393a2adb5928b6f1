"""`check_call`: look at what became of a call, above all of one whose answer was lost.

A call of unknown outcome may have been carried out and charged. Before its work is ordered again
the model must have looked at it here; code refuses the order otherwise.
"""

from typing import Annotated

from pydantic import BaseModel, Field

from execution import jobs, ledger
from execution.authorization import Risk
from execution.errors import InvalidCallError, NotFoundError
from execution.jobs import Job
from execution.ledger import LedgerEntry
from infra.money import Money
from tools.tool import Tool, ToolContext, ToolResult


class CheckCall(BaseModel):
    """Arguments of `check_call`."""

    call: Annotated[
        str, Field(min_length=1, max_length=200, description="the call's key, from <state>")
    ]


async def check_call(context: ToolContext, arguments: CheckCall) -> ToolResult:
    """Say how far a call of this task got, and what may be done about one that was lost.

    Raises:
        InvalidCallError: this task has no such call, or it was looked at and nothing is new.
    """
    conn, workspace_id = context.tx.conn, context.tx.workspace_id
    try:
        entry = await ledger.get(conn, workspace_id, arguments.call)
    except NotFoundError:
        entry = None
    if entry is None or entry.task_id != context.task_id:
        message = f"This task has no call '{arguments.call}'."
        raise InvalidCallError(message)
    job = await jobs.get(conn, jobs.job_id_of(workspace_id, entry.call_key))
    if not entry.is_doubtful or job is None:
        return ToolResult(message=_state_of(entry))
    entries = await ledger.of_task(conn, context.task_id)
    if entry not in ledger.doubts(entries):
        message = "You have looked at this call. An event will say if more becomes known of it."
        raise InvalidCallError(message)
    price = Money(entry.quote_micros or 0, context.deps.settings.currency)
    return ToolResult(message=_doubt_about(job, price.format()), looked_at=entry.call_key)


def _state_of(entry: LedgerEntry) -> str:
    ended = f"{entry.outcome}" if entry.outcome else f"not ended yet ({entry.status})"
    reason = (entry.result or {}).get("reason")
    return f"This call is {ended}" + (f": {reason}" if reason else ".")


def _doubt_about(job: Job, price: str) -> str:
    lost = f"'{job.title}' was sent to {job.provider} and the answer was lost."
    if job.closed_at is not None:
        return (
            f"{lost} It was not found before its deadline and nothing is held for it any more; it "
            "may still turn up, and then it is kept and charged. Now decide: order the same result "
            "again, or do without it."
        )
    until = f"{job.deadline_at:%Y-%m-%d %H:%M} UTC"
    return (
        f"{lost} {job.provider} does not show it, or cannot be asked. It may still come, and then "
        f"it is kept and charged; up to {price} stays held for it until {until}. Now decide: order "
        "the same result again, which may be charged beside it, or wait."
    )


CHECK_CALL = Tool(
    name="check_call",
    description=(
        "Look at what became of a call. Demanded before the work of a call with an unknown "
        "outcome (`doubts` in <state>) is ordered again."
    ),
    arguments=CheckCall,
    risk=Risk.READ,
    call=check_call,
)
