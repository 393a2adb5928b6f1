"""A new version starts while work waits: nodes renamed, state changed, and questions are kept."""

from collections.abc import Awaitable, Callable
from typing import Any, Literal

import pytest
from langgraph.graph import START, StateGraph
from langgraph.runtime import Runtime
from langgraph.types import Command
from typing_extensions import TypedDict

from execution.approvals import Decision
from execution.saver import FencedSaver
from execution.standing import strays
from graphs.binding import bind
from infra.deps import Deps
from nodes.state import RunContext
from nodes.task.act import act
from nodes.task.call import call
from nodes.task.stop_check import stop_check
from nodes.task.wait import wait
from tests.integration.graphs.conftest import OpenStage
from tests.integration.graphs.stage import Model, Stage, concept, fill, plan, routed


class OlderState(TypedDict, total=False):
    """The state of an older version: it lacks fields, and has one that is gone today."""

    task_id: str
    mood: str


def older_task_graph(deps: Deps) -> Any:
    """A task's graph that waits in a node which no longer exists."""

    async def judge(
        state: Any, runtime: Runtime[RunContext]
    ) -> Command[Literal["act", "call", "rest", "__end__"]]:
        came: Any = await stop_check(state, runtime, deps=deps)
        where = "rest" if came.goto == "wait" else came.goto
        return Command(goto=where, update={"mood": "calm"})

    graph: Any = StateGraph(OlderState, context_schema=RunContext)
    graph.add_node("call", _then(call, deps, "judge"))
    graph.add_node("judge", judge)
    graph.add_node("act", bind(act, deps))
    graph.add_node("rest", bind(wait, deps))
    graph.add_edge(START, "call")
    return graph.compile(checkpointer=FencedSaver(deps.pools.checkpoints), name="task")


def _then(node: Callable[..., Awaitable[Any]], deps: Deps, after: str) -> Any:
    async def renamed(state: Any, runtime: Runtime[RunContext]) -> Any:
        await node(state, runtime, deps=deps)
        return Command(goto=after)

    renamed.__annotations__["return"] = Command[Literal["judge"]]
    return renamed


@pytest.fixture
async def waiting(open_stage: OpenStage) -> tuple[Model, Stage]:
    """A plan is open, asked by an older version that has ended since."""
    model = Model(route=routed(), answers=[plan(1), concept(), fill])
    async with open_stage(model) as stage:
        stage.machine.worker._graphs.task = older_task_graph(stage.machine.deps)
        await stage.begin()
        assert await state_of(stage) == ("waiting", "approval")
    return model, stage


async def state_of(stage: Stage) -> tuple[str, str | None]:
    return (await stage.machine.rows("select status, waiting_reason from tasks"))[0]  # pyright: ignore[reportReturnType]


async def nodes_left(stage: Stage) -> list[str]:
    graphs = stage.machine.worker._graphs
    nodes = {"main": graphs.main.nodes, "task": graphs.task.nodes}
    async with stage.machine.deps.pools.domain.connection() as conn:
        return [stray.node for stray in await strays(conn, nodes)]


async def test_a_thread_at_a_node_that_is_gone_finds_its_place_and_its_question_is_kept(
    waiting: tuple[Model, Stage], open_stage: OpenStage
) -> None:
    model, _ = waiting
    async with open_stage(model) as stage:
        assert await nodes_left(stage) == ["rest"]
        await stage.machine.worker._graphs.seat_strays()
        await stage.machine.drain()
        assert await nodes_left(stage) == []
        assert await state_of(stage) == ("waiting", "approval")
        assert len(model.prompts) == 1, "the tables decide; nobody asks the model again"
        await answered_and_finished(stage)


async def test_an_answer_before_the_check_at_the_start_is_used_once(
    waiting: tuple[Model, Stage], open_stage: OpenStage
) -> None:
    model, _ = waiting
    async with open_stage(model) as stage:
        await answered_and_finished(stage)
        await stage.machine.worker._graphs.seat_strays()
        assert await stage.machine.drain() == 0, "nobody is woken without a reason"


async def answered_and_finished(stage: Stage) -> None:
    (asked,) = await stage.machine.pending()
    await stage.machine.decide(asked, Decision.APPROVE)
    await stage.machine.drain()
    assert (await stage.machine.rows("select status from tasks"))[0] == ("completed",)
    assert len(stage.model.prompts) == 3
    assert len(stage.vendor.orders) == 1
    await stage.check()


async def test_work_of_the_same_version_stands_where_it_should(stage: Stage) -> None:
    stage.model.answers[:] = [plan(1)]
    await stage.begin()
    assert await nodes_left(stage) == []
    await stage.machine.worker._graphs.seat_strays()
    assert await stage.machine.drain() == 0


async def test_each_turn_says_which_version_ran_it(
    waiting: tuple[Model, Stage], open_stage: OpenStage
) -> None:
    model, before = waiting
    older = before.machine.worker._graphs.version
    async with open_stage(model) as stage:
        await answered_and_finished(stage)
        versions = await stage.machine.rows(
            "select graph_version from turns join threads using (thread_id)"
            " where kind = 'task' order by turns.generation"
        )
        newer = stage.machine.worker._graphs.version
    assert versions[0] == (older,)
    assert {row[0] for row in versions[1:]} == {newer}
    assert newer != older


async def test_a_question_of_main_is_kept_too(open_stage: OpenStage) -> None:
    model = Model(route=routed(), answers=[plan(1)])
    async with open_stage(model) as stage:
        task_id = await stage.begin("a poster about tea")
        model.route[:] = routed("ask", question="Which one?", options=[str(task_id)])
        message_id = await stage.machine.say("make it warmer")
        await stage.machine.drain()
        (asked,) = [each for each in await stage.machine.pending() if each.kind == "route"]
        async with stage.machine.deps.pools.domain.connection() as conn:
            await conn.execute(
                "update checkpoints set checkpoint ="
                " replace(checkpoint::text, 'branch:to:clarify', 'branch:to:inquire')::jsonb"
            )
    async with open_stage(model) as stage:
        assert await nodes_left(stage) == ["inquire"]
        await stage.machine.worker._graphs.seat_strays()
        await stage.machine.drain()
        assert await nodes_left(stage) == []
        assert asked in await stage.machine.pending()
        await stage.machine.decide(asked, Decision.CHOOSE, choice=str(task_id))
        await stage.machine.drain()
        assert await stage.machine.task_of(message_id) == task_id
        await stage.check()
