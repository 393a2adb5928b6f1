"""The drawn schedules see what they are there to see: each broken build breaks a promise.

A build is broken by one patch that takes away what a promise is held by. What no patch can break is
held twice, by a constraint of the database too.
"""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from execution import approvals, inbox, jobs, leases, ledger, tasks
from execution.leases import Fence
from infra.db.query import Conn
from server.workers import endings
from server.workers.executor import Executor
from tests.chaos.schedule import run_schedule
from tests.database import database, with_database

pytestmark = pytest.mark.faults
MOST_SEEDS = 40
PATIENCE_S = 90.0
"""What has not come to rest by then never will."""

type Break = Callable[[pytest.MonkeyPatch], None]


async def _nothing(*_: Any, **__: Any) -> None:
    """Do none of it."""


async def _yes(*_: Any, **__: Any) -> bool:
    return True


def fence_off(patch: pytest.MonkeyPatch) -> None:
    async def move(conn: Conn, fence: Fence, *, parent: str | None, head: str) -> bool:
        del parent
        await conn.execute(
            "update threads set head_checkpoint_id = %s where thread_id = %s",
            [head, fence.thread_id],
        )
        return True

    patch.setattr(leases, "check", _nothing)
    patch.setattr(leases, "move_head", move)
    patch.setattr(jobs, "check", _nothing)


def ledger_bypassed(patch: pytest.MonkeyPatch) -> None:
    """What was sent is not written down first, so that who finds it sends it again."""
    advance = ledger.advance

    async def forgets(tx: Any, key: str, status: Any, *, leaving: Any) -> bool:
        return True if status == "submitting" else await advance(tx, key, status, leaving=leaving)

    patch.setattr(ledger, "advance", forgets)


def resends_what_is_unknown(patch: pytest.MonkeyPatch) -> None:
    async def resend(self: Executor, order: Any, *, may_send: bool = True) -> None:
        del may_send
        async with self._tx(order) as tx:
            await ledger.advance(tx, order.call_key, "unknown", leaving=("submitting",))
        await self._submit(order)

    patch.setattr(Executor, "_reconcile", resend)


def ends_over_what_it_has_not_seen(patch: pytest.MonkeyPatch) -> None:
    end_turn = leases.end_turn

    async def ends(conn: Conn, fence: Fence, *, wake_seq: int, outcome: str) -> bool:
        del wake_seq
        now = await leases.read_wake_seq(conn, fence.thread_id)
        return await end_turn(conn, fence, wake_seq=now, outcome=outcome)

    patch.setattr(leases, "end_turn", ends)


def answers_count_again(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(approvals, "use", _yes)


def reads_without_a_receipt(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(inbox, "consume", _nothing)


def an_end_leaves_questions_open(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(tasks, "_leave_nothing_open", _nothing)


def settles_what_it_had_quoted(patch: pytest.MonkeyPatch) -> None:
    succeed = endings.succeed

    async def at_the_quote(tx: Any, job: Any, *, result: Any, charge: Any) -> None:
        entry = await ledger.get(tx.conn, tx.workspace_id, job.call_key)
        await succeed(
            tx, job, result=result, charge=replace(charge, amount_micros=entry.quote_micros)
        )

    patch.setattr(endings, "succeed", at_the_quote)


BUILDS: list[Break] = [
    fence_off,
    ledger_bypassed,
    resends_what_is_unknown,
    ends_over_what_it_has_not_seen,
    answers_count_again,
    reads_without_a_receipt,
    an_end_leaves_questions_open,
    settles_what_it_had_quoted,
]


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("broken", BUILDS, ids=lambda build: build.__name__)
async def test_a_broken_build_is_found(
    broken: Break,
    postgres_server: str,
    template_database: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken(monkeypatch)
    for seed in range(1, MOST_SEEDS + 1):
        with database(postgres_server, f"broken_{seed}", template_database) as name:
            try:
                async with asyncio.timeout(PATIENCE_S):
                    await run_schedule(with_database(postgres_server, name), tmp_path, seed)
            except (AssertionError, TimeoutError) as found:
                print(f"seed {seed}: {found}")  # noqa: T201 - what the schedule saw
                return
    pytest.fail(f"{MOST_SEEDS} schedules saw nothing of it")
