"""The runner sends messages through the real Main and reads where they went."""

import argparse
import json
import re
from collections.abc import AsyncGenerator, Callable
from contextlib import nullcontext
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, override

import pytest
import yaml
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult

from evals.__main__ import main
from evals.routing import cases, command, recording, runner
from evals.routing.build import build
from evals.routing.cases import Situation, Tag
from evals.routing.metrics import Judged
from evals.routing.recording import Recorded
from execution import approvals, messages, tasks
from infra import clock
from infra.db.pool import Pools
from infra.ids import ThreadId
from infra.providers.embedding import InlineEmbedder
from infra.providers.rehearsal.model import RehearsalModel
from infra.providers.scripted import ScriptedChatModel
from infra.settings import Settings
from tests.harness import Machine, calls, open_machine
from workspace import objects

PORT = """
id: port
language: en
subjects: [port]
tasks:
  - key: harbour
    title: Harbour film
    goal: a film of a harbour
    status: completed
    summary: Delivered.
    age: 3 d
    objects: [{key: crane, name: Crane, kind: video}, {key: quay, name: Quay, kind: video}]
  - {key: mill, title: Mill, goal: a picture of a mill, kind: lightweight, age: 2 h}
  - {key: old, title: Old quay, goal: a song, archived: true, age: 5 w}
  - key: letter
    title: Letter
    goal: a long letter
    words: please write a long letter
    status: waiting
    age: 10 min
    asks: {title: "To whom?", options: [Ann, Bo]}
recent:
  - {role: user, text: please write a long letter, task: letter, age: 1 h, key: wish}
  - {role: assistant, text: "To whom?", task: letter, age: 10 min, key: whom}
  - {role: user, text: wait a moment, age: 5 min}
shown: [quay, crane]
cases:
  - {id: right, say: to-harbour, tags: [pronoun], expect: {outcome: existing, task: harbour}}
  - {id: wrong, say: to-mill, tags: [pronoun], expect: {outcome: existing, task: harbour}}
  - {id: ask, say: which, tags: [ambiguous], expect: {outcome: ask, options: [harbour, mill]}}
  - {id: new, say: begin, tags: [new], expect: {outcome: new}}
  - {id: talk, say: hello, tags: [small-talk], expect: {outcome: answer}}
  - id: said
    say: to Bo
    tags: [explicit]
    sent_with: {reply_to: whom}
    expect: {outcome: existing, task: letter}
  - id: thing
    say: brighter
    tags: [explicit]
    sent_with: {object: crane}
    expect: {outcome: existing, task: harbour}
  - id: put-away
    say: again
    tags: [explicit, archived]
    sent_with: {task: old}
    expect: {outcome: answer}
"""


class _Router(ScriptedChatModel):
    """Routes by the one word that it is sent, with the ids that it is shown."""

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        text = str(messages[-1].content)
        answer = AIMessage(content="Yes.")
        if "route" in self.bound:
            answer = calls(("route", _decide(text)))
        return ChatResult(generations=[ChatGeneration(message=answer)])


def _decide(text: str) -> dict[str, Any]:
    found = re.search(r"<candidates>(.*?)</candidates>", text)
    said = re.search(r"<message[^>]*>(.*)</message>", text)
    assert found
    assert said
    ids = {each["title"]: each["task_id"] for each in json.loads(found[1])}
    match said[1]:
        case "to-harbour":
            return {"outcome": "existing", "task_id": ids["Harbour film"], "reason": "it says so"}
        case "to-mill":
            return {"outcome": "existing", "task_id": ids["Mill"]}
        case "which":
            return {"outcome": "ask", "options": [ids["Harbour film"], ids["Mill"]]}
        case "begin":
            return {"outcome": "new", "title": "Work", "goal": "work"}
        case _:
            return {"outcome": "answer"}


@pytest.fixture
def port() -> Situation:
    return Situation.model_validate(yaml.safe_load(PORT))


@pytest.fixture
async def machine(database_url: str, pools: Pools, tmp_path: Path) -> AsyncGenerator[Machine]:
    async with open_machine(database_url, pools, tmp_path, model=_Router()) as opened:
        yield opened


async def test_messages_are_sent_and_found_where_they_went(
    machine: Machine, port: Situation
) -> None:
    told: list[str] = []
    judged = await runner.run(machine.deps, [port], told=lambda each: told.append(each.case.id))
    went = {
        each.case.id: (each.got.outcome, each.got.task, sorted(each.got.options)) for each in judged
    }
    assert went == {
        "right": ("existing", "harbour", []),
        "wrong": ("existing", "mill", []),
        "ask": ("ask", None, ["harbour", "mill"]),
        "new": ("new", None, []),
        "talk": ("answer", None, []),
        "said": ("existing", "letter", []),
        "thing": ("existing", "harbour", []),
        "put-away": ("refused", None, []),
    }
    assert judged[0].got.reason == "it says so"
    assert sorted(told) == sorted(went)
    assert [each.case.id for each in judged] == [case.id for case in port.cases]


async def test_no_task_is_worked_on(machine: Machine, port: Situation) -> None:
    await runner.run(machine.deps, [port], is_wanted=lambda _, case: case.id in ("new", "right"))
    kinds = await machine.rows(
        "select distinct t.kind from turns join threads as t using (thread_id)"
    )
    assert kinds == [("main",)]


async def test_a_situation_is_set_up_as_it_is_written(machine: Machine, port: Situation) -> None:
    built = await build(machine.deps, port)
    now = clock.utc_now()
    async with machine.deps.pools.domain.connection() as conn:
        listed = await tasks.recent(conn, built.workspace_id, limit=20)
        said = await messages.recent(conn, built.workspace_id, limit=20)
        made = await objects.recent(conn, built.workspace_id, limit=20)
        asked = await approvals.of_thread(
            conn, ThreadId(built.tasks["letter"]), statuses=["pending"]
        )
        old = await tasks.get(conn, built.workspace_id, built.tasks["old"])
    assert [(each.title, each.kind, each.status, each.summary) for each in listed] == [
        ("Letter", "persistent", "waiting", ""),
        ("Mill", "lightweight", "completed", ""),
        ("Harbour film", "persistent", "completed", "Delivered."),
    ]
    ages = [now - each.updated_at for each in listed]
    wanted = [timedelta(minutes=10), timedelta(hours=2), timedelta(days=3)]
    assert all(
        abs(age - want) < timedelta(seconds=30) for age, want in zip(ages, wanted, strict=True)
    )
    assert old.archived_at is not None
    assert [each.text for each in said] == [
        "a song",
        "a film of a harbour",
        "a picture of a mill",
        "please write a long letter",
        "To whom?",
        "wait a moment",
    ]
    assert [each.name for each in made] == ["Crane", "Quay"]
    assert now - made[0].created_at < timedelta(minutes=3)
    assert [option["label"] for option in asked[0].card["options"]] == ["Ann", "Bo"]
    assert await machine.rows("select 1 from threads where wake_seq > handled_seq") == []


async def test_situations_of_every_kind_can_be_set_up(machine: Machine) -> None:
    for situation in _one_of_each(cases.load("dev")):
        built = await build(machine.deps, situation)
        assert set(built.tasks) == {task.key for task in situation.tasks}
        assert set(built.objects) == {made.key for task in situation.tasks for made in task.objects}
        assert set(built.said) == {said.key for said in situation.recent if said.key}


def _one_of_each(situations: list[Situation]) -> list[Situation]:
    """The first that has nothing, something stopped, a price that waits, something shown."""
    kinds: list[Callable[[Situation], bool]] = [
        lambda each: not each.tasks,
        lambda each: any(task.status == "stopped" for task in each.tasks),
        lambda each: any(task.asks and task.asks.kind == "plan" for task in each.tasks),
        lambda each: bool(each.shown),
    ]
    return [next(each for each in situations if has(each)) for has in kinds]


@pytest.mark.timeout(300)
async def test_a_replay_goes_where_the_run_went_that_it_stands_for(
    database_url: str, pools: Pools, tmp_path: Path
) -> None:
    situations = _with_tags(cases.load("dev"), "duplicate", "archived")
    async with open_machine(database_url, pools, tmp_path, model=RehearsalModel()) as opened:
        deps = replace(opened.deps, embedder=InlineEmbedder())
        kept: list[Recorded] = []
        await runner.run(deps, situations, keep=kept.append)
        ran = await runner.run(deps, situations)
    path = recording.path_of(tmp_path, "dev")
    recording.write(path, kept)
    replayed = recording.replay(recording.read(path), situations)
    assert [_went(each) for each in replayed] == [_went(each) for each in ran]
    outcomes = {each.got.outcome for each in ran}
    assert {"existing", "ask"} <= outcomes, "a slice in which nothing could differ proves nothing"


def _went(each: Judged) -> tuple[str, str | None, list[str], str | None]:
    """Where a message went; the order of all but the first choice says nothing."""
    got = each.got
    return got.outcome, got.task, [*got.options[:1], *sorted(got.options[1:])], got.brings_back


def _with_tags(situations: list[Situation], *tags: Tag) -> list[Situation]:
    """For each tag the first situation that has such a case."""
    return [
        next(each for each in situations if any(tag in case.tags for case in each.cases))
        for tag in tags
    ]


def test_the_unseen_half_is_not_shown_by_accident(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ATELIER_MODEL", raising=False)
    for asked in (["--half", "unseen"], ["--half", "both"], []):
        assert main(["routing", "--show", *asked]) == 1
        assert "add --reveal if you mean it" in capsys.readouterr().err


def test_a_command_that_is_not_there_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench"]) == 2
    assert (
        capsys.readouterr().err == "There is no evaluation bench. "
        "There is: run, scenarios, replay, routing, report, compare.\n"
    )


@pytest.mark.timeout(120)
def test_the_command_prints_and_writes_what_it_has_found(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    database_url: str,
) -> None:
    by_language = {each.language: each for each in cases.load("dev")}
    few = [by_language["it"], by_language["de"]]

    def load(_: cases.Half) -> list[Situation]:
        return few

    monkeypatch.setattr(cases, "load", load)
    path = tmp_path / "figures.json"
    parser = argparse.ArgumentParser()
    command.add_options(parser)
    told = ["--half", "dev", "--language", "it", "--model", "rehearsal", "--json", str(path)]
    settings = Settings(data_dir=tmp_path)
    options = parser.parse_args(told)
    assert command.execute(options, settings, database=lambda: nullcontext(database_url)) == 0
    said = capsys.readouterr().out
    (run,) = json.loads(path.read_text(encoding="utf-8"))["runs"]
    written = [each.language_of(case) for each in few for case in each.cases]
    asked = ("rehearsal", "dev", written.count("it"))
    assert (run["model"], run["half"], run["all"]["cases"]) == asked
    assert {each["language"] for each in run["cases"]} == {"it"}
    assert run["all"]["unrouted"] == 0
    assert f"{run['all']['accuracy']:.1%}" in said
