"""What a client is shown of many messages at once is what it is shown of each."""

from typing import Any, override

from psycopg import AsyncCursor

from execution import inbox, messages, route_reads, views
from execution.messages import Outcome
from infra.ids import StepId, TaskId, new_id
from tests.integration.execution.world import World, record_step


class CountingCursor(AsyncCursor[Any]):
    asked = 0

    @override
    async def execute(self, *args: Any, **kwargs: Any) -> Any:
        CountingCursor.asked += 1
        return await super().execute(*args, **kwargs)


async def read_all(world: World, task_id: TaskId) -> None:
    lease = await world.held(task_id)
    step_id = StepId(new_id())
    async with world.work(lease.fence) as tx:
        await inbox.consume(tx, await inbox.drain(tx.conn, task_id), step_id)
        await record_step(tx, lease, step_id, calls=0)


async def test_messages_are_shown_as_one_by_one_by_as_many_queries_as_one(world: World) -> None:
    task_id = await world.task()
    read, waiting = await world.message("read"), await world.message("waiting")
    async with world.work() as tx:
        await inbox.post(tx, task_id, read)
        await messages.record_route(
            tx, read, layer=2, outcome=Outcome.EXISTING, language="en", reason="r", task_id=task_id
        )
        for number in (1, 2):
            await route_reads.record(
                tx, read, number=number, asked="x", task_id=task_id, told=f"told {number}"
            )
    await read_all(world, task_id)
    async with world.conn() as conn:
        conn.cursor_factory = CountingCursor
        rows = await messages.recent(conn, world.workspace_id, limit=10)
        CountingCursor.asked = 0
        shown = await views.messages_view(conn, world.workspace_id, rows)
        of_all, CountingCursor.asked = CountingCursor.asked, 0
        await views.messages_view(conn, world.workspace_id, rows[:1])
        assert (of_all, len(rows)) == (CountingCursor.asked, 3)
        each = [await views.message(conn, world.workspace_id, one) for one in (read, waiting)]
    assert shown[-2:] == each
    assert each[0]["consumed_by"] == {"step": 1}
    assert each[0]["route"]["read"] == [str(task_id)] * 2
    assert (each[1]["consumed_by"], each[1]["route"]) == (None, None)
