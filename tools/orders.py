"""What an order comes to: what would run, its price, its place in the plan, and whether it may.

The boundary that a call's arguments pass, whoever wrote them: a model (`proposals`) or a person who
changes what a model proposed (`edits`). Nothing is held or stored here but the question about a
price.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from pydantic import BaseModel, ValidationError

from execution import (
    approvals,
    authorization,
    budget,
    delegations,
    effects,
    ledger,
    words,
    workspaces,
)
from execution.approvals import Approval
from execution.authorization import Authorization, AuthorizationFacts, PlanCover, Risk
from execution.effects import Quote
from execution.errors import InvalidCallError, PermissionDeniedError
from execution.progress import ItemProgress, ItemStatus, Plan, slot_by_slot
from execution.workspaces import AutonomyLevel
from infra.errors import ToolRefusedError
from infra.ids import ApprovalId, ObjectId, ThreadId
from infra.money import Money
from infra.providers.ports import ContentPolicyError
from tools.tool import Order, Tool, ToolContext
from workspace import dependencies, objects
from workspace.objects import ObjectVersion

QUESTION_LIFETIME = timedelta(days=30)
PLACE = frozenset({"step", "slot"})
"""Arguments that say which place of the plan a result fills; the plan decides about those."""
_BY_ID = frozenset({"reference_object_ids"})
_LOOK_FIRST = (
    "The outcome of the call that was sent for this is unknown: it may have been made and charged. "
    "Look at it with check_call before you decide."
)
_REFUSED_AS_IT_IS = (
    "A provider's policy has refused exactly this request. It is not sent again unchanged: "
    "describe it otherwise, or ask the person what they want instead."
)
_OF_ONE_SCENE = frozenset({"keyframes", "shots", "narration", "image"})
"""Kinds of steps whose slots are each about the scene of their number, where there are as many."""
STEP_KINDS = {
    "image": ("image", "characters", "keyframes"),
    "clip": ("shots",),
    "narration": ("narration",),
    "music": ("music",),
    "captions": ("captions",),
    "render": ("master",),
    "model3d": ("model3d",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Priced:
    """An order with what would really run, the most it may cost, and whether it may run."""

    order: Order
    request: dict[str, Any]
    quote_micros: int
    decided: Authorization
    note: str = ""
    """What is to be said of it to who ordered, such as that references are not shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceQuestion:
    """A paid call that needs a yes; `arguments` are those that a person may change."""

    approval_id: ApprovalId
    title: str
    reason: str
    price_micros: int
    args_hash: str
    arguments: dict[str, Any]
    category: str = "budget"
    replaces: Approval | None = None
    """The question whose place this one takes, because a person changed its arguments."""


def validated(tool: Tool, arguments: Mapping[str, Any]) -> BaseModel:
    """Return the arguments as the tool takes them.

    Raises:
        InvalidCallError: it does not take them; the message says what is wrong with which.
        CapabilityError: all that is wrong with them is that they want what cannot be done here.
    """
    try:
        return tool.arguments.model_validate(arguments)
    except ValidationError as error:
        if (beyond := tool.impossible(error)) is not None:
            raise beyond from None
        problems = "; ".join(
            f"{'.'.join(map(str, problem['loc']))}: {problem['msg']}"
            for problem in error.errors(include_url=False)
        )
        message = f"The arguments are not valid: {problems}."
        raise InvalidCallError(message) from None


def editable(arguments: BaseModel) -> dict[str, Any]:
    """Return the arguments that a person may change before they say yes: no places, and no ids."""
    return arguments.model_dump(mode="json", exclude={*PLACE, *_BY_ID})


async def price(context: ToolContext, order: Order, risk: Risk, *, reserving: bool) -> Priced:
    """Return what an order comes to; with `reserving`, what was read of money stays true.

    Raises:
        CapabilityError: nothing here can do it.
        PermissionDeniedError, InvalidCallError: it fills no open slot of the plan.
    """
    failed = await _failed_before(context, order)
    quote = effects.quote(context.deps, order.operation, order.payload, avoiding=failed)
    cover = await _cover(context, order)
    facts = await _facts(context, risk, quote.micros, cover, reserving=reserving)
    decided = authorization.authorize(facts)
    if failed and quote.provider not in failed and decided.reason:
        where = ", ".join(sorted(failed))
        again = f"{decided.reason} It failed at {where}; {quote.provider} would make it now."
        decided = replace(decided, reason=again)
    order = replace(order, rests_on=[*order.rests_on, *await _documents(context, order)])
    taken = context.deps.providers[quote.provider].capabilities.references
    order, note = _with_references(order, quote.provider, taken)
    return Priced(
        order=order,
        request=_request(order, quote),
        quote_micros=quote.micros,
        decided=decided,
        note=note,
    )


def _with_references(order: Order, provider: str, taken: int) -> tuple[Order, str]:
    """Send as many references as the provider takes; the others are recorded, and that is said."""
    sent, rest = order.references[:taken], order.references[taken:]
    inputs = {f"reference.{number}": each for number, each in enumerate(sent, start=1)}
    order = replace(
        order, inputs=order.inputs | inputs, rests_on=[*order.rests_on, *map(_recorded, rest)]
    )
    if not rest:
        return order, ""
    most = f"at most {taken}" if taken else "no"
    return order, (
        f" {provider} takes {most} references: {len(rest)} of {len(order.references)} are recorded "
        "but not shown to it; let the words describe what is to be seen."
    )


def _recorded(reference: dict[str, Any]) -> dict[str, Any]:
    return {name: reference[name] for name in ("object_id", "version", "sha256")}


async def _failed_before(context: ToolContext, order: Order) -> set[str]:
    """Return the providers at which the same place has failed: another one's turn.

    What is ordered outside any plan has one place for its kind of work.

    Raises:
        InvalidCallError: a provider's policy has refused the very same request before.
    """
    failed: set[str] = set()
    place = (order.step_key, (order.slot or 1) if order.step_key else None)
    for entry in await ledger.of_task(context.tx.conn, context.task_id):
        made, result = entry.request or {}, entry.result or {}
        if entry.outcome not in ("failed", "unknown") or made.get("operation") != order.operation:
            continue
        if result.get("code") == ContentPolicyError.code and made.get("payload") == order.payload:
            raise InvalidCallError(_REFUSED_AS_IT_IS)
        if (entry.step_key, entry.slot) == place:
            failed.add(str(made.get("provider")))
    return failed


async def ask(context: ToolContext, question: PriceQuestion) -> None:
    """Ask a person whether a call may run at its price, as it is or changed."""
    money = Money(question.price_micros, context.deps.settings.currency)
    line = {
        "label": question.title,
        "detail": money.format(context.task.language),
        "amount_micros": question.price_micros,
    }
    await approvals.request(
        context.tx,
        question.approval_id,
        thread_id=ThreadId(context.task_id),
        task_id=context.task_id,
        kind="call",
        title=question.title,
        body=question.reason,
        card={
            "category": question.category,
            "lines": [line],
            "arguments": question.arguments,
            **_earlier(question.replaces),
        },
        actions=["approve", "edit", "reject"],
        args_hash=question.args_hash,
        call_key=context.call_key,
        price_micros=question.price_micros,
        maximum_micros=question.price_micros,
        expires_in=QUESTION_LIFETIME,
    )


def _earlier(replaced: Approval | None) -> dict[str, Any]:
    if replaced is None:
        return {}
    return {
        "replaces": str(replaced.approval_id),
        "original": replaced.card.get("original", replaced.card["arguments"]),
    }


def check_slot(
    plan: Plan | None,
    step_key: str,
    slot: int,
    *,
    kinds: tuple[str, ...],
    call_key: str | None = None,
) -> None:
    """Refuse a result that no open slot of the approved plan expects; a call's own slot is open.

    Raises:
        PermissionDeniedError: the plan is not approved, or has not so many results in it.
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
        raise _not_yet(plan, item)
    if slot > item.item.expected_count:
        message = (
            f"The approved plan has {item.item.expected_count} of '{step_key}' and no slot {slot}. "
            "More than the person approved needs a revised plan, and their yes to it."
        )
        raise PermissionDeniedError(message)
    if needs := next((each.needs for each in item.slots if each.number == slot), ()):
        raise _without_inputs(plan, item, slot, needs)
    own = {found.number for found in item.slots if found.entry and found.entry.call_key == call_key}
    if slot not in item.missing_slots and slot not in own:
        message = (
            f"Slot {slot} of '{step_key}' is taken: it has a result or is running. "
            "To make it again, propose a revised plan."
        )
        raise InvalidCallError(message)


def _not_yet(plan: Plan, item: ItemProgress) -> ToolRefusedError:
    """Say why a step cannot begin: what it stands on is not made, or not accepted yet."""
    needed = [found for key in item.item.depends_on if (found := plan.find(key)) is not None]
    looked_at = [
        found.item.key
        for found in needed
        if found.status in (ItemStatus.REVIEW, ItemStatus.REJECTED)
    ]
    start = f"The step '{item.item.key}' cannot begin yet: "
    if looked_at:
        waits = f"the person has not accepted the results of {', '.join(looked_at)}."
        return PermissionDeniedError(start + waits)
    return InvalidCallError(f"{start}it depends on {', '.join(item.item.depends_on)}.")


def _without_inputs(
    plan: Plan, item: ItemProgress, number: int, needs: tuple[str, ...]
) -> ToolRefusedError:
    """Say what a slot needs that is not there."""
    missing: list[str] = []
    for key in needs:
        needed = plan.find(key)
        is_paired = needed is not None and slot_by_slot(needed.item, item.item)
        missing.append(f"slot {number} of '{key}'" if is_paired else f"all of '{key}'")
    message = (
        f"Slot {number} of '{item.item.key}' cannot begin yet: it needs {' and '.join(missing)}, "
        "which is not made, or has changed and is not decided about."
    )
    return InvalidCallError(message)


async def check_doubts(context: ToolContext, tool: str, step_key: str | None) -> None:
    """Refuse to order what may have been made already, by whatever version of the plan.

    Raises:
        InvalidCallError: a call of this tool for the same step, or for none, has an unknown outcome
            and was not looked at in an earlier step.
    """
    entries = await ledger.of_task(context.tx.conn, context.task_id)
    unread = ledger.doubts(entries, deciding=context.call_key)
    if any(entry.tool == tool and entry.step_key == step_key for entry in unread):
        raise InvalidCallError(_LOOK_FIRST)


async def _cover(context: ToolContext, order: Order) -> PlanCover:
    """Return how an order relates to the plan, refusing what fills no open slot of it.

    A child has no allowance of its own beside what was carved for it: what its approved plan does
    not cover is asked about.
    """
    plan = context.plan
    is_child = await delegations.carved_for(context.tx.conn, context.task_id) is not None
    if order.step_key is None:
        has_plan = plan is not None and plan.is_approved
        return PlanCover.OUTSIDE if has_plan or is_child else PlanCover.NO_PLAN
    if plan is not None and not plan.is_approved:
        return PlanCover.NOT_APPROVED
    kinds = STEP_KINDS[order.operation]
    check_slot(plan, order.step_key, order.slot or 1, kinds=kinds, call_key=context.call_key)
    is_within = plan is not None and plan.checklist.within_allowance and not is_child
    return PlanCover.WITHIN_ALLOWANCE if is_within else PlanCover.COVERED


async def _facts(
    context: ToolContext, risk: Risk, quote_micros: int, cover: PlanCover, *, reserving: bool
) -> AuthorizationFacts:
    conn, workspace_id = context.tx.conn, context.tx.workspace_id
    money = await (budget.lock if reserving else budget.get)(conn, context.task_id)
    if reserving and cover in (PlanCover.NO_PLAN, PlanCover.WITHIN_ALLOWANCE):
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
        confirms_each_call=await words.confirms_each_call(conn, context.task_id),
    )


async def _documents(context: ToolContext, order: Order) -> list[dict[str, Any]]:
    """Return the documents that an order's step stands on, with the scene that its slot is about.

    Where the document has a scene for each slot of the step, the slot uses its own and no other.
    """
    plan = context.plan
    item = plan.find(order.step_key) if plan is not None and order.step_key else None
    found: list[dict[str, Any]] = []
    for key in item.item.depends_on if plan is not None and item is not None else ():
        needed = plan.find(key) if plan is not None else None
        if item is None or needed is None or needed.item.kind not in ("script", "document"):
            continue
        for output in (each for slot in needed.slots for each in slot.outputs):
            stored = await objects.get(
                context.tx.conn, context.tx.workspace_id, ObjectId(UUID(output["object_id"]))
            )
            scenes: dict[str, str] = stored.meta.get("scenes", {})
            is_counted = item.item.kind in _OF_ONE_SCENE and len(scenes) == item.item.expected_count
            own = f"{dependencies.SCENE}{order.slot}" if is_counted else dependencies.WHOLE
            found.append(resting_on(stored, own))
    return found


def resting_on(stored: ObjectVersion, part: str) -> dict[str, Any]:
    """Return an object version as something that a result rests on, by a part of it."""
    return {
        "object_id": str(stored.object_id),
        "version": stored.version,
        "part": part,
        "print": dependencies.print_of(part, stored.blob_sha256, stored.meta),
    }


def _request(order: Order, quote: Quote) -> dict[str, Any]:
    return {
        "operation": order.operation,
        "provider": quote.provider,
        "payload": order.payload,
        "inputs": order.inputs,
        "name": order.name,
        "title": order.title,
        **({"rests_on": order.rests_on} if order.rests_on else {}),
    }
