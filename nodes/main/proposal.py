"""What the router may propose, and what code keeps of it: pure.

Whatever is invalid in a proposal becomes the harmless choice: an answer, or a question.
"""

import re
from collections.abc import Collection, Sequence
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field, ValidationError

from execution.messages import Message
from execution.proposed import ProposedCall
from infra.language import detect_language, surely

_TITLE = 80
_GOAL = 20_000
_SENTENCE = 1000
"""Whatever a router writes is a sentence or two; a person reads no more of it."""
_OFFERED = 4
_MEANT = 6
_TAG = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}")
STARTS = ("lightweight", "new")


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
    object_ids: list[str] = Field(
        default_factory=list, description="the shown objects that are meant; for ask: the choices"
    )
    reason: str = ""


ROUTE_SCHEMA: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "route",
        "description": "Say where the person's message belongs.",
        "parameters": Route.model_json_schema(),
    },
}


def parse(
    calls: Sequence[ProposedCall],
    message: Message,
    known: Collection[str],
    objects: Collection[str] = (),
) -> Route:
    """Return the proposal with everything invalid replaced by the harmless choice.

    A model that answers nonsense causes no action: the message is answered. One that names a task
    it was not shown, or asks about none, lets the person choose among those that there are.
    """
    proposal = next((_valid(call.arguments) for call in calls if call.name == "route"), None)
    if proposal is None:
        proposal = Route(outcome="answer", reason="the router proposed nothing usable")
    proposal.options = [task_id for task_id in proposal.options if task_id in known]
    if proposal.outcome == "existing" and proposal.task_id not in known:
        proposal.task_id = None
        proposal.reason = "the router named a task that it was not shown"
    proposal.object_ids = _objects(proposal, objects)
    asks_about_objects = proposal.outcome == "ask" and len(proposal.object_ids) > 1
    if proposal.outcome == "ask" and not proposal.options and not asks_about_objects:
        proposal.options = list(known)[:_OFFERED]
    if proposal.outcome in ("existing", "ask") and not known and not asks_about_objects:
        proposal = Route(outcome="answer", reason="the router named a task, and there is none")
    if proposal.outcome != "existing":
        proposal.task_id = None
    return _bounded(proposal, message)


def confirmed(first: Route, second: Route, near: Sequence[dict[str, Any]]) -> Route:
    """Return what became of a new task after the router had seen the ones it would repeat.

    It reuses one, confirms that its own is another, or asks; anything else is asked about.
    """
    titles = ", ".join(str(item["title"]) for item in near)
    if second.outcome == "answer":
        second = first.model_copy(
            update={"outcome": "ask", "options": [item["task_id"] for item in near]}
        )
        second.reason = "the router did not say whether it repeats one"
    verdict = {"new": "not a repetition", "lightweight": "not a repetition"}
    said = verdict.get(second.outcome, second.outcome)
    second.reason = f"near to {titles}: {said}; {second.reason}"[:_SENTENCE]
    return second


def _objects(proposal: Route, shown: Collection[str]) -> list[str]:
    """Return the objects that are meant; for a task that exists also those that were not shown.

    Whether those are here is looked at before the message is delivered, and asked about if not.
    """
    named = list(dict.fromkeys(proposal.object_ids))
    if proposal.outcome == "existing":
        return [one for one in named if _is_id(one)][:_MEANT]
    return [one for one in named if one in shown][:_MEANT]


def _is_id(text: str) -> bool:
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False


def _bounded(proposal: Route, message: Message) -> Route:
    """Return the proposal with its words no longer than anybody reads, and none missing."""
    proposal.language = language_of(proposal.language, message)
    proposal.title = (proposal.title.strip() or message.text.strip())[:_TITLE] or "…"
    proposal.goal = proposal.goal.strip()[:_GOAL] or message.text.strip()
    proposal.acknowledgement = proposal.acknowledgement.strip()[:_SENTENCE]
    proposal.question = (proposal.question or "").strip()[:_SENTENCE] or None
    proposal.reason = proposal.reason[:_SENTENCE]
    return proposal


def language_of(proposed: str, message: Message) -> str:
    """Return the language in which the person is answered: theirs, whatever the work's shall be.

    Where their words leave no doubt, a proposal only adds to it (`de-AT`); else it decides.
    """
    tag = proposed.strip() if _TAG.fullmatch(proposed.strip()) else ""
    sure = surely(message.text)
    if sure is not None and tag.partition("-")[0].lower() != sure:
        return sure
    return tag or message.language or detect_language("")


def _valid(arguments: dict[str, Any]) -> Route | None:
    try:
        return Route.model_validate(arguments)
    except ValidationError:
        return None
