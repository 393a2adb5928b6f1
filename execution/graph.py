"""The production graph as a client sees it: steps and what rests on what, and how it came to this.

Nodes are the steps of the plan that holds, with what is there of each, its evidence and its share
of the price; edges are what depends on what. The versions say what each one changed and why: by
words, by a change of something that results rest on, or because something failed.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from execution import changes, checklist, inbox, ledger, tasks, workspaces
from execution.changes import Change
from execution.ledger import LedgerEntry
from execution.progress import (
    Checklist,
    ChecklistItem,
    ItemProgress,
    ItemStatus,
    Plan,
    slot_by_slot,
)
from infra.db.query import Conn
from infra.ids import TaskId, WorkspaceId

type Json = dict[str, Any]


async def view(conn: Conn, workspace_id: WorkspaceId, task_id: TaskId) -> Json:
    """Return a task's production graph with its history; without a plan there are no nodes."""
    await tasks.get(conn, workspace_id, task_id)
    currency = (await workspaces.get(conn, workspace_id)).currency
    plan = await checklist.load(conn, task_id)
    return {
        "task_id": str(task_id),
        "currency": currency,
        "version": plan.checklist.version if plan else None,
        "approved": plan is not None and plan.is_approved,
        "nodes": [_node(item) for item in plan.items] if plan else [],
        "edges": edges(plan) if plan else [],
        "changes": [_change(row) for row in await changes.of_task(conn, task_id)],
        "mermaid": mermaid(plan) if plan else "",
        "versions": await _history(conn, task_id),
    }


def _node(item: ItemProgress) -> Json:
    return {
        "key": item.item.key,
        "title": item.item.title,
        "kind": item.item.kind,
        "status": item.status.value,
        "depends_on": item.item.depends_on,
        "review": item.item.review,
        "expected": item.item.expected_count,
        "done": item.count("done"),
        "ready": item.ready_slots,
        "affected": item.affected_slots,
        "price_micros": item.item.price_micros,
        "slots": [
            {
                "slot": slot.number,
                "state": slot.state,
                "attempts": slot.attempts,
                "needs": list(slot.needs) if slot.state == "missing" else [],
                "is_affected": slot.is_affected,
                "since_version": item.item.counts_from(slot.number),
                "call_key": slot.entry.call_key if slot.entry else None,
                "evidence": [
                    {name: output[name] for name in ("object_id", "version", "kind", "role")}
                    for output in slot.outputs
                ],
            }
            for slot in item.slots
        ],
    }


def edges(plan: Plan) -> list[Json]:
    """Return what depends on what: slot by slot where each needs only its like."""
    found: list[Json] = []
    for item in plan.items:
        for key in item.item.depends_on:
            needed = plan.find(key)
            is_paired = needed is not None and slot_by_slot(needed.item, item.item)
            by = "slot" if is_paired else "step"
            found.append({"from": key, "to": item.item.key, "by": by})
    return found


def _change(row: Change) -> Json:
    return {
        "id": str(row.change_id),
        "step": row.step_key,
        "slot": row.slot,
        "object_id": str(row.object_id),
        "version": row.version,
        "cause": {
            "object_id": str(row.cause_object_id),
            "from_version": row.cause_from,
            "to_object_id": str(row.cause_to_object_id),
            "to_version": row.cause_to,
            "part": row.part or None,
        },
        "via": [str(each) for each in row.via],
        "status": row.status,
        "reason": row.reason,
        "decided_by": row.decided_by,
        "decided_at": row.decided_at.isoformat() if row.decided_at else None,
        "plan_version": row.plan_version,
        "created_at": row.created_at.isoformat(),
    }


def mermaid(plan: Plan) -> str:
    """Return the graph as Mermaid draws it."""
    names = {item.item.key: f"s{number}" for number, item in enumerate(plan.items)}
    lines = ["graph LR"]
    for item in plan.items:
        count = f"{item.count('done')} / {item.item.expected_count}"
        shape = ('{{"', '"}}') if item.item.review else ('["', '"]')
        label = f"{_escaped(item.item.title)}<br/>{count}"
        mark = "changed" if item.affected_slots else item.status.value
        lines.append(f"  {names[item.item.key]}{shape[0]}{label}{shape[1]}:::{mark}")
    for edge in edges(plan):
        if edge["from"] in names:
            arrow = "-.->" if edge["by"] == "slot" else "-->"
            lines.append(f"  {names[edge['from']]} {arrow} {names[edge['to']]}")
    lines += [f"  classDef {name} {style}" for name, style in _STYLES.items()]
    return "\n".join(lines) + "\n"


_STYLES = {
    ItemStatus.TODO.value: "stroke-dasharray:4",
    ItemStatus.READY.value: "stroke-width:2px",
    ItemStatus.DOING.value: "stroke:#2563eb,stroke-width:2px",
    ItemStatus.REVIEW.value: "stroke:#9333ea,stroke-width:2px",
    ItemStatus.REJECTED.value: "stroke:#9333ea,stroke-dasharray:4",
    ItemStatus.DONE.value: "stroke:#16a34a",
    ItemStatus.FAILED.value: "stroke:#dc2626,stroke-width:2px",
    "changed": "stroke:#d97706,stroke-width:2px",
}


def _escaped(text: str) -> str:
    """Return a title that cannot end its label, nor begin a tag in it."""
    for character, entity in (("#", "#35;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;")):
        text = text.replace(character, entity)
    return " ".join(text.split())


async def _history(conn: Conn, task_id: TaskId) -> list[Json]:
    entries = {entry.call_key: entry for entry in await ledger.of_task(conn, task_id)}
    words = {str(row.message_id): row.text for row in await inbox.consumed(conn, task_id)}
    history: list[Json] = []
    held: list[ChecklistItem] = []
    for row in await checklist.versions(conn, task_id):
        items = await checklist.items_of(conn, task_id, row.version)
        history.append(_version(row, held, items, words, entries.get(row.call_key)))
        if row.status in ("approved", "superseded"):
            held = items
    return history


def _version(
    row: Checklist,
    before: Sequence[ChecklistItem],
    items: Sequence[ChecklistItem],
    words: Mapping[str, str],
    entry: LedgerEntry | None,
) -> Json:
    why = row.revision.get("why", {})
    refused = (entry.result or {}).get("reason") if entry and row.status == "rejected" else None
    return {
        "version": row.version,
        "title": row.title,
        "status": row.status,
        "quote_micros": row.quote_micros,
        "maximum_micros": row.maximum_micros,
        "within_allowance": row.within_allowance,
        "created_at": row.created_at.isoformat(),
        "why": {
            "words": [words[each] for each in why.get("messages", []) if each in words],
            "changes": why.get("changes", []),
            "failed": why.get("failed", []),
        },
        "refused_because": refused,
        "kept": row.revision.get("kept", []),
        "left_out": row.revision.get("left_out", []),
        **difference(before, items, row.version),
    }


def difference(
    before: Sequence[ChecklistItem], after: Sequence[ChecklistItem], version: int
) -> Json:
    """Return what a version changes of the steps that were there before it."""
    old = {item.key: item for item in before}
    new = {item.key: item for item in after}
    both = [item for item in after if item.key in old]
    return {
        "added": [key for key in new if key not in old],
        "gone": [key for key in old if key not in new],
        "made_again": {
            item.key: _again(item, version)
            for item in both
            if item.from_version == version or _again(item, version)
        },
        "counts": {
            item.key: [old[item.key].expected_count, item.expected_count]
            for item in both
            if old[item.key].expected_count != item.expected_count
        },
    }


def _again(item: ChecklistItem, version: int) -> list[int]:
    """Return the slots that a version makes again of a step that was there."""
    return [
        number
        for number in range(1, item.expected_count + 1)
        if item.counts_from(number) == version
    ]
