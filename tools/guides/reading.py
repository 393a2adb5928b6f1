"""`read_guide`: the worker reads how something is done well here, when it needs to know."""

from typing import Annotated

from pydantic import BaseModel, Field

from execution.authorization import Risk
from execution.errors import InvalidCallError
from tools.guides import installation
from tools.guides.texts import Guide, written_guides
from tools.tool import Tool, ToolContext, ToolResult


class ReadGuide(BaseModel):
    """Arguments of `read_guide`."""

    name: Annotated[str, Field(max_length=40)]


def guide_lines() -> list[str]:
    """Return each guide's name with what it is for, in the order in which a model sees them."""
    known = {guide.name: guide.about for guide in written_guides()}
    known[installation.NAME] = installation.ABOUT
    return [f"`{name}`: {about}" for name, about in known.items()]


async def read_guide(context: ToolContext, arguments: ReadGuide) -> ToolResult:
    """Return a guide's text; that of this installation as its services are now."""
    if arguments.name == installation.NAME:
        return ToolResult(message=installation.installation_guide(context.deps).text)
    return ToolResult(message=_find(arguments.name).text)


def _find(name: str) -> Guide:
    guides = {guide.name: guide for guide in written_guides()}
    if name not in guides:
        there = ", ".join([*guides, installation.NAME])
        message = f"There is no guide '{name}'. There are: {there}."
        raise InvalidCallError(message)
    return guides[name]


READ_GUIDE = Tool(
    name="read_guide",
    description=" ".join(
        (
            "Read a guide of the craft before you plan or order what it is about, once.",
            *guide_lines(),
        )
    ),
    arguments=ReadGuide,
    risk=Risk.READ,
    call=read_guide,
)
