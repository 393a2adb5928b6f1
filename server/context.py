"""What every route is given: the open handles, the hub, and ids out of a path.

An id that is no id of ours is answered like one that does not exist.
"""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Depends, Header, Request

from execution.errors import NotFoundError
from infra.db.pool import DomainPool
from infra.deps import Deps
from infra.ids import ApprovalId, MessageId, ObjectId, TaskId
from server.hub import Hub


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """The open handles of a serving process."""

    deps: Deps
    hub: Hub
    epoch: str

    @property
    def pool(self) -> DomainPool:
        """The pool for our own tables."""
        return self.deps.pools.domain


async def _opened(request: Request) -> Context:
    return request.app.state.context


Opened = Annotated[Context, Depends(_opened)]

IdempotencyKey = Annotated[
    str | None,
    Header(max_length=200, description="The same key brings the same answer, and acts once."),
]


def to_uuid(text: str, what: str) -> UUID:
    """Return the id that a client wrote.

    Raises:
        NotFoundError: it is no id of ours.
    """
    try:
        found = UUID(text)
    except ValueError:
        found = None
    if found is None or str(found) != text.lower():
        msg = f"There is no such {what}."
        raise NotFoundError(msg)
    return found


def task_id_of(text: str) -> TaskId:
    """Return a task's id from what a client wrote."""
    return TaskId(to_uuid(text, "task"))


def object_id_of(text: str) -> ObjectId:
    """Return an object's id from what a client wrote."""
    return ObjectId(to_uuid(text, "object"))


def approval_id_of(text: str) -> ApprovalId:
    """Return a question's id from what a client wrote."""
    return ApprovalId(to_uuid(text, "question"))


def message_id_of(text: str) -> MessageId:
    """Return a message's id from what a client wrote."""
    return MessageId(to_uuid(text, "message"))


async def _task_in_path(task_id: str) -> TaskId:
    return task_id_of(task_id)


async def _message_in_path(message_id: str) -> MessageId:
    return message_id_of(message_id)


async def _object_in_path(object_id: str) -> ObjectId:
    return object_id_of(object_id)


async def _approval_in_path(approval_id: str) -> ApprovalId:
    return approval_id_of(approval_id)


TaskInPath = Annotated[TaskId, Depends(_task_in_path)]
MessageInPath = Annotated[MessageId, Depends(_message_in_path)]
ObjectInPath = Annotated[ObjectId, Depends(_object_in_path)]
ApprovalInPath = Annotated[ApprovalId, Depends(_approval_in_path)]
