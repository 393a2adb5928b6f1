"""The production graph of a film whose second scene was changed and made again."""

from evals.chat_server.filmmaker import FRAMES, SCRIPT, SHOTS, film, revise
from execution import graph
from tests.integration.graphs.crew import OpenStage, crew
from tests.integration.graphs.stage import PRICE
from tests.integration.graphs.test_plan import answer
from tests.integration.graphs.test_rework import rained_on


async def test_the_graph_tells_what_each_version_changed_and_why(open_stage: OpenStage) -> None:
    async with open_stage(crew()) as stage:
        made = await rained_on(stage, revise(film(3), frames=[2], shots=[2]))
        await answer(stage)
        machine = stage.machine
        async with machine.deps.pools.domain.connection() as conn:
            shown = await graph.view(conn, machine.workspace_id, made.task_id)
        assert [(node["key"], node["done"], node["affected"]) for node in shown["nodes"]] == [
            (SCRIPT, 1, []),
            (FRAMES, 3, []),
            (SHOTS, 3, []),
        ]
        assert [node["price_micros"] for node in shown["nodes"]] == [0, PRICE, PRICE]
        frame = shown["nodes"][1]["slots"][1]
        assert frame["since_version"] == 2
        assert frame["evidence"][0]["object_id"] == str((await made.object_of(FRAMES, 2)).object_id)
        first, second = shown["versions"]
        assert first["why"]["words"] == ["a film about the weather"]
        assert (second["status"], second["why"]["words"]) == (
            "approved",
            ["it rains in scene 2 now"],
        )
        assert second["made_again"] == {FRAMES: [2], SHOTS: [2]}
        assert (second["added"], second["gone"], second["counts"]) == ([], [], {})
        decided = {each["id"]: each for each in shown["changes"]}
        assert {decided[each]["status"] for each in second["why"]["changes"]} == {"remade"}
        assert len(second["why"]["changes"]) == 2
        assert "s1 -.-> s2" in shown["mermaid"]
