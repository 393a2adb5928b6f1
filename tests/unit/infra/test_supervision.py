"""Background tasks: held, logged, ended with their supervisor, and never missed when essential."""

import asyncio
import gc

import pytest
from structlog.testing import capture_logs

from infra.supervision import EssentialTaskEndedError, Supervisor


async def forever() -> None:
    await asyncio.Event().wait()


async def fail() -> None:
    raise ZeroDivisionError


async def test_a_task_without_another_reference_is_kept() -> None:
    done = asyncio.Event()
    go = asyncio.Event()

    async def work() -> None:
        await go.wait()
        done.set()

    async with Supervisor("test") as supervisor:
        supervisor.start(work(), name="work")
        await asyncio.sleep(0)
        gc.collect()
        go.set()
        await done.wait()


async def test_a_result_may_be_awaited() -> None:
    async def answer() -> int:
        return 42

    async with Supervisor("test") as supervisor:
        assert await supervisor.start(answer(), name="answer") == 42


async def test_leaving_cancels_and_waits_for_what_still_runs() -> None:
    ended: list[str] = []

    async def work() -> None:
        try:
            await forever()
        finally:
            await asyncio.sleep(0)
            ended.append("in order")

    async with Supervisor("test") as supervisor:
        supervisor.start(work(), name="work")
        await asyncio.sleep(0)
    assert ended == ["in order"]


async def test_what_a_task_starts_while_it_ends_is_refused() -> None:
    refused: list[str] = []

    async with Supervisor("test") as supervisor:

        async def work() -> None:
            try:
                await forever()
            finally:
                try:
                    supervisor.start(forever(), name="late")
                except RuntimeError as error:
                    refused.append(str(error))

        supervisor.start(work(), name="work")
        await asyncio.sleep(0)
    assert refused == ["the supervisor test is closed"]


async def test_a_failure_is_logged_and_the_others_go_on() -> None:
    with capture_logs() as logs:
        async with Supervisor("test") as supervisor:
            other = supervisor.start(forever(), name="other")
            failed = supervisor.start(fail(), name="bad")
            await asyncio.wait([failed])
            await asyncio.sleep(0)
            assert not other.done()
            assert not supervisor.stopping
    assert [(line["event"], line["task"]) for line in logs] == [("task_failed", "bad")]
    assert isinstance(logs[0]["exc_info"], ZeroDivisionError)


async def test_a_cancelled_task_is_no_failure() -> None:
    with capture_logs() as logs:
        async with Supervisor("test") as supervisor:
            supervisor.start(forever(), name="work")
    assert logs == []


async def test_the_failure_of_an_essential_task_ends_the_wait() -> None:
    async with Supervisor("test") as supervisor:
        supervisor.start(fail(), name="worker", essential=True)
        with pytest.raises(EssentialTaskEndedError, match="worker") as raised:
            await supervisor.wait()
        assert isinstance(raised.value.__cause__, ZeroDivisionError)


async def test_an_essential_task_must_not_even_return() -> None:
    async with Supervisor("test") as supervisor:
        supervisor.start(asyncio.sleep(0), name="worker", essential=True)
        with pytest.raises(EssentialTaskEndedError):
            await supervisor.wait()


async def test_stop_ends_the_wait_and_pauses() -> None:
    async with Supervisor("test") as supervisor:
        paused = supervisor.start(supervisor.pause(3600), name="loop", essential=True)
        await asyncio.sleep(0)
        supervisor.stop()
        await supervisor.wait()
        assert await paused is False
        assert supervisor.stopping


async def test_a_pause_that_ends_by_itself_says_go_on() -> None:
    async with Supervisor("test") as supervisor:
        assert await supervisor.pause(0.001)


async def test_draining_gives_running_work_its_time() -> None:
    async with Supervisor("test") as supervisor:
        finishing = supervisor.start(asyncio.sleep(0.01, "done"), name="finishing")
        stuck = supervisor.start(forever(), name="stuck")
        await supervisor.drain(seconds=0.1)
        assert finishing.result() == "done"
        assert not stuck.done()
    assert stuck.cancelled()
