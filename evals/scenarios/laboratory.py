"""Where trials are made: one Postgres for all, and for each trial a database, vendors, a service.

A trial leaves nothing behind but its record.
"""

import asyncio
import secrets
import shutil
import subprocess
import tempfile
import traceback
from collections.abc import AsyncGenerator, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Literal
from uuid import UUID

import httpx
import psycopg

from evals import evidence, metrics
from evals.chat_server.filmmaker import ByState, answering, film_with_cast, in_turn
from evals.chat_server.script import Script
from evals.chat_server.serving import chat_server
from evals.databases import database, quick_postgres, with_database
from evals.evidence import Deed, Evidence
from evals.invariants import broken
from evals.scenarios import judging, standing, telling
from evals.scenarios.client import Browser
from evals.scenarios.faults import Bill, Plagues, bill_of, crash_points, settings_of
from evals.scenarios.performing import Done, Hands
from evals.scenarios.personas import Casting, cast_of
from evals.scenarios.policies import Policy
from evals.scenarios.schema import Fault, Scenario, World
from evals.scenarios.service import PROGRAM, ROOT, HarnessError, Service, running
from evals.scenarios.tabs import Tabs
from evals.scenarios.trial import End, Run
from evals.scenarios.view import View
from evals.simulator.control import Everything, open_everything
from evals.trials import Happening, Line, Outcome, Trial
from infra.clock import monotonic, utc_now
from infra.db.migrate import migrate
from infra.db.query import Conn
from infra.supervision import Supervisor

type Faults = Literal["none", "listed"]

_MACHINE = (OSError, psycopg.Error, httpx.HTTPError, HarnessError)
"""What says that the harness or its machine failed."""


_LIMITS = httpx.Limits(keepalive_expiry=2.0)
"""A person lets go of a connection before the server does, which does so after five seconds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Laboratory:
    """A server of databases and a migrated template."""

    server: str
    template: str
    folder: Path
    program: tuple[str, ...] = PROGRAM
    """How Python is called to run the service under test."""
    cast: Casting = cast_of
    """Who plays the person of a scenario."""

    async def attempt(self, scenario: Scenario, seed: int, faults: Faults) -> list[Line]:
        """Make one trial and return its record; a failure of the machine is a record too."""
        began, at = monotonic(), utc_now().isoformat()
        person = self.cast(scenario)
        listed = [*scenario.world.faults, *(scenario.faults if faults == "listed" else [])]
        trial = Trial(
            scenario=scenario.id,
            why=scenario.why,
            seed=seed,
            faults=faults,
            listed=[each.told for each in listed],
            policy=person.called,
            commit=_commit(),
            began_at=at,
            setup=scenario.model_dump(mode="json", exclude_defaults=True),
        )
        folder = self.folder / f"{scenario.id}-{seed}-{faults}-{secrets.token_hex(3)}"
        name = f"trial_{secrets.token_hex(4)}"
        lines: list[Line] = []
        try:
            async with _database(self.server, name, self.template) as dsn:
                lines = await self._run(
                    dsn, folder, scenario, person.policy, seed=seed, listed=listed
                )
        except _MACHINE as error:
            lines = [_broken(f"{type(error).__name__}: {error}")]
        except Exception as error:  # noqa: BLE001 - a fault of the harness in one trial ends no other
            at = "".join(traceback.format_tb(error.__traceback__)[-1:]).strip()
            lines = [_broken(f"The harness failed: {type(error).__name__}: {error} ({at})")]
        finally:
            await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
        outcome = lines[-1]
        if isinstance(outcome, Outcome):
            lines[-1] = outcome.model_copy(update={"wall_s": round(monotonic() - began, 2)})
        return [trial, *lines]

    async def _run(
        self,
        dsn: str,
        folder: Path,
        scenario: Scenario,
        policy: Policy,
        *,
        seed: int,
        listed: list[Fault],
    ) -> list[Line]:
        await asyncio.to_thread(folder.mkdir, parents=True)
        async with AsyncExitStack() as stack:
            vendors = await stack.enter_async_context(open_everything(folder))
            model = await stack.enter_async_context(_model(scenario.world))
            service = Service(
                database_url=dsn,
                folder=folder,
                settings=settings_of(scenario.world, vendors) | model,
                program=self.program,
                crash_points=crash_points(listed),
            )
            await stack.enter_async_context(running(service))
            conn = await stack.enter_async_context(
                await psycopg.AsyncConnection.connect(dsn, autocommit=True)
            )
            run = await stack.enter_async_context(
                _opened(
                    scenario,
                    policy,
                    seed,
                    listed=listed,
                    service=service,
                    vendors=vendors,
                    conn=conn,
                )
            )
            end = await run.until_over()
            if end.ended == "deadlock":
                told = await asyncio.to_thread(service.told)
                end = replace(end, reason=f"{end.reason} {told}")
            run.tell("end", f"The trial ended here ({end.ended}); what was begun comes to its end.")
            seen = await _evidence(run, end)
            await run.settle()
            return await _judged(run, end, seen, vendors, folder / "data")


@contextmanager
def laboratory(
    *, program: tuple[str, ...] = PROGRAM, cast: Casting = cast_of
) -> Generator[Laboratory]:
    """Keep a laboratory in a temporary folder, which is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="atelier-evals-") as folder:
        place = Path(folder)
        with (
            quick_postgres(place / "postgres") as server,
            database(server, f"template_{secrets.token_hex(4)}") as template,
        ):
            asyncio.run(migrate(with_database(server, template)))
            yield Laboratory(
                server=server, template=template, folder=place, program=program, cast=cast
            )


@asynccontextmanager
async def _model(world: World) -> AsyncGenerator[dict[str, str]]:
    """Serve the model that the scenario names; give the settings that lead to it."""
    if world.filmmaker is None:
        yield {}
        return
    count, people = world.filmmaker.shots, world.filmmaker.people
    by_state = ByState(
        steps=film_with_cast(count, people),
        shows=in_turn(count, people),
        remakes=True,
        sides={"width": world.filmmaker.sides, "height": world.filmmaker.sides},
    )
    async with chat_server(Script(otherwise=answering(by_state))) as address:
        yield {
            "ATELIER_MODEL": "openai:gpt-5.5",
            "OPENAI_API_BASE": f"{address}/v1",
            "OPENAI_API_KEY": "nobody",
        }


@asynccontextmanager
async def _database(server: str, name: str, template: str) -> AsyncGenerator[str]:
    """Create and drop a database while the event loop goes on: other trials have their clocks."""
    made = database(server, name, template)
    await asyncio.to_thread(made.__enter__)
    try:
        yield with_database(server, name)
    finally:
        await asyncio.to_thread(made.__exit__, None, None, None)


@asynccontextmanager
async def _opened(
    scenario: Scenario,
    policy: Policy,
    seed: int,
    *,
    listed: list[Fault],
    service: Service,
    vendors: Everything,
    conn: Conn,
) -> AsyncGenerator[Run]:
    """Open the person's browser on a service that has just been started."""
    async with (
        httpx.AsyncClient(
            base_url=service.address, trust_env=False, timeout=30.0, limits=_LIMITS
        ) as http,
        Supervisor("person") as supervisor,
    ):
        browser = Browser(http)
        await _set_up(browser, scenario.world)
        began = (await standing.look(conn)).now
        tabs = Tabs(http=http, began=began, supervisor=supervisor)
        await tabs.open()
        view = View()
        happenings: list[Happening] = []

        def tell(what: str, told: str) -> None:
            happenings.append(telling.of_world(view.now_s, what, told))

        run = Run(
            scenario=scenario,
            conn=conn,
            policy=policy,
            rng=Random(f"{scenario.id} {seed}"),  # noqa: S311 - a person
            view=view,
            hands=Hands(browser=browser, view=view, open_tab=tabs.open, reload=tabs.reload),
            tabs=tabs,
            plagues=Plagues(
                everything=vendors,
                left=listed,
                drop_streams=tabs.drop,
                deaths=lambda: service.worker_deaths,
                tell=tell,
            ),
            began=began,
            tell=tell,
            happenings=happenings,
        )
        yield run


async def _set_up(browser: Browser, world: World) -> None:
    answer = await browser.put(
        "/v1/settings",
        {
            "autonomy": world.autonomy,
            "per_call_allowance_micros": world.per_call_allowance_micros,
            "daily_allowance_micros": world.daily_allowance_micros,
            "review_points": world.review_points,
        },
    )
    if not answer.is_success:
        message = f"The service refuses its settings: {answer.told}"
        raise HarnessError(message)


async def _evidence(run: Run, end: End) -> Evidence:
    """Read what is there when the trial ends; money and bills are read once it has settled."""
    read = await evidence.read(run.conn)
    return Evidence(
        began=run.began,
        **read,
        deeds=[_deed(each) for each in run.hands.done],
        wishes=run.seen,
        completed=run.snapshots,
        ended=end.ended,
        ended_s=run.view.now_s,
    )


async def _judged(
    run: Run, end: End, seen: Evidence, vendors: Everything, data_dir: Path
) -> list[Line]:
    later = await evidence.read(run.conn)
    jobs = {row["job_id"]: (row["operation"], row["request"]["payload"]) for row in later["jobs"]}
    bill: Bill = await asyncio.to_thread(bill_of, vendors, data_dir, jobs)
    settled = ("holds", "jobs", "calls", "approvals", "events", "tasks")
    seen = replace(
        seen,
        **{name: later[name] for name in settled},
        orders=bill.orders,
        billed=bill.billed,
        gaps=run.tabs.gaps,
    )
    figures = metrics.measure(seen)
    promises = await broken(run.conn, bill)
    money = [telling.of_money(row, run.began) for row in await evidence.money(run.conn)]
    checks = judging.checks(run.scenario, end, run.view.facts, figures)
    checks += judging.of_faults(run.plagues.listed, run.plagues.undone())
    outcome = Outcome(
        ended=end.ended,
        reason=end.reason,
        passed=all(each.passed for each in checks) and not promises,
        checks=checks,
        invariants_broken=promises,
        metrics=figures,
        virtual_s=round(seen.ended_s, 3),
        wall_s=0.0,
    )
    return [*telling.in_order(run.happenings + money), outcome]


def _deed(done: Done) -> Deed:
    act = done.act
    return Deed(
        at_s=done.at_s,
        what=act.what,
        accepted=done.answer.is_success,
        intent=act.intent,
        message_id=_uuid(done.message_id),
        task_id=_uuid(done.task_id),
        begins=act.begins,
        target=act.target,
        reveals=act.reveals,
        shown=done.shown,
    )


def _uuid(text: str | None) -> UUID | None:
    return UUID(text) if text else None


def _broken(reason: str) -> Outcome:
    return Outcome(
        ended="broken", reason=reason, passed=False, checks=[], metrics={}, virtual_s=0, wall_s=0
    )


@cache
def _commit() -> str:
    """Return which state of the repository was tried."""
    command = ["git", "rev-parse", "HEAD"]
    try:
        return subprocess.run(  # noqa: S603 - a constant command
            command, cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
