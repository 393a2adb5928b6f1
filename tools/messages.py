"""Tools towards the person and about the system: ask a question, look up what is possible."""

import json
from typing import Annotated

from pydantic import BaseModel, Field

from execution import effects
from execution.authorization import Risk
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
    """Ask the person; the answer comes back as an event."""
    del context
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
