"""All vendors at one address, and what steers them while they run.

`POST /_control/{vendor}` changes its switches, `POST /_control/{vendor}/release` lets its slow jobs
end and sends the webhooks that were held back, `GET /_control/{vendor}/books` gives its bill.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Mount, Route, Router
from starlette.types import Receive, Scope, Send

from evals.simulator.serving import serve
from evals.simulator.switches import Hook, Switches, Told
from evals.simulator.vendors import OFFERS, Stand
from evals.simulator.wire import Wires

KEY = "key-of-the-simulator"


class Change(BaseModel):
    """What of a vendor's switches is changed; the numbers of submissions replace those before."""

    model_config = ConfigDict(extra="forbid")

    default: Told | None = None
    by_number: dict[int, Told] | None = None
    hook: Hook | None = None
    shows_late: bool | None = None
    is_out: bool | None = None


class _Door:
    """Lets nobody in to a vendor that is out, and counts them."""

    def __init__(self, stand: Stand) -> None:
        self._vendor = stand.vendor
        self._inside = Router(routes=stand.routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._vendor.switches.is_out and scope["type"] == "http":
            self._vendor.turned_away += 1
            await JSONResponse({"error": "Service Unavailable"}, 503)(scope, receive, send)
            return
        await self._inside(scope, receive, send)


class Everything:
    """Every vendor, open."""

    def __init__(self, stands: dict[str, Stand]) -> None:
        self.stands = stands
        self.address = ""

    def open_at(self, address: str) -> None:
        """Tell every vendor where it is."""
        self.address = address
        for name, stand in self.stands.items():
            stand.vendor.address = f"{address}/{name}"

    @property
    def settings(self) -> dict[str, str]:
        """The settings that lead an installation here."""
        return {
            setting: value
            for name, stand in self.stands.items()
            for setting, value in OFFERS[name].settings(stand.vendor.address, KEY).items()
        }

    async def change(self, request: Request) -> Response:
        """Change a vendor's switches, and tell how many submissions it has counted."""
        stand = self._stand(request)
        if stand is None:
            return _unknown(request)
        try:
            change = Change.model_validate_json(await request.body())
        except ValidationError as error:
            problems = error.errors(include_url=False, include_context=False)
            return JSONResponse({"detail": str(problems)}, 422)
        for name, value in change.model_dump(exclude_none=True).items():
            setattr(stand.vendor.switches, name, value)
        return JSONResponse(_switches(stand))

    async def release(self, request: Request) -> Response:
        """Let slow jobs end, and send the webhooks that were held back."""
        stand = self._stand(request)
        if stand is None:
            return _unknown(request)
        for job in stand.vendor.jobs.values():
            job.released = True
        await stand.vendor.release()
        return JSONResponse(_switches(stand))

    async def books(self, request: Request) -> Response:
        """Give a vendor's books."""
        stand = self._stand(request)
        if stand is None:
            return _unknown(request)
        books = stand.vendor.books
        return JSONResponse(
            {
                "submissions": books.submissions,
                "orders": [str(attempt) for attempt in books.orders],
                "billed": {str(attempt): micros for attempt, micros in books.billed.items()},
                "lines": books.lines,
                "hooks_failed": stand.vendor.hooks_failed,
            }
        )

    async def overview(self, request: Request) -> Response:
        """Give all vendors with their addresses and switches."""
        del request
        stands = self.stands.items()
        return JSONResponse(
            {name: {"address": each.vendor.address, **_switches(each)} for name, each in stands}
        )

    def _stand(self, request: Request) -> Stand | None:
        return self.stands.get(request.path_params["vendor"])


@asynccontextmanager
async def open_everything(
    folder: Path, switches: Switches | None = None, *, port: int = 0
) -> AsyncGenerator[Everything]:
    """Serve every vendor, each with its books in `folder`, for as long as the block lasts."""
    wires = Wires()
    stands = {name: offer.open(folder / f"{name}.jsonl", wires) for name, offer in OFFERS.items()}
    for stand in stands.values():
        given = switches or Switches()
        stand.vendor.switches = Switches(default=given.default, hook=given.hook)
    everything = Everything(stands)
    routes = [
        Route("/_control", everything.overview),
        Route("/_control/{vendor}", everything.change, methods=["POST"]),
        Route("/_control/{vendor}/release", everything.release, methods=["POST"]),
        Route("/_control/{vendor}/books", everything.books),
        *(Mount(f"/{name}", app=_Door(stand)) for name, stand in stands.items()),
    ]
    async with serve(routes, wires, port=port) as address:
        everything.open_at(address)
        yield everything


def _switches(stand: Stand) -> dict[str, Any]:
    switches = stand.vendor.switches
    return {
        "default": switches.default,
        "by_number": {str(number): told for number, told in switches.by_number.items()},
        "hook": switches.hook,
        "shows_late": switches.shows_late,
        "is_out": switches.is_out,
        "turned_away": stand.vendor.turned_away,
        "submissions": stand.vendor.books.submissions,
    }


def _unknown(request: Request) -> Response:
    name = request.path_params["vendor"]
    return JSONResponse({"detail": f"There is no vendor '{name}': {', '.join(OFFERS)}."}, 404)
