"""What working with others costs a task: rounds, tokens and money of words and of children.

Owns no table. A round coordinates when its step read another task's words, or spoke to one, or gave
work away; the tokens of that round's inference are what coordination cost, and all other rounds are
the task's own work.
"""

from typing import Any
from uuid import UUID

from execution import budget, delegations, inbox, ledger, model_calls, steps, tasks, words
from execution.delegations import Delegation
from execution.model_calls import ModelUsage
from infra.db.query import Conn
from infra.ids import TaskId, WorkspaceId

TOOLS = frozenset({"ask_task", "delegate"})

type Json = dict[str, Any]


async def view(conn: Conn, workspace_id: WorkspaceId, task_id: TaskId) -> Json | None:
    """Return what a task's words with others and its children cost; None where it has neither."""
    counted = await words.counts(conn, task_id)
    if not counted.sent and not counted.received:
        return None
    parent = await delegations.of_child(conn, task_id)
    children = await delegations.of_parent(conn, workspace_id, task_id)
    coordinating = await _coordinating(conn, task_id)
    prompts = await steps.prompts_of(conn, coordinating)
    asked = await model_calls.usage(conn, workspace_id, task_id=task_id, prompts=prompts)
    everything = await model_calls.usage(conn, workspace_id, task_id=task_id)
    rounds = (await tasks.get(conn, workspace_id, task_id)).rounds
    of_words = {"rounds": len(coordinating), **_used(asked)}
    whole = {"rounds": rounds, **_used(everything)}
    shown = [await _child(conn, workspace_id, each) for each in children]
    return {
        "asked_by": str(parent.parent_id) if parent else None,
        "words": {"sent": counted.sent, "received": counted.received, **of_words},
        "own_work": {name: whole[name] - of_words[name] for name in whole},
        "children": shown,
        "children_together": {name: sum(each[name] for each in shown) for name in _SUMMED},
    }


async def _coordinating(conn: Conn, task_id: TaskId) -> set[UUID]:
    """Return the steps that read words of other tasks, or said some."""
    read = {
        each.consumed_by
        for each in await inbox.consumed(conn, task_id)
        if not each.is_a_persons and each.consumed_by is not None
    }
    return read | {
        each.step_id for each in await ledger.of_task(conn, task_id) if each.tool in TOOLS
    }


async def _child(conn: Conn, workspace_id: WorkspaceId, given: Delegation) -> Json:
    child_id = TaskId(given.child_id)
    child = await tasks.get(conn, workspace_id, child_id)
    money = await budget.get(conn, child_id)
    used = await model_calls.usage(conn, workspace_id, task_id=child_id)
    return {
        "task_id": str(given.child_id),
        "title": child.title,
        "status": child.status,
        "waiting_reason": child.waiting_reason,
        "carved_micros": given.carved_micros,
        "returned_micros": given.returned_micros,
        "settled_micros": money.settled_micros,
        "rounds": child.rounds,
        **_used(used),
    }


def _used(rows: list[ModelUsage]) -> dict[str, int]:
    return {
        "input_tokens": sum(row.input_tokens for row in rows),
        "output_tokens": sum(row.output_tokens for row in rows),
        "model_micros": sum(row.price_micros for row in rows),
    }


_SUMMED = (
    "carved_micros",
    "returned_micros",
    "settled_micros",
    "rounds",
    "input_tokens",
    "output_tokens",
    "model_micros",
)
