"""`route`: the router model proposes where the message belongs; the proposal is stored once."""

from dataclasses import dataclass, replace
from typing import Any, Literal
from uuid import UUID

from langgraph.runtime import Runtime
from langgraph.types import Command

from execution import messages
from execution.effects import Inference
from execution.messages import Message, Outcome
from execution.transactions import work
from execution.tx import Tx
from infra.crash_points import CrashPoint, reached
from infra.deps import Deps
from infra.ids import ObjectId, TaskId
from memory import duplicates, routing
from memory.shown import as_option, shown
from nodes.main.order import let_the_next
from nodes.main.proposal import STARTS, Route, confirmed, parse
from nodes.main.reading import Considered, consider
from nodes.prompting import load_prompt
from nodes.state import MainState, RunContext


async def route(
    state: MainState, runtime: Runtime[RunContext], *, deps: Deps
) -> Command[Literal["check"]]:
    """Ask the router, keep only what is valid of its proposal, and commit it.

    It may read a few tasks first, where their lines do not say what the message names.

    A new task is proposed twice where one like it is at work: the second time beside that one. The
    next message may be routed then; after a new task only once that is there to be seen.
    """
    run = runtime.context
    proposal, model, seen = await _propose(deps, run, state.get("candidates", []))
    async with work(deps, run.workspace, fence=run.fence, cause=run.turn_id) as tx:
        await messages.record_route(
            tx,
            run.message,
            layer=2,
            outcome=Outcome(proposal.outcome),
            language=proposal.language,
            reason=proposal.reason,
            task_id=TaskId(UUID(proposal.task_id)) if proposal.task_id else None,
            title=proposal.title,
            goal=proposal.goal,
            acknowledgement=proposal.acknowledgement,
            question=proposal.question,
            candidates=seen.choices(proposal),
            model=model,
        )
        await _point_at(tx, run, proposal)
        if proposal.outcome not in STARTS:
            await let_the_next(tx, run)
    await reached(CrashPoint.ROUTE_COMMITTED)
    return Command(goto="check", update={"outcome": proposal.outcome})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """Everything that the router was shown and may name."""

    tasks: list[dict[str, Any]]
    objects: list[dict[str, Any]]

    def parse(self, inference: Inference, message: Message) -> Route:
        """Return what is valid of a proposal."""
        return parse(
            inference.calls,
            message,
            [item["task_id"] for item in self.tasks],
            [item["object_id"] for item in self.objects],
        )

    def also(self, more: list[dict[str, Any]]) -> "_Seen":
        """Return this with tasks that the router has seen besides, such as those it has read."""
        both = {item["task_id"]: item for item in [*more, *self.tasks]}
        return replace(self, tasks=list(both.values()))

    def choices(self, proposal: Route) -> list[dict[str, Any]]:
        """Return what the person is offered if the proposal asks: objects, then tasks."""
        titles = {item["task_id"]: item["title"] for item in self.tasks}
        of_objects = [
            as_option(item, titles.get(item["task_id"], ""))
            for item in self.objects
            if proposal.outcome == "ask" and item["object_id"] in proposal.object_ids
        ]
        return of_objects + [item for item in self.tasks if item["task_id"] in proposal.options]


async def _propose(
    deps: Deps, run: RunContext, found: list[dict[str, Any]]
) -> tuple[Route, str, _Seen]:
    """Return the proposal, who made it, and what the router was shown."""
    async with deps.pools.domain.connection() as conn:
        message = await messages.get(conn, run.workspace, run.message)
        seen = _Seen(
            tasks=found, objects=await shown(conn, run.workspace, about=message.object_ids)
        )
    considered = await _ask(deps, run, message, seen)
    known = seen.also(routing.as_candidates(considered.read))
    first = known.parse(considered.inference, message)
    near = await _near(deps, run, message, first)
    if not near:
        return first, considered.inference.model, known
    considered = await _ask(deps, run, message, seen, near=near)
    known = seen.also([*near, *routing.as_candidates(considered.read)])
    second = known.parse(considered.inference, message)
    return confirmed(first, second, near), considered.inference.model, known


async def _near(
    deps: Deps, run: RunContext, message: Message, proposal: Route
) -> list[dict[str, Any]]:
    if proposal.outcome not in STARTS:
        return []
    async with deps.pools.domain.connection() as conn:
        return await duplicates.near(
            conn,
            deps.embedder,
            run.workspace,
            message,
            title_and_goal=f"{proposal.title}\n{proposal.goal}",
            is_persistent=proposal.outcome == Outcome.NEW,
        )


async def _ask(
    deps: Deps,
    run: RunContext,
    message: Message,
    seen: _Seen,
    *,
    near: list[dict[str, Any]] | None = None,
) -> Considered:
    async with deps.pools.domain.connection() as conn:
        prompt = await routing.prompt(
            conn,
            deps,
            run.workspace,
            message,
            seen.tasks,
            shown=seen.objects,
            near=near,
            rules=load_prompt("route"),
        )
    return await consider(deps, run, prompt)


async def _point_at(tx: Tx, run: RunContext, proposal: Route) -> None:
    """Keep which objects the words are about, unless the person has pointed at some themselves."""
    message = await messages.get(tx.conn, tx.workspace_id, run.message)
    if proposal.object_ids and proposal.outcome != "ask" and not message.object_ids:
        meant = [ObjectId(UUID(one)) for one in proposal.object_ids]
        await messages.point_at(tx, run.message, meant)
