"""What befalls the service in a trial: at named points, at vendors, on the wire."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID

from evals.scenarios.schema import Fault, World
from evals.scenarios.triggers import comes_at, has_come
from evals.scenarios.view import View
from evals.simulator.control import KEY, Everything
from evals.simulator.switches import Switches
from evals.simulator.vendors import OFFERS
from infra.providers.local.guard import ORDERS
from infra.providers.local.prices import price_micros

type Tell = Callable[[str, str], None]


def settings_of(world: World, everything: Everything) -> dict[str, str]:
    """Return the settings that lead the service to its vendors."""
    settings = {"ATELIER_PROVIDERS": ",".join(world.services)}
    for name in world.services:
        if name in OFFERS:
            settings |= OFFERS[name].settings(everything.stands[name].vendor.address, KEY)
    return settings


def crash_points(faults: list[Fault]) -> list[str]:
    """Return where the first worker dies, and the one after it, as the service is told."""
    return [f"{each.kill}:{each.nth}" for each in faults if each.kill is not None]


@dataclass
class Plagues:
    """The faults of a trial that are still to come, and the outages that will end."""

    everything: Everything
    left: list[Fault]
    """What has not happened yet, a worker's deaths in their order among them."""
    drop_streams: Callable[[], None]
    deaths: Callable[[], int]
    """How many workers have died."""
    tell: Tell
    _struck: list[Fault] = field(default_factory=list[Fault])
    _ends: dict[str, float] = field(default_factory=dict[str, float])
    _deaths_told: int = 0

    def tick(self, view: View) -> bool:
        """Let happen what is due; tell whether anything did."""
        due = [each for each in self.left if each.kill is None and has_come(each.when, view)]
        kills = [each for each in self.left if each.kill is not None]
        died, self._deaths_told = self.deaths() - self._deaths_told, self.deaths()
        due += kills[:died]
        self.left = [each for each in self.left if not any(each is one for one in due)]
        self._struck += due
        for fault in due:
            self._strike(fault, view)
        over = [vendor for vendor, at in self._ends.items() if at <= view.now_s]
        for vendor in over:
            del self._ends[vendor]
            self._switches(vendor).is_out = False
            self.tell("outage over", f"{vendor} is back")
        return bool(due or over)

    @property
    def listed(self) -> list[Fault]:
        """Everything that was to happen."""
        return [*self._struck, *self.left]

    def undone(self) -> list[Fault]:
        """Return what has not befallen the service: its moment, or its order, never came."""
        return [*self.left, *filter(self._waits_for_its_order, self._struck)]

    def _waits_for_its_order(self, fault: Fault) -> bool:
        return (
            fault.vendor is not None
            and fault.submission is not None
            and self._switches(fault.vendor).submissions < fault.submission
        )

    def next_at(self, view: View) -> float | None:
        """Return when the next of them comes by itself."""
        times = [comes_at(each.when, view) for each in self.left if each.kill is None]
        return min(
            (each for each in [*times, *self._ends.values()] if each is not None), default=None
        )

    def _strike(self, fault: Fault, view: View) -> None:
        self.tell(_name(fault), fault.told)
        if fault.drop_stream:
            self.drop_streams()
        if fault.vendor is None:
            return
        switches = self._switches(fault.vendor)
        if fault.outage is not None:
            switches.is_out = True
            self._ends[fault.vendor] = view.now_s + fault.outage
        if fault.ends is not None and fault.submission is None:
            switches.default = fault.ends
        elif fault.ends is not None and fault.submission is not None:
            switches.by_number[fault.submission] = fault.ends

    def _switches(self, vendor: str) -> Switches:
        return self.everything.stands[vendor].vendor.switches


def _name(fault: Fault) -> str:
    kinds = ("kill", "outage", "drop_stream", "ends")
    return next(kind for kind in kinds if getattr(fault, kind) is not None)


@dataclass(frozen=True)
class Bill:
    """What everyone who was ordered from has written down: the jobs they made, and the charges."""

    orders: list[UUID]
    billed: dict[UUID, int]


def bill_of(
    everything: Everything, data_dir: Path, jobs: dict[UUID, tuple[str, dict[str, Any]]]
) -> Bill:
    """Return the books of all vendors and of this machine's own provider together."""
    orders: list[UUID] = []
    billed: dict[UUID, int] = {}
    for stand in everything.stands.values():
        orders += stand.vendor.books.orders
        billed |= stand.vendor.books.billed
    log = data_dir / "attempts" / ORDERS
    made = [UUID(line) for line in log.read_text("utf-8").split()] if log.exists() else []
    for job_id in filter(jobs.__contains__, made):
        operation, payload = jobs[job_id]
        billed[job_id] = price_micros(operation, payload)
    return Bill(orders=orders + made, billed=billed)
