"""Why a version of the plan is proposed: read from what has happened since the one before it."""

from typing import Any

from execution import changes, checklist, inbox
from tools.tool import ToolContext


async def why(context: ToolContext) -> dict[str, Any]:
    """Return the words read since the version before, what is undecided, and what has failed."""
    conn, task_id = context.tx.conn, context.task_id
    read = await inbox.consumed(conn, task_id)
    heard = [str(row.message_id) for row in read if row.is_a_persons]
    known = await checklist.versions(conn, task_id)
    before = {each for row in known for each in row.revision.get("why", {}).get("messages", [])}
    items = context.plan.items if context.plan is not None else ()
    return {
        "messages": [each for each in heard if each not in before],
        "changes": [str(row.change_id) for row in await changes.pending(conn, task_id)],
        "failed": [
            {"step": item.item.key, "slots": slots}
            for item in items
            if (slots := item.in_state("failed"))
        ],
    }
