"""Deliberately broken builds: each takes away what one promise is held by.

What no single patch can break is held twice, by a constraint of the database or by the provider
too. The drawn schedules must find each of `IN_PROCESS`, those at simulated vendors each of
`AT_VENDORS` (`test_broken_builds`); the tests with real processes must fail with what
`test_broken_processes` pairs them with; a trial of each of `IN_TRIALS` trips the one measure that
names it (`tests/integration/evals/test_scenarios`). What the watchdog would heal is found where
there is none, in `tests/properties/test_leases`.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Protocol

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

from execution import (
    approvals,
    authorization,
    budget,
    inbox,
    jobs,
    leases,
    ledger,
    tasks,
    verdict,
)
from execution.authorization import Authorization, AuthorizationFacts, PlanCover
from execution.leases import Fence
from execution.saver import FencedSaver
from execution.transactions import Tx, work
from infra.db.query import Conn, execute
from infra.ids import TaskId, ThreadId
from infra.providers.ports import Found, Lookup, NotDeliveredError
from nodes.task import stop_check
from server.hub import Hub
from server.workers import endings, late_looks, run
from server.workers.executor import Executor
from server.workers.heartbeat import Heart
from server.workers.worker import Worker
from tools import plan


class Patch(Protocol):
    """What sets an attribute: pytest's monkeypatch, or the program `tests.faults.broken`."""

    def setattr(self, target: Any, name: str, value: object) -> None: ...


type Build = Callable[[Patch], None]


async def _nothing(*_: Any, **__: Any) -> None:
    """Do none of it."""


async def _yes(*_: Any, **__: Any) -> bool:
    return True


def fence_off(patch: Patch) -> None:
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


def ledger_bypassed(patch: Patch) -> None:
    """What was sent is not written down first, so that who finds it sends it again."""
    advance = ledger.advance

    async def forgets(tx: Any, key: str, status: Any, *, leaving: Any) -> bool:
        return True if status == "submitting" else await advance(tx, key, status, leaving=leaving)

    patch.setattr(ledger, "advance", forgets)


def resends_what_is_unknown(patch: Patch) -> None:
    async def resend(self: Executor, order: Any, *, may_send: bool = True) -> None:
        del may_send
        async with order.tx() as tx:
            await ledger.advance(tx, order.call_key, "unknown", leaving=("submitting",))
        await self._submit(order)

    patch.setattr(Executor, "_reconcile", resend)


def ends_over_what_it_has_not_seen(patch: Patch) -> None:
    end_turn = leases.end_turn

    async def ends(conn: Conn, fence: Fence, *, wake_seq: int, **given: Any) -> bool:
        del wake_seq
        now = await leases.read_wake_seq(conn, fence.thread_id)
        return await end_turn(conn, fence, wake_seq=now, **given)

    patch.setattr(leases, "end_turn", ends)


def answers_count_again(patch: Patch) -> None:
    patch.setattr(approvals, "use", _yes)


def reads_without_a_receipt(patch: Patch) -> None:
    patch.setattr(inbox, "consume", _nothing)


def an_end_leaves_questions_open(patch: Patch) -> None:
    patch.setattr(tasks, "_leave_nothing_open", _nothing)


def settles_what_it_had_quoted(patch: Patch) -> None:
    succeed = endings.succeed

    async def at_the_quote(tx: Any, job: Any, *, result: Any, charge: Any) -> None:
        entry = await ledger.get(tx.conn, tx.workspace_id, job.call_key)
        await succeed(
            tx, job, result=result, charge=replace(charge, amount_micros=entry.quote_micros)
        )

    patch.setattr(endings, "succeed", at_the_quote)


def settles_twice(patch: Patch) -> None:
    """Whoever settles a call again pays it again."""
    settle = budget.settle

    async def again(tx: Any, task_id: Any, call_key: str, micros: int, basis: str) -> None:
        await settle(tx, task_id, call_key, micros, basis)
        await execute(
            tx.conn,
            "update budgets set settled_micros = settled_micros + %(micros)s"
            " where task_id = %(task_id)s",
            {"micros": micros, "task_id": task_id},
        )

    patch.setattr(budget, "settle", again)


def gives_the_money_of_failures_back(patch: Patch) -> None:
    """What failed was free, whatever its vendor charges."""
    fail = endings.fail

    async def for_free(*given: Any, charge: Any, **more: Any) -> None:
        del charge
        await fail(*given, charge=None, **more)

    patch.setattr(endings, "fail", for_free)


def never_looks_late(patch: Patch) -> None:
    """What was given up is forgotten, whatever its vendor charges for it."""

    async def forget(deps: Any, job: Any, *_: Any) -> None:
        async with work(deps, job.workspace_id) as tx:
            await jobs.end_late_looks(tx, job)

    patch.setattr(late_looks, "_look", forget)


def sends_again_what_is_not_found(patch: Patch) -> None:
    """A vendor whose list does not show an order is taken to have none."""
    find = Executor._find

    async def certain(self: Executor, order: Any) -> Any:
        found = await find(self, order)
        return found if isinstance(found, Found) else Lookup.PROVABLY_ABSENT

    patch.setattr(Executor, "_find", certain)


def keeps_no_hold(patch: Patch) -> None:
    """Money is not set aside for what is ordered."""
    patch.setattr(budget, "reserve", _nothing)


AT_VENDORS: list[Build] = [
    resends_what_is_unknown,
    sends_again_what_is_not_found,
    settles_twice,
    gives_the_money_of_failures_back,
    never_looks_late,
    keeps_no_hold,
]

IN_PROCESS: list[Build] = [
    fence_off,
    ledger_bypassed,
    resends_what_is_unknown,
    answers_count_again,
    reads_without_a_receipt,
    an_end_leaves_questions_open,
    settles_what_it_had_quoted,
]


def never_takes_over(patch: Patch) -> None:
    """A turn belongs to its holder until that one ends it, dead or alive."""

    async def is_leased(conn: Conn, thread_id: Any) -> bool:
        statement = "select 1 from turns where thread_id = %s and status = 'active'"
        return await (await conn.execute(statement, [thread_id])).fetchone() is not None

    patch.setattr(leases, "_is_leased", is_leased)


def gives_up_what_was_sent(patch: Patch) -> None:
    """An order that was on its way when its executor died counts as never sent."""

    async def give_up(self: Executor, order: Any, *, may_send: bool = True) -> None:
        del may_send
        async with order.tx() as tx:
            await endings.fail(tx, order.job, NotDeliveredError("Never sent."), charge=None)

    patch.setattr(Executor, "_reconcile", give_up)


def never_stops_itself(patch: Patch) -> None:
    """Nobody notices that a lease is not renewed any more."""
    patch.setattr(Heart, "_report_lost", lambda *_: None)


def looks_for_nothing(patch: Patch) -> None:
    """The watchdog is away: what the queue lost is lost."""
    patch.setattr(run, "watch", lambda _, parts: parts.wait())


def fails_at_the_first_outage(patch: Patch) -> None:
    async def fail(self: Worker, lease: Any, reason: str) -> None:
        await self._retry_or_fail(replace(lease, attempts=99), reason)

    patch.setattr(Worker, "_retry_or_rest", fail)


def reads_the_largest_id(patch: Patch) -> None:
    """The newest state is the one whose id is the largest, as LangGraph's own saver has it."""
    patch.setattr(FencedSaver, "aget_tuple", AsyncPostgresSaver.aget_tuple)


def leaves_out_what_was_missed(patch: Patch) -> None:
    """A client that comes back hears what happens from now on."""

    async def nothing(self: Hub, workspace_id: Any, *, after: int) -> list[Any]:
        del self, workspace_id, after
        return []

    patch.setattr(Hub, "read_page", nothing)


IN_WORKERS: list[Build] = [
    never_takes_over,
    gives_up_what_was_sent,
    never_stops_itself,
    looks_for_nothing,
    fails_at_the_first_outage,
    reads_the_largest_id,
    leaves_out_what_was_missed,
]


def orders_twice(patch: Patch) -> None:
    request = Executor._request

    async def again(self: Executor, order: Any) -> Any:
        await request(self, order)
        return await request(self, order)

    patch.setattr(Executor, "_request", again)


def forgets_the_card(patch: Patch) -> None:
    """A plan begins without a person's yes."""
    patch.setattr(plan, "authorize_plan", lambda _: Authorization(verdict="allow"))


def asks_for_what_was_allowed(patch: Patch) -> None:
    authorize = authorization.authorize

    def asks(facts: AuthorizationFacts) -> Authorization:
        decided = authorize(facts)
        is_covered = facts.cover is PlanCover.COVERED and decided.verdict == "allow"
        asking = Authorization(verdict="ask", category="budget", reason="Is this all right?")
        return asking if is_covered else decided

    patch.setattr(authorization, "authorize", asks)


def calls_it_complete(patch: Patch) -> None:
    """The stop-check is satisfied with the first result."""
    decide = verdict.decide

    def satisfied(facts: verdict.Facts) -> verdict.StopVerdict:
        decided = decide(facts)
        if facts.plan_approved and facts.results:
            done = verdict.Next.COMPLETE
            return verdict.StopVerdict(next=done, reason="That will do.")
        return decided

    for each in (stop_check, endings):
        patch.setattr(each, "decide", satisfied)


def ignores_a_stop(patch: Patch) -> None:
    patch.setattr(tasks, "_leave_nothing_open", _nothing)
    patch.setattr(Executor, "_may_send", _yes)


def loses_words(patch: Patch) -> None:
    """A task is handed its first words and no others, nor is it woken for them."""
    post = inbox.post

    async def posts(tx: Tx, task_id: TaskId, *given: Any, **more: Any) -> None:
        known = [inbox.drain, inbox.consumed]
        if not any([await each(tx.conn, task_id) for each in known]):
            await post(tx, task_id, *given, **more)

    patch.setattr(inbox, "post", posts)


def keeps_what_it_held(patch: Patch) -> None:
    """Money that was set aside is not given back."""
    patch.setattr(budget, "release", _nothing)


def wakes_at_every_progress(patch: Patch) -> None:
    set_phase = jobs.set_phase

    async def wakes(tx: Any, job: Any, *given: Any, **more: Any) -> None:
        await set_phase(tx, job, *given, **more)
        await leases.wake(tx.conn, ThreadId(job.task_id))
        tx.woken.add(ThreadId(job.task_id))

    patch.setattr(jobs, "set_phase", wakes)


def plans_one_too_few(patch: Patch) -> None:
    """Of several results a plan makes one less than was asked for."""
    check = plan._check_structure

    def fewer(arguments: plan.ProposePlan) -> None:
        for step in arguments.steps:
            step.count = max(step.count - 1, 1)
        check(arguments)

    patch.setattr(plan, "_check_structure", fewer)


IN_TRIALS: list[Build] = [
    orders_twice,
    forgets_the_card,
    asks_for_what_was_allowed,
    calls_it_complete,
    ignores_a_stop,
    loses_words,
    keeps_what_it_held,
    wakes_at_every_progress,
    plans_one_too_few,
]

BUILDS: dict[str, Build] = {
    build.__name__: build for build in [*IN_PROCESS, *IN_WORKERS, *IN_TRIALS]
}
