"""A machine of questions about paid calls and choices, and a person who says yes or no to them.

The model says of each question what may still come of it; `test_approvals.py` adds a person who
changes what is asked, and plays it.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule
from psycopg.types.json import Jsonb

from evals import invariants
from execution import approvals, ledger, tasks
from execution.approvals import Approval, Decision
from execution.errors import (
    AlreadyDecidedError,
    ExpiredError,
    InvalidCallError,
    SupersededError,
)
from execution.leases import Lease
from execution.tx import Tx
from infra.ids import ApprovalId, StepId, TaskId, ThreadId, new_id
from server.workers.watchdog import sweep
from tests.integration.execution.world import record_call
from tests.integration.graphs.stage import PricedByWidth
from tests.properties.ground import Machine
from tools import answers
from tools.generate import GenerateImage
from tools.orders import editable

BACK = st.integers(0, 5)
WIDTH = 1000
PRICE = WIDTH // 10
ARGUMENTS = editable(GenerateImage(prompt="a harbour", name="A picture", width=WIDTH))
OPTIONS = {"options": [{"id": "a", "label": "A"}, {"id": "b", "label": "B"}]}
ANSWERS = {"approved": Decision.APPROVE, "rejected": Decision.REJECT, "chosen": Decision.CHOOSE}


@dataclass
class Call:
    """The call that questions are about: where it stands, and what it would cost."""

    state: str = "planned"
    price: int = PRICE
    is_tampered: bool = False


@dataclass
class Asked:
    """A question as it should be; `shown` is the row that the person has before them."""

    kind: str
    key: str
    shown: Approval
    expires: int | None
    of: Call = field(default_factory=Call)
    status: str = "pending"
    is_used: bool = False
    is_changed: bool = False
    is_told: bool = False

    @property
    def yes(self) -> str:
        return "approved" if self.kind == "call" else "chosen"

    @property
    def call(self) -> str:
        return self.of.state

    @call.setter
    def call(self, state: str) -> None:
        self.of.state = state

    @property
    def maximum(self) -> int:
        return self.shown.maximum_micros or 0


def is_open(asked: Asked) -> bool:
    return asked.status == "pending"


def is_open_call(asked: Asked) -> bool:
    return asked.status == "pending" and asked.kind == "call"


def _may_be_tampered_with(asked: Asked) -> bool:
    """Whether its call is still to be looked at, and a yes may or did come."""
    return asked.call == "planned" and asked.status in ("pending", "approved")


class Questions(Machine):
    """One task that asks several things at once, and whoever answers."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0
        self.asked: list[Asked] = []
        self.handed_over: set[str] = set()
        vendor = PricedByWidth()
        self.world.deps = replace(self.world.deps, providers={vendor.name: vendor})

    @initialize()
    def begin(self) -> None:
        self.task_id: TaskId = self.run(self.world.task(limit=0))
        self.lease: Lease = self.run(self.world.held(self.task_id))
        self.step: StepId = self.run(self.world.step(self.lease, calls=0))
        self.stopped = False
        self.ask(3, "call", 1)
        self.ask(2, "question", 30)

    def one(self, back: int, among: Callable[[Asked], bool] | None = None) -> Asked | None:
        """One of the questions, the newest first; one for which `among` holds, if there is any."""
        found = [asked for asked in self.asked if among and among(asked)] or self.asked
        return found[-1 - back % len(found)] if found else None

    async def work[T](self, do: Callable[[Tx], Awaitable[T]]) -> T:
        async with self.world.work() as tx:
            return await do(tx)

    def is_over(self, asked: Asked) -> bool:
        return asked.expires is not None and asked.expires <= self.now

    # ------------------------------------------------------------------ asking

    @rule(
        count=st.integers(1, 3),
        kind=st.sampled_from(("call", "question")),
        days=st.sampled_from((None, 1, 30)),
    )
    def ask(self, count: int, kind: str, days: int | None) -> None:
        self.reopen()
        expires = None if days is None else self.now + days * 24
        for shown in self.run(self.work(lambda tx: self._ask(tx, count, kind, days))):
            assert shown.call_key is not None
            self.asked.append(Asked(kind, shown.call_key, shown, expires))

    async def _ask(self, tx: Tx, count: int, kind: str, days: int | None) -> list[Approval]:
        """Several questions of one step, in the transaction of its decision."""
        made: list[Approval] = []
        for number in range(count):
            seq = len(self.asked) + number + 1
            approval_id = ApprovalId(new_id())
            key = f"{self.lease.turn_id}/{self.step}/{seq}"
            await approvals.request(
                tx,
                approval_id,
                thread_id=ThreadId(self.task_id),
                task_id=self.task_id,
                kind=kind,
                title="A question",
                body="",
                card={"arguments": ARGUMENTS} if kind == "call" else OPTIONS,
                actions=[*(["approve", "edit"] if kind == "call" else ["choose"]), "reject"],
                args_hash=self._hash(seq),
                call_key=key,
                price_micros=PRICE,
                maximum_micros=PRICE,
                expires_in=None if days is None else timedelta(days=days),
            )
            await record_call(
                tx,
                self.lease,
                self.step,
                price=PRICE,
                seq=seq,
                status="planned",
                verdict="ask",
                approval_id=approval_id,
            )
            made.append(await approvals.get(tx.conn, tx.workspace_id, approval_id))
        return made

    def _hash(self, seq: int) -> str:
        request = {
            "operation": "image",
            "provider": "scripted",
            "payload": {"prompt": "a harbour", "seq": seq},
            "inputs": {},
            "name": "A picture",
            "title": "A picture",
        }
        return ledger.hash_of("generate_image", request, PRICE)

    # ------------------------------------------------------------------ answering

    @rule(back=BACK, answer=st.sampled_from(sorted(ANSWERS)), choice=st.sampled_from(("a", "c")))
    def decide(self, back: int, answer: str, choice: str) -> None:
        self._check_decision(self.one(back), answer, choice)

    @rule(back=BACK, yes=st.booleans())
    def decide_whatis_open(self, back: int, yes: bool) -> None:  # noqa: FBT001 - drawn
        asked = self.one(back, is_open)
        self._check_decision(asked, asked.yes if asked and yes else "rejected", "a")

    def _check_decision(self, asked: Asked | None, answer: str, choice: str) -> None:
        if asked is None:
            return
        refusal = self._refusal(asked, answer, choice)
        if refusal is not None:
            with pytest.raises(refusal):
                self.run(self.answer(asked, answer, choice))
            return
        self.run(self.answer(asked, answer, choice))
        asked.status = answer

    def _refusal(self, asked: Asked, answer: str, choice: str) -> type[Exception] | None:
        if ANSWERS[answer] not in asked.shown.actions or (answer == "chosen" and choice == "c"):
            return InvalidCallError
        return self.gone(asked)

    def gone(self, asked: Asked) -> type[Exception] | None:
        match asked.status:
            case "pending":
                return ExpiredError if self.is_over(asked) else None
            case "superseded":
                return SupersededError
            case "expired":
                return ExpiredError
            case _:
                return AlreadyDecidedError

    async def answer(self, asked: Asked, answer: str, choice: str = "a", **given: Any) -> Approval:
        values: dict[str, Any] = {
            "decision": ANSWERS[answer],
            "args_hash": asked.shown.args_hash,
            "choice": choice if answer == "chosen" else None,
            "note": None,
            "decided_by": "person",
            **given,
        }
        async with self.world.work() as tx:
            return await approvals.decide(tx, ApprovalId(asked.shown.approval_id), **values)

    @rule(back=BACK)
    def decide_twice_at_once(self, back: int) -> None:
        """A yes and a no, and the no once more: one of them is the answer."""
        asked = self.one(back, is_open)
        if asked is None:
            return
        done = self.run(
            self.ground.at_once(
                lambda: self.answer(asked, asked.yes),
                lambda: self.answer(asked, "rejected"),
                lambda: self.answer(asked, "rejected"),
            )
        )
        counted = [each for each in done if isinstance(each, Approval)]
        gone = self.gone(asked)
        assert len(counted) == (0 if gone else 1), done
        refused = gone or AlreadyDecidedError
        assert sum(isinstance(each, refused) for each in done) == 3 - len(counted), done
        if counted:
            asked.status = counted[0].status

    @rule(back=BACK)
    def decide_on_something_else(self, back: int) -> None:
        """Other arguments than those that were shown have another hash."""
        asked = self.one(back, is_open)
        if asked is None:
            return
        with pytest.raises((SupersededError, self.gone(asked) or SupersededError)):
            self.run(self.answer(asked, asked.yes, args_hash="another"))

    @rule(back=BACK, what=st.sampled_from(("request", "quote_micros", "tool")))
    def tamper_with_the_call(self, back: int, what: str) -> None:
        """Something is changed between the question and the answer, or after it."""
        self.tamper(self.one(back, _may_be_tampered_with), what)

    def tamper(self, asked: Asked | None, what: str) -> None:
        if asked is not None and asked.call == "planned":
            self.run(self._tamper(asked, what))
            asked.of.is_tampered = True

    async def _tamper(self, asked: Asked, what: str) -> None:
        value = {"request": Jsonb({"payload": "other"}), "quote_micros": 7, "tool": "other"}[what]
        statement: Any = f"update ledger set {what} = %s where call_key = %s"  # noqa: S608
        await self.world.run(statement, value, asked.key)

    @rule(back=BACK, what=st.sampled_from(("request", "quote_micros", "tool")))
    def approve_and_tamper_with_the_call(self, back: int, what: str) -> None:
        """What runs must be what was shown, whoever changes it after the yes."""
        asked = self.one(back, is_open_call)
        self._check_decision(asked, "approved", "a")
        self.tamper(asked, what)
        self.look(1)

    # ------------------------------------------------------------------ what comes of it

    @rule(times=st.integers(1, 2))
    def look(self, times: int) -> None:
        """The task's next turn applies what was answered; delivered again, it finds it used."""
        if self.stopped:
            return

        async def look() -> None:
            for answered in await self._unused():
                for _ in range(times):
                    async with self.world.work() as tx:
                        await answers.apply(tx, self.world.deps, self.task_id, answered)

        self.run(look())
        self._applied()

    @rule()
    def look_twice_at_once(self) -> None:
        if self.stopped:
            return
        unused = self.run(self._unused())

        async def look() -> None:
            async with self.world.work() as tx:
                for answered in unused:
                    await answers.apply(tx, self.world.deps, self.task_id, answered)

        assert self.run(self.ground.at_once(look, look)) == [None, None]
        self._applied()

    async def _unused(self) -> list[Approval]:
        async with self.world.conn() as conn:
            return await approvals.of_thread(
                conn, ThreadId(self.task_id), statuses=answers.ANSWERED, unused_only=True
            )

    def _applied(self) -> None:
        for asked in self.asked:
            if asked.is_used or asked.status not in ANSWERS:
                continue
            asked.is_used = True
            asked.is_told = asked.status != "approved" or (
                asked.is_changed and not asked.of.is_tampered
            )
            if asked.status == "chosen":
                asked.call = "settled"
            elif asked.status == "approved" and not asked.of.is_tampered:
                asked.call = "held"
            else:
                asked.call = "rejected"

    @rule(back=BACK)
    def apply_an_old_answer(self, back: int) -> None:
        """An answer that was used, or voided by a stop, is delivered once more."""
        asked = self.one(back, lambda asked: asked.is_used)
        if asked is None or not asked.is_used:
            return

        async def again(tx: Tx) -> None:
            approval_id = ApprovalId(asked.shown.approval_id)
            answered = await approvals.get(tx.conn, tx.workspace_id, approval_id)
            await answers.apply(tx, self.world.deps, self.task_id, answered)

        self.run(self.work(again))

    @rule(back=BACK)
    def decide_too_late(self, back: int) -> None:
        asked = self.one(back, lambda asked: is_open(asked) and asked.expires == self.now + 24)
        if asked is None or asked.expires is None or not is_open(asked):
            return
        self.wait(max(asked.expires - self.now, 0) + 1)
        with pytest.raises(ExpiredError):
            self.run(self.answer(asked, asked.yes))

    @rule(hours=st.sampled_from((5, 25)))
    def wait(self, hours: int) -> None:
        self.run(self.clock.advance(timedelta(hours=hours)))
        self.now += hours

    @rule()
    def expire(self) -> None:
        self.run(sweep(self.world.deps))
        for asked in self.asked:
            if asked.status == "pending" and self.is_over(asked):
                asked.status, asked.call, asked.is_told = "expired", "rejected", True

    @rule(back=BACK)
    def expire_while_it_is_answered(self, back: int) -> None:
        """The clock and the person at once: a question that is over is never answered."""
        asked = self.one(back, is_open)
        if asked is None:
            return
        answered, swept = self.run(
            self.ground.at_once(
                lambda: self.answer(asked, asked.yes), lambda: sweep(self.world.deps)
            )
        )
        assert swept is None
        gone = self.gone(asked)
        assert isinstance(answered, gone or Approval), answered
        if gone is None:
            asked.status = asked.yes
        self.expire()

    @rule(kind=st.sampled_from(("call", "question")))
    def supersede(self, kind: str) -> None:
        """A newer question of its kind takes the place of those that are open."""
        self.run(self.work(lambda tx: approvals.supersede(tx, ThreadId(self.task_id), kind=kind)))
        for asked in self.asked:
            if asked.kind == kind and asked.status == "pending":
                asked.status = "superseded"

    @rule()
    def stop(self) -> None:
        if self.stopped:
            return
        self.run(self.work(lambda tx: tasks.stop(tx, self.task_id)))
        self.end()

    def end(self) -> None:
        self.stopped = True
        for asked in self.asked:
            if asked.status == "pending" or (asked.status in ANSWERS and not asked.is_used):
                asked.is_told = True
            if asked.status == "pending":
                asked.status = "superseded"
            asked.is_used = asked.is_used or asked.status in ANSWERS
            if asked.call in ("planned", "held"):
                asked.call = "rejected"

    @rule(back=BACK)
    def stop_while_it_is_answered(self, back: int) -> None:
        """Whichever comes first, nothing runs for the answer."""
        asked = self.one(back, is_open)
        if asked is None or self.stopped:
            return
        gone = self.gone(asked)
        answered, stopped = self.run(
            self.ground.at_once(
                lambda: self.answer(asked, asked.yes),
                lambda: self.work(lambda tx: tasks.stop(tx, self.task_id)),
            )
        )
        assert stopped is None
        if isinstance(answered, Approval):
            assert gone is None
            asked.status = asked.yes
        else:
            assert isinstance(answered, (gone or SupersededError, SupersededError)), answered
        self.end()

    @rule()
    def reopen(self) -> None:
        if self.stopped:
            self.run(self.work(lambda tx: tasks.reopen(tx, self.task_id)))
            self.stopped = False

    @rule()
    def hand_over(self) -> None:
        """What is held runs: as a job with the call's request."""
        if self.stopped:
            return
        for asked in self.asked:
            if asked.call == "held" and asked.key not in self.handed_over:
                self.run(self.world.job(self.task_id, asked.key))
                self.handed_over.add(asked.key)

    # ------------------------------------------------------------------ what must hold

    @invariant()
    def each_question_is_where_it_should_be(self) -> None:
        if self.asked:
            self.run(self._compare())

    async def _compare(self) -> None:
        async with self.world.conn() as conn:
            await invariants.approved_is_what_ran(conn)
            await invariants.money_adds_up(conn, {})
            cursor = await conn.execute(
                """
                select a.approval_id, a.status, a.used_at is not null, l.status
                from approvals as a
                join ledger as l using (workspace_id, call_key)
                """
            )
            found = {row[0]: row[1:] for row in await cursor.fetchall()}
            cursor = await conn.execute("select call_key, count(*) from happenings group by 1")
            told = dict(await cursor.fetchall())
            held = await conn.execute(
                "select call_key, amount_micros from holds where status = 'held'"
            )
            open_holds = dict(await held.fetchall())
        assert found == {
            asked.shown.approval_id: (asked.status, asked.is_used, asked.call)
            for asked in self.asked
        }
        assert told == {asked.key: 1 for asked in self.asked if asked.is_told}
        assert open_holds == {
            asked.key: asked.of.price for asked in self.asked if asked.call == "held"
        }
