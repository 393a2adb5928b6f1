"""A wake that waits for its time keeps nobody from looking before."""

import asyncio

import pytest

from infra.ids import new_id
from infra.providers.ports import Lane
from infra.queue import open_queue
from infra.supervision import Supervisor


@pytest.mark.timeout(90)
async def test_news_of_a_job_is_looked_at_before_its_next_time(database_url: str) -> None:
    job_id, looked = str(new_id()), asyncio.Event()

    async def look(identity: str) -> None:
        assert identity == job_id
        looked.set()

    async with open_queue(database_url) as queue, Supervisor("test") as supervisor:
        await queue.wake_job(job_id, Lane.AWAY, delay_seconds=600)
        await queue.wake_job(job_id, Lane.AWAY)
        supervisor.start(queue.run_jobs_away(look, slots=1), name="jobs")
        async with asyncio.timeout(20):
            await looked.wait()
