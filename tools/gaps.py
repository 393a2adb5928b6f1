"""`leave_out`: finish a step of the plan without the results that are not there.

Nothing incomplete is put together on a model's word. A person is shown exactly what is missing, and
their yes is for that list: if more is missing when it is applied, it allows nothing.
"""

from typing import Annotated

from pydantic import BaseModel, Field

from execution import counted
from execution.authorization import Authorization, Risk
from execution.errors import InvalidCallError, PermissionDeniedError
from execution.progress import ItemProgress, ranges
from tools.tool import Question, Tool, ToolContext
from workspace.delivery.wording import Words, words_of

LEAVE_OUT_NAME = "leave_out"
_INDISPENSABLE = frozenset({"script", "document", "master"})
_NEEDS_ONE = frozenset({"shots", "keyframes", "characters", "image"})
"""Kinds of which nothing can be left out wholly: there would be no work."""


class LeaveOut(BaseModel):
    """Arguments of `leave_out`."""

    step: Annotated[str, Field(max_length=40, description="key of the plan's step")]
    slots: Annotated[
        list[Annotated[int, Field(ge=1, le=60)]],
        Field(min_length=1, max_length=60, description="every slot of the step without a result"),
    ]
    reason: Annotated[
        str, Field(max_length=600, description="why, to the person, in their language")
    ] = ""


async def leave_out(context: ToolContext, arguments: LeaveOut) -> Question:
    """Ask the person whether the work may be finished without these results."""
    plan = context.plan
    if plan is None or not plan.is_approved:
        message = "Only something of an approved plan can be left out."
        raise PermissionDeniedError(message)
    item = plan.find(arguments.step)
    if item is None:
        message = f"The plan has no step '{arguments.step}'."
        raise InvalidCallError(message)
    _check(item, arguments)
    return Question(
        kind="gaps",
        title=f"{item.item.title}: {item.count('done')} / {item.item.expected_count}",
        body=arguments.reason,
        request={
            "step": item.item.key,
            "slots": item.absent_slots,
            "version": plan.checklist.version,
            "saw": counted.seen_of(item),
        },
        actions=["approve", "reject"],
        saw={item.item.key: counted.seen_of(item)},
        decided=Authorization(
            verdict="ask", category="permission", reason="Only a person can agree to do without."
        ),
        lines=_lines(item, words_of(context.task.language)),
    )


def _lines(item: ItemProgress, words: Words) -> list[dict[str, str]]:
    """Return what is missing, a line for all that is missing for the same reason."""
    why: dict[tuple[str, str | None], list[int]] = {}
    for slot in item.slots:
        if slot.number in item.absent_slots:
            why.setdefault((slot.state, item.failure(slot.number)), []).append(slot.number)
    return [
        {
            "label": f"{item.item.title} {ranges(places)}",
            "detail": ": ".join(filter(None, (words.state(state), reason))),
        }
        for (state, reason), places in why.items()
    ]


def _check(item: ItemProgress, arguments: LeaveOut) -> None:
    title, absent = item.item.title, item.absent_slots
    if item.item.kind in _INDISPENSABLE:
        message = f"There is no work without '{title}'."
        raise InvalidCallError(message)
    if sorted(set(arguments.slots)) != absent:
        message = (
            f"Of '{title}' exactly these slots have no result: {absent}. A person can only be "
            "asked about all of them."
        )
        raise InvalidCallError(message)
    if item.item.kind in _NEEDS_ONE and not item.count("done"):
        message = f"Nothing of '{title}' is there yet; there is no work without any of it."
        raise InvalidCallError(message)


LEAVE_OUT = Tool(
    name=LEAVE_OUT_NAME,
    description=(
        "Ask the person to finish the work without the results of a step that are not there. "
        "Name every slot that has none. Only when trying again makes no sense, or they want it."
    ),
    arguments=LeaveOut,
    risk=Risk.WRITE,
    call=leave_out,
)
