"""What the dialects have in common: jobs, the bill, the pictures, the webhooks.

A job is written down as an order before anything is answered; it is charged when it ends, which is
when somebody first looks at it after it was ready.
"""

import asyncio
import io
import random
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Literal
from uuid import UUID

import httpx
from PIL import Image
from starlette.requests import Request

from evals.simulator.books import Books
from evals.simulator.switches import FREE, Hook, Switches, Told
from infra.providers.http.seller import ATTEMPT_HEADER

SIDE = 64

type Price = Callable[[dict[str, Any]], int]
type Hooked = Callable[["Job", str, Hook], Awaitable[tuple[dict[str, str], bytes]]]

_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")


@dataclass(kw_only=True)
class Job:
    """One job of the vendor."""

    job_id: str
    attempt: UUID
    model: str
    given: dict[str, Any]
    told: Told
    micros: int
    webhook: str | None = None
    state: Literal["queued", "running", "done", "cancelled"] = "queued"
    released: bool = False
    billed: bool = False
    facts: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def is_over(self) -> bool:
        """Whether it has ended, well or not."""
        return self.state in ("done", "cancelled")


@dataclass(kw_only=True)
class Vendor:
    """One vendor's switches, books and jobs."""

    books: Books
    switches: Switches = field(default_factory=Switches)
    jobs: dict[str, Job] = field(default_factory=dict[str, Job])
    address: str = ""
    hooks_failed: list[str] = field(default_factory=list[str])
    turned_away: int = 0
    """How many requests were answered with nothing but 503, because it was out."""
    _held: list[tuple[Job, str, Hooked]] = field(default_factory=list[tuple[Job, str, Hooked]])

    async def submission(self) -> Told:
        """Count a submission and return how it ends."""
        await self.books.write("submission")
        return self.switches.of(self.books.submissions)

    async def make(self, job: Job) -> Job:
        """Take an order into the books."""
        await self.books.write("order", attempt=job.attempt, job=job.job_id, micros=job.micros)
        self.jobs[job.job_id] = job
        return job

    async def look(self, job: Job) -> Job:
        """Let a job go on as far as it may, and charge it if that ends it."""
        if job.is_over:
            return job
        waits = job.told == "never" or (job.told == "slow" and not job.released)
        job.state = "running" if waits else "done"
        await self.charge(job)
        return job

    async def cancel(self, job: Job) -> None:
        """Stop a job; one that was running is charged all the same."""
        was_running = job.state == "running"
        job.state = "cancelled"
        if was_running and not job.billed:
            job.billed = True
            await self.books.write("bill", attempt=job.attempt, micros=job.micros)

    async def charge(self, job: Job) -> None:
        """Charge a job that has ended, once."""
        if job.state == "done" and not job.billed:
            job.billed = True
            micros = 0 if job.told in FREE else job.micros
            await self.books.write("bill", attempt=job.attempt, micros=micros)

    def listed(self, *, ended: bool) -> list[Job]:
        """Return the jobs that a list shows, newest first."""
        if self.switches.shows_late:
            return []
        return [job for job in reversed(self.jobs.values()) if job.is_over or not ended]

    async def tell(self, job: Job, events: list[str], signed: Hooked) -> None:
        """Send the webhooks of a job, as the switch says."""
        hook = self.switches.hook
        if job.webhook is None or hook == "missing":
            return
        if hook == "late":
            self._held += [(job, event, signed) for event in events]
            return
        times = 2 if hook == "duplicate" else 1
        for event in reversed(events) if hook == "out_of_order" else events:
            for _ in range(times):
                await self._send(job, event, signed)

    async def release(self) -> None:
        """Send the webhooks that were held back."""
        held, self._held = self._held, []
        for job, event, signed in held:
            await self._send(job, event, signed)

    async def _send(self, job: Job, event: str, signed: Hooked) -> None:
        headers, body = await signed(job, event, self.switches.hook)
        try:
            async with httpx.AsyncClient(trust_env=False, timeout=5.0) as client:
                await client.post(job.webhook or "", headers=headers, content=body)
        except httpx.HTTPError as error:
            self.hooks_failed.append(repr(error))


def attempt_in(text: str | None, otherwise: UUID) -> UUID:
    """Return the attempt that an address names, or the one that it is known by here."""
    found = _UUID.search(text or "")
    return UUID(found.group()) if found else otherwise


def attempt_of(request: Request, webhook: str | None, otherwise: UUID) -> UUID:
    """Return the attempt that a submission is for: named in a header, or in its webhook."""
    return attempt_in(request.headers.get(ATTEMPT_HEADER) or webhook, otherwise)


async def picture(name: str) -> bytes:
    """Return a small picture of noise, the same for the same name."""
    return await asyncio.to_thread(_picture, name)


def _picture(name: str) -> bytes:
    noise = random.Random(name).randbytes(SIDE * SIDE)  # noqa: S311 - a picture
    made = io.BytesIO()
    Image.frombytes("L", (SIDE, SIDE), noise).save(made, "PNG")
    return made.getvalue()
