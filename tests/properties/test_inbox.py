"""Messages of two tasks: sent, corrected and read in any order, against two lists in Python.

What an inference has read is on record when its decision commits, and a decision that rests on
words which are gone by then is discarded. Each message ends once: read, withdrawn or replaced.
"""

from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule

from evals import invariants
from execution import corrections, inbox, intake, steps, tasks
from execution.errors import (
    AlreadyReadError,
    ClientIdReusedError,
    ConflictError,
    DiscardedDecisionError,
    NotPossibleNowError,
)
from execution.inbox import InboxMessage
from execution.intake import Incoming
from execution.leases import Lease
from infra.ids import MessageId, StepId, TaskId, ThreadId, new_id
from tests.integration.execution.world import record_step
from tests.properties.ground import Ground, Machine, play

WHICH = st.integers(0, 1)
BACK = st.integers(0, 5)


@dataclass
class Said:
    """A message as it should be."""

    message_id: MessageId
    client_id: str
    text: str
    task: int
    status: str = "delivered"
    begins: bool = False
    reader: StepId | None = None

    @property
    def waits(self) -> bool:
        return self.status in ("delivered", "moved")


@dataclass
class Mind:
    """A task's worker: the messages that its inference was given, if it is at one."""

    task_id: TaskId
    lease: Lease
    waiting: list[Said] = field(default_factory=list[Said])
    read: list[InboxMessage] | None = None


class Messages(Machine):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[Said] = []
        self.minds: list[Mind] = []

    @initialize()
    def begin(self) -> None:
        for number in range(2):
            task_id = self.run(self.world.task())
            lease = self.run(self.world.held(task_id))
            source = self.run(self._source(task_id))
            first = Said(source, str(source), "make something", number, begins=True)
            self.said.append(first)
            self.minds.append(Mind(task_id, lease, [first]))
        for number in (0, 1, 0):
            self.send(number)

    async def _source(self, task_id: TaskId) -> MessageId:
        return await self.world.value(
            "select source_message_id from tasks where task_id = %s", task_id
        )

    def one(self, back: int) -> Said:
        return self.said[-1 - back % len(self.said)]

    # ------------------------------------------------------------------ the person

    @rule(task=WHICH)
    def send(self, task: int) -> None:
        text = f"message {len(self.said)}"
        message_id = self.run(self._send(task, text, text))
        self._sent(Said(message_id, text, text, task))

    def _sent(self, said: Said) -> None:
        self.said.append(said)
        self.minds[said.task].waiting.append(said)

    async def _send(self, task: int, text: str, client_id: str) -> MessageId:
        async with self.world.work() as tx:
            incoming = Incoming(text=text, client_id=client_id, task_id=self.minds[task].task_id)
            return await intake.accept(tx, incoming)

    @rule(back=BACK, task=WHICH)
    def send_again(self, back: int, task: int) -> None:
        """The same client id is the same message, wherever it has got to."""
        said = self.one(back)
        assert self.run(self._send(task, said.text, said.client_id)) == said.message_id
        with pytest.raises(ClientIdReusedError):
            self.run(self._send(task, "other words", said.client_id))

    @rule(task=WHICH)
    def send_at_once(self, task: int) -> None:
        """Two senders of one message, and another message between them."""
        text, other = f"message {len(self.said)}", f"message {len(self.said)} too"
        one, again, between = self.run(
            self.ground.at_once(
                lambda: self._send(task, text, text),
                lambda: self._send(task, text, text),
                lambda: self._send(task, other, other),
            )
        )
        assert not isinstance(one, BaseException)
        assert not isinstance(between, BaseException)
        assert one == again
        made = [Said(one, text, text, task), Said(between, other, other, task)]
        order = self.run(self._waiting(task))[-2:]
        for message_id in order:
            self._sent(next(each for each in made if each.message_id == message_id))

    async def _waiting(self, task: int) -> list[MessageId]:
        async with self.world.conn() as conn:
            waiting = await inbox.drain(conn, self.minds[task].task_id)
        return [MessageId(each.message_id) for each in waiting]

    @rule(back=BACK)
    def withdraw(self, back: int) -> None:
        said = self.one(back)
        if said.status == "withdrawn":
            self.run(self._withdraw(said))
        elif not self._refused(said, self._withdraw(said)):
            self._leave(said, "withdrawn")

    async def _withdraw(self, said: Said) -> None:
        async with self.world.work() as tx:
            await corrections.withdraw(tx, said.message_id)

    def _refused(self, said: Said, correction: Coroutine[Any, Any, Any]) -> bool:
        """Try a correction; tell whether it had to be refused, and was."""
        if said.waits and not said.begins:
            self.run(correction)
            return False
        kind = AlreadyReadError if said.status == "consumed" else NotPossibleNowError
        with pytest.raises(kind):
            self.run(correction)
        return True

    def _leave(self, said: Said, status: str) -> None:
        said.status = status
        self.minds[said.task].waiting.remove(said)

    @rule(back=BACK)
    def replace(self, back: int) -> None:
        said = self.one(back)
        text = f"instead {len(self.said)}"
        if self._refused(said, self._replace(said, text)):
            return
        new = Said(self.run(self._replace(said, text)), text, text, said.task)
        waiting = self.minds[said.task].waiting
        waiting[waiting.index(said)] = new
        said.status = "replaced"
        self.said.append(new)

    async def _replace(self, said: Said, text: str) -> MessageId:
        async with self.world.work() as tx:
            return await corrections.replace(tx, said.message_id, text=text, client_id=text)

    @rule(back=BACK, task=WHICH)
    def move(self, back: int, task: int) -> None:
        said = self.one(back)
        if not self._refused(said, self._move(said, task)) and said.task != task:
            self._leave(said, "moved")
            said.task = task
            self.minds[task].waiting.append(said)

    async def _move(self, said: Said, task: int) -> None:
        async with self.world.work() as tx:
            await corrections.move(tx, said.message_id, self.minds[task].task_id)

    @rule(task=WHICH)
    def stop(self, task: int) -> None:
        """A task that has ended keeps its messages; the next one opens it again."""

        async def stop() -> None:
            async with self.world.work() as tx:
                await tasks.set_status(
                    tx, self.minds[task].task_id, tasks.TaskStatus.STOPPED, reason="You did."
                )

        self.run(stop())

    # ------------------------------------------------------------------ the model

    @rule(task=WHICH)
    def think(self, task: int) -> None:
        """An inference begins with everything that waits, in order."""

        async def drain() -> list[InboxMessage]:
            async with self.world.conn() as conn:
                return await inbox.drain(conn, self.minds[task].task_id)

        self.minds[task].read = self.run(drain())

    @rule(task=WHICH)
    def decide(self, task: int) -> None:
        """Its decision commits, unless anything that it has read is gone."""
        mind = self.minds[task]
        if mind.read is None:
            return
        read = [each.message_id for each in mind.read]
        there = {said.message_id for said in mind.waiting}
        if not set(read) <= there:
            with pytest.raises(DiscardedDecisionError):
                self.run(self._decide(mind))
        else:
            self._decided(mind, self.run(self._decide(mind)))
        mind.read = None

    def _decided(self, mind: Mind, step_id: StepId) -> None:
        assert mind.read is not None
        read = {each.message_id for each in mind.read}
        for said in [each for each in mind.waiting if each.message_id in read]:
            self._leave(said, "consumed")
            said.reader = step_id

    async def _decide(self, mind: Mind) -> StepId:
        step_id = StepId(new_id())
        async with self.world.work(mind.lease.fence) as tx:
            await inbox.consume(tx, mind.read or [], step_id)
            await record_step(tx, mind.lease, step_id, calls=0)
            await steps.close(tx, ThreadId(mind.task_id), verdict="wait", reason="", progress=False)
        return step_id

    @rule(task=WHICH, back=BACK, how=st.sampled_from(("withdraw", "replace", "move")))
    def correct_while_it_decides(self, task: int, back: int, how: str) -> None:
        """Of a decision and a correction of what it has read, exactly one counts."""
        mind, said = self.minds[task], self.one(back)
        read = {each.message_id for each in mind.read or []}
        there = {each.message_id for each in mind.waiting}
        if said.message_id not in read or said.begins or not read <= there:
            return
        text = f"instead {len(self.said)}"

        async def correct() -> Any:
            match how:
                case "withdraw":
                    return await self._withdraw(said)
                case "replace":
                    return await self._replace(said, text)
                case _:
                    return await self._move(said, 1 - task)

        decided, corrected = self.run(self.ground.at_once(lambda: self._decide(mind), correct))
        if isinstance(decided, DiscardedDecisionError):
            assert not isinstance(corrected, BaseException), corrected
            self._corrected(said, how, text, corrected)
        else:
            assert isinstance(corrected, AlreadyReadError), corrected
            assert not isinstance(decided, BaseException), decided
            self._decided(mind, decided)
        mind.read = None

    def _corrected(self, said: Said, how: str, text: str, made: Any) -> None:
        waiting = self.minds[said.task].waiting
        match how:
            case "withdraw":
                self._leave(said, "withdrawn")
            case "replace":
                new = Said(made, text, text, said.task)
                waiting[waiting.index(said)] = new
                said.status = "replaced"
                self.said.append(new)
            case _:
                self._leave(said, "moved")
                said.task = 1 - said.task
                self.minds[said.task].waiting.append(said)

    @rule(back=BACK, task=WHICH)
    def correct_twice_at_once(self, back: int, task: int) -> None:
        said = self.one(back)
        if not said.waits or said.begins or said.task == task:
            return
        withdrawn, moved = self.run(
            self.ground.at_once(lambda: self._withdraw(said), lambda: self._move(said, task))
        )
        assert isinstance(withdrawn, ConflictError) is not isinstance(moved, ConflictError)
        self._corrected(said, "withdraw" if withdrawn is None else "move", "", None)

    # ------------------------------------------------------------------ what must hold

    @invariant()
    def each_message_is_where_it_should_be(self) -> None:
        if self.minds:
            self.run(self._compare())

    async def _compare(self) -> None:
        async with self.world.conn() as conn:
            await invariants.messages_are_read_once(conn)
            for mind in self.minds:
                waiting = await inbox.drain(conn, mind.task_id)
                assert [each.text for each in waiting] == [each.text for each in mind.waiting]
            cursor = await conn.execute(
                "select message_id, status, task_id from messages where role = 'user'"
            )
            found = {row[0]: row[1:] for row in await cursor.fetchall()}
            assert found == {
                said.message_id: (said.status, self.minds[said.task].task_id) for said in self.said
            }
            cursor = await conn.execute(
                "select message_id, consumed_by from inbox where status = 'consumed'"
            )
            assert sorted(await cursor.fetchall()) == sorted(
                (said.message_id, said.reader) for said in self.said if said.reader
            )


@pytest.mark.timeout(120)
def test_each_message_is_read_once_or_taken_back(ground: Ground) -> None:
    play(Messages, ground, examples=15, steps=30)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_each_message_is_read_once_or_taken_back_at_length(ground: Ground) -> None:
    play(Messages, ground, examples=1000, steps=50, shrinks=True)
