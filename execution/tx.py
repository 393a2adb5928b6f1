"""The open transaction that every writing function of this package takes first.

It holds the connection and collects what the commit will announce; `execution.transactions.work`
opens one, numbers its events at the end and sends its wakes after the commit.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, fields, replace
from typing import Any

from execution.events import NewEvent
from infra.db.query import Conn
from infra.ids import ApprovalId, JobId, MessageId, TaskId, ThreadId, WorkspaceId
from infra.providers.ports import Lane


@dataclass(slots=True, kw_only=True)
class Tx:
    """An open transaction of one workspace; collects what the commit will announce."""

    conn: Conn
    workspace_id: WorkspaceId
    cause: str | None = None
    pending: list[NewEvent] = field(default_factory=list[NewEvent])
    touched_tasks: dict[TaskId, str] = field(default_factory=dict[TaskId, str])
    touched_messages: dict[MessageId, str] = field(default_factory=dict[MessageId, str])
    touched_approvals: dict[ApprovalId, str] = field(default_factory=dict[ApprovalId, str])
    touched_jobs: dict[JobId, str] = field(default_factory=dict[JobId, str])
    woken: set[ThreadId] = field(default_factory=set[ThreadId])
    due_jobs: dict[JobId, Lane] = field(default_factory=dict[JobId, Lane])

    @asynccontextmanager
    async def attempt(self) -> AsyncGenerator[None]:
        """Run a part that may fail: its rows and what it would have announced go together."""
        before = replace(
            self,
            pending=list(self.pending),
            touched_tasks=dict(self.touched_tasks),
            touched_messages=dict(self.touched_messages),
            touched_approvals=dict(self.touched_approvals),
            touched_jobs=dict(self.touched_jobs),
            woken=set(self.woken),
            due_jobs=dict(self.due_jobs),
        )
        try:
            async with self.conn.transaction():
                yield
        except BaseException:
            for each in fields(self):
                setattr(self, each.name, getattr(before, each.name))
            raise

    def emit(self, event_type: str, data: dict[str, Any], *, task_id: TaskId | None = None) -> None:
        """Announce an event; it is numbered and stored just before the commit."""
        self.pending.append(NewEvent(type=event_type, data=data, task_id=task_id, cause=self.cause))

    def touch_task(self, task_id: TaskId, event_type: str = "task.updated") -> None:
        """Announce the task's new state once; a specific type wins over `task.updated`.

        Opened again says more than brought back.
        """
        if self.touched_tasks.get(task_id, "task.updated") in ("task.updated", "task.unarchived"):
            self.touched_tasks[task_id] = event_type

    def touch_message(self, message_id: MessageId, event_type: str) -> None:
        """Announce the message's new state once at the end, under its last event type."""
        self.touched_messages[message_id] = event_type
