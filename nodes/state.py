"""The state of both graphs, small and plain: ids, the last verdict and a short window for Studio.

Everything durable lives in tables; the window and the card are copies for whoever looks at a
checkpoint and decide nothing.
"""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from typing_extensions import TypedDict

from execution.leases import Fence
from execution.model_calls import Asker
from infra.ids import MessageId, TaskId, ThreadId, TurnId, WorkspaceId


@dataclass(frozen=True, slots=True, kw_only=True)
class RunContext:
    """Which thread a run works on and the generation that allows it to; plain data.

    Empty only in Studio, where a run without a context adopts the thread that its input names.
    """

    workspace_id: str = ""
    thread_id: str = ""
    turn_id: str = ""
    generation: int = 0

    @property
    def workspace(self) -> WorkspaceId:
        """The workspace as an id."""
        return WorkspaceId(UUID(self.workspace_id))

    @property
    def thread(self) -> ThreadId:
        """The thread as an id."""
        return ThreadId(UUID(self.thread_id))

    @property
    def task(self) -> TaskId:
        """The task of a Task thread."""
        return TaskId(UUID(self.thread_id))

    @property
    def message(self) -> MessageId:
        """The message of a Main thread."""
        return MessageId(UUID(self.thread_id))

    @property
    def turn(self) -> TurnId:
        """The turn as an id."""
        return TurnId(UUID(self.turn_id))

    @property
    def fence(self) -> Fence:
        """The right to write."""
        return Fence(thread_id=self.thread, generation=self.generation)

    @property
    def as_message(self) -> Asker:
        """Main as the asker of a model: on the workspace's account, before any task."""
        return Asker(workspace_id=self.workspace, thread_id=self.thread, turn_id=self.turn)

    @property
    def as_task(self) -> Asker:
        """A task as the asker of a model."""
        return replace(self.as_message, task_id=self.task)


class MainState(TypedDict, total=False):
    """State of a Main thread; `text` is only for Studio, which sends it as a message."""

    text: str
    message_id: str
    outcome: str
    task_id: str | None
    candidates: list[dict[str, Any]]


class TaskState(TypedDict, total=False):
    """State of a Task thread."""

    task_id: str
    verdict: str
    reason: str
    plan: dict[str, Any] | None
    window: list[dict[str, str]]
