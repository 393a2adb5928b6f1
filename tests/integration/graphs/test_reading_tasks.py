"""A task reads another's summary, decisions and objects: of its own workspace only, on record."""

import json

from execution import views
from tests.harness import calls
from tests.integration.graphs.stage import Stage, plan, routed
from tests.integration.graphs.test_shown import posters
from tests.integration.graphs.test_targets import foreign_task


async def test_what_a_task_reads_of_another_is_told_and_recorded(stage: Stage) -> None:
    first, pictures = await posters(stage, 1)
    stage.model.route[:] = routed("new", title="Another")
    stage.model.answers[:] = [calls(("read_task", {"task_id": str(first)})), plan(1)]
    second = await stage.begin("one like the last one")
    told = json.loads(stage.model.tool_messages()[0])
    assert (told["title"], told["status"]) == ("Work", "completed")
    assert told["decisions"] == [{"about": "Posters", "decided": "approved"}]
    assert str(pictures[0].object_id) in [item["object_id"] for item in told["objects"]]
    async with stage.machine.deps.pools.domain.connection() as conn:
        seen = await views.task(conn, stage.machine.workspace_id, second)
        of_first = await views.task(conn, stage.machine.workspace_id, first)
    (read,) = seen["draws_on"]["tasks"]
    assert (read["task_id"], read["title"]) == (str(first), "Work")
    assert of_first["draws_on"] == {"tasks": []}
    await stage.check()


async def test_a_task_of_another_workspace_is_not_there_to_be_read(stage: Stage) -> None:
    foreign = await foreign_task(stage)
    named = [{"task_id": str(foreign)}, {"task_id": "no id"}]
    stage.model.answers[:] = [calls(*(("read_task", each) for each in named)), plan(1)]
    await stage.begin("a poster")
    assert [each.partition(".")[0] for each in stage.model.tool_messages()[:2]] == [
        f"refused (invalid): There is no task {each['task_id']} in this workspace" for each in named
    ]
    assert await stage.machine.rows("select count(*) from task_reads") == [(0,)]
    assert "Secret" not in str(stage.model.prompts)
