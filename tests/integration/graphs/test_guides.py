"""The worker reads a guide when it wants to; until then only its name and purpose are shown."""

import json
from collections.abc import AsyncGenerator
from typing import Any

import pytest

from evals.chat_server.script import Reply
from infra.ids import TaskId
from tests.harness import calls
from tests.integration.graphs.stage import Stage
from tests.integration.graphs.wired import Service, Wired, call, wired, working
from tools.guides.reading import guide_lines
from tools.guides.texts import written_guides

STORYBOARD = next(guide for guide in written_guides() if guide.name == "storyboard")
SERVICES: tuple[Service, ...] = ("openai", "anthropic")


@pytest.fixture(params=SERVICES)
async def at(
    request: pytest.FixtureRequest, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Wired]:
    async with wired(stage, request.param, monkeypatch) as made:
        yield made


def texts(value: Any) -> str:
    """Everything that is said in a request, wherever its format puts it."""
    if isinstance(value, dict):
        return "\n".join(texts(each) for each in value.values())  # pyright: ignore[reportUnknownVariableType]
    if isinstance(value, list):
        return "\n".join(texts(each) for each in value)  # pyright: ignore[reportUnknownVariableType]
    return str(value)


async def test_a_real_model_is_shown_names_and_reads_a_text_when_it_asks(at: Wired) -> None:
    at.script.otherwise = working(
        Reply(calls=(call("read_guide", name="storyboard"),)),
        Reply(calls=(call("read_guide", name="installation"),)),
        Reply(text="I have read them."),
    )
    await at.stage.begin("A film about a harbour")
    asked = [body for body in at.script.asked if "read_guide" in json.dumps(body.get("tools", []))]
    first, second, third = (texts(body) for body in asked[:3])
    assert [line for line in guide_lines() if line not in first] == []
    assert STORYBOARD.text not in first
    assert STORYBOARD.text in second
    assert "- vendor: $0.0001 for one call" in third
    assert [texts(body["tools"]) for body in asked] == [texts(asked[0]["tools"])] * len(asked)


async def test_a_guide_that_is_read_is_recorded_like_any_call(stage: Stage) -> None:
    stage.model.answers[:] = [
        calls(("read_guide", {"name": "sound"}), ("read_guide", {"name": "matting"})),
    ]
    task_id: TaskId = await stage.begin()
    rows = await stage.machine.rows(
        "select tool, risk, outcome, refusal, tool_message from ledger where task_id = %s"
        " order by seq",
        task_id,
    )
    assert [row[:4] for row in rows] == [
        ("read_guide", "read", "succeeded", None),
        ("read_guide", "read", "refused", "invalid"),
    ]
    assert rows[0][4].startswith("# Voice, music, captions")
    assert "There is no guide 'matting'. There are: characters, delivery" in rows[1][4]
    await stage.check()
