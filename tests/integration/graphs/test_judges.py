"""Judges look at what is to be delivered and propose; they approve, order and hold up nothing."""

import base64
import io
import re
from collections.abc import AsyncGenerator
from dataclasses import replace
from typing import Any

import pytest
from PIL import Image

from evals.chat_server.script import BROKEN, Answer, Reply, tools_of
from execution import views
from execution.workspaces import AutonomyLevel
from graphs.invoke import Graphs
from infra.ids import TaskId
from infra.providers.models import ChatModels
from server.workers.worker import Worker
from tests.harness import FixedModels
from tests.integration.graphs.stage import Stage, plan
from tests.integration.graphs.test_acceptance import allow, deliver, event_types, standing
from tests.integration.graphs.test_guides import texts
from tests.integration.graphs.wired import (
    PATIENCE_S,
    SPECS,
    Service,
    Wired,
    call,
    wired,
)

SERVICES: tuple[Service, ...] = ("openai", "anthropic")
_DATA = re.compile(r"(?:base64,)?(/9j/[A-Za-z0-9+/=]{200,})")


@pytest.fixture(params=SERVICES)
async def at(
    request: pytest.FixtureRequest, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Wired]:
    """A stage whose works are looked at by a real client of a service, and by nobody else."""
    async with wired(stage, request.param, monkeypatch) as made:
        look_with(made)
        yield made


def look_with(made: Wired) -> None:
    """Have the service's model look at works, while the scripted one works as before."""
    made.use(FixedModels(made.stage.model))
    judge = ChatModels(SPECS[made.service], patience_s=PATIENCE_S)
    made.used.append(judge)
    machine = made.stage.machine
    machine.deps = replace(machine.deps, judge=judge)
    machine.worker = Worker(machine.deps, Graphs(machine.deps), machine.worker._heart)


def judging(*proposals: dict[str, Any]) -> Answer:
    return Reply(calls=(call("judge", proposals=list(proposals)),))


def proposal(result: str, advice: str = "regenerate", **given: Any) -> dict[str, Any]:
    reason = "The scarf is red in all others."
    return {"result": result, "advice": advice, "aspect": "consistency", "reason": reason, **given}


async def judgements(stage: Stage, task_id: TaskId) -> list[dict[str, Any]]:
    machine = stage.machine
    async with machine.deps.pools.domain.connection() as conn:
        shown = await views.task(conn, machine.workspace_id, task_id)
    return shown["acceptance"]["judgements"]


async def test_a_model_is_shown_the_pictures_and_its_proposals_are_evidence(at: Wired) -> None:
    at.script.otherwise = judging(
        proposal("posters.2"), proposal("posters.9"), proposal("work", "ask", aspect="brief")
    )
    task_id = await deliver(at.stage)
    (asked,) = at.script.asked
    assert tools_of(asked) == ["judge"]
    said = texts(asked)
    pictures = [Image.open(io.BytesIO(base64.b64decode(one))) for one in _DATA.findall(said)]
    assert [(each.format, each.size) for each in pictures] == [("JPEG", (64, 64))] * 2
    assert "posters.1:" in said
    assert "work" in said, "the brief"
    rules, model = await judgements(at.stage, task_id)
    assert (rules["judge"], rules["version"]) == ("rules", "1")
    assert (model["model"], model["failure"]) == (SPECS[at.service], None)
    assert re.fullmatch(r"[0-9a-f]{12}", model["version"])
    assert [(each["step"], each["slot"], each["advice"]) for each in model["proposals"]] == [
        ("posters", 2, "regenerate"),
        (None, None, "ask"),
    ]
    assert (await at.stage.task(task_id))[0] == "completed"
    assert (await standing(at.stage, task_id)).state == "awaiting"
    roles = await at.stage.machine.rows("select role, outcome from model_calls where role='judge'")
    assert roles == [("judge", "answered")]
    await at.stage.check()


async def test_the_worker_and_the_person_read_what_was_proposed(at: Wired) -> None:
    at.script.otherwise = judging(proposal("posters.1", "adjust"))
    task_id = await deliver(at.stage, plan(2))
    assert "judgement" not in at.stage.model.states[-1]
    await at.stage.say("Go by what was proposed.", task_id)
    await at.stage.machine.drain()
    seen = at.stage.model.states[-1]["judgement"]
    assert [one["reason"] for each in seen for one in each["proposals"] if each["judge"] == "model"]
    assert seen == await judgements(at.stage, task_id)


@pytest.mark.parametrize(
    "answer",
    [BROKEN, Reply(text="All good, approved!"), Reply(calls=(call("judge", proposals="fine"),))],
)
async def test_a_judge_that_says_nothing_usable_holds_up_nothing(at: Wired, answer: Answer) -> None:
    at.script.otherwise = answer
    task_id = await deliver(at.stage)
    _, model = await judgements(at.stage, task_id)
    assert model["failure"]
    assert model["proposals"] == []
    assert (await standing(at.stage, task_id)).state == "awaiting"


@pytest.mark.parametrize(
    ("advice", "state"), [("adjust", "accepted"), ("regenerate", "awaiting"), ("ask", "awaiting")]
)
async def test_a_judge_can_only_make_a_grant_ask(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, advice: str, state: str
) -> None:
    await allow(stage, AutonomyLevel.FREE)
    async with wired(stage, "openai", monkeypatch) as made:
        made.script.otherwise = judging(proposal("posters.1", advice))
        look_with(made)
        task_id = await deliver(stage)
    assert (await standing(stage, task_id)).state == state


async def test_the_rules_alone_judge_where_no_model_is_set(stage: Stage) -> None:
    task_id = await deliver(stage)
    (rules,) = await judgements(stage, task_id)
    shapes = [each for each in rules["proposals"] if each["check"] == "picture_shape"]
    assert [(each["step"], each["slot"], each["advice"]) for each in shapes] == [
        ("posters", 1, "adjust"),
        ("posters", 2, "adjust"),
    ]
    assert "task.completed" in await event_types(stage, task_id)
    calls_made = await stage.machine.rows("select count(*) from model_calls where role = 'judge'")
    assert calls_made == [(0,)]
