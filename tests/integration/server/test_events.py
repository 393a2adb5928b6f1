"""The event stream: every seq once and in order, whatever breaks between server and client."""

import asyncio
import random
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from psycopg import AsyncConnection, sql

from infra import clock
from infra.ids import MessageId, new_id
from server import hub
from server.auth import LOCAL_WORKSPACE
from tests.integration.server.conftest import (
    FOREIGN,
    Event,
    Live,
    assert_problem,
    eventually,
    live_server,
    make_task,
    take,
)


def seqs(events: list[Event]) -> list[int]:
    return [event.id for event in events if event.id is not None]


async def test_a_stream_says_hello_replays_the_log_and_goes_on_live(live: Live) -> None:
    await live.emit(3)
    async with live.events() as stream:
        hello, *replayed = await take(stream, 4)
        await live.emit(2)
        fresh = await take(stream, 2)
    snapshot = (await live.http.get("/v1/snapshot")).json()
    assert (hello.type, hello.id) == ("hello", None)
    assert hello.data == {"seq": 3, "server_epoch": snapshot["server_epoch"]}
    assert seqs(replayed + fresh) == [1, 2, 3, 4, 5]
    envelope = fresh[-1].data
    assert envelope.keys() == {"seq", "ts", "type", "workspace", "task", "cause", "v", "data"}
    assert (envelope["seq"], envelope["type"], envelope["v"]) == (5, "notice", 1)


async def test_reconnecting_at_random_points_loses_and_repeats_nothing(live: Live) -> None:
    choose = random.Random(7)  # noqa: S311 - where to cut
    received: list[int] = []

    async def follow() -> None:
        while len(received) < 300:
            last = str(received[-1]) if received else None
            async with live.events(last_event_id=last) as stream:
                async with asyncio.timeout(15):
                    stop_after = choose.randint(1, 40)
                    async for event in stream:
                        received.extend(seqs([event]))
                        stop_after -= 1
                        if not stop_after or len(received) == 300:
                            break

    async with asyncio.TaskGroup() as group:
        group.create_task(follow())
        for _ in range(3):
            group.create_task(live.emit(100))
    assert received == list(range(1, 301))


async def test_clients_of_one_log_receive_the_same(live: Live) -> None:
    await live.emit(20)

    async def follow(after: int) -> list[int]:
        async with live.events(after=after) as stream:
            return seqs(await take(stream, 61 - after))

    async with asyncio.TaskGroup() as group:
        following = [group.create_task(follow(after)) for after in (0, 0, 20)]
        group.create_task(live.emit(40))
    assert [task.result() for task in following] == [
        [*range(1, 61)],
        [*range(1, 61)],
        [*range(21, 61)],
    ]


async def test_last_event_id_wins_over_after(live: Live) -> None:
    await live.emit(5)
    async with live.events(after=1, last_event_id="4") as stream:
        assert seqs(await take(stream, 2)) == [5]


async def test_a_position_that_the_log_does_not_have_is_reset(live: Live) -> None:
    await live.emit(2)
    for after, last_event_id in ((3, None), (2**63 - 1, None), (0, "x"), (0, "9" * 40), (0, "-1")):
        async with live.events(after=after, last_event_id=last_event_id) as stream:
            hello, reset = await take(stream, 2)
            assert hello.data["seq"] == 2
            assert (reset.type, reset.id) == ("reset", None)
    async with live.events(after=99) as stream:
        await take(stream, 2)
        await live.emit(1)
        assert seqs(await take(stream, 1)) == [3]


async def test_a_log_that_was_shortened_is_told_by_reset(live: Live) -> None:
    await live.emit(5)
    async with live.context.pool.connection() as conn:
        await conn.execute("delete from events where seq <= 3")
    async with live.events(after=1) as stream:
        _, reset, *rest = await take(stream, 4)
    assert reset.type == "reset"
    assert seqs(rest) == [4, 5]


async def test_after_must_be_a_position(live: Live) -> None:
    for after in ("-1", "x", str(2**63), "1.5"):
        answer = await live.http.get("/v1/events", params={"after": after})
        assert_problem(answer, 422, "invalid_request")


async def test_one_tasks_events_can_be_asked_for(live: Live) -> None:
    mine, other = await make_task(live.deps), await make_task(live.deps)
    for task in (mine, other, None, mine):
        await live.emit(1, task=task)
    async with live.events(task_id=str(mine)) as stream:
        found = [event async for event in _until_seq(stream, await last_seq(live))]
    assert {event.data["task"] for event in found if event.id} == {str(mine)}
    foreign = await make_task(live.deps, FOREIGN)
    for wrong in (str(foreign), str(new_id()), "x"):
        answer = await live.http.get("/v1/events", params={"task_id": wrong})
        assert_problem(answer, 404, "not_found")


async def last_seq(live: Live) -> int:
    return (await live.http.get("/v1/snapshot")).json()["seq"]


async def _until_seq(stream: AsyncIterator[Event], seq: int) -> AsyncIterator[Event]:
    async for event in stream:
        yield event
        if event.id == seq:
            return


async def test_another_workspaces_events_stay_there(live: Live) -> None:
    await make_task(live.deps, FOREIGN)
    async with live.events() as stream:
        await take(stream, 1)
        await make_task(live.deps, FOREIGN)
        live.deps.signals.delta(FOREIGN, MessageId(new_id()), generation=1, offset=0, text="secret")
        await live.emit(1)
        (event,) = await take(stream, 1)
    assert (event.id, event.data["workspace"]) == (1, str(LOCAL_WORKSPACE))


async def test_pieces_of_a_reply_arrive_without_an_id(live: Live) -> None:
    message_id = MessageId(new_id())
    async with live.events() as stream:
        await take(stream, 1)
        await live.emit(1)  # now the server listens for sure
        await take(stream, 1)
        live.deps.signals.delta(
            LOCAL_WORKSPACE, message_id, generation=2, offset=5, text="ein\u2028s"
        )
        (delta,) = await take(stream, 1)
    assert (delta.type, delta.id) == ("assistant.delta", None)
    assert delta.data == {
        "message_id": str(message_id),
        "generation": 2,
        "offset": 5,
        "text": "ein\u2028s",
    }


async def test_a_client_that_does_not_read_is_dropped_and_others_are_not(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "PATIENCE_SECONDS", 0.1)

    async def is_alone() -> bool:
        await live.emit(1)
        return live.context.hub.client_count == 1

    async with live_server(database_url, tmp_path, max_stream_bytes=1_000_000) as live:
        async with live.events() as lazy, live.events() as eager:
            await take(lazy, 1)
            seen: list[int] = []
            read: list[int] = []
            reading = asyncio.ensure_future(collect(eager, read))
            await live.emit(200, size=60_000)
            await eventually(is_alone)
            with suppress(httpx.RemoteProtocolError):  # what its socket held is cut somewhere
                await collect(lazy, seen)
            last = await last_seq(live)

            async def has_all() -> bool:
                return len(read) == last

            await eventually(has_all)
            reading.cancel()
            assert read == list(range(1, last + 1))
        assert 0 < len(seen) < 200
        assert seen == list(range(1, len(seen) + 1))


async def collect(stream: AsyncIterator[Event], into: list[int]) -> None:
    async for event in stream:
        into.extend(seqs([event]))


async def test_a_dropped_client_comes_back_for_the_rest(live: Live) -> None:
    await live.emit(30)
    async with live.events() as stream:
        seen = seqs(await take(stream, 11))
        for client in live.context.hub.clients(LOCAL_WORKSPACE):
            client.close("slow")
        await collect(stream, seen)
    async with live.events(last_event_id=str(seen[-1])) as stream:
        await live.emit(2)
        seen += seqs(await take(stream, 33 - len(seen)))
    assert seen == list(range(1, 33))


async def test_events_that_nobody_announces_are_found_by_polling(
    database_url: str, tmp_path: Path
) -> None:
    async with live_server(database_url, tmp_path, lossy=True) as live, live.events() as stream:
        await take(stream, 1)
        started = clock.monotonic()
        await live.emit(1)
        assert seqs(await take(stream, 1)) == [1]
        assert clock.monotonic() - started < 6


async def test_a_cut_listening_connection_is_made_again(live: Live, database_url: str) -> None:
    async def listens() -> bool:
        return live.context.hub.is_listening

    async with live.events() as stream:
        await take(stream, 1)
        await live.emit(1)
        await take(stream, 1)
        async with await AsyncConnection.connect(database_url, autocommit=True) as conn:
            cursor = await conn.execute(
                """
                select pg_terminate_backend(pid)
                from pg_stat_activity
                where application_name = 'atelier events'
                  and datname = current_database()
                """
            )
            assert cursor.rowcount == 1
        await live.emit(3)
        assert seqs(await take(stream, 3)) == [2, 3, 4]
        await eventually(listens)
        live.deps.signals.delta(
            LOCAL_WORKSPACE, MessageId(new_id()), generation=1, offset=0, text="a"
        )
        assert (await take(stream, 1))[0].type == "assistant.delta"


async def test_streams_hold_no_connection_of_the_pool(live: Live) -> None:
    async def nobody_streams() -> bool:
        return live.context.hub.client_count == 0

    async def all_are_free() -> bool:
        stats = live.context.pool.get_stats()
        return stats["pool_available"] == stats["pool_size"]

    async with live.events() as one, live.events() as two:
        await take(one, 1)
        await take(two, 1)
        await live.emit(1)
        await take(one, 1)
        await take(two, 1)
        # The read that sent the last frames may still be giving its connection back.
        await eventually(all_are_free)
        assert live.context.hub.client_count == 2
    await eventually(nobody_streams)


async def test_streams_that_come_back_at_once_leave_connections_for_what_people_send(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, now, most = hub._read, 0, 0

    async def counted(*given: Any, **named: Any) -> list[hub.Frame]:
        nonlocal now, most
        now += 1
        most = max(most, now)
        try:
            return await read(*given, **named)
        finally:
            now -= 1

    await live.emit(450)
    monkeypatch.setattr(hub, "_read", counted)

    async def replay() -> list[int]:
        async with live.events(after=0) as stream:
            await take(stream, 1)
            return seqs(await take(stream, 450))

    replayed = await asyncio.gather(*(replay() for _ in range(24)))
    assert replayed == [list(range(1, 451))] * 24
    assert most <= hub.REPLAYS + 1, "the streams, and the hub itself"


async def test_stopping_the_server_ends_open_streams_at_once(live: Live) -> None:
    async with live.events() as stream:
        await take(stream, 1)
        started = clock.monotonic()
        live.server.stop()
        assert await take(stream, 100) == []
        assert clock.monotonic() - started < 3


async def test_a_silent_stream_is_kept_open_by_comments(live: Live) -> None:
    async with live.http.stream("GET", "/v1/events") as answer:
        assert answer.headers["content-type"].startswith("text/event-stream")
        assert answer.headers["cache-control"] == "no-store"
        text = b""
        async with asyncio.timeout(25):
            async for chunk in answer.aiter_bytes():
                text += chunk
                if b": ping" in text:
                    break
    assert text.startswith(b"retry: 2000\n\nevent: hello\n")


async def test_the_snapshot_is_where_the_stream_goes_on(live: Live) -> None:
    task_id = await make_task(live.deps)
    snapshot = (await live.http.get("/v1/snapshot")).json()
    async with live.events(after=snapshot["seq"]) as stream:
        await take(stream, 1)
        await live.emit(1)
        assert seqs(await take(stream, 1)) == [snapshot["seq"] + 1]
    assert [task["id"] for task in snapshot["tasks"]] == [str(task_id)]
    assert snapshot["workspace"].keys() == {"id", "currency", "autonomy", "model", "rehearsal"}
    assert snapshot["workspace"]["rehearsal"] is True


async def test_without_its_database_the_server_says_so_and_recovers(
    live: Live, database_url: str, postgres_server: str
) -> None:
    async def is_ready() -> bool:
        return (await live.http.get("/readyz")).status_code == 200

    live.context.pool.timeout = 0.5
    name = database_url.rpartition("/")[2].partition("?")[0]

    async def allow(allowed: str) -> None:
        change = sql.SQL("alter database {} with allow_connections {}")
        async with await AsyncConnection.connect(postgres_server, autocommit=True) as conn:
            await conn.execute(change.format(sql.Identifier(name), sql.Literal(allowed)))
            await conn.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity where datname = %s", [name]
            )

    await allow("false")
    for path in ("/v1/snapshot", "/v1/events", "/v1/tasks", "/readyz"):
        answer = await live.http.get(path)
        assert_problem(answer, 503, "database_unavailable")
        assert answer.headers["retry-after"]
    answer = await live.http.post("/v1/messages", json={"text": "x", "client_id": "a"})
    assert_problem(answer, 503, "database_unavailable")
    assert (await live.http.get("/healthz")).json() == {"status": "ok"}
    await allow("true")
    await eventually(is_ready, seconds=20)
    await live.say("still here")
