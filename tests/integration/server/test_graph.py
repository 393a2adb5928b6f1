"""The production graph over HTTP."""

import pytest

from infra.ids import new_id
from tests.integration.server.conftest import Live, assert_problem, make_task

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(name="live")
def _live(shared: Live) -> Live:
    return shared


async def test_a_task_without_a_plan_has_an_empty_graph(live: Live) -> None:
    task_id = await make_task(live.deps)
    shown = (await live.http.get(f"/v1/tasks/{task_id}/graph")).json()
    assert shown["task_id"] == str(task_id)
    assert (shown["version"], shown["nodes"], shown["edges"]) == (None, [], [])
    assert (shown["changes"], shown["versions"], shown["mermaid"]) == ([], [], "")


async def test_a_graph_of_no_task_is_not_found(live: Live) -> None:
    assert_problem(await live.http.get(f"/v1/tasks/{new_id()}/graph"), 404, "not_found")
