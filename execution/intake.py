"""A person's message comes in: stored before it is acknowledged, routed by code where possible.

Layer 1 of routing: an explicit task, an open question, a reply to a message of a task, an object
that belongs to one task, a link to one of these, and words that choose what an open question of
Main offers. Everything else gets a Main thread of its own, and Main decides; a link that leads
nowhere, or links to several tasks, are asked about there.
"""

import unicodedata
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from execution import approvals, choosing, inbox, leases, limits, links, messages, tasks
from execution.approvals import Approval, Decision
from execution.errors import ConflictError, InvalidCallError, NotPossibleNowError
from execution.messages import Origin, Outcome
from execution.tasks import Task
from execution.tx import Tx
from infra.ids import ApprovalId, MessageId, ObjectId, TaskId, ThreadId, new_id
from infra.language import detect_language
from infra.sanitize import clean_text

MAX_CHARACTERS = 100_000
_OPEN_QUESTIONS = 20
_DEAD_LINK = "It links to something that is not here."
_WROTE = "You wrote it to this task."
NOTHING_SAID = "The message is empty. Write what you want."


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """What the links of a message lead to, each looked up in its workspace."""

    task_ids: tuple[TaskId, ...] = ()
    object_ids: tuple[ObjectId, ...] = ()
    approval_id: ApprovalId | None = None
    """A question of Main, which is no task's."""
    is_dead: bool = False
    """Whether one of them leads to nothing that is here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Incoming:
    """A message as a client sent it; `object_task_id` is the task of the object it is about.

    What the client names itself counts before what its words link to.
    """

    text: str
    client_id: str
    task_id: TaskId | None = None
    object_id: ObjectId | None = None
    object_task_id: TaskId | None = None
    approval_id: ApprovalId | None = None
    reply_to: MessageId | None = None
    linked: Linked = field(default_factory=Linked)
    origin: Origin = Origin.PAGE

    @property
    def names_nothing(self) -> bool:
        """Whether the client itself says nothing of what the message is about."""
        return {self.task_id, self.object_id, self.approval_id, self.reply_to} == {None}


async def accept(tx: Tx, incoming: Incoming) -> MessageId:
    """Store a message and send it on its way; the same client id is accepted once.

    Raises:
        InvalidCallError: it is too long, or nothing in it can be seen.
        ClientIdReusedError: the client id belongs to another message.
        NotFoundError: the task or message it refers to is not here.
        NotPossibleNowError: its task is archived.
    """
    text = cleaned(incoming.text)
    target = await _target(tx, incoming)
    message_id, is_new = await messages.accept(
        tx,
        message_id=MessageId(new_id()),
        client_id=incoming.client_id,
        text=text,
        language=detect_language(text),
        task_id=target.task_id if target else None,
        object_id=incoming.object_id,
        approval_id=incoming.approval_id,
        reply_to=incoming.reply_to,
        origin=incoming.origin,
    )
    if not is_new:
        return message_id
    if incoming.names_nothing and incoming.linked.object_ids:
        await messages.point_at(tx, message_id, list(incoming.linked.object_ids))
    if target is None:
        if not await _answers_a_question(tx, incoming, message_id, text):
            is_routed = await _asks_about_links(tx, incoming, message_id, text)
            await _leave_to_main(tx, message_id, is_routed=is_routed)
        return message_id
    await messages.record_route(
        tx,
        message_id,
        layer=1,
        outcome=Outcome.EXISTING,
        language=detect_language(text),
        reason=target.reason,
        task_id=target.task_id,
    )
    if target.is_archived:
        await _leave_to_main(tx, message_id, is_routed=True)
    else:
        await deliver(tx, target.task_id, message_id)
    return message_id


async def _asks_about_links(tx: Tx, incoming: Incoming, message_id: MessageId, text: str) -> bool:
    """Route a message whose links do not name one task: the person is asked; False without any.

    One that leads nowhere leaves a route without a task, which layer 3 asks about.
    """
    linked = incoming.linked
    if not incoming.names_nothing or not (linked.is_dead or len(linked.task_ids) > 1):
        return False
    found = [await tasks.get(tx.conn, tx.workspace_id, each) for each in linked.task_ids]
    return await messages.record_route(
        tx,
        message_id,
        layer=1,
        outcome=Outcome.EXISTING if linked.is_dead else Outcome.ASK,
        language=detect_language(text),
        reason=_DEAD_LINK if linked.is_dead else "It links to several tasks.",
        candidates=[as_choice(task) for task in found],
    )


async def _leave_to_main(tx: Tx, message_id: MessageId, *, is_routed: bool) -> None:
    """Give a message a thread of Main, which routes it, or asks where it shall go instead."""
    thread_id = ThreadId(message_id)
    await leases.create_thread(
        tx.conn, thread_id, tx.workspace_id, "main", holds_order=not is_routed
    )
    await leases.wake(tx.conn, thread_id)
    tx.woken.add(thread_id)


def as_choice(task: Task, label: str | None = None) -> dict[str, Any]:
    """Return a task as a choice of a question."""
    return {"task_id": str(task.task_id), "title": label or task.title, "goal": task.goal[:300]}


async def _answers_a_question(tx: Tx, incoming: Incoming, message_id: MessageId, text: str) -> bool:
    """Let typed words choose what a question of Main offers, as pressing the button would.

    The newest question comes first. A number or a place counts only for the question that was
    asked last, and words that a task's own question offers too are left to that.
    """
    if incoming.object_id is not None or incoming.reply_to is not None:
        return False
    if incoming.linked.is_dead or incoming.linked.task_ids or incoming.linked.object_ids:
        return False
    about = incoming.approval_id or incoming.linked.approval_id
    said = links.without(text) if incoming.linked.approval_id else text
    for index, asked in enumerate(await _open_choices(tx, about)):
        found = choosing.chosen(said, asked.card.get("options", []))
        if found is None:
            continue
        option_id, how = found
        if asked.kind != "route" or (how == "place" and index > 0):
            return False
        return await _choose(tx, asked, option_id, message_id, text)
    return False


async def _open_choices(tx: Tx, about: ApprovalId | None) -> list[Approval]:
    asked = await approvals.recent(tx.conn, tx.workspace_id, limit=_OPEN_QUESTIONS)
    return [
        each
        for each in asked
        if each.status == "pending"
        and each.kind in ("route", "question")
        and about in (None, each.approval_id)
    ]


async def _choose(
    tx: Tx, asked: Approval, option_id: str, message_id: MessageId, text: str
) -> bool:
    try:
        async with tx.attempt():
            await approvals.decide(
                tx,
                ApprovalId(asked.approval_id),
                decision=Decision.CHOOSE,
                args_hash=asked.args_hash,
                choice=option_id,
                note=text,
                decided_by="person",
            )
    except ConflictError:
        return False  # it was answered or has expired just now; these are words like others
    await messages.record_route(
        tx,
        message_id,
        layer=1,
        outcome=Outcome.ANSWER,
        language=detect_language(text),
        reason=f"It answered the question: {asked.title}",
    )
    await messages.advance(tx, message_id, "answered")
    return True


def cleaned(text: str) -> str:
    """Return what a person wrote as it can be kept.

    Raises:
        InvalidCallError: it is too long, or nothing in it can be seen.
    """
    text = clean_text(text)
    if len(text) > MAX_CHARACTERS:
        message = (
            f"The message has {len(text):,} characters; {MAX_CHARACTERS:,} are the most. "
            "Shorten it, or put the rest into a document."
        )
        raise InvalidCallError(message)
    if not _says_something(text):
        raise InvalidCallError(NOTHING_SAID)
    return text


def _says_something(text: str) -> bool:
    """Tell whether a person would see anything: not only spaces, breaks and invisible signs."""
    return any(unicodedata.category(sign)[0] not in "ZC" for sign in text)


async def deliver(
    tx: Tx, task_id: TaskId, message_id: MessageId, *, position: int | None = None
) -> None:
    """Put a message into a task's inbox; a task that has ended opens again for it.

    It comes after all others, or stands at the position of one that it replaces.

    Raises:
        NotPossibleNowError: the task is archived.
    """
    # The lock first: the task may be ending at this moment, and must then be opened again.
    await leases.lock(tx.conn, ThreadId(task_id))
    task = await tasks.get(tx.conn, tx.workspace_id, task_id)
    if task.archived_at is not None:
        msg = "This task is archived. Write without choosing it, or reopen it."
        raise NotPossibleNowError(msg)
    await inbox.post(tx, task_id, message_id, position=position)
    if task.is_terminal:
        await tasks.reopen(tx, task_id)
    await tasks.reset_rounds(tx, task_id)
    await limits.renew(tx, task_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Target:
    """The task that code names, and why; one that is archived is asked about."""

    task_id: TaskId
    reason: str
    is_archived: bool = False


async def _target(tx: Tx, incoming: Incoming) -> _Target | None:
    if incoming.task_id is not None:
        task = await tasks.get(tx.conn, tx.workspace_id, incoming.task_id)
        if task.archived_at is not None:
            msg = "This task is archived. Write without choosing it, or reopen it."
            raise NotPossibleNowError(msg)
        asked = incoming.approval_id is not None
        reason = "You wrote it at a question of this task." if asked else _WROTE
        return _Target(task_id=incoming.task_id, reason=reason)
    if incoming.reply_to is not None:
        answered = await messages.get(tx.conn, tx.workspace_id, incoming.reply_to)
        return await _implied(tx, answered.task_id, "It replies to a message of this task.")
    if incoming.names_nothing:
        return await _linked(tx, incoming.linked)
    return await _implied(tx, incoming.object_task_id, "It is about an object of this task.")


async def _linked(tx: Tx, linked: Linked) -> _Target | None:
    """Return the one task that a message's links lead to."""
    if linked.is_dead or len(linked.task_ids) != 1:
        return None
    return await _implied(tx, linked.task_ids[0], "A link in it leads to this task.")


async def _implied(tx: Tx, task_id: UUID | None, reason: str) -> _Target | None:
    """Return a task that a message is about because of what it names, if it names one."""
    if task_id is None:
        return None
    task = await tasks.get(tx.conn, tx.workspace_id, TaskId(task_id))
    return _Target(task_id=TaskId(task_id), reason=reason, is_archived=task.archived_at is not None)
