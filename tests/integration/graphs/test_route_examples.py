"""Corrections are shown to the router where they are near to the message, a handful at a time."""

from execution import route_examples
from execution.transactions import work
from infra.ids import MessageId, WorkspaceId, new_id
from tests.integration.graphs.stage import Stage, routed
from tests.integration.graphs.test_main import say
from tests.integration.graphs.test_shown import section
from tests.integration.graphs.test_targets import foreign_task


async def learn(
    stage: Stage, words: str, belongs_to: str, *, workspace_id: WorkspaceId | None = None
) -> None:
    machine = stage.machine
    async with work(machine.deps, workspace_id or machine.workspace_id) as tx:
        message_id = MessageId(new_id())
        await tx.conn.execute(
            """
            insert into messages (message_id, workspace_id, role, text, language, status)
            values (%s, %s, 'user', %s, 'en', 'answered')
            """,
            [message_id, tx.workspace_id, words],
        )
        await route_examples.remember(
            tx, message_id, how="moved", words=words, proposed="Other", belongs_to=belongs_to
        )


async def shown_for(stage: Stage, text: str) -> list[str]:
    stage.model.route[:] = routed("answer")
    await say(stage, text)
    examples = section(stage.model.routed[-2], "examples")
    return [each["belongs_to"] for each in examples] if examples else []


async def test_an_old_correction_that_is_near_comes_before_newer_ones_that_are_not(
    stage: Stage,
) -> None:
    await learn(stage, "the lantern a bit brighter", "Lighthouse")
    for number in range(30):
        await learn(stage, f"the bread and the butter {number} please", f"Bakery {number}")
    found = await shown_for(stage, "please make the lantern brighter")
    assert found[0] == "Lighthouse"
    assert len(found) == 5
    assert await shown_for(stage, "more bread 7") != found


async def test_without_a_near_one_the_newest_are_shown(stage: Stage) -> None:
    for number in range(7):
        await learn(stage, f"aaa{number}", str(number))
    assert await shown_for(stage, "등대") == ["6", "5", "4", "3", "2"]


async def test_of_many_only_the_newest_are_compared(stage: Stage) -> None:
    await learn(stage, "the lantern a bit brighter", "Lighthouse")
    for number in range(200):
        await learn(stage, f"bread {number}", "Bakery")
    assert "Lighthouse" not in await shown_for(stage, "the lantern a bit brighter")


async def test_what_another_workspace_has_learnt_is_shown_to_nobody_here(stage: Stage) -> None:
    await foreign_task(stage)
    rows = await stage.machine.rows(
        "select workspace_id from tasks where workspace_id <> %s", stage.machine.workspace_id
    )
    await learn(stage, "the lantern brighter", "Secret", workspace_id=WorkspaceId(rows[0][0]))
    assert await shown_for(stage, "the lantern brighter") == []
