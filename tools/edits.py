"""A person's changes to a paid call that waits for their yes.

The changed arguments pass the boundary that a model's pass: the tool's own validation, the objects
they name, the provider's price, the plan's place. What costs no more than the person had seen is
thereby approved. What costs more is not: a new question with its price takes the place of the old
one. What cannot run is refused whole, and the question stays as it was.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import uuid5

from pydantic import BaseModel, ValidationError

from execution import approvals, checklist, leases, ledger, tasks
from execution.approvals import Approval, Decision, Edit
from execution.authorization import Risk
from execution.errors import (
    CapabilityError,
    InvalidCallError,
    PermissionDeniedError,
    SupersededError,
)
from execution.ledger import LedgerEntry
from execution.tx import Tx
from infra.deps import Deps
from infra.ids import ApprovalId, TaskId, ThreadId
from tools import orders
from tools.orders import Priced, PriceQuestion
from tools.registry import TOOLS
from tools.tool import Order, Tool, ToolContext

_NUMBER = "must be a number"
_SAID = {
    "string_too_short": "must not be empty",
    "string_too_long": "has more than {max_length:,} characters",
    "string_type": "must be a text",
    "greater_than_equal": "must be at least {ge:,}",
    "less_than_equal": "must be at most {le:,}",
    "multiple_of": "must be a multiple of {multiple_of}",
    "literal_error": "must be {expected}",
    "int_from_float": "must be a whole number",
    "int_parsing": _NUMBER,
    "int_type": _NUMBER,
    "float_parsing": _NUMBER,
    "float_type": _NUMBER,
    "finite_number": _NUMBER,
}
"""What is wrong with an argument, by the type of Pydantic's error."""
_NAMED = 5
_NAME_CHARACTERS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """The call that was asked about, as it stands before the edit."""

    asked: Approval
    entry: LedgerEntry
    tool: Tool
    context: ToolContext


async def edit(
    tx: Tx,
    deps: Deps,
    approval_id: ApprovalId,
    *,
    edited: dict[str, Any],
    args_hash: str,
    note: str | None,
    decided_by: str,
) -> ApprovalId:
    """Say yes to other arguments, or ask anew if they cost more; return the question to look at.

    Raises:
        NotFoundError: no such question here.
        AlreadyDecidedError, ExpiredError, SupersededError: it can no longer be answered.
        ToolRefusedError: it offers no edit, or the result may not or cannot run.
    """
    asked = await approvals.get(tx.conn, tx.workspace_id, approval_id)
    approvals.check_offered(asked, Decision.EDIT)
    await leases.wake(tx.conn, ThreadId(asked.thread_id))
    call = await _waiting(tx, deps, await approvals.lock_open(tx, approval_id, args_hash=args_hash))
    arguments, changed = _changed(call, edited)
    priced = await _priced(call, arguments)
    made = Edit(
        edited=changed,
        args_hash=ledger.hash_of(call.tool.name, priced.request, priced.quote_micros),
        price_micros=priced.quote_micros,
        note=note,
        decided_by=decided_by,
    )
    if priced.quote_micros <= (call.asked.maximum_micros or 0):
        await approvals.approve_edited(tx, call.asked, made)
        shown = approval_id
    else:
        shown = await _ask_anew(call, priced, made, arguments)
    if not await ledger.revise(
        tx,
        call.entry.call_key,
        expected_hash=args_hash,
        request=priced.request,
        args_hash=made.args_hash,
        quote_micros=priced.quote_micros,
        approval_id=shown,
    ):
        raise SupersededError
    tx.woken.add(ThreadId(asked.thread_id))
    return shown


async def _waiting(tx: Tx, deps: Deps, asked: Approval) -> _Call:
    """Return the call that a question is about, if it is still what the question says."""
    if asked.call_key is None or asked.task_id is None:
        raise SupersededError
    entry = await ledger.get(tx.conn, tx.workspace_id, asked.call_key)
    would_run = ledger.hash_of(entry.tool, entry.request or {}, entry.quote_micros)
    if entry.status != "planned" or would_run != asked.args_hash:
        raise SupersededError
    tool = TOOLS.get(entry.tool)
    if tool is None:
        message = f"There is no tool '{entry.tool}' any more."
        raise CapabilityError(message)
    task_id = TaskId(asked.task_id)
    context = ToolContext(
        tx=tx,
        deps=deps,
        task=await tasks.get(tx.conn, tx.workspace_id, task_id),
        plan=await checklist.load(tx.conn, task_id),
        call_key=asked.call_key,
    )
    return _Call(asked=asked, entry=entry, tool=tool, context=context)


def _changed(call: _Call, edited: dict[str, Any]) -> tuple[BaseModel, dict[str, Any]]:
    """Return all arguments as they would be, and those of them that differ from the card's."""
    shown: dict[str, Any] = call.asked.card["arguments"]
    _check_names(edited, shown)
    arguments = _validated(call.tool, {**call.entry.arguments, **shown, **edited})
    result = orders.editable(arguments)
    changed = {name: result[name] for name in edited if result[name] != shown[name]}
    if not changed:
        message = "Nothing would change: approve it as it is, or change something."
        raise InvalidCallError(message)
    return arguments, changed


def _validated(tool: Tool, arguments: dict[str, Any]) -> BaseModel:
    """Do as `orders.validated` does, in words for a person."""
    try:
        return tool.arguments.model_validate(arguments)
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        raise InvalidCallError(" ".join(_in_words(problem) for problem in problems)) from None


def _in_words(problem: Mapping[str, Any]) -> str:
    name = problem["loc"][0] if problem["loc"] else "It"
    said = _SAID.get(problem["type"])
    if said is None:
        return f"{name}: {problem['msg'].removesuffix('.')}."
    return f"{name} {said.format(**problem.get('ctx', {}))}."


def _check_names(edited: dict[str, Any], shown: dict[str, Any]) -> None:
    if placed := sorted(orders.PLACE & edited.keys()):
        message = f"Which place of the plan this fills cannot be changed here: {', '.join(placed)}."
        raise InvalidCallError(message)
    unknown = [name[:_NAME_CHARACTERS] for name in edited if name not in shown]
    if unknown:
        message = (
            f"There is nothing called {', '.join(unknown[:_NAMED])} to change here; "
            f"there are {', '.join(shown)}."
        )
        raise InvalidCallError(message)


async def _priced(call: _Call, arguments: BaseModel) -> Priced:
    order = await call.tool.call(call.context, arguments)
    if not isinstance(order, Order):
        message = "This call cannot be changed; approve or reject it."
        raise InvalidCallError(message)
    priced = await orders.price(call.context, order, Risk(call.entry.risk), reserving=False)
    if priced.decided.verdict == "refuse":
        raise PermissionDeniedError(priced.decided.reason)
    return priced


async def _ask_anew(call: _Call, priced: Priced, made: Edit, arguments: BaseModel) -> ApprovalId:
    """Put a question with the new price in the place of the one that was answered with an edit."""
    tx, asked = call.context.tx, call.asked
    name = f"approval {call.entry.call_key} {made.args_hash}"
    approval_id = ApprovalId(uuid5(tx.workspace_id, name))
    await approvals.replace(tx, asked, made, approval_id)
    await orders.ask(
        call.context,
        PriceQuestion(
            approval_id=approval_id,
            title=priced.order.title,
            reason=priced.decided.reason or asked.body,
            price_micros=priced.quote_micros,
            args_hash=made.args_hash,
            arguments=orders.editable(arguments),
            category=priced.decided.category or "budget",
            replaces=asked,
        ),
    )
    return approval_id
