"""Beside an open question or a running job the model is not asked over and over."""

from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage

from execution.approvals import Decision
from infra.db.pool import Pools
from infra.providers.scripted import ScriptedChatModel, ScriptedProvider
from tests.harness import calls, open_machine

ROUTE = {"outcome": "new", "title": "Posters", "goal": "posters", "language": "en"}


def _plan(title: str) -> tuple[str, dict[str, Any]]:
    posters = {"key": "p", "title": "Posters", "kind": "image", "count": 3}
    return ("propose_plan", {"title": title, "summary": "s", "language": "en", "steps": [posters]})


async def test_a_revision_that_waits_does_not_spin_over_the_old_plans_slots(
    database_url: str, pools: Pools, tmp_path: Path
) -> None:
    model = ScriptedChatModel(
        route=[ROUTE],
        act=[calls(_plan("First")), calls(_plan("Second")), *[AIMessage(content="")] * 20],
    )
    provider = ScriptedProvider(tmp_path / "made", prices={"image": 4000})
    async with open_machine(
        database_url, pools, tmp_path, model=model, provider=provider
    ) as machine:
        await machine.say("three posters")
        await machine.drain()
        (first,) = await machine.pending()
        await machine.decide(first, Decision.APPROVE)
        await machine.drain()
        assert [question.title for question in await machine.pending()] == ["Second"]
        rounds = await machine.rows("select rounds, status, waiting_reason from tasks")
        assert rounds == [(3, "waiting", "approval")]
