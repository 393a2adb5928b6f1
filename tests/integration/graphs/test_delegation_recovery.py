"""Whoever dies while work is given away and comes back: it is given once, and every micro is there.

A worker is killed at one window after another, of all that the parent, the child and the executor
go through; another one finishes from the tables.
"""

import json
from contextlib import AsyncExitStack
from typing import Any, override

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from execution.approvals import Decision
from infra.crash_points import watched
from infra.supervision import Supervisor
from server.workers import watchdog
from tests.harness import calls
from tests.integration.graphs.conftest import OpenStage
from tests.integration.graphs.family import (
    CARVED,
    CHILD,
    GIVEN,
    PARENT,
    Cast,
    Family,
    begin,
    delegate,
)
from tests.integration.graphs.stage import (
    PRICE,
    Stage,
    Vendor,
    concept,
    fill,
    plan,
    routed,
    state_of,
)
from tests.integration.graphs.test_recovery import Fate, run_until_struck

EVERY = 9
"""Of the windows so many are left out between two; the long test takes each."""


class Steady(Cast):
    """Says the line of its place in the transcript: the same again, if its answer was lost."""

    @override
    def _worker(self, messages: list[BaseMessage]) -> AIMessage:
        state = state_of(messages)
        lines = self.lines.get(state["task"]["goal"], [])
        position = sum(isinstance(message, AIMessage) for message in messages)
        line: Any = lines[position] if position < len(lines) else calls()
        return line if isinstance(line, AIMessage) else line(state)


def steady() -> Steady:
    lines: dict[str, list[Any]] = {PARENT: [calls(), delegate()], CHILD: [plan(2), concept(), fill]}
    return Steady(route=routed(), lines=lines)


async def finish(first: Stage, second: Stage, fate: Fate) -> None:
    """Run until nothing is left to do, by whoever is alive; the watchdog looks as always."""
    if fate.struck is None:
        await run_until_struck(first.machine, fate)
    if fate.struck is not None:
        for _ in range(3):
            await watchdog.sweep(second.machine.deps)
            await second.machine.drain()


async def work_through(first: Stage, second: Stage, fate: Fate) -> Family:
    """One production: money for the parent, work given away, its plan approved, all of it made."""
    family = await begin(second)
    await second.say("go on", family.parent_id)
    await finish(first, second, fate)
    for asked in await second.machine.pending():
        await second.machine.decide(asked, Decision.APPROVE)
    await finish(first, second, fate)
    return family


async def has_come_out_right(family: Family) -> None:
    stage = family.stage
    ((child_id, carved, returned, is_over),) = await stage.machine.rows(
        "select child_id, carved_micros, returned_micros, closed_at is not null from delegations"
        " where parent_id = %s",
        family.parent_id,
    )
    assert (carved, returned, is_over) == (CARVED, CARVED - 2 * PRICE, True)
    assert (await stage.task(child_id))[0] == "completed"
    assert await family.free(family.parent_id) == GIVEN - 2 * PRICE
    assert await family.free(child_id) == 0
    told = [json.loads(each)["status"] for each in await family.heard(family.parent_id)]
    assert told == ["waiting", "completed"]
    assert (await stage.task(family.parent_id))[1] == "answer", "it has read that"
    await stage.check()


async def from_windows(open_stage: OpenStage, database_url: str, *, every: int) -> None:
    async with AsyncExitStack() as stack:
        vendor, model = Vendor(default="accepted"), steady()
        first = await stack.enter_async_context(open_stage(model, vendor))
        second = await stack.enter_async_context(open_stage(model, vendor))
        async with Supervisor("nobody dies") as bodies:
            counting = Fate(database_url, bodies)
            with watched(counting.reached):
                await has_come_out_right(await work_through(first, second, counting))
        for at in range(1, len(counting.seen) + 1, every):
            async with Supervisor("bodies") as bodies:
                fate = Fate(database_url, bodies, at=at)
                with watched(fate.reached):
                    family = await work_through(first, second, fate)
            assert fate.struck is counting.seen[at - 1]
            await has_come_out_right(family)


@pytest.mark.timeout(240)
async def test_work_that_was_given_away_survives_the_death_of_who_holds_it(
    open_stage: OpenStage, database_url: str
) -> None:
    await from_windows(open_stage, database_url, every=EVERY)


@pytest.mark.long
@pytest.mark.timeout(900)
async def test_it_survives_it_at_every_window(open_stage: OpenStage, database_url: str) -> None:
    await from_windows(open_stage, database_url, every=1)
