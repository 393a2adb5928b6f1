"""A chat model as the person of a trial, asked over HTTP as any service of chat models is."""

import importlib
import json
from collections.abc import AsyncGenerator, Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from evals.chat_server.script import BROKEN, Answer, Call, Refusal, Reply, Script
from evals.chat_server.serving import chat_server
from evals.scenarios.laboratory import Laboratory
from evals.scenarios.played import Bounds, Played, played_by, role_of
from evals.scenarios.policies import Doing, Wait
from evals.scenarios.schema import Scenario
from evals.scenarios.service import HarnessError
from evals.scenarios.view import Told, View
from evals.trials import Happening, Outcome, Trial
from infra.providers.chat import get_chat_model

SCENARIO = Scenario.model_validate(
    {
        "id": "owls",
        "why": "a model is the person",
        "user": {
            "who": "a bookseller in a hurry",
            "persona": {
                "name": "patient",
                "brief": {
                    "say": "A series of two posters about owls at night",
                    "begins": "owls",
                    "reveals": ["two"],
                },
            },
            "requirements": [{"id": "two", "say": "two posters", "check": "owls.images == 2"}],
        },
        "done": ["owls.status == completed"],
    }
)
SPECS = {"openai": "openai:gpt-5.5", "anthropic": "anthropic:claude-sonnet-5"}
PLAN: dict[str, Any] = {
    "id": "q1",
    "task_id": "t1",
    "kind": "plan",
    "title": "Owls at night",
    "body": "Two pictures.",
    "status": "pending",
    "args_hash": "h1",
    "actions": ["approve", "reject"],
    "options": [],
    "price": {"amount_micros": 100_000},
}


@pytest.fixture(params=SPECS)
def service(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
async def script(monkeypatch: pytest.MonkeyPatch) -> AsyncGenerator[Script]:
    script = Script()
    async with chat_server(script) as address:
        monkeypatch.setenv("OPENAI_API_BASE", f"{address}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "nobody")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
        monkeypatch.setenv("ANTHROPIC_API_KEY", "nobody")
        yield script
        for module, name in (
            ("langchain_openai.chat_models._client_utils", "_cached_async_httpx_client"),
            ("langchain_anthropic._client_utils", "_get_default_async_httpx_client"),
        ):
            getattr(importlib.import_module(module), name).cache_clear()


@pytest.fixture
async def person(script: Script, service: str) -> AsyncGenerator[Callable[..., Played]]:
    made: list[Played] = []

    def play(**given: Any) -> Played:
        played = Played(get_chat_model(SPECS[service]), role_of(SCENARIO), **given)
        made.append(played)
        return played

    yield play
    for each in made:
        await close(each)


async def close(played: Any) -> None:
    """Close the connections that a client keeps open for the next request."""
    client = getattr(played.model, "root_async_client", None) or played.model._async_client
    await client.close()


def act(**arguments: Any) -> Reply:
    return Reply(calls=(Call(name="act", arguments=json.dumps(arguments)),))


def prompt(body: dict[str, Any]) -> str:
    return json.dumps(body, ensure_ascii=False)


async def ask(played: Played, view: View) -> list[Doing] | Wait:
    return await played.next(view, Random(1))  # noqa: S311 - a person


def asked(view: View, question: dict[str, Any] = PLAN) -> None:
    view.hear(Told(seq=1, at_s=5.0, type="approval.requested", task_id="t1", data=question))
    view.now_s = 5.0


async def test_it_says_what_it_wants_and_code_labels_it(
    script: Script, person: Callable[..., Played]
) -> None:
    script.answers = [
        act(do="say", words="Two owl posters!", work="owls", intent="change", wishes=["two", "x"])
    ]
    played = person()
    assert not played.is_through
    (doing,) = await _doing(played, View())
    assert (doing.act.say, doing.act.begins, doing.act.target) == ("Two owl posters!", "owls", None)
    assert (doing.act.intent, doing.act.reveals, doing.at_s) == ("brief", ["two"], 20.0)
    assert played.is_through
    told = prompt(script.asked[0])
    assert "a bookseller in a hurry" in told
    assert "A series of two posters about owls at night" in told


async def _doing(played: Played, view: View) -> list[Doing]:
    wanted = await ask(played, view)
    assert not isinstance(wanted, Wait)
    return wanted


async def test_it_answers_a_question_that_it_sees_and_is_asked_once_about_it(
    script: Script, person: Callable[..., Played]
) -> None:
    script.answers = [
        act(do="say", words="Two owl posters", work="owls", after_s=0),
        act(do="approve", question="Q1", after_s=30),
    ]
    played, view = person(), View()
    await ask(played, view)
    asked(view)
    (answer,) = await _doing(played, view)
    assert (answer.act.decide, answer.question, answer.at_s) == ("approve", PLAN, 35.0)
    view.now_s = 36.0
    assert isinstance(await ask(played, view), Wait)
    assert len(script.asked) == 2
    seen = prompt(script.asked[1])
    assert "Q1: Owls at night. Two pictures.. it costs 0.10. you can approve, reject" in seen
    assert "q1" not in seen
    assert "h1" not in seen


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (act(do="approve", question="Q7"), "there is no question “Q7”; there are Q1."),
        (act(do="choose", question="Q1"), "Q1 can be answered with approve, reject only."),
        (act(do="stop", work="owls"), "there is no work “owls” on the page."),
        (act(do="say", words=" "), "there are no words to say."),
        (act(do="say", words="Hi", work="cats"), "you have no work “cats”; yours are owls."),
        (act(do="fly"), "do: Input should be"),
        (Reply(text="I approve."), "there is no call of act."),
    ],
)
async def test_what_cannot_be_done_is_told_to_it_and_asked_again(
    script: Script, person: Callable[..., Played], wrong: Answer, told: str
) -> None:
    script.answers = [wrong, act(do="approve", question="Q1")]
    played, view = person(), View()
    asked(view)
    (answer,) = await _doing(played, view)
    assert answer.act.decide == "approve"
    assert f"That cannot be done: {told}" in prompt(script.asked[1])


async def test_an_object_in_its_words_is_an_act_where_a_model_calls_no_tools(
    script: Script, person: Callable[..., Played]
) -> None:
    script.answers = [Reply(text='Well: {"do": "approve", "question": "Q1"}.')]
    played, view = person(), View()
    asked(view)
    (answer,) = await _doing(played, view)
    assert answer.act.decide == "approve"


@pytest.mark.parametrize(
    ("answer", "bounds", "told"),
    [
        (Reply(text="I am a language model."), Bounds(), "does nothing that can be done"),
        (BROKEN, Bounds(), "did not answer"),
        (act(do="wait"), Bounds(calls=0), "was asked 0 times"),
        (act(do="approve", question="Q7"), Bounds(tokens=100), "with 120 tokens"),
    ],
)
async def test_who_does_not_play_breaks_the_trial(
    script: Script,
    person: Callable[..., Played],
    answer: Reply | Refusal,
    bounds: Bounds,
    told: str,
) -> None:
    script.otherwise = answer
    played, view = person(bounds=bounds), View()
    asked(view)
    with pytest.raises(HarnessError, match=told):
        await ask(played, view)
    assert len(script.asked) <= 3


async def test_it_waits_as_long_as_it_wants_to_and_looks_up_when_nothing_moves(
    script: Script, person: Callable[..., Played]
) -> None:
    script.answers = [act(do="wait", after_s=60), act(do="say", words="Two owls", work="owls")]
    played, view = person(), View()
    assert await ask(played, view) == Wait(60.0)
    assert await ask(played, view) == Wait(60.0)
    assert len(script.asked) == 1
    view.now_s = 60.0
    assert len(await _doing(played, view)) == 1


async def test_it_sees_what_was_made_by_its_name(
    script: Script, person: Callable[..., Played]
) -> None:
    script.otherwise = act(do="wait")
    played, view = person(), View(begun_by={"owls": "m1"})
    said = {"id": "m1", "role": "user", "text": "Owls!", "status": "consumed", "task_id": "t1"}
    view.hear(Told(seq=1, at_s=0.0, type="message.consumed", task_id="t1", data=said))
    image = {"id": "o1", "task_id": "t1", "kind": "image", "role": "image", "name": "Poster 1"}
    view.hear(Told(seq=2, at_s=0.0, type="object.created", task_id="t1", data=image))
    view.hear(Told(seq=3, at_s=0.0, type="task.updated", task_id="t1", data=TASK))
    await ask(played, view)
    told = prompt(script.asked[0])
    assert "owls (“Owls at night”): active; 1 being made; Posters 1 of 2" in told
    assert "made: Poster 1 (image)" in told
    assert "you: Owls!" in told


TASK: dict[str, Any] = {
    "id": "t1",
    "title": "Owls at night",
    "status": "active",
    "reason": None,
    "waiting_reason": None,
    "jobs": {"total": 2, "queued": 0, "running": 1, "unknown": 0},
    "checklist": {
        "items": [
            {
                "title": "Posters",
                "done": 1,
                "expected": 2,
                "outputs": [{"object_id": "o1", "kind": "image", "role": "image"}],
            }
        ]
    },
    "results": [],
    "delivery": None,
}


@pytest.mark.e2e
async def test_a_trial_is_played_by_a_model_and_judged_by_code(
    script: Script, service: str, postgres_server: str, template_database: str, tmp_path: Path
) -> None:
    def choose(body: dict[str, Any]) -> Answer:
        seen = prompt(body)
        if "- Q1" in seen:
            return act(do="approve", question="Q1")
        if "Works: none" in seen:
            return act(do="say", words="A series of two posters about owls", work="owls")
        return act(do="wait", words="Everything is perfect, the trial has passed.", after_s=9_000)

    script.otherwise = choose
    cast = played_by(SPECS[service])
    laboratory = Laboratory(
        server=postgres_server, template=template_database, folder=tmp_path, cast=cast
    )
    lines = await laboratory.attempt(SCENARIO, 1, "none")
    await close(cast(SCENARIO).policy)
    trial, outcome = lines[0], lines[-1]
    assert isinstance(trial, Trial)
    assert isinstance(outcome, Outcome)
    assert outcome.passed, (outcome.reason, [each for each in outcome.checks if not each.passed])
    assert trial.policy == f"model {SPECS[service]}"
    did = [line.what for line in lines if isinstance(line, Happening) and line.track == "person"]
    assert did == ["say", "decide"]
    assert len(script.asked) <= 8
