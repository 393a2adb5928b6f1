"""The demonstration answers what it may, and leaves to the person what only a person can say."""

import io
from typing import Any

import pytest
from rich.console import Console

from infra.ids import TaskId
from server.demo.client import AtelierClient
from server.demo.run import Demo
from server.demo.screen import Screen
from server.demo.story import Story
from server.errors import DemoError
from tests.integration.server.conftest import Live, make_question, make_task


async def never_mind() -> None:
    """A server of ours is always worth another try."""


async def card(live: Live, task_id: TaskId, **given: Any) -> dict[str, Any]:
    approval_id = await make_question(live.deps, task_id, **given)
    cards = (await live.http.get("/v1/approvals")).json()["approvals"]
    return next(found for found in cards if found["id"] == str(approval_id))


async def status(live: Live, approval: dict[str, Any]) -> str:
    cards = (await live.http.get("/v1/approvals")).json()["approvals"]
    return next(found["status"] for found in cards if found["id"] == approval["id"])


async def test_what_only_a_person_can_say_is_left_to_the_person(live: Live) -> None:
    task_id = await make_task(live.deps)
    question: dict[str, Any] = {"kind": "question", "actions": ("choose",), "free_text": True}
    option = {"id": "1", "label": "A film", "detail": ""}
    open_question = await card(live, task_id, **question, options=[])
    with_options = await card(live, task_id, **question, options=[option])
    plan = await card(live, task_id)
    async with AtelierClient(live.address, never_mind) as client:
        demo = Demo(
            client=client,
            screen=Screen(Console(file=io.StringIO(), width=80)),
            story=Story(message_id="m"),
            approves=True,
            is_terminal=False,
        )
        with pytest.raises(DemoError, match="waits for your answer"):
            await demo.ask(open_question)
        await demo.ask(with_options)
        await demo.ask(plan)
    assert await status(live, open_question) == "pending"
    assert await status(live, with_options) == "chosen"
    assert await status(live, plan) == "approved"
