"""What may be spent without asking is one purse for all tasks of a workspace."""

import asyncio

from tests.integration.graphs.stage import PRICE, Stage, picture, routed

TASKS = 6
ALLOWED = 3


async def test_tasks_that_decide_at_once_share_one_daily_allowance(stage: Stage) -> None:
    machine = stage.machine
    await machine.rows(
        "update workspaces set daily_allowance_micros = %s returning 1", ALLOWED * PRICE
    )
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]
    sent = [await machine.say(f"picture {number}") for number in range(TASKS)]
    for message_id in sent:
        await machine.worker.look_at(str(message_id))
    threads = [await machine.task_of(message_id) for message_id in sent]
    together = asyncio.Barrier(TASKS)

    async def wait_for_the_others() -> None:
        await together.wait()

    stage.model.during.update(dict.fromkeys(range(1, TASKS + 1), wait_for_the_others))
    await asyncio.gather(*(machine.worker.look_at(str(thread)) for thread in threads))
    verdicts = await machine.rows("select verdict, count(*) from ledger group by 1 order by 1")
    assert verdicts == [("allow", ALLOWED), ("ask", TASKS - ALLOWED)]
    await machine.drain()
    assert await stage.money() == (ALLOWED * PRICE, 0, ALLOWED * PRICE, 0)
    await stage.check()


async def test_a_cautious_person_is_asked_even_about_what_is_cheap(stage: Stage) -> None:
    await stage.machine.rows("update workspaces set autonomy = 'cautious' returning 1")
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [picture()]
    task_id = await stage.begin()
    assert (await stage.task(task_id))[1] == "approval"
    assert stage.vendor.requests == []
    await stage.check()
