"""Layer 3: what cannot be delivered as proposed is asked about; a typed answer is an answer."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, override
from uuid import UUID

import pytest
from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatResult
from pydantic import Field

from execution import messages, tasks, workspaces
from execution.approvals import Approval, Decision
from execution.intake import Incoming, accept
from execution.transactions import work
from infra.ids import MessageId, TaskId, WorkspaceId, new_id
from server.workers.watchdog import sweep
from tests.database import DatabaseClock
from tests.harness import calls
from tests.integration.graphs.conftest import OpenStage
from tests.integration.graphs.stage import Model, Stage, plan, routed
from tests.integration.graphs.test_main import replies, say, status


class Meanwhile(Model):
    """A model beside whose routing something happens."""

    while_routing: list[Any] = Field(default_factory=list, repr=False)

    @override
    async def _agenerate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        if "route" in self.bound and self.while_routing:
            hook: Callable[[], Awaitable[None]] = self.while_routing.pop()
            await hook()
        return await super()._agenerate(messages, stop, run_manager, **kwargs)


async def stop(stage: Stage, task_id: TaskId) -> None:
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        await tasks.stop(tx, task_id)
    await stage.machine.drain()


async def archive(stage: Stage, task_id: TaskId) -> None:
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        await tasks.archive(tx, task_id)


async def the_question(stage: Stage) -> Approval:
    (asked,) = [each for each in await stage.machine.pending() if each.kind == "route"]
    return asked


async def choose(stage: Stage, asked: Approval, choice: str) -> None:
    await stage.machine.decide(asked, Decision.CHOOSE, choice=choice)
    await stage.machine.drain()


async def begun(stage: Stage, title: str = "Tea") -> TaskId:
    stage.model.route[:] = routed("new", title=title)
    stage.model.answers[:] = [plan(1), plan(1), plan(1)]
    return await stage.begin(f"a poster: {title}")


async def of_message(stage: Stage, message_id: MessageId) -> tuple[UUID | None, int, str, str]:
    rows = await stage.machine.rows(
        """
        select m.task_id, r.layer, r.outcome, r.reason
        from messages as m join routes as r using (message_id)
        where message_id = %s
        """,
        message_id,
    )
    return rows[0]  # pyright: ignore[reportReturnType]


async def count(stage: Stage) -> int:
    rows = await stage.machine.rows("select count(*) from tasks")
    return rows[0][0]


async def test_a_stopped_task_that_the_router_names_is_asked_about_and_stays_stopped(
    stage: Stage,
) -> None:
    task_id, other = await begun(stage), await begun(stage, "Rain")
    await stop(stage, task_id)
    stage.model.route[:] = routed("existing", task_id=str(task_id), language="de")
    message_id = await say(stage, "mach es blau")
    assert (await stage.task(task_id))[0] == "stopped"
    asked = await the_question(stage)
    assert asked.title == "„Tea“ wurde gestoppt. Was soll mit Ihrer Nachricht geschehen?"
    assert asked.body == "mach es blau"
    assert [(each["id"], each["label"]) for each in asked.card["options"]] == [
        (str(task_id), "„Tea“ fortsetzen"),
        (str(other), "Rain"),
        ("new", "Etwas Neues"),
    ]
    assert (await of_message(stage, message_id))[1:] == (3, "ask", "The task was stopped.")
    await choose(stage, asked, str(task_id))
    assert await stage.machine.task_of(message_id) == task_id
    assert (await stage.task(task_id))[0] == "waiting", "the person has chosen to go on with it"
    assert await status(stage, message_id) == "consumed"
    await stage.check()


async def test_another_task_or_something_new_may_be_chosen_in_place_of_a_stopped_one(
    stage: Stage,
) -> None:
    task_id, other = await begun(stage), await begun(stage, "Rain")
    await stop(stage, task_id)
    stage.model.route[:] = routed("existing", task_id=str(task_id))
    first, second = await say(stage, "make it blue"), await say(stage, "and bigger")
    older, newer = sorted(await stage.machine.pending(), key=lambda each: each.created_at)[-2:]
    await choose(stage, older, str(other))
    await choose(stage, newer, "new")
    assert await stage.machine.task_of(first) == other
    assert await stage.machine.task_of(second) not in (task_id, other)
    assert (await stage.task(task_id))[0] == "stopped"
    await stage.check()


async def test_a_finished_task_that_the_router_names_simply_goes_on(stage: Stage) -> None:
    task_id = await begun(stage)
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        await tasks.set_status(tx, task_id, tasks.TaskStatus.COMPLETED)
    stage.model.route[:] = routed("existing", task_id=str(task_id))
    message_id = await say(stage, "make it blue")
    assert await stage.machine.task_of(message_id) == task_id
    assert await status(stage, message_id) == "consumed"
    await stage.check()


async def test_a_stopped_task_that_a_person_writes_to_is_not_asked_about(stage: Stage) -> None:
    task_id = await begun(stage)
    await stop(stage, task_id)
    await stage.say("go on", task_id)
    await stage.machine.drain()
    assert (await stage.task(task_id))[0] == "waiting"
    assert [each.kind for each in await stage.machine.pending()] == ["plan"]
    await stage.check()


async def test_a_task_archived_while_the_router_thought_is_asked_about(
    open_stage: OpenStage,
) -> None:
    async with open_stage(model=Meanwhile()) as stage:
        assert isinstance(stage.model, Meanwhile)
        task_id = await begun(stage)
        await stop(stage, task_id)
        stage.model.while_routing.append(lambda: archive(stage, task_id))
        stage.model.route[:] = routed("existing", task_id=str(task_id))
        message_id = await say(stage, "make it blue")
        asked = await the_question(stage)
        assert asked.title == "“Tea” is archived. What should happen with your message?"
        assert [each["label"] for each in asked.card["options"]] == [
            "Bring back “Tea”",
            "Something new",
        ]
        await choose(stage, asked, str(task_id))
        assert await status(stage, message_id) == "consumed"
        rows = await stage.machine.rows("select archived_at, status from tasks")
        assert rows == [(None, "waiting")]
        await stage.check()


async def foreign_task(stage: Stage) -> TaskId:
    workspace_id = WorkspaceId(new_id())
    task_id, message_id = TaskId(new_id()), MessageId(new_id())
    async with stage.machine.deps.pools.domain.connection() as conn:
        await workspaces.ensure(conn, workspace_id, name="other", currency="USD")
    async with work(stage.machine.deps, workspace_id) as tx:
        await messages.accept(tx, message_id=message_id, client_id="x", text="x", language="en")
        await tasks.create(
            tx,
            task_id,
            kind="persistent",
            title="Secret",
            goal="secret",
            language="en",
            brief={},
            source_message_id=message_id,
        )
    return task_id


@pytest.mark.parametrize("named", ["foreign", "nobody's", "no id"])
async def test_a_task_that_the_router_was_not_shown_is_asked_about(
    stage: Stage, named: str
) -> None:
    task_id = await begun(stage)
    given = {"foreign": str(await foreign_task(stage)), "nobody's": str(new_id())}
    stage.model.route[:] = routed("existing", task_id=given.get(named, "no id"), language="es")
    message_id = await say(stage, "hazlo azul")
    asked = await the_question(stage)
    assert asked.title.startswith("El trabajo del que parece tratarse no está aquí.")
    assert [each["id"] for each in asked.card["options"]] == [str(task_id), "new"]
    assert "Secret" not in str(asked.card)
    assert await replies(stage, message_id) == []
    await choose(stage, asked, str(task_id))
    assert await status(stage, message_id) == "consumed"


async def test_a_question_that_nobody_answers_ends_with_words_and_loses_nothing(
    stage: Stage, database_clock: DatabaseClock
) -> None:
    task_id = await begun(stage)
    await stop(stage, task_id)
    stage.model.route[:] = routed("existing", task_id=str(task_id), language="de")
    message_id = await say(stage, "mach es blau")
    asked = await the_question(stage)
    await database_clock.advance(timedelta(days=31))
    await sweep(stage.machine.deps)
    await stage.machine.drain()
    (said,) = await replies(stage, message_id)
    assert said.startswith("Niemand hat gesagt, für welche Arbeit diese Nachricht ist")
    assert await status(stage, message_id) == "answered"
    assert (await of_message(stage, message_id))[1:3] == (3, "answer")
    assert (await stage.task(task_id))[0] == "stopped"
    rows = await stage.machine.rows(
        "select status from approvals where approval_id = %s", asked.approval_id
    )
    assert rows == [("expired",)]
    await stage.check()


async def unclear(stage: Stage) -> tuple[list[TaskId], MessageId]:
    both = [await begun(stage, "Tea"), await begun(stage, "Rain")]
    stage.model.route[:] = routed("ask", question="Which one?", options=[str(one) for one in both])
    return both, await say(stage, "make it darker")


@pytest.mark.parametrize(
    ("typed", "index"), [("2", 1), ("der erste", 0), ("Rain", 1), ("the tea one", 0)]
)
async def test_a_typed_answer_chooses_as_the_button_would(
    stage: Stage, typed: str, index: int
) -> None:
    _, message_id = await unclear(stage)
    asked = await the_question(stage)
    option = asked.card["options"][index]["id"] if typed in ("2", "der erste") else None
    told = len(stage.model.routed)
    answer = await say(stage, typed)
    assert len(stage.model.routed) == told, "no model is asked what was meant"
    task_id = await stage.machine.task_of(message_id)
    titles = dict(await stage.machine.rows("select task_id, title from tasks"))
    assert str(task_id) == option or titles[task_id].lower() in typed.lower()
    assert await status(stage, answer) == "answered"
    reason = "It answered the question: Which one?"
    assert await of_message(stage, answer) == (None, 1, "answer", reason)
    assert await count(stage) == 2
    await stage.check()


async def test_something_new_can_be_typed(stage: Stage) -> None:
    both, message_id = await unclear(stage)
    await say(stage, "lieber etwas Neues")
    assert await stage.machine.task_of(message_id) not in both
    await stage.check()


async def test_other_words_leave_the_question_open_and_are_routed_as_usual(stage: Stage) -> None:
    _, message_id = await unclear(stage)
    stage.model.route[:] = routed("answer")
    later = await say(stage, "what does a second poster cost?")
    assert await status(stage, later) == "answered"
    assert (await of_message(stage, later))[1] == 2
    assert (await the_question(stage)).status == "pending"
    assert await status(stage, message_id) == "routed"
    await stage.check()


async def test_of_two_typed_answers_only_the_first_decides(stage: Stage) -> None:
    both, message_id = await unclear(stage)
    stage.model.route[:] = routed("answer")
    first = await stage.machine.say("rain")
    second = await stage.machine.say("tea")
    await stage.machine.drain()
    assert await stage.machine.task_of(message_id) == both[1]
    assert [(await of_message(stage, each))[1] for each in (first, second)] == [1, 2]
    await stage.check()


async def test_a_number_answers_only_what_was_asked_last(stage: Stage) -> None:
    _, older = await unclear(stage)
    stage.model.route[:] = [{**stage.model.route[0], "question": "And this?"}]
    newer = await say(stage, "and larger")
    await say(stage, "1")
    assert await status(stage, newer) == "consumed"
    assert await status(stage, older) == "routed"
    await stage.check()


async def test_a_number_that_a_task_may_have_asked_for_answers_no_older_question(
    stage: Stage,
) -> None:
    both, older = await unclear(stage)
    stage.model.answers[:] = [plan(1), calls(("ask_person", {"question": "How many?"}))]
    await stage.say("more of them", both[0])
    await stage.machine.drain()
    assert "question" in [each.kind for each in await stage.machine.pending()]
    stage.model.route[:] = routed("answer")
    said = await say(stage, "1")
    assert (await of_message(stage, said))[1] == 2
    assert await status(stage, older) == "routed"
    await say(stage, "rain")
    assert await status(stage, older) == "consumed", "words are sure whatever was asked since"
    await stage.check()


async def test_a_reply_to_a_message_of_an_archived_task_is_asked_about(stage: Stage) -> None:
    task_id = await begun(stage)
    first = await stage.say("and blue", task_id)
    await stage.machine.drain()
    await stop(stage, task_id)
    await archive(stage, task_id)
    routers = len(stage.model.routed)
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        message_id = await accept(tx, Incoming(text="and green", client_id="c", reply_to=first))
    await stage.machine.drain()
    assert len(stage.model.routed) == routers, "the person has said which task they mean"
    await choose(stage, await the_question(stage), str(task_id))
    assert await stage.machine.task_of(message_id) == task_id
    assert await status(stage, message_id) == "consumed"
    await stage.check()


async def test_a_choice_is_remembered_as_an_example(stage: Stage) -> None:
    both, _ = await unclear(stage)
    await choose(stage, await the_question(stage), str(both[1]))
    await say(stage, "make it darker still")
    learnt = "select how, words, proposed, belongs_to from route_examples order by created_at"
    first = ("chosen", "make it darker", "Which one?", "Rain")
    assert await stage.machine.rows(learnt) == [first]
    (newer,) = [each for each in await stage.machine.pending() if each.kind == "route"]
    await choose(stage, newer, "new")
    assert (await stage.machine.rows(learnt))[1] == (
        "chosen",
        "make it darker still",
        "Which one?",
        "something new",
    )


async def test_an_archived_task_that_is_brought_back_meanwhile_is_not_asked_about(
    stage: Stage,
) -> None:
    """Who replies to a task of their own means it, also one that they had stopped."""
    task_id = await begun(stage)
    first = await stage.say("and blue", task_id)
    await stage.machine.drain()
    await stop(stage, task_id)
    await archive(stage, task_id)
    async with work(stage.machine.deps, stage.machine.workspace_id) as tx:
        message_id = await accept(tx, Incoming(text="and green", client_id="c", reply_to=first))
        await tasks.unarchive(tx, task_id)
    await stage.machine.drain()
    assert await status(stage, message_id) == "consumed"
    assert [each.kind for each in await stage.machine.pending()] == ["plan"]
    await stage.check()


async def test_an_answered_question_is_acted_upon_once(stage: Stage) -> None:
    both, message_id = await unclear(stage)
    asked = await the_question(stage)
    await choose(stage, asked, str(both[0]))
    used = "select used_at is not null from approvals where approval_id = %s"
    assert await stage.machine.rows(used, asked.approval_id) == [(True,)]
    assert await stage.machine.task_of(message_id) == both[0]
