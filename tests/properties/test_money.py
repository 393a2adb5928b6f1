"""Quotes, holds, charges and refunds of two tasks against an account kept in Python.

Every call goes the way it really goes: proposed and authorized, asked or held, handed over, sent,
accepted or lost, ended with a charge below, at or above its hold. Whatever is done twice, late or
by a stale executor changes nothing.
"""

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from evals import invariants
from execution import approvals, budget, jobs, ledger, tasks, workspaces
from execution.approvals import Decision as Answer
from execution.errors import (
    AlreadyDecidedError,
    BudgetExhaustedError,
    NotPossibleNowError,
    StaleLeaseError,
    SupersededError,
)
from execution.jobs import Job
from execution.proposed import ProposedCall
from execution.tx import Tx
from execution.workspaces import AutonomyLevel
from infra.ids import ApprovalId, JobId, StepId, TaskId, ThreadId
from infra.providers.ports import Charge, JobFailedError, OutcomeUnknownError
from server.workers import endings
from tests.integration.execution.world import record_call, record_look
from tests.properties.ground import Ground, Machine, play
from tools import answers, proposals
from tools.proposals import Decision

PER_CALL, DAILY = 400, 1000
PRICES = st.sampled_from((0, 60, 250, 400, 700))
CHARGES = st.sampled_from((None, 0.0, 0.5, 1.0, 3.0))
NUMBERS = itertools.count(step=4)  # a refused call leaves a gap, and none is used twice
WHICH = st.integers(0, 1)
BACK = st.integers(0, 5)
SENT = ("submitting", "unknown", "accepted")


@dataclass
class Call:
    """A call as it should be."""

    task: int
    key: str
    price: int
    status: str
    day: int = 0
    hold: str | None = None
    settled: int = 0
    absorbed: int = 0
    approval: str | None = None
    job_id: JobId | None = None
    closed: bool = False
    claims: list[Job] = field(default_factory=list[Job])

    @property
    def held(self) -> int:
        return self.price if self.hold == "held" else 0


class Accounts(Machine):
    """Two tasks of one workspace, whose owner allows so much a call and so much a day."""

    def __init__(self) -> None:
        super().__init__()
        self.day = 0
        self.calls: list[Call] = []
        self.limits = [0, 0]
        self.stopped = [False, False]
        self.billed: dict[UUID, int] = {}

    @initialize()
    def begin(self) -> None:
        self.tasks: list[TaskId] = []
        self.steps: list[StepId] = []
        self.leases: list[Any] = []
        self.run(self._begin())
        for task, price in ((0, 250), (1, 60), (0, 700), (1, 400)):
            self.propose(task, price)
        for back in range(4):
            self.hand_over(back)
            self.claim(back)

    async def _begin(self) -> None:
        async with self.world.conn() as conn:
            # Far from midnight, so that a slow run stays within its day.
            cursor = await conn.execute(
                """
                select date_trunc('day', app_now(), 'UTC') + interval '1 day 6 hours' - app_now()
                """
            )
            row = await cursor.fetchone()
            await workspaces.update_settings(
                conn,
                self.world.workspace_id,
                autonomy=AutonomyLevel.BALANCED,
                per_call_allowance_micros=PER_CALL,
                daily_allowance_micros=DAILY,
                review_points=[],
            )
        assert row is not None
        await self.clock.advance(row[0])
        for _ in range(2):
            task_id = await self.world.task()
            lease = await self.world.held(task_id)
            self.tasks.append(task_id)
            self.leases.append(lease)
            self.steps.append(await self.world.step(lease, calls=0))

    def account(self, task: int) -> tuple[int, int, int, int]:
        mine = [call for call in self.calls if call.task == task]
        return (
            self.limits[task],
            sum(call.held for call in mine),
            sum(call.settled for call in mine),
            sum(call.absorbed for call in mine),
        )

    def free(self, task: int) -> int:
        limit, held, settled, _ = self.account(task)
        return limit - held - settled

    @property
    def spent_today(self) -> int:
        today = [call for call in self.calls if call.hold and call.day == self.day]
        return sum(call.held + call.settled for call in today)

    def call(self, back: int) -> Call | None:
        return self.calls[-1 - back % len(self.calls)] if self.calls else None

    def hold(self, call: Call) -> None:
        call.status, call.hold, call.day = "held", "held", self.day

    # ------------------------------------------------------------------ proposing

    @rule(task=WHICH, price=PRICES)
    def propose(self, task: int, price: int) -> None:
        if self.stopped[task]:
            return
        allowed = price == 0 or (price <= PER_CALL and self.spent_today + price <= DAILY)
        call = self.run(self._propose(task, price, next(NUMBERS)))
        assert call.status == ("held" if allowed else "planned")
        self._proposed(call)

    @rule(price=PRICES)
    def propose_three_at_once(self, price: int) -> None:
        """Decisions of two tasks at the same moment share what is left of the day."""
        if any(self.stopped):
            return
        room = (DAILY - self.spent_today) // price if price else 3
        allowed = min(max(room, 0), 3) if price <= PER_CALL else 0
        base = next(NUMBERS)
        made = self.run(
            self.ground.at_once(
                *(lambda n=n: self._propose(n % 2, price, base + n) for n in range(3))
            )
        )
        calls = [each for each in made if isinstance(each, Call)]
        assert len(calls) == 3, made
        assert sum(call.status == "held" for call in calls) == allowed
        for call in calls:
            self._proposed(call)

    def _proposed(self, call: Call) -> None:
        self.calls.append(call)
        if call.status == "held":
            self.limits[call.task] += call.price
            self.hold(call)
        else:
            call.approval = "pending"

    async def _propose(self, task: int, price: int, number: int) -> Call:
        self.ground.prices["image"] = price
        key = f"{self.leases[task].turn_id}/1/{number}"
        async with self.world.work(self.leases[task].fence) as tx:
            await proposals.settle(
                Decision(
                    tx=tx,
                    deps=self.world.deps,
                    task=await tasks.get(tx.conn, tx.workspace_id, self.tasks[task]),
                    step_id=self.steps[task],
                ),
                ProposedCall(name="generate_image", arguments={"prompt": "x", "name": "X"}),
                call_key=key,
                tool_call_id=f"call_{number}",
                seq=1,
            )
            entry = await ledger.get(tx.conn, tx.workspace_id, key)
        return Call(task, key, price, entry.status)

    @rule(task=WHICH, amount=st.sampled_from((50, 250, 600)), over=st.booleans())
    def grant(self, task: int, amount: int, *, over: bool) -> None:
        """A grant comes on top; a new plan's most takes the place of what is left over."""
        change = budget.allow if over else budget.raise_limit
        self.limits[task] += amount - (self.free(task) if over else 0)
        self.run(self._work(lambda tx: change(tx, self.tasks[task], amount, "granted")))

    @rule(task=WHICH, price=st.sampled_from((60, 250)))
    def reserve_three_at_once(self, task: int, price: int) -> None:
        """Never more than the limit, and never less than it covers."""
        if self.stopped[task]:
            return
        covered = min(max(self.free(task) // price, 0), 3)
        base = next(NUMBERS)

        async def reserve(number: int) -> Call:
            async with self.world.work() as tx:
                key = await record_call(
                    tx,
                    self.leases[task],
                    self.steps[task],
                    price=price,
                    seq=base + number + 1,
                    status="planned",
                )
                await budget.reserve(tx, self.tasks[task], key, price)
                await ledger.advance(tx, key, "held", leaving=("planned",))
            return Call(task, key, price, "held")

        made = self.run(self.ground.at_once(*(lambda n=n: reserve(n) for n in range(3))))
        calls = [each for each in made if isinstance(each, Call)]
        assert sum(isinstance(each, BudgetExhaustedError) for each in made) == 3 - len(calls), made
        assert len(calls) == covered
        for call in calls:
            self.calls.append(call)
            self.hold(call)

    # ------------------------------------------------------------------ asking

    @rule(back=BACK, answer=st.sampled_from((Answer.APPROVE, Answer.REJECT)))
    def answer(self, back: int, answer: Answer) -> None:
        call = self.call(back)
        if call is None or call.approval is None:
            return
        refusal = {
            "approved": AlreadyDecidedError,
            "rejected": AlreadyDecidedError,
            "superseded": SupersededError,
        }.get(call.approval)
        if refusal is not None:
            with pytest.raises(refusal):
                self.run(self._answer(call, answer))
            return
        self.run(self._answer(call, answer))
        if answer is Answer.REJECT:
            call.approval, call.status = "rejected", "rejected"
            return
        call.approval = "approved"
        self.limits[call.task] += max(call.price - self.free(call.task), 0)
        self.hold(call)

    async def _answer(self, call: Call, answer: Answer) -> None:
        async with self.world.work() as tx:
            entry = await ledger.get(tx.conn, tx.workspace_id, call.key)
            assert entry.approval_id is not None
            answered = await approvals.decide(
                tx,
                ApprovalId(entry.approval_id),
                decision=answer,
                args_hash=entry.args_hash,
                choice=None,
                note=None,
                decided_by="person",
            )
        for _ in range(2):
            async with self.world.work() as tx:
                await answers.apply(tx, self.world.deps, self.tasks[call.task], answered)

    # ------------------------------------------------------------------ running

    @rule(back=BACK)
    def hand_over(self, back: int) -> None:
        call = self.call(back)
        if call is None or call.status != "held" or self.stopped[call.task]:
            return
        call.job_id = self.run(self.world.job(self.tasks[call.task], call.key))

    @rule(back=BACK)
    def claim(self, back: int) -> None:
        """Somebody takes the job over once the last one's lease is over."""
        call = self.call(back)
        if call is None or call.job_id is None:
            return
        job = self.run(self.world.claim_job(call.job_id))
        if job is not None:
            assert not call.closed
            assert job.generation == len(call.claims) + 1
            call.claims.append(job)

    @rule(back=BACK, to=st.sampled_from(("submitting", "accepted", "unknown", "held")))
    def climb(self, back: int, to: str) -> None:
        leaving = {
            "submitting": ("held", "unknown"),
            "accepted": ("submitting", "unknown"),
            "unknown": ("submitting",),
            "held": ("submitting",),
        }[to]
        call = self.call(back)
        if call is None or not call.claims or call.closed:
            return

        async def climb(tx: Tx) -> bool:
            await endings.lock(tx, call.claims[-1])
            return await ledger.advance(tx, call.key, to, leaving=leaving)

        if self.stopped[call.task] and to in ("submitting", "held"):
            return  # the executor sends nothing for a task that has ended
        assert self.run(self._work(climb)) == (call.status in leaving)
        if call.status in leaving:
            call.status = to

    @rule(back=BACK, factor=CHARGES, how=st.sampled_from(("succeed", "fail", "lose", "cancel")))
    def end(self, back: int, factor: float | None, how: str) -> None:
        """The job ends, with what the provider charged or without a charge."""
        call = self.call(back)
        if call is None or not call.claims:
            return
        if how == "cancel" and call.status not in ("held", "rejected"):
            return  # what was sent is never called off, as it may have been done
        if how == "succeed" and call.status not in SENT:
            return
        charge = self._charge(call, how, factor)
        if call.closed:
            with pytest.raises(StaleLeaseError):
                self.run(self._end(call.claims[-1], how, charge))
            return
        self.run(self._end(call.claims[-1], how, charge))
        call.closed = True
        if call.status != "rejected":
            call.status = "rejected" if how == "cancel" else "settled"
        if call.hold != "held":
            return
        call.hold = "released" if charge is None else "settled"
        if charge is not None and call.job_id is not None:
            call.settled = min(charge.amount_micros, call.price)
            call.absorbed = charge.amount_micros - call.settled
            self.billed[call.job_id] = charge.amount_micros

    def _charge(self, call: Call, how: str, factor: float | None) -> Charge | None:
        if how in ("lose", "cancel"):
            return None
        if factor is None and how == "fail":
            return None
        return Charge(amount_micros=int(call.price * (factor or 0)), basis="reported")

    @rule(back=BACK)
    def end_by_a_thawed_executor(self, back: int) -> None:
        call = self.call(back)
        if call is None or len(call.claims) < 2:
            return
        charge = Charge(amount_micros=call.price, basis="reported")
        for how in ("succeed", "fail", "lose", "cancel"):
            with pytest.raises(StaleLeaseError):
                self.run(self._end(call.claims[0], how, charge))

    async def _end(self, job: Job, how: str, charge: Charge | None) -> None:
        async with self.world.work() as tx:
            match how:
                case "succeed":
                    assert charge is not None
                    await endings.lock(tx, job)
                    await endings.succeed(tx, job, result={"outputs": []}, charge=charge)
                case "fail":
                    await endings.fail(tx, job, JobFailedError("It broke."), charge=charge)
                case "lose":
                    lost = OutcomeUnknownError("Nobody knows.")
                    await endings.fail(tx, job, lost, charge=None, outcome="unknown")
                    n = self.tasks.index(TaskId(job.task_id))
                    await record_look(
                        tx, self.leases[n], self.steps[n], next(NUMBERS), job.call_key
                    )
                case _:
                    await endings.cancel(tx, job)

    @rule(back=BACK, amount=st.sampled_from((0, 100, 900)))
    def settle_or_release_again(self, back: int, amount: int) -> None:
        """What is settled or given back is so for good; nothing comes of a second time."""
        call = self.call(back)
        if call is None or call.hold in (None, "held"):
            return

        async def again(tx: Tx) -> None:
            task_id = self.tasks[call.task]
            await budget.settle(tx, task_id, call.key, amount, "reported")
            await budget.release(tx, task_id, call.key, "again")
            await budget.reserve(tx, task_id, call.key, amount)
            finished = await ledger.finish(
                tx, call.key, status="settled", outcome="failed", result={}
            )
            assert finished == (call.status not in ("settled", "rejected"))

        if call.status in ("settled", "rejected"):
            self.run(self._work(again))

    @rule()
    def a_day_passes(self) -> None:
        self.run(self.clock.advance(timedelta(days=1)))
        self.day += 1

    @rule(task=WHICH)
    def stop(self, task: int) -> None:
        if self.stopped[task]:
            with pytest.raises(NotPossibleNowError):
                self.run(self._work(lambda tx: tasks.stop(tx, self.tasks[task])))
            return
        self.run(self._work(lambda tx: tasks.stop(tx, self.tasks[task])))
        self._stopped(task)

    def _stopped(self, task: int) -> None:
        self.stopped[task] = True
        for call in self.calls:
            if call.task == task and call.status in ("planned", "held"):
                call.status = "rejected"
                call.hold = "released" if call.hold else None
            if call.task == task and call.approval == "pending":
                call.approval = "superseded"

    @rule(task=WHICH)
    def reopen(self, task: int) -> None:
        if self.stopped[task]:
            self.run(self._work(lambda tx: tasks.reopen(tx, self.tasks[task])))
            self.stopped[task] = False

    async def _work[T](self, do: Callable[[Tx], Awaitable[T]]) -> T:
        async with self.world.work() as tx:
            return await do(tx)

    # ------------------------------------------------------------------ what must hold

    @invariant()
    def tables_say_what_the_account_says(self) -> None:
        if hasattr(self, "tasks"):
            self.run(self._compare())

    async def _compare(self) -> None:
        async with self.world.conn() as conn:
            await invariants.money_adds_up(conn, self.billed)
            for number, task_id in enumerate(self.tasks):
                found = await budget.get(conn, task_id)
                assert (
                    found.limit_micros,
                    found.held_micros,
                    found.settled_micros,
                    found.absorbed_micros,
                ) == self.account(number)
                entries = await ledger.of_task(conn, task_id)
                paid = {each.call_key: each.status for each in entries if each.risk == "paid"}
                assert paid == {call.key: call.status for call in self.calls if call.task == number}
                pending = await approvals.of_thread(conn, ThreadId(task_id), statuses=["pending"])
                asked = [call for call in self.calls if call.approval == "pending"]
                mine = {call.key for call in asked if call.task == number}
                assert {each.call_key for each in pending} == mine
            spent = await budget.spent_today(conn, self.world.workspace_id)
            assert spent == self.spent_today

    def teardown(self) -> None:
        try:
            if hasattr(self, "tasks"):
                self.run(self._every_hold_ends())
        finally:
            super().teardown()

    async def _every_hold_ends(self) -> None:
        """Stop both tasks and let what was sent end: then nothing is held any more."""
        for task_id, stopped in zip(self.tasks, self.stopped, strict=True):
            if not stopped:
                async with self.world.work() as tx:
                    await tasks.stop(tx, task_id)
        await self.clock.advance(timedelta(days=1))
        async with self.world.conn() as conn:
            due = await jobs.due(conn)
        for job_id in due:
            job = await self.world.claim_job(job_id)
            if job is not None:  # else it is closed, and only to be looked for
                await self._end(job, "lose", None)
        assert await self.world.value("select count(*) from budgets where held_micros > 0") == 0
        assert await self.world.value("select count(*) from holds where status = 'held'") == 0


@pytest.mark.timeout(120)
def test_money_is_where_the_account_says(ground: Ground) -> None:
    play(Accounts, ground, examples=16, steps=30)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_money_is_where_the_account_says_at_length(ground: Ground) -> None:
    play(Accounts, ground, examples=1000, steps=50, shrinks=True)
