"""One schedule at vendors that are asked over HTTP: six of them, each as its own dialect has it.

Every submission may end in each of the ways that a vendor knows, webhooks reach the real route of a
real server, late, twice or never, and whoever orders may die or freeze at any window. Promises are
read from our tables and from the vendors' own books.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any, cast, get_args, override
from uuid import UUID

from pydantic import SecretStr

from evals.simulator.control import KEY, Everything, open_everything
from evals.simulator.jobs import Vendor
from evals.simulator.switches import Hook, Told
from evals.simulator.vendors import SECRET
from infra.db.pool import transaction
from infra.providers.callbacks import Callbacks, read_key
from infra.providers.comfyui.provider import ComfyProvider
from infra.providers.elevenlabs.provider import ElevenLabsProvider
from infra.providers.fal.provider import FalProvider
from infra.providers.http.places import Places
from infra.providers.http.transport import Limits, Transport
from infra.providers.openai_images.provider import OpenAiImagesProvider
from infra.providers.ports import Provider
from infra.providers.replicate.provider import ReplicateProvider
from infra.providers.runway.provider import RunwayProvider
from infra.supervision import Supervisor
from server.auth import LOCAL_WORKSPACE
from tests.chaos.fates import Fates
from tests.chaos.schedule import POOLS, Capricious, Schedule
from tests.database import DatabaseClock
from tests.harness import Machine, open_machine
from tests.integration.graphs.stage import routed
from tests.integration.server.conftest import live_server

ENDINGS: tuple[Told, ...] = get_args(Told.__value__)
HOOKS: tuple[Hook, ...] = get_args(Hook.__value__)
CALLED = ("fal", "replicate")
"""Those that call us when a job has news."""
TELLS_WHAT_IT_MADE = ("fal", "replicate", "elevenlabs")
"""Those that can be asked what became of an order whose answer was lost, and charge for it."""
_WITHOUT_A_TRACE = frozenset(
    ("elevenlabs", told)
    for told in ("failed_charged", "policy_billed", "broken_file", "cut_file", "expired")
)
"""What is charged, while the history of speech shows nothing of it that can be had."""
_QUICK = Limits(connect_s=2.0, silence_s=0.6, answer_s=1.5)
_MOST_ORDERS = 60
_LATE = timedelta(hours=25)
"""Longer than the longest time between two looks at a job that was given up."""


@dataclass
class Bills:
    """The books of all vendors together."""

    everything: Everything

    @property
    def vendors(self) -> dict[str, Vendor]:
        return {name: stand.vendor for name, stand in self.everything.stands.items()}

    @property
    def orders(self) -> list[UUID]:
        return [order for vendor in self.vendors.values() for order in vendor.books.orders]

    @property
    def billed(self) -> dict[UUID, int]:
        billed: dict[UUID, int] = {}
        for vendor in self.vendors.values():
            billed |= vendor.books.billed
        return billed


class Buyer(Capricious):
    """Orders pictures, clips and speech."""

    @override
    def _proposal(self) -> dict[str, Any]:
        counts = self._random.choice([(2, 1, 1), (3, 0, 0), (1, 1, 0), (1, 0, 2), (2, 1, 0)])
        kinds = zip(("image", "shots", "narration"), counts, strict=True)
        steps = [
            {"key": kind, "title": kind.title(), "kind": kind, "count": count}
            | ({"seconds": 2.0 * count} if kind == "shots" else {})
            for kind, count in kinds
            if count
        ]
        said = {"title": "Things", "summary": "Things.", "language": "en"}
        return {**said, "steps": steps}

    @override
    def _call(self, step: dict[str, Any], slot: int) -> tuple[str, dict[str, Any]]:
        place = {"step": step["key"], "slot": slot, "name": f"{step['title']} {slot}"}
        words = f"a harbour {slot} {self._random.random():.3f}"
        match step["kind"]:
            case "shots":
                return "generate_clip", {**place, "prompt": words, "duration_s": 2.0}
            case "narration":
                return "generate_narration", {**place, "text": words, "language": "en"}
            case _:
                return "generate_image", {**place, "prompt": words}


@dataclass
class MarketSchedule(Schedule):
    """A schedule at these vendors."""

    @property
    def bills(self) -> Bills:
        return cast("Bills", self.vendor)

    @override
    def _moves(self) -> dict[Callable[[Random], Awaitable[None]], int]:
        return {**super()._moves(), self._release: 6, self._call_otherwise: 3}

    async def _release(self, random: Random) -> None:
        """A vendor ends some of what it works on, and sends the webhooks that it had kept."""
        vendor = random.choice([*self.bills.vendors.values()])
        for job in vendor.jobs.values():
            job.released = job.released or random.random() < 0.5
        await vendor.release()

    async def _call_otherwise(self, random: Random) -> None:
        """A vendor's webhooks come otherwise from now on, and its list may lag behind."""
        vendor = self.bills.vendors[random.choice(CALLED)]
        vendor.switches.hook = random.choice(HOOKS)
        vendor.switches.shows_late = random.random() < 0.3

    @override
    async def _come_to_rest(self) -> None:
        """Vendors end what they ever will; some show only afterwards what was given up by then."""
        hides = Random(f"{self.seed} hides").random() < 0.5  # noqa: S311 - a schedule
        for name, vendor in self.bills.vendors.items():
            vendor.switches.shows_late = hides and name in TELLS_WHAT_IT_MADE
            for job in vendor.jobs.values():
                job.released = True
            vendor.switches.by_number = {
                number: "made" if told == "slow" else told
                for number, told in vendor.switches.by_number.items()
            }
            await vendor.release()
        await super()._come_to_rest()
        for vendor in self.bills.vendors.values():
            vendor.switches.shows_late = False
        for _ in range(5):
            await self.clock.advance(_LATE)
            await self.machine.drain()
        await super()._come_to_rest()

    @override
    async def _check(self) -> None:
        await super()._check()
        told = Counter(
            job.told for vendor in self.bills.vendors.values() for job in vendor.jobs.values()
        )
        self.ends.update({f"order {ending}": count for ending, count in told.items()})
        await self._nothing_lost_is_left_unpaid()
        await self._sent_once()

    async def _nothing_lost_is_left_unpaid(self) -> None:
        """What was charged after its hold was given back is in the books, where it can be known."""
        billed = self.bills.billed
        told = {
            job.attempt: job.told
            for vendor in self.bills.vendors.values()
            for job in vendor.jobs.values()
        }
        rows = await self.machine.rows(
            """
            select j.job_id, j.provider, h.absorbed_micros, j.phase, l.outcome, j.late_looks,
                   h.basis
            from holds as h
            join jobs as j using (workspace_id, call_key)
            join ledger as l using (workspace_id, call_key)
            where h.status = 'released'
            """
        )
        unpaid = [
            (row, told.get(row[0]), billed[row[0]])
            for row in rows
            if row[1] in TELLS_WHAT_IT_MADE
            and (row[1], told.get(row[0])) not in _WITHOUT_A_TRACE
            and not (row[2] == billed.get(row[0], 0) or _is_assumed(row, billed))
        ]
        assert unpaid == [], f"a bill after its release, which nobody has booked: {unpaid}"
        still_held = "select call_key from holds where status = 'held'"
        assert await self.machine.rows(still_held) == [], "a hold is lost"
        unheld = """
            select job_id from jobs left join holds using (workspace_id, call_key)
            where amount_micros is null
        """
        assert await self.machine.rows(unheld) == [], "an order without a hold"

    async def _sent_once(self) -> None:
        """No paid vendor was sent an order twice that may have arrived the first time."""
        made = Counter(self.bills.orders)
        assert {order: count for order, count in made.items() if count > 1} == {}


def _is_assumed(row: tuple[Any, ...], billed: dict[UUID, int]) -> bool:
    """Whether the most that it may have cost was booked, as its vendor did not say."""
    return row[6] == "assumed_max" and row[2] >= billed.get(row[0], 0)


def _draw(random: Random, vendors: dict[str, Vendor]) -> None:
    ill = random.choice([0.2, 0.5, 0.8])
    for name, vendor in vendors.items():
        vendor.switches.by_number = {
            number: random.choice(ENDINGS)
            for number in range(1, _MOST_ORDERS)
            if random.random() < ill
        }
        if name in CALLED:
            vendor.switches.hook = random.choice(HOOKS)


def _providers(
    order: Sequence[str], everything: Everything, callbacks: Callbacks, folder: Path
) -> list[Provider]:
    """Return one process's adapters, first choice first."""
    at = everything.address
    places = Places((at,))

    def paid(name: str) -> dict[str, Any]:
        called = callbacks.of(name) if name in CALLED else None
        transport = Transport(name, _QUICK)
        return {"places": places, "transport": transport, "callback_url": called}

    makers: dict[str, Callable[[], Provider]] = {
        "fal": lambda: FalProvider(
            KEY, url=f"{at}/fal", api_url=f"{at}/fal/v1", **paid("fal")
        ),
        "replicate": lambda: ReplicateProvider(
            KEY, url=f"{at}/replicate/v1", **paid("replicate")
        ),
        "openai_images": lambda: OpenAiImagesProvider(
            KEY, url=f"{at}/openai_images/v1", **paid("openai_images")
        ),
        "elevenlabs": lambda: ElevenLabsProvider(
            KEY, url=f"{at}/elevenlabs/v1", folder=folder / "spool", **paid("elevenlabs")
        ),
        "runway": lambda: RunwayProvider(
            KEY, url=f"{at}/runway", settles_after_s=0.0, **paid("runway")
        ),
        "comfyui": lambda: ComfyProvider(
            f"{at}/comfyui", transport=Transport("comfyui", _QUICK)
        ),
    }  # fmt: skip
    return [makers[name]() for name in order]


@asynccontextmanager
async def _open(
    database_url: str, folder: Path, random: Random, model: Buyer
) -> AsyncGenerator[tuple[Everything, list[Machine]]]:
    """The vendors, a server that they call, and two processes that order from them."""
    books = folder / "books"
    await asyncio.to_thread(books.mkdir)
    async with AsyncExitStack() as stack:
        everything = await stack.enter_async_context(open_everything(books))
        live = await stack.enter_async_context(
            live_server(
                database_url,
                folder / "server",
                lossy=True,
                public_url="https://hooks.example.org",
                fal_url=f"{everything.address}/fal",
                replicate_webhook_secret=SecretStr(SECRET),
            )
        )
        async with transaction(live.context.pool) as conn:
            callbacks = Callbacks(public_url=live.address, key=await read_key(conn))
        order = random.sample(("fal", "replicate", "openai_images", "comfyui"), 4)
        machines: list[Machine] = []
        for _ in range(2):
            first, *others = _providers(
                [*order, "runway", "elevenlabs"], everything, callbacks, folder
            )
            pools = await stack.enter_async_context(POOLS(database_url))
            machines.append(
                await stack.enter_async_context(
                    open_machine(
                        database_url,
                        pools,
                        folder,
                        model=model,
                        provider=first,
                        others=others,
                        workspace_id=LOCAL_WORKSPACE,
                    )
                )
            )
        yield everything, machines


async def run_market_schedule(database_url: str, folder: Path, seed: int) -> MarketSchedule:
    """Run one schedule on an empty, migrated database.

    Raises:
        AssertionError: a promise is broken.
    """
    random = Random(f"{seed} market")  # noqa: S311 - a schedule
    model = Buyer(route=routed())
    model._random = Random(f"{seed} buyer")  # noqa: S311 - a schedule
    fates = Fates(database_url, rate=random.choice([0.02, 0.05, 0.1, 0.2]))
    async with (
        _open(database_url, folder, random, model) as (everything, machines),
        Supervisor("bodies") as bodies,
    ):
        bills = Bills(everything)
        _draw(random, bills.vendors)
        schedule = MarketSchedule(
            seed=seed,
            machines=machines,
            vendor=bills,
            model=model,
            fates=fates,
            clock=DatabaseClock(database_url),
            bodies=bodies,
        )
        try:
            await schedule.run()
        finally:
            fates.end()
    return schedule
