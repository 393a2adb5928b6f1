"""From what a model proposed to what becomes of it: the boundary between words and consequences.

Called inside the transaction of a decision, once per proposed call, in order. Each call ends with
exactly one ledger row and its one tool message: a result, a refusal that names its category, or
what it is waiting for. Nothing paid has run when this returns; money is held for what may run.
"""

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import uuid5

from pydantic import BaseModel, ValidationError

from execution import approvals, authorization, budget, checklist, effects, jobs, ledger, workspaces
from execution.authorization import Authorization, AuthorizationFacts, PlanCover, Risk
from execution.checklist import ItemStatus, Plan
from execution.effects import ProposedCall, Quote
from execution.errors import ConflictError, InvalidCallError, PermissionDeniedError
from execution.tasks import Task
from execution.tx import Tx
from execution.workspaces import AutonomyLevel
from infra.deps import Deps
from infra.errors import ToolRefusedError
from infra.ids import ApprovalId, StepId, TaskId, ThreadId
from infra.money import Money
from tools import answers
from tools.registry import TOOLS
from tools.tool import Order, Question, Tool, ToolContext, ToolResult

MAX_CALLS_PER_STEP = 16
_QUESTION_LIFETIME = timedelta(days=30)
_LOOK_FIRST = (
    "The outcome of the call that was sent for this is unknown: it may have been made and charged. "
    "Look at it with check_call before you decide."
)
_STEP_KINDS = {
    "image": ("image", "keyframes"),
    "clip": ("shots",),
    "narration": ("narration",),
    "music": ("music",),
    "captions": ("captions",),
    "render": ("master",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The step whose calls are being recorded."""

    tx: Tx
    deps: Deps
    task: Task
    step_id: StepId

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
            arguments = _validated(tool, call, seq)
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
    decision.tx.touch_task(decision.task_id)


def _validated(tool: Tool | None, call: ProposedCall, seq: int) -> BaseModel:
    if tool is None:
        message = f"There is no tool '{call.name}'. Tools are: {', '.join(TOOLS)}."
        raise InvalidCallError(message)
    if call.error is not None:
        raise InvalidCallError(call.error)
    if seq > MAX_CALLS_PER_STEP:
        message = f"Only {MAX_CALLS_PER_STEP} calls are taken per step; propose this one again."
        raise InvalidCallError(message)
    try:
        return tool.arguments.model_validate(call.arguments)
    except ValidationError as error:
        problems = "; ".join(
            f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
            for problem in error.errors(include_url=False)
        )
        message = f"The arguments are not valid: {problems}."
        raise InvalidCallError(message) from None


async def _decide(decision: Decision, entry: _Entry, arguments: BaseModel, call_key: str) -> _Entry:
    plan = await checklist.load(decision.tx.conn, decision.task_id)
    context = ToolContext(
        tx=decision.tx, deps=decision.deps, task=decision.task, plan=plan, call_key=call_key
    )
    match await TOOLS[entry.tool].call(context, arguments):
        case ToolResult() as result:
            if result.step_key is not None:
                _check_slot(plan, result.step_key, 1, kinds=("script", "document"))
            return _done(entry, plan, result)
        case Question() as question:
            return await _ask(decision, entry, question, call_key)
        case Order() as order:
            return await _order(decision, entry, order, plan, call_key)


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
        slot=1 if result.step_key else None,
    )


async def _ask(decision: Decision, entry: _Entry, question: Question, call_key: str) -> _Entry:
    approval_id = ApprovalId(uuid5(decision.tx.workspace_id, f"approval {call_key}"))
    request = {"question": question.request}
    thread_id = ThreadId(decision.task_id)
    if question.kind == "plan":
        for withdrawn in await approvals.supersede(
            decision.tx, thread_id, kind="plan", keep=approval_id
        ):
            await answers.supersede_plan(decision.tx, decision.task_id, withdrawn)
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
        },
        actions=question.actions,
        args_hash=ledger.hash_of(entry.tool, request, question.maximum_micros),
        call_key=call_key,
        price_micros=question.price_micros,
        maximum_micros=question.maximum_micros,
        expires_in=_QUESTION_LIFETIME,
    )
    return replace(
        entry,
        message=f"pending: approval {approval_id}. The person has been asked; wait for the answer.",
        verdict="ask",
        request=request,
        quote_micros=question.maximum_micros,
        approval_id=approval_id,
    )


async def _order(
    decision: Decision, entry: _Entry, order: Order, plan: Plan | None, call_key: str
) -> _Entry:
    quote = effects.quote(decision.deps, order.operation, order.payload)
    if order.step_key is None:
        await _check_doubts(decision, entry.tool)
    cover = _cover(order, plan)
    decided = authorization.authorize(await _facts(decision, entry.risk, quote.micros, cover))
    entry = replace(
        entry,
        request=_request(order, quote),
        quote_micros=quote.micros,
        plan_version=plan.checklist.version if plan and order.step_key else None,
        step_key=order.step_key,
        slot=order.slot,
    )
    match decided.verdict:
        case "allow":
            if decided.grant_micros:
                await budget.raise_limit(
                    decision.tx, decision.task_id, decided.grant_micros, "within your allowance"
                )
            job_id = jobs.job_id_of(decision.tx.workspace_id, call_key)
            return replace(entry, status="held", message=f"pending: job {job_id}")
        case "ask":
            return await _ask_price(decision, entry, order, decided, call_key)
        case "refuse":
            return _refused(entry, decided.category or "permission", decided.reason)


async def _ask_price(
    decision: Decision, entry: _Entry, order: Order, decided: Authorization, call_key: str
) -> _Entry:
    price = entry.quote_micros or 0
    approval_id = ApprovalId(uuid5(decision.tx.workspace_id, f"approval {call_key}"))
    money = Money(price, decision.deps.settings.currency).format(decision.task.language)
    await approvals.request(
        decision.tx,
        approval_id,
        thread_id=ThreadId(decision.task_id),
        task_id=decision.task_id,
        kind="call",
        title=order.title,
        body=decided.reason,
        card={"lines": [{"label": order.title, "detail": money, "amount_micros": price}]},
        actions=["approve", "reject"],
        args_hash=ledger.hash_of(entry.tool, entry.request or {}, price),
        call_key=call_key,
        price_micros=price,
        maximum_micros=price,
        expires_in=_QUESTION_LIFETIME,
    )
    return replace(
        entry,
        verdict="ask",
        approval_id=approval_id,
        message=(
            f"pending: approval {approval_id}. Not run yet ({decided.category}): {decided.reason} "
            "The person has been asked; only their answer can allow it."
        ),
    )


async def _facts(
    decision: Decision, risk: Risk, quote_micros: int, cover: PlanCover
) -> AuthorizationFacts:
    conn, workspace_id = decision.tx.conn, decision.tx.workspace_id
    money = await budget.lock(conn, decision.task_id)
    if cover is PlanCover.NO_PLAN:
        await workspaces.lock(conn, workspace_id)
    workspace = await workspaces.get(conn, workspace_id)
    return AuthorizationFacts(
        risk=risk,
        quote_micros=quote_micros,
        cover=cover,
        free_micros=money.free_micros,
        autonomy=AutonomyLevel(workspace.autonomy),
        per_call_allowance_micros=workspace.per_call_allowance_micros,
        daily_allowance_micros=workspace.daily_allowance_micros,
        spent_today_micros=await budget.spent_today(conn, workspace_id),
    )


def _cover(order: Order, plan: Plan | None) -> PlanCover:
    """Return how an order relates to the plan, refusing what fills no open slot of it."""
    if order.step_key is None:
        return PlanCover.OUTSIDE if plan and plan.is_approved else PlanCover.NO_PLAN
    if plan is not None and not plan.is_approved:
        return PlanCover.NOT_APPROVED
    _check_slot(plan, order.step_key, order.slot or 1, kinds=_STEP_KINDS[order.operation])
    return PlanCover.COVERED


def _check_slot(plan: Plan | None, step_key: str, slot: int, *, kinds: tuple[str, ...]) -> None:
    """Refuse a result that no open slot of the approved plan expects.

    Raises:
        PermissionDeniedError: the plan is not approved.
        InvalidCallError: the step does not exist, is not ready, or its slot is taken.
    """
    item = plan.find(step_key) if plan else None
    if plan is None or item is None:
        message = f"The plan has no step '{step_key}'."
        raise InvalidCallError(message)
    if not plan.is_approved:
        message = "The plan has not been approved yet; nothing of it may run before."
        raise PermissionDeniedError(message)
    if item.item.kind not in kinds:
        message = f"The step '{step_key}' ({item.item.kind}) takes no {' or '.join(kinds)}."
        raise InvalidCallError(message)
    if item.status is ItemStatus.TODO:
        waiting = ", ".join(item.item.depends_on)
        message = f"The step '{step_key}' cannot begin yet: it depends on {waiting}."
        raise InvalidCallError(message)
    if item.slots[slot - 1 : slot] and item.slots[slot - 1].state == "unknown":
        raise InvalidCallError(_LOOK_FIRST)
    if slot not in item.missing_slots:
        message = (
            f"Slot {slot} of '{step_key}' is taken: it has a result or is running. "
            "To make it again, propose a revised plan."
        )
        raise InvalidCallError(message)


async def _check_doubts(decision: Decision, tool: str) -> None:
    """Refuse to order outside the plan what may have been made already.

    Raises:
        InvalidCallError: a call of this tool has an unknown outcome and was not looked at.
    """
    entries = await ledger.of_task(decision.tx.conn, decision.task_id)
    if any(entry.tool == tool and entry.step_key is None for entry in ledger.doubts(entries)):
        raise InvalidCallError(_LOOK_FIRST)


def _request(order: Order, quote: Quote) -> dict[str, Any]:
    return {
        "operation": order.operation,
        "provider": quote.provider,
        "payload": order.payload,
        "inputs": order.inputs,
        "name": order.name,
        "title": order.title,
    }


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
