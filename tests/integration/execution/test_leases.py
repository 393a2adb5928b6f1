"""Who holds a thread: claims, renewals, takeovers and the fence, by the database's clock."""

import asyncio
from datetime import timedelta

import psycopg
import pytest

from execution import inbox, leases
from execution.errors import StaleLeaseError
from execution.leases import RENEW, Lease
from infra.ids import TaskId, ThreadId
from tests.database import DatabaseClock
from tests.integration.execution.world import LEASE_SECONDS, World

ROUNDS = 200


async def renew(world: World, lease: Lease) -> bool:
    values = {
        "lease": timedelta(seconds=LEASE_SECONDS),
        "id": lease.turn_id,
        "generation": lease.generation,
    }
    async with world.conn() as conn:
        return (await conn.execute(RENEW, values)).rowcount == 1


async def end(world: World, lease: Lease, *, wake_seq: int | None = None) -> bool:
    async with world.work(lease.fence) as tx:
        seen = await leases.read_wake_seq(tx.conn, ThreadId(lease.thread_id))
        return await leases.end_turn(
            tx.conn, lease.fence, wake_seq=seen if wake_seq is None else wake_seq, outcome="wait"
        )


async def wake(world: World, thread_id: ThreadId) -> None:
    async with world.conn() as conn:
        await leases.wake(conn, thread_id)


async def test_a_claim_raises_the_generation_for_ever(world: World) -> None:
    thread_id = await world.thread()
    generations: list[int] = []
    for _ in range(3):
        lease = await world.held(thread_id)
        generations.append(lease.generation)
        assert await end(world, lease)
        await wake(world, thread_id)
    assert generations == [1, 2, 3]


async def test_a_thread_that_nothing_woke_is_not_claimed(world: World) -> None:
    thread_id = await world.thread()
    assert await end(world, await world.held(thread_id))
    assert await world.claim(thread_id) is None


async def test_a_held_thread_is_not_claimed_again(world: World) -> None:
    thread_id = await world.thread()
    lease = await world.held(thread_id)
    assert await world.claim(thread_id) is None
    async with world.work(lease.fence):
        pass


async def test_an_unknown_thread_is_not_claimed(world: World) -> None:
    assert await world.claim(world.workspace_id) is None


async def test_a_thread_locked_by_its_holder_is_skipped_not_waited_for(world: World) -> None:
    thread_id = await world.thread()
    async with world.conn() as conn:
        await leases.lock(conn, thread_id)
        async with asyncio.timeout(10):
            assert await world.claim(thread_id) is None
    assert await world.claim(thread_id) is not None


async def test_a_lease_ends_by_the_database_clock(
    world: World, database_clock: DatabaseClock
) -> None:
    thread_id = await world.thread()
    lease = await world.held(thread_id)
    await database_clock.advance(timedelta(seconds=LEASE_SECONDS - 5))
    assert await world.claim(thread_id) is None
    assert await renew(world, lease)
    await database_clock.advance(timedelta(seconds=LEASE_SECONDS - 5))
    assert await world.claim(thread_id) is None
    await database_clock.advance(timedelta(seconds=6))
    assert await world.claim(thread_id) is not None


async def test_an_expired_lease_cannot_be_renewed(
    world: World, database_clock: DatabaseClock
) -> None:
    lease = await world.held(await world.thread())
    await database_clock.advance(timedelta(seconds=LEASE_SECONDS + 1))
    assert not await renew(world, lease)


async def test_a_takeover_keeps_the_turn_and_raises_the_fence(
    world: World, database_clock: DatabaseClock
) -> None:
    thread_id = await world.thread()
    first = await world.held(thread_id)
    await database_clock.advance(timedelta(seconds=LEASE_SECONDS + 1))
    second = await world.held(thread_id)
    assert second.turn_id == first.turn_id
    assert (second.generation, second.attempts) == (first.generation + 1, 2)
    assert second.holder != first.holder
    assert not await renew(world, first)
    assert await renew(world, second)


async def test_two_claims_at_once_give_one_lease(world: World) -> None:
    for _ in range(20):
        thread_id = await world.thread()
        claims = await asyncio.gather(*(world.claim(thread_id) for _ in range(4)))
        assert sum(claim is not None for claim in claims) == 1


async def test_a_stale_fence_opens_no_transaction(
    world: World, database_clock: DatabaseClock
) -> None:
    thread_id = await world.thread()
    first = await world.held(thread_id)
    await database_clock.advance(timedelta(seconds=LEASE_SECONDS + 1))
    second = await world.held(thread_id)
    with pytest.raises(StaleLeaseError):
        async with world.work(first.fence):
            pytest.fail("a stale holder was let in")
    async with world.work(second.fence):
        pass


async def test_a_takeover_waits_for_the_holders_open_transaction(
    world: World, database_clock: DatabaseClock
) -> None:
    thread_id = await world.thread()
    first = await world.held(thread_id)
    await database_clock.advance(timedelta(seconds=LEASE_SECONDS + 1))
    async with world.work(first.fence) as tx:
        assert await world.claim(thread_id) is None, "the fence did not hold off the takeover"
        tx.emit("notice", {})
    assert (await world.held(thread_id)).generation == first.generation + 1


async def test_a_stale_holder_cannot_end_the_turn_of_another(
    world: World, database_clock: DatabaseClock
) -> None:
    thread_id = await world.thread()
    first = await world.held(thread_id)
    await database_clock.advance(timedelta(seconds=LEASE_SECONDS + 1))
    second = await world.held(thread_id)
    async with world.conn() as conn:
        with pytest.raises(StaleLeaseError):
            await leases.end_turn(conn, first.fence, wake_seq=1, outcome="wait")
    for ending in (leases.finish, leases.rest):
        given = {"seconds": 1.0} if ending is leases.rest else {}
        with pytest.raises(StaleLeaseError):
            async with world.conn() as conn:
                await ending(conn, first.fence, outcome="stolen", **given)  # pyright: ignore[reportArgumentType, reportCallIssue]
    assert await world.rows("select status, generation, outcome from turns") == [
        ("active", second.generation, None)
    ]
    assert await world.value("select handled_seq from threads where kind = 'task'") == 0


async def test_who_has_ended_its_turn_cannot_end_it_again_over_a_wake(world: World) -> None:
    """Its fence still stands, as the checkpoint is written after the end."""
    thread_id = await world.thread()
    lease = await world.held(thread_id)
    assert await end(world, lease)
    await wake(world, thread_id)
    for seen in (1, 2):
        with pytest.raises(StaleLeaseError):
            await end(world, lease, wake_seq=seen)
    for ending in (leases.finish, leases.rest):
        given = {"seconds": 1.0} if ending is leases.rest else {}
        with pytest.raises(StaleLeaseError):
            async with world.work(lease.fence) as tx:
                await ending(tx.conn, lease.fence, outcome="again", **given)  # pyright: ignore[reportArgumentType, reportCallIssue]
    assert await world.claim(thread_id) is not None


async def test_a_stale_holder_cannot_give_back_what_another_holds(
    world: World, database_clock: DatabaseClock
) -> None:
    thread_id = await world.thread()
    first = await world.held(thread_id)
    await database_clock.advance(timedelta(seconds=LEASE_SECONDS + 1))
    await world.held(thread_id)
    async with world.conn() as conn:
        await leases.give_back(conn, first, delay_seconds=0)
    assert await world.claim(thread_id) is None


async def test_a_given_back_turn_is_taken_over_after_its_delay(
    world: World, database_clock: DatabaseClock
) -> None:
    thread_id = await world.thread()
    lease = await world.held(thread_id)
    async with world.conn() as conn:
        await leases.give_back(conn, lease, delay_seconds=8)
    assert await world.claim(thread_id) is None
    await database_clock.advance(timedelta(seconds=9))
    assert (await world.held(thread_id)).turn_id == lease.turn_id


async def test_a_turn_does_not_end_over_a_wake_it_has_not_seen(world: World) -> None:
    thread_id = await world.thread()
    lease = await world.held(thread_id)
    await wake(world, thread_id)
    assert not await end(world, lease, wake_seq=1)
    assert await end(world, lease, wake_seq=2)
    assert await world.claim(thread_id) is None


@pytest.mark.timeout(90)  # two hundred rounds, also on a busy machine
async def test_nothing_posted_while_a_turn_ends_is_lost(world: World) -> None:
    """200 barriered rounds: the message is read by the turn that ends, or wakes the next one."""
    task_id = await world.task()
    lost = 0
    reads = {"in time": 0, "by the next": 0}
    for number in range(ROUNDS):
        message_id = await world.message(f"message {number}")
        lease = await world.held(task_id)
        barrier = asyncio.Barrier(2)

        async def post(message_id: object = message_id, barrier: asyncio.Barrier = barrier) -> None:
            await barrier.wait()
            async with world.work() as tx:
                await inbox.post(tx, task_id, message_id)  # pyright: ignore[reportArgumentType]

        async def finish(lease: Lease = lease, barrier: asyncio.Barrier = barrier) -> int:
            """End the turn as the stop-check does: read the wake, then the facts, then rest."""
            await barrier.wait()
            while True:
                async with world.work(lease.fence) as tx:
                    seen = await leases.read_wake_seq(tx.conn, ThreadId(task_id))
                    waiting = await inbox.waiting_count(tx.conn, task_id)
                    if await leases.end_turn(tx.conn, lease.fence, wake_seq=seen, outcome="wait"):
                        return waiting

        _, seen_by_the_end = await asyncio.gather(post(), finish())
        woken = await world.value(
            "select wake_seq > handled_seq from threads where thread_id = %s", task_id
        )
        expected = number + 2  # with the message that began the task
        lost += seen_by_the_end != expected and not woken
        reads["in time" if seen_by_the_end == expected else "by the next"] += 1
        if not woken:
            await wake(world, ThreadId(task_id))
    assert lost == 0
    assert sum(reads.values()) == ROUNDS


async def test_main_threads_are_claimed_in_the_order_of_their_messages(world: World) -> None:
    first, second, third = [await world.thread("main", holds_order=True) for _ in range(3)]
    assert await world.claim(third) is None
    assert await world.claim(second) is None
    lease = await world.held(first)
    assert await world.claim(second) is None, "the route of the first is not committed"
    async with world.work(lease.fence) as tx:
        assert await leases.release_order(tx.conn, first) == second
    assert await world.claim(third) is None
    assert await world.claim(second) is not None


async def test_the_order_of_one_workspace_holds_up_no_other(world: World) -> None:
    await world.thread("main", holds_order=True)
    other = World(deps=world.deps, workspace_id=await world.workspace())
    assert await other.claim(await other.thread("main", holds_order=True)) is not None


async def test_a_failed_main_thread_lets_the_next_message_pass(world: World) -> None:
    first, second = [await world.thread("main", holds_order=True) for _ in range(2)]
    lease = await world.held(first)
    async with world.work(lease.fence) as tx:
        await leases.finish(tx.conn, lease.fence, outcome="failed")
    assert await world.claim(second) is not None


async def test_a_timer_wakes_its_thread_once_when_it_is_due(
    world: World, database_clock: DatabaseClock
) -> None:
    thread_id = await world.thread()
    lease = await world.held(thread_id)
    async with world.work(lease.fence) as tx:
        await leases.rest(tx.conn, lease.fence, outcome="put_off", seconds=60)
    async with world.conn() as conn:
        assert await leases.fire_timers(conn) == []
    assert await world.claim(thread_id) is None
    await database_clock.advance(timedelta(seconds=61))
    async with world.conn() as conn:
        assert await leases.fire_timers(conn) == [thread_id]
        assert await leases.fire_timers(conn) == []
    assert await world.claim(thread_id) is not None


async def test_the_watchdog_sees_woken_threads_without_a_live_lease(
    world: World, database_clock: DatabaseClock
) -> None:
    held, free, resting = [await world.thread() for _ in range(3)]
    await world.held(held)
    await end(world, await world.held(resting))
    async with world.conn() as conn:
        assert await leases.runnable(conn) == [free]
    await database_clock.advance(timedelta(seconds=LEASE_SECONDS + 1))
    async with world.conn() as conn:
        assert set(await leases.runnable(conn)) == {held, free}


async def test_the_watchdog_leaves_messages_alone_that_wait_for_an_earlier_one(
    world: World, database_clock: DatabaseClock
) -> None:
    first, second = [await world.thread(kind="main", holds_order=True) for _ in range(2)]
    async with world.conn() as conn:
        assert await leases.runnable(conn) == [first]
    await world.held(first)
    async with world.conn() as conn:
        assert await leases.runnable(conn) == []
    await database_clock.advance(timedelta(seconds=LEASE_SECONDS + 1))
    async with world.conn() as conn:
        assert await leases.runnable(conn) == [first]
        await conn.execute("update threads set holds_order = false where thread_id = %s", [first])
        assert set(await leases.runnable(conn)) == {first, second}


async def test_a_thread_has_at_most_one_live_turn(world: World) -> None:
    lease = await world.held(await world.thread())
    with pytest.raises(psycopg.errors.UniqueViolation):
        await world.run(
            """
            insert into turns (turn_id, thread_id, workspace_id, number, generation, holder,
                               lease_expires_at, graph_version)
            select gen_random_uuid(), thread_id, workspace_id, 99, 99, holder, app_now(), ''
            from turns where turn_id = %s
            """,
            lease.turn_id,
        )


async def test_only_studio_s_own_lease_is_found_by_it(world: World) -> None:
    thread_id = await world.thread()
    async with world.conn() as conn:
        lease = await leases.claim(
            conn, thread_id, lease_seconds=LEASE_SECONDS, graph_version="studio"
        )
        assert await leases.current(conn, thread_id) == lease
    other = await world.thread()
    await world.held(other)
    async with world.conn() as conn:
        assert await leases.current(conn, TaskId(other)) is None  # pyright: ignore[reportArgumentType]
