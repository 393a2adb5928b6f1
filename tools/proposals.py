"""From what a model proposed to what becomes of it: the boundary between words and consequences.

Called inside the transaction of a decision, once per proposed call, in order. Each call ends with
exactly one ledger row and its one tool message: a result, a refusal that names its category, or
what it is waiting for. Nothing paid has run when this returns; money is held for what may run.
"""

import json
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import uuid5

from pydantic import BaseModel

from execution import approvals, budget, checklist, jobs, ledger
from execution.authorization import Authorization, Risk
from execution.errors import ConflictError, InvalidCallError
from execution.progress import Plan
from execution.proposed import ProposedCall
from execution.tasks import Task
from execution.tx import Tx
from infra.deps import Deps
from infra.errors import ToolRefusedError
from infra.ids import ApprovalId, StepId, TaskId, ThreadId, new_id
from tools import answers, irreversible, orders
from tools.orders import Priced, PriceQuestion, editable, validated
from tools.registry import TOOLS
from tools.tool import MAX_CALLS_PER_STEP, Order, Question, Tool, ToolContext, ToolResult
from workspace import propagation

_TWICE = "The same call stands in this answer already; it is taken once."


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The step whose calls are being recorded."""

    tx: Tx
    deps: Deps
    task: Task
    step_id: StepId
    taken: set[str] = field(default_factory=set[str])
    """What the calls before this one were, to the byte."""

    @property
    def task_id(self) -> TaskId:
        """The task of the step."""
        return TaskId(self.task.task_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """The ledger row of a call while it is being decided."""

    tool: str
    risk: Risk
    arguments: dict[str, Any]
    message: str = ""
    status: str = "planned"
    verdict: str = "allow"
    refusal: str | None = None
    request: dict[str, Any] | None = None
    quote_micros: int | None = None
    approval_id: ApprovalId | None = None
    plan_version: int | None = None
    step_key: str | None = None
    slot: int | None = None
    result: dict[str, Any] | None = None
    outcome: str | None = None


async def settle(
    decision: Decision, call: ProposedCall, *, call_key: str, tool_call_id: str, seq: int
) -> None:
    """Decide about one proposed call and record it."""
    tool = TOOLS.get(call.name)
    entry = _Entry(
        tool=call.name,
        risk=tool.risk if tool else Risk.IRREVERSIBLE,
        arguments=call.arguments,
    )
    try:
        async with decision.tx.attempt():
            arguments = _validated(decision, tool, call, seq)
            entry = await _decide(decision, entry, arguments, call_key)
    except (ToolRefusedError, ConflictError) as error:
        entry = _refused(entry, _category(error), error.message)
    await ledger.record(
        decision.tx,
        call_key=call_key,
        task_id=decision.task_id,
        step_id=decision.step_id,
        seq=seq,
        tool=entry.tool,
        risk=entry.risk,
        arguments=entry.arguments,
        args_hash=ledger.hash_of(entry.tool, entry.request or {}, entry.quote_micros),
        tool_call_id=tool_call_id,
        tool_message=entry.message,
        status=entry.status,
        verdict=entry.verdict,
        refusal=entry.refusal,
        quote_micros=entry.quote_micros,
        approval_id=entry.approval_id,
        request=entry.request,
        plan_version=entry.plan_version,
        step_key=entry.step_key,
        slot=entry.slot,
        result=entry.result,
        outcome=entry.outcome,
    )
    if entry.status == "held" and entry.quote_micros is not None:
        await budget.reserve(decision.tx, decision.task_id, call_key, entry.quote_micros)
    if entry.outcome == "succeeded" and entry.step_key is not None:
        await propagation.slot_filled(
            decision.tx, decision.task_id, entry.step_key, entry.slot or 1
        )
    decision.tx.touch_task(decision.task_id)


def _validated(decision: Decision, tool: Tool | None, call: ProposedCall, seq: int) -> BaseModel:
    if tool is None:
        message = f"There is no tool '{call.name}'. Tools are: {', '.join(TOOLS)}."
        raise InvalidCallError(message)
    if call.error is not None:
        raise InvalidCallError(call.error)
    if seq > MAX_CALLS_PER_STEP:
        message = f"Only {MAX_CALLS_PER_STEP} calls are taken per step; propose this one again."
        raise InvalidCallError(message)
    written = json.dumps([call.name, call.arguments], sort_keys=True)
    if written in decision.taken:
        raise InvalidCallError(_TWICE)
    decision.taken.add(written)
    return validated(tool, call.arguments)


async def _decide(decision: Decision, entry: _Entry, arguments: BaseModel, call_key: str) -> _Entry:
    plan = await checklist.load(decision.tx.conn, decision.task_id)
    context = ToolContext(
        tx=decision.tx, deps=decision.deps, task=decision.task, plan=plan, call_key=call_key
    )
    tool = TOOLS[entry.tool]
    if tool.risk is Risk.IRREVERSIBLE:
        return await _ask(decision, entry, irreversible.question(tool, arguments), call_key)
    match await tool.call(context, arguments):
        case ToolResult() as result:
            if result.step_key is not None:
                kinds = ("script", "document")
                orders.check_slot(plan, result.step_key, result.slot, kinds=kinds)
            return _done(entry, plan, result)
        case Question(kind="plan", decided=Authorization(verdict="allow")) as question:
            return await _begin(decision, entry, question, call_key)
        case Question() as question:
            return await _ask(decision, entry, question, call_key)
        case Order() as order:
            return await _order(decision, entry, order, arguments, context)


def _done(entry: _Entry, plan: Plan | None, result: ToolResult) -> _Entry:
    return replace(
        entry,
        message=result.message,
        status="settled",
        outcome="succeeded",
        result={"outputs": result.outputs}
        | ({"looked_at": result.looked_at} if result.looked_at else {}),
        plan_version=plan.checklist.version if plan and result.step_key else None,
        step_key=result.step_key,
        slot=result.slot if result.step_key else None,
    )


async def _begin(decision: Decision, entry: _Entry, question: Question, call_key: str) -> _Entry:
    """Let a plan begin that what a person allows without asking covers; no budget is added."""
    await _withdraw_plans(decision)
    begun = await checklist.decide(decision.tx, decision.task_id, call_key, approved=True)
    if begun is not None:
        await answers.settle_plan(
            decision.tx, decision.task_id, begun, decided_by="within your allowance"
        )
    version = question.request["version"]
    return replace(
        entry,
        message=(
            f"begun: plan version {version} is within what the person allows without asking, and "
            "counts as approved. Each of its calls takes from the allowances. Go on with its steps."
        ),
        status="settled",
        outcome="succeeded",
        request={"question": question.request},
        quote_micros=question.maximum_micros,
        result={"version": version},
    )


async def _ask(decision: Decision, entry: _Entry, question: Question, call_key: str) -> _Entry:
    approval_id = ApprovalId(uuid5(decision.tx.workspace_id, f"approval {call_key}"))
    request = {"question": question.request}
    thread_id = ThreadId(decision.task_id)
    if question.kind == "plan":
        await _withdraw_plans(decision, keep=approval_id)
    await approvals.request(
        decision.tx,
        approval_id,
        thread_id=thread_id,
        task_id=decision.task_id,
        kind=question.kind,
        title=question.title,
        body=question.body,
        card={
            "lines": question.lines,
            "options": question.options,
            "free_text": question.free_text,
            "category": question.decided.category if question.decided else None,
            "estimate": question.estimate,
            "saw": question.saw,
        },
        actions=question.actions,
        args_hash=ledger.hash_of(entry.tool, request, question.maximum_micros),
        call_key=call_key,
        price_micros=question.price_micros,
        maximum_micros=question.maximum_micros,
        expires_in=orders.QUESTION_LIFETIME,
    )
    return replace(
        entry,
        message=_asked(approval_id, question.decided),
        verdict="ask",
        request=request,
        quote_micros=question.maximum_micros,
        approval_id=approval_id,
    )


async def _withdraw_plans(decision: Decision, *, keep: ApprovalId | None = None) -> None:
    """Withdraw the plan that waits for an answer: a newer one takes its place."""
    for withdrawn in await approvals.supersede(
        decision.tx, ThreadId(decision.task_id), kind="plan", keep=keep or ApprovalId(new_id())
    ):
        await answers.supersede_plan(decision.tx, decision.task_id, withdrawn)


async def _order(
    decision: Decision, entry: _Entry, order: Order, arguments: BaseModel, context: ToolContext
) -> _Entry:
    await orders.check_doubts(context, entry.tool, order.step_key)
    priced = await orders.price(context, order, entry.risk, reserving=True)
    plan = context.plan
    entry = replace(
        entry,
        request=priced.request,
        quote_micros=priced.quote_micros,
        plan_version=plan.checklist.version if plan and order.step_key else None,
        step_key=order.step_key,
        slot=order.slot,
    )
    decided = priced.decided
    match decided.verdict:
        case "allow":
            if decided.grant_micros:
                await budget.raise_limit(
                    decision.tx, decision.task_id, decided.grant_micros, "within your allowance"
                )
            job_id = jobs.job_id_of(decision.tx.workspace_id, context.call_key)
            return replace(
                entry,
                status="held",
                message=f"pending: job {job_id}.{priced.note}"
                if priced.note
                else f"pending: job {job_id}",
            )
        case "ask":
            return await _ask_price(decision, entry, arguments, priced, context)
        case "refuse":
            return _refused(entry, decided.category or "permission", decided.reason)


async def _ask_price(
    decision: Decision, entry: _Entry, arguments: BaseModel, priced: Priced, context: ToolContext
) -> _Entry:
    approval_id = ApprovalId(uuid5(decision.tx.workspace_id, f"approval {context.call_key}"))
    await orders.ask(
        context,
        PriceQuestion(
            approval_id=approval_id,
            title=priced.order.title,
            reason=priced.decided.reason,
            price_micros=priced.quote_micros,
            category=priced.decided.category or "permission",
            args_hash=ledger.hash_of(entry.tool, priced.request, priced.quote_micros),
            arguments=editable(arguments),
        ),
    )
    return replace(
        entry,
        verdict="ask",
        approval_id=approval_id,
        message=_asked(approval_id, priced.decided),
    )


def _asked(approval_id: ApprovalId, decided: Authorization | None) -> str:
    """Return the tool message of a call that waits for a person."""
    if decided is None:
        return f"pending: approval {approval_id}. The person has been asked; wait for the answer."
    return (
        f"pending: approval {approval_id}. Not run yet ({decided.category}): {decided.reason} "
        "The person has been asked; only their answer can allow it."
    )


def _refused(entry: _Entry, category: str, reason: str) -> _Entry:
    return replace(
        entry,
        message=f"refused ({category}): {reason}",
        status="rejected",
        verdict="refuse",
        refusal=category,
        outcome="refused",
        result={"reason": reason},
        approval_id=None,
    )


def _category(error: Exception) -> str:
    code = getattr(error, "code", "invalid")
    return code if code in ("capability", "permission", "budget") else "invalid"
