"""`deliver`: validate and audit what was made, then hand it over or say why not."""

from typing import Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from execution import (
    acceptance,
    checklist,
    counted,
    deliveries,
    inbox,
    judgements,
    ledger,
    messages,
    steps,
    tasks,
    workspaces,
)
from execution.transactions import work
from infra.crash_points import CrashPoint, reached
from infra.deps import Deps
from infra.ids import MessageId, new_id
from nodes.state import RunContext, TaskState
from workspace import objects
from workspace.delivery import inspection
from workspace.delivery.findings import Severity, changed_count, refuses_delivery
from workspace.delivery.handover import build_report, to_markdown
from workspace.judging import judging
from workspace.objects import NewObject

_MARKDOWN = "text/markdown"


async def deliver(
    state: TaskState, runtime: Runtime[RunContext], *, deps: Deps
) -> Command[Literal["stop_check"]]:
    """Check committed results outside the model's reach; record report and findings together."""
    run = runtime.context
    async with deps.pools.domain.connection() as conn:
        task = await tasks.get(conn, run.workspace, run.task)
        plan = await checklist.load(conn, run.task)
        read = await inbox.consumed(conn, run.task)
        entries = await ledger.of_task(conn, run.task)
    if plan is None or not plan.is_complete:
        return Command(goto="stop_check")
    findings = await inspection.inspect(plan, deps.blobs)
    findings += [changed_count(reason) for reason in counted.outdated(plan, entries)]
    brief = dict.fromkeys([task.goal, *(message.text for message in read if message.is_a_persons)])
    judged = await judging.judge(deps, run.as_task, plan, findings, brief=list(brief))
    status = "refused" if refuses_delivery(findings) else "delivered"
    report = build_report(plan, findings, inspection.files(plan), language=task.language)
    document = await deps.blobs.put_bytes(to_markdown(report, status=status).encode())
    inputs_hash = deliveries.inputs_hash(plan)
    async with work(deps, run.workspace, fence=run.fence, cause=run.turn_id) as tx:
        current = await checklist.load(tx.conn, run.task)
        has_ended = (await tasks.get(tx.conn, run.workspace, run.task)).is_terminal
        if (
            has_ended
            or current is None
            or not current.is_complete
            or deliveries.inputs_hash(current) != inputs_hash
        ):
            return Command(goto="stop_check")
        cause = f"delivery {run.thread_id}/{inputs_hash}"
        stored = await objects.create(
            tx,
            NewObject(
                kind="document",
                role="delivery_report",
                name=plan.checklist.title,
                blob=document,
                media_type=_MARKDOWN,
                author="agent",
                cause=cause,
                task_id=run.task,
            ),
        )
        report["files"].append(objects.reference(stored))
        delivery = await deliveries.record(
            tx, run.task, status=status, report=report, inputs_hash=inputs_hash
        )
        for each in judged:
            await judgements.record(tx, run.task, inputs_hash, each)
        if status == "delivered":
            allowed = acceptance.grant_of(await workspaces.get(tx.conn, run.workspace))
            doubted = judgements.holds_back([one for each in judged for one in each.proposals])
            grant = None if doubted else allowed
            await acceptance.begin(tx, run.task, delivery, current, grant=grant)
        await tasks.set_summary(tx, run.task, report["summary"])
        await messages.say(
            tx,
            text=report["summary"],
            language=task.language,
            cause=cause,
            message_id=MessageId(new_id()),
            task_id=run.task,
        )
        if status == "refused":
            reasons = "; ".join(
                item.message for item in findings if item.severity is Severity.ERROR
            )
            await steps.happen(tx, run.task, f"Delivery was refused: {reasons}", call_key=None)
    await reached(CrashPoint.DELIVERY_COMMITTED)
    return Command(goto="stop_check")
