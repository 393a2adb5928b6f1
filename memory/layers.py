"""The messages of a worker's inference, in layers: rules, transcript, waiting messages, state.

The transcript is rebuilt from steps and ledger, so every call in it has exactly one tool message,
written with its decision, in the order providers demand. The tail is the persisted state as JSON,
never the model's own account of it; it comes last, so that everything before it stays the same
bytes.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from execution import (
    approvals,
    budget,
    checklist,
    deliveries,
    effects,
    inbox,
    judgements,
    ledger,
    steps,
    words,
    workspaces,
)
from execution.inbox import InboxMessage
from execution.ledger import LedgerEntry
from execution.progress import ItemProgress, Plan
from execution.steps import Step
from execution.tasks import Task
from execution.words import Word
from infra.db.query import Conn
from infra.deps import Deps
from infra.ids import TaskId, ThreadId, WorkspaceId
from memory import others
from memory.changed import undecided
from memory.shown import meant
from workspace import objects
from workspace.objects import ObjectVersion

MAX_STEPS = 40
MAX_OBJECTS = 200
MIN_OTHERS = 40
"""So many objects beside the plan's results are listed, however many results there are."""
_READ_OBJECTS = 5_000
MAX_HAPPENINGS = 40
MAX_POINTING = 5
_DOCUMENT_CHARACTERS = 12_000


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerContext:
    """What one inference is given, and which inbox messages it thereby reads."""

    messages: tuple[BaseMessage, ...]
    read: tuple[InboxMessage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Facts:
    task: Task
    plan: Plan | None
    steps: list[Step]
    entries: list[LedgerEntry]
    consumed: list[InboxMessage]
    waiting: list[InboxMessage]
    objects: list[ObjectVersion]
    left_out: int
    documents: list[dict[str, Any]]
    meant: list[dict[str, Any]]
    changes: list[dict[str, Any]]
    said_by_tasks: dict[UUID, Word]
    tail: dict[str, Any]


async def assemble(
    conn: Conn, deps: Deps, workspace_id: WorkspaceId, task: Task, *, rules: str
) -> WorkerContext:
    """Return the messages of the task's next inference."""
    facts = await _read(conn, deps, workspace_id, task)
    state = json.dumps(_state(deps, facts), ensure_ascii=False, indent=1)
    messages: list[BaseMessage] = [SystemMessage(rules)]
    messages += _transcript(facts)
    messages += [_heard(facts, message) for message in facts.waiting]
    messages.append(HumanMessage(f"<state>{state}</state>"))
    return WorkerContext(messages=tuple(messages), read=tuple(facts.waiting))


async def _read(conn: Conn, deps: Deps, workspace_id: WorkspaceId, task: Task) -> _Facts:
    task_id, thread_id = TaskId(task.task_id), ThreadId(task.task_id)
    plan = await checklist.load(conn, task_id)
    made = await objects.recent(conn, workspace_id, limit=_READ_OBJECTS, task_id=task_id)
    shown, left_out = choose_objects(made, plan)
    pending = await approvals.of_thread(conn, thread_id, statuses=["pending"])
    happenings = await steps.recent_happenings(conn, task_id, limit=MAX_HAPPENINGS)
    money = await budget.get(conn, task_id)
    workspace = await workspaces.get(conn, workspace_id)
    delivery = await deliveries.get_latest(conn, task_id)
    entries = await ledger.of_task(conn, task_id)
    consumed, waiting = await inbox.consumed(conn, task_id), await inbox.drain(conn, task_id)
    return _Facts(
        task=task,
        plan=plan,
        steps=await steps.history(conn, thread_id, limit=MAX_STEPS),
        entries=entries,
        consumed=consumed,
        waiting=waiting,
        objects=shown[::-1],
        left_out=left_out,
        meant=await meant(
            conn,
            workspace_id,
            [(item.text, item.object_ids) for item in _pointing(consumed, waiting)],
        ),
        documents=[await _document(deps, item) for item in shown if item.kind == "document"],
        changes=await undecided(conn, workspace_id, task_id, entries),
        said_by_tasks=await words.of_messages(
            conn, workspace_id, [item.message_id for item in [*consumed, *waiting]]
        ),
        tail={
            "autonomy": workspace.autonomy,
            "budget": {
                "currency": deps.settings.currency,
                "limit_micros": money.limit_micros,
                "held_micros": money.held_micros,
                "settled_micros": money.settled_micros,
            },
            "waiting": [f"approval: {question.title}" for question in pending],
            "events": [{"call": item.call_key, "what_happened": item.text} for item in happenings],
            "doubts": [_doubt(entry) for entry in ledger.doubts(entries)],
            "delivery": delivery.status if delivery else None,
            **await _judged(conn, task_id, plan),
            **await others.state(conn, workspace_id, task),
        },
    )


async def _judged(conn: Conn, task_id: TaskId, plan: Plan | None) -> dict[str, Any]:
    """Return what judges propose about the results as they are now."""
    if plan is None:
        return {}
    found = await judgements.of_results(conn, task_id, deliveries.inputs_hash(plan))
    return {"judgement": judgements.view(found)} if found else {}


def _pointing(
    consumed: Sequence[InboxMessage], waiting: Sequence[InboxMessage]
) -> Sequence[InboxMessage]:
    """Return the newest messages that are about certain objects."""
    return [item for item in [*consumed, *waiting] if item.object_ids][-MAX_POINTING:]


def choose_objects(
    made: Sequence[ObjectVersion], plan: Plan | None
) -> tuple[list[ObjectVersion], int]:
    """Return the objects that are listed, in the order they came, and how many are left out.

    Every result of the plan is listed: what is put together needs its id. Of the rest documents
    come first, as nothing else holds their words, then what comes first.
    """
    listed = [item for item in made if item.kind != "timings"]
    used = _results_of(plan) if plan else set[str]()
    others = [item for item in listed if str(item.object_id) not in used]
    others.sort(key=lambda item: item.kind != "document")
    room = max(MAX_OBJECTS - (len(listed) - len(others)), MIN_OTHERS)
    dropped = {item.object_id for item in others[room:]}
    return [item for item in listed if item.object_id not in dropped], len(dropped)


def _results_of(plan: Plan) -> set[str]:
    return {
        output["object_id"] for item in plan.items for slot in item.slots for output in slot.outputs
    }


async def _document(deps: Deps, item: ObjectVersion) -> dict[str, Any]:
    text = (await deps.blobs.read(item.blob_sha256)).decode(errors="replace")
    return {
        "object_id": str(item.object_id),
        "version": item.version,
        "name": item.name,
        "text": text[:_DOCUMENT_CHARACTERS],
    }


def _heard(facts: _Facts, message: InboxMessage) -> HumanMessage:
    return HumanMessage(others.as_shown(message, facts.said_by_tasks))


def _transcript(facts: _Facts) -> list[BaseMessage]:
    by_step: dict[Any, list[LedgerEntry]] = {}
    for entry in facts.entries:
        by_step.setdefault(entry.step_id, []).append(entry)
    messages: list[BaseMessage] = []
    for step in facts.steps:
        messages += [
            _heard(facts, message)
            for message in facts.consumed
            if message.consumed_by == step.step_id
        ]
        calls = sorted(by_step.get(step.step_id, []), key=lambda entry: entry.seq)
        messages.append(
            AIMessage(
                content=step.content or ("" if calls else "(nothing)"),
                tool_calls=[
                    {"name": entry.tool, "args": entry.arguments, "id": entry.tool_call_id}
                    for entry in calls
                ],
            )
        )
        messages += [
            ToolMessage(entry.tool_message, tool_call_id=entry.tool_call_id) for entry in calls
        ]
    return messages


def _state(deps: Deps, facts: _Facts) -> dict[str, Any]:
    task = facts.task
    heard = [*facts.consumed, *facts.waiting]
    said = [*task.brief.get("words", []), *(item.text for item in heard if item.is_a_persons)]
    return {
        "task": {
            "kind": "lightweight" if task.begins_without_plan and not facts.plan else task.kind,
            "title": task.title,
            "goal": task.goal,
            "language": task.language,
        },
        "person_said": list(dict.fromkeys(said)),
        **({"meant": facts.meant} if facts.meant else {}),
        "plan": _plan(facts.plan) if facts.plan else None,
        **({"changes": facts.changes} if facts.changes else {}),
        **facts.tail,
        "objects": [_object(item) for item in facts.objects],
        **_left_out(facts.left_out),
        "documents": facts.documents,
        "capabilities": effects.capabilities(deps),
    }


def _left_out(count: int) -> dict[str, Any]:
    if not count:
        return {}
    said = f"{count} older objects that are no results of the plan are not listed."
    return {"objects_left_out": said}


def _plan(plan: Plan) -> dict[str, Any]:
    return {
        "version": plan.checklist.version,
        "approved": plan.is_approved,
        "format": plan.checklist.format,
        "steps": [
            {
                "key": item.item.key,
                "title": item.item.title,
                "kind": item.item.kind,
                "count": item.item.expected_count,
                "depends_on": item.item.depends_on,
                **({"seconds": item.item.seconds} if item.item.seconds else {}),
                **({"review": True} if item.item.review else {}),
                "status": item.status,
                "done": item.count("done"),
                "running": item.count("running"),
                "failed": item.count("failed"),
                "missing_slots": item.ready_slots,
                **_gaps(item),
                "attempts": {
                    str(slot.number): slot.attempts
                    for slot in item.slots
                    if slot.number in item.ready_slots and slot.attempts
                },
            }
            for item in plan.items
        ],
    }


def _gaps(item: ItemProgress) -> dict[str, Any]:
    """Return which slots have no result though something was done for them, and replacements."""
    facts = {
        "failed_slots": item.in_state("failed"),
        "running_slots": item.in_state("running"),
        "asked_slots": item.in_state("asked"),
        "left_out_slots": item.in_state("left_out"),
        "waiting_slots": [each for each in item.missing_slots if each not in item.ready_slots],
        "changed_slots": item.affected_slots,
        "failures": {
            str(number): reason for number in item.absent_slots if (reason := item.failure(number))
        },
        "replaced": {
            str(slot.number): f"{slot.entry.provider} instead of {', '.join(slot.instead_of)}"
            for slot in item.slots
            if slot.state == "done" and slot.entry and slot.instead_of
        },
    }
    return {name: value for name, value in facts.items() if value}


def _doubt(entry: LedgerEntry) -> dict[str, Any]:
    return {
        "call": entry.call_key,
        "tool": entry.tool,
        "step": entry.step_key,
        "slot": entry.slot,
        "outcome": "unknown",
    }


def _object(item: ObjectVersion) -> dict[str, Any]:
    return {
        "object_id": str(item.object_id),
        "version": item.version,
        "kind": item.kind,
        "role": item.role,
        "name": item.name,
        "step": item.step_key,
        "slot": item.slot,
        "facts": {key: item.meta[key] for key in ("duration_s",) if key in item.meta},
    }
