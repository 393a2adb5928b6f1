"""Sets a situation up in a fresh workspace, through the product's own functions.

Everything happens in one transaction whose clock is set back for each event, so that the tables
hold what they would hold had the person been here over those days. No thread is woken: the tasks
stand still as the situation describes them.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from uuid import uuid5

from evals.routing.cases import MadeObject, Said, Situation, SomeTask
from execution import approvals, ledger, messages, tasks, workspaces
from execution.messages import Outcome
from execution.tasks import TaskStatus
from execution.transactions import work
from execution.tx import Tx
from infra import clock
from infra.blobs import Blob
from infra.deps import Deps
from infra.ids import ApprovalId, MessageId, ObjectId, TaskId, ThreadId, WorkspaceId, new_id
from infra.language import detect_language
from memory import task_index
from workspace import objects
from workspace.objects import NewObject

_BEGAN_BEFORE = timedelta(minutes=5)
"""So long before the first words about it was a task begun."""
JUST_SHOWN = timedelta(minutes=2)
_APART = timedelta(milliseconds=20)
"""Between events that the situation puts at the same time; they keep their order."""
_WAITS_FOR = {"question": "answer", "plan": "approval"}
_MEDIA_TYPES = {
    "image": "image/png",
    "video": "video/mp4",
    "audio": "audio/wav",
    "document": "text/markdown",
    "captions": "application/x-subrip",
    "model3d": "model/gltf-binary",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Built:
    """A workspace as the situation describes it; ids by the keys of the situation."""

    workspace_id: WorkspaceId
    tasks: dict[str, TaskId] = field(default_factory=dict[str, TaskId])
    objects: dict[str, ObjectId] = field(default_factory=dict[str, ObjectId])
    said: dict[str, MessageId] = field(default_factory=dict[str, MessageId])

    def task_key(self, task_id: object) -> str | None:
        """Return the key of a task, None for one that the situation does not know."""
        return next((key for key, known in self.tasks.items() if str(known) == str(task_id)), None)


type _Event = tuple[timedelta, Callable[[Tx], Awaitable[None]]]


async def build(deps: Deps, situation: Situation) -> Built:
    """Make a workspace of its own and let everything in the situation happen in it."""
    built = Built(workspace_id=WorkspaceId(new_id()))
    async with deps.pools.domain.connection() as conn:
        await workspaces.ensure(
            conn, built.workspace_id, name=situation.id, currency=deps.settings.currency
        )
    blob = await deps.blobs.put_bytes(b"a stand-in for what was made")
    builder = _Builder(blob, situation, built)
    now = clock.utc_now()
    async with work(deps, built.workspace_id) as tx:
        for number, (age, event) in enumerate(builder.events()):
            await _set_clock(tx, now - age + number * _APART)
            await event(tx)
        await _set_clock(tx, now)
    return built


async def _set_clock(tx: Tx, when: datetime) -> None:
    """Let `app_now()` tell this time until the transaction ends."""
    await tx.conn.execute("select set_config('atelier.now', %s, true)", [when.isoformat()])


class _Builder:
    """Puts the events of a situation in the order of time."""

    def __init__(self, blob: Blob, situation: Situation, built: Built) -> None:
        self._blob = blob
        self._situation = situation
        self._built = built
        self._founding = {task.key: founding(situation, task) for task in situation.tasks}

    def events(self) -> list[_Event]:
        """Return what happened, the oldest first; what is of one age keeps its order."""
        found: list[_Event] = []
        for task in self._situation.tasks:
            said = self._founding[task.key]
            found.append((began(self._situation, task), self._begin(task, said)))
            found.append((task.age, self._come_to(task)))
        first = self._founding.values()
        found += [(s.age, self._say(s)) for s in self._situation.recent if s not in first]
        for key in self._situation.shown:
            task, made = self._object(key)
            found.append((min(task.age, JUST_SHOWN), self._make(task, made)))
        return sorted(found, key=lambda event: -event[0])

    def _begin(self, task: SomeTask, said: Said | None) -> Callable[[Tx], Awaitable[None]]:
        async def event(tx: Tx) -> None:
            task_id = TaskId(uuid5(self._built.workspace_id, task.key))
            self._built.tasks[task.key] = task_id
            words = said.text if said else task.words or task.goal
            outcome = Outcome.LIGHTWEIGHT if task.kind == "lightweight" else Outcome.NEW
            message_id = await self._accept(tx, words)
            await tasks.create(
                tx,
                task_id,
                kind=task.kind,
                title=task.title,
                goal=task.goal,
                language=task.language or self._situation.language,
                brief={"words": [words]},
                source_message_id=message_id,
            )
            await _record(tx, message_id, outcome, words, task_id)
            if said and said.key:
                self._built.said[said.key] = message_id

        return event

    def _come_to(self, task: SomeTask) -> Callable[[Tx], Awaitable[None]]:
        """Bring a task to where it stands: what it made, its summary, its state, its question."""

        async def event(tx: Tx) -> None:
            task_id = self._built.tasks[task.key]
            for made in task.objects:
                if made.key not in self._situation.shown:
                    await self._make(task, made)(tx)
            await tasks.set_summary(tx, task_id, task.summary)
            reason = _WAITS_FOR[task.asks.kind] if task.asks else "answer"
            await tasks.set_status(
                tx,
                task_id,
                TaskStatus(task.status),
                waiting_reason=reason if task.status == "waiting" else None,
            )
            if task.asks is not None:
                await self._ask(tx, task, task_id)
            if task.archived:
                await tasks.archive(tx, task_id)
            await task_index.refresh(tx, task_id)

        return event

    async def _ask(self, tx: Tx, task: SomeTask, task_id: TaskId) -> None:
        assert task.asks is not None  # noqa: S101 - the caller has looked
        options = [
            {"id": str(number), "label": label, "detail": ""}
            for number, label in enumerate(task.asks.options, start=1)
        ]
        await approvals.request(
            tx,
            ApprovalId(uuid5(task_id, "asks")),
            thread_id=ThreadId(task_id),
            task_id=task_id,
            kind=task.asks.kind,
            title=task.asks.title,
            body="",
            card={"options": options},
            actions=["choose"] if task.asks.kind == "question" else ["approve", "reject"],
            args_hash=ledger.hash_of("ask_person", task.asks.model_dump(), None),
        )

    def _make(self, task: SomeTask, made: MadeObject) -> Callable[[Tx], Awaitable[None]]:
        async def event(tx: Tx) -> None:
            stored = await objects.create(
                tx,
                NewObject(
                    kind=made.kind,
                    role=made.kind,
                    name=made.name,
                    blob=self._blob,
                    media_type=_MEDIA_TYPES[made.kind],
                    author="agent",
                    cause=made.key,
                    task_id=self._built.tasks[task.key],
                ),
            )
            self._built.objects[made.key] = ObjectId(stored.object_id)
            await task_index.refresh(tx, self._built.tasks[task.key])

        return event

    def _say(self, said: Said) -> Callable[[Tx], Awaitable[None]]:
        async def event(tx: Tx) -> None:
            task_id = self._built.tasks[said.task] if said.task else None
            if said.role == "assistant":
                message_id = MessageId(new_id())
                await messages.say(
                    tx,
                    text=said.text,
                    language=detect_language(said.text),
                    cause=f"said {message_id}",
                    message_id=message_id,
                    task_id=task_id,
                )
            else:
                message_id = await self._accept(tx, said.text)
                outcome = Outcome.EXISTING if task_id else Outcome.ANSWER
                await _record(tx, message_id, outcome, said.text, task_id)
            if said.key:
                self._built.said[said.key] = message_id

        return event

    async def _accept(self, tx: Tx, text: str) -> MessageId:
        message_id, _ = await messages.accept(
            tx,
            message_id=MessageId(new_id()),
            client_id=str(new_id()),
            text=text,
            language=detect_language(text),
        )
        return message_id

    def _object(self, key: str) -> tuple[SomeTask, MadeObject]:
        return next(
            (task, made)
            for task in self._situation.tasks
            for made in task.objects
            if made.key == key
        )


async def _record(
    tx: Tx, message_id: MessageId, outcome: Outcome, words: str, task_id: TaskId | None
) -> None:
    """Record that a message of the past went its way to the end."""
    await messages.record_route(
        tx,
        message_id,
        layer=2,
        outcome=outcome,
        language=detect_language(words),
        reason="so the situation says",
        task_id=task_id,
    )
    await messages.advance(tx, message_id, "consumed" if task_id else "answered")


def founding(situation: Situation, task: SomeTask) -> Said | None:
    """Return the words that began a task, if the situation has them among the last words."""
    return next(
        (
            said
            for said in situation.recent
            if said.role == "user"
            and said.task == task.key
            and said.text in (task.words, task.goal)
        ),
        None,
    )


def began(situation: Situation, task: SomeTask) -> timedelta:
    """Return how long ago a task was begun: before anything that was said about it."""
    first = founding(situation, task)
    if first is not None:
        return first.age
    spoken = [said.age for said in situation.recent if said.task == task.key]
    return max([task.age, *spoken]) + _BEGAN_BEFORE
