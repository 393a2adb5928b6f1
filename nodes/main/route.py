"""`route`: the router model proposes where the message belongs; the proposal is stored once."""

from typing import Any, Literal
from uuid import UUID

from langgraph.runtime import Runtime
from langgraph.types import Command
from pydantic import BaseModel, Field, ValidationError

from execution import effects, leases, messages
from execution.effects import Inference
from execution.messages import Message, Outcome
from execution.transactions import work
from infra.crash_points import CrashPoint, reached
from infra.deps import Deps
from infra.ids import TaskId
from infra.language import detect_language
from infra.providers.models import ModelRole
from memory import routing
from nodes.prompting import load_prompt
from nodes.state import MainState, RunContext

_TITLE = 80
_GOAL = 20_000
_SENTENCE = 1000
_OFFERED = 4
"""Whatever a router writes is a sentence or two; a person reads no more of it."""


class Route(BaseModel):
    """Say where the message belongs."""

    outcome: Literal["answer", "lightweight", "existing", "new", "ask"]
    task_id: str | None = Field(default=None, description="for existing: one of the candidates")
    title: str = Field(default="", description="short, in the person's language")
    goal: str = Field(default="", description="one sentence that keeps the person's own words")
    language: str = Field(default="", description="BCP 47 tag of the conversation")
    acknowledgement: str = Field(default="", description="one sentence to the person")
    question: str | None = Field(default=None, description="for ask")
    options: list[str] = Field(default_factory=list, description="for ask: candidate task ids")
    reason: str = ""


ROUTE_SCHEMA: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "route",
        "description": "Say where the person's message belongs.",
        "parameters": Route.model_json_schema(),
    },
}


async def route(
    state: MainState, runtime: Runtime[RunContext], *, deps: Deps
) -> Command[Literal["check"]]:
    """Ask the router, keep only what is valid of its proposal, and commit it."""
    run = runtime.context
    found = state.get("candidates", [])
    async with deps.pools.domain.connection() as conn:
        message = await messages.get(conn, run.workspace, run.message)
        prompt = await routing.prompt(
            conn, deps, run.workspace, message, found, rules=load_prompt("route")
        )
    inference = await effects.infer(
        deps,
        ModelRole.ROUTER,
        prompt,
        asker=run.as_message,
        tools=[ROUTE_SCHEMA],
        tool_choice="route",
    )
    await reached(CrashPoint.ROUTE_INFERRED)
    proposal = parse(inference, message, {item["task_id"]: item for item in found})
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
            candidates=[item for item in found if item["task_id"] in proposal.options],
            model=inference.model,
        )
        following = await leases.release_order(tx.conn, run.thread)
        if following is not None:
            tx.woken.add(following)
    await reached(CrashPoint.ROUTE_COMMITTED)
    return Command(goto="check", update={"outcome": proposal.outcome})


def parse(inference: Inference, message: Message, known: dict[str, Any]) -> Route:
    """Return the proposal with everything invalid replaced by the harmless choice.

    A model that answers nonsense causes no action: the message is answered. One that names a task
    it was not shown, or asks about none, lets the person choose among those that there are.
    """
    proposal = next(
        (_valid(call.arguments) for call in inference.calls if call.name == "route"), None
    )
    if proposal is None:
        proposal = Route(outcome="answer", reason="the router proposed nothing usable")
    proposal.options = [task_id for task_id in proposal.options if task_id in known]
    if proposal.outcome == "existing" and proposal.task_id not in known:
        proposal.task_id = None
        proposal.reason = "the router named a task that it was not shown"
    if proposal.outcome == "ask" and not proposal.options:
        proposal.options = list(known)[:_OFFERED]
    if proposal.outcome in ("existing", "ask") and not known:
        proposal = Route(outcome="answer", reason="the router named a task, and there is none")
    if proposal.outcome != "existing":
        proposal.task_id = None
    return _bounded(proposal, message)


def _bounded(proposal: Route, message: Message) -> Route:
    """Return the proposal with its words no longer than anybody reads, and none missing."""
    proposal.language = (proposal.language or message.language or detect_language(""))[:20]
    proposal.title = (proposal.title.strip() or message.text.strip())[:_TITLE] or "…"
    proposal.goal = proposal.goal.strip()[:_GOAL] or message.text.strip()
    proposal.acknowledgement = proposal.acknowledgement.strip()[:_SENTENCE]
    proposal.question = (proposal.question or "").strip()[:_SENTENCE] or None
    proposal.reason = proposal.reason[:_SENTENCE]
    return proposal


def _valid(arguments: dict[str, Any]) -> Route | None:
    try:
        return Route.model_validate(arguments)
    except ValidationError:
        return None
