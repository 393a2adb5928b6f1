"""What the model is shown of changes that are to be decided about: what changed, what rests on it.

Of each result it sees the words that it was ordered by, so that it can tell what of the change the
result has used. Results that a change reaches through others name those.
"""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from execution import changes
from execution.changes import Change
from execution.ledger import LedgerEntry
from infra.db.query import Conn
from infra.ids import TaskId, WorkspaceId
from workspace import uses

MOST = 120
"""So many results are listed; the rest is counted, and listed when these are decided."""
_WORDS = 300


async def undecided(
    conn: Conn, workspace_id: WorkspaceId, task_id: TaskId, entries: Sequence[LedgerEntry]
) -> list[dict[str, Any]]:
    """Return the changes under a task's results that are not decided, grouped by what changed."""
    rows = await changes.pending(conn, task_id)
    places = {str(row.object_id): f"{row.step_key} {row.slot}" for row in rows}
    heads = await uses.heads(conn, workspace_id, {row.cause_to_object_id for row in rows})
    found: dict[tuple[UUID, UUID, int], dict[str, Any]] = {}
    for row in rows[:MOST]:
        key = (row.cause_object_id, row.cause_to_object_id, row.cause_to)
        if key not in found:
            now = heads[row.cause_to_object_id]
            found[key] = {
                "object_id": str(row.cause_to_object_id),
                "name": now.name,
                "kind": now.kind,
                "version": row.cause_to,
                "results": [],
            }
        found[key]["results"].append(_result(row, places, entries))
    listed = list(found.values())
    if len(rows) > MOST:
        listed.append({"not_listed": len(rows) - MOST})
    return listed


def _result(row: Change, places: dict[str, str], entries: Sequence[LedgerEntry]) -> dict[str, Any]:
    result: dict[str, Any] = {"step": row.step_key, "slot": row.slot}
    if row.via:
        result["through"] = sorted(places.get(str(each), str(each)) for each in row.via)
    else:
        result["used"] = row.part or "all of it"
    made = [
        entry
        for entry in entries
        if (entry.step_key, entry.slot) == (row.step_key, row.slot) and entry.outcome == "succeeded"
    ]
    arguments = made[-1].arguments if made else {}
    words = arguments.get("prompt") or arguments.get("text")
    if isinstance(words, str):
        result["ordered"] = words[:_WORDS]
    return result
