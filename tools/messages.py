"""Tools towards the person and about the system: ask a question, look up what is possible."""

import json
from typing import Annotated

from pydantic import BaseModel, Field

from execution import approvals, effects
from execution.authorization import Risk
from execution.errors import InvalidCallError
from infra.ids import ThreadId
from tools.tool import Question, Tool, ToolContext, ToolResult


class AskPerson(BaseModel):
    """Arguments of `ask_person`."""

    question: Annotated[str, Field(min_length=1, max_length=1000)]
    options: Annotated[
        list[Annotated[str, Field(min_length=1, max_length=200)]], Field(max_length=6)
    ] = []


class FindCapabilities(BaseModel):
    """Arguments of `find_capabilities`: none."""


async def ask_person(context: ToolContext, arguments: AskPerson) -> Question:
    """Ask the person; the answer comes back as an event.

    Raises:
        InvalidCallError: the very same question is open.
    """
    thread_id = ThreadId(context.task_id)
    for asked in await approvals.of_thread(context.tx.conn, thread_id, statuses=["pending"]):
        if (asked.kind, asked.title) == ("question", arguments.question):
            message = "The person has been asked exactly this and has not answered yet. Wait."
            raise InvalidCallError(message)
    return Question(
        kind="question",
        title=arguments.question,
        body="",
        request=arguments.model_dump(),
        actions=["choose"],
        options=[
            {"id": str(number), "label": text, "detail": ""}
            for number, text in enumerate(arguments.options, start=1)
        ],
        free_text=True,
    )


async def find_capabilities(context: ToolContext, arguments: FindCapabilities) -> ToolResult:
    """Return what this installation can make and what it costs."""
    del arguments
    return ToolResult(message=json.dumps(effects.capabilities(context.deps), ensure_ascii=False))


ASK_PERSON = Tool(
    name="ask_person",
    description="Ask the person one question, with options where they help. Use it sparingly.",
    arguments=AskPerson,
    risk=Risk.WRITE,
    call=ask_person,
)
FIND_CAPABILITIES = Tool(
    name="find_capabilities",
    description="Say which operations exist here and what they cost.",
    arguments=FindCapabilities,
    risk=Risk.READ,
    call=find_capabilities,
)
