"""One message and what came of it: which events of the log belong to it, and when it is over.

Pure: frames go in, decisions come out. An exchange is over when Main has answered or asked,
when the turn that read the message waits or its task has ended, or when the message was
withdrawn, replaced, moved or refused.
"""

from typing import Any

from server.hub import DELTA, Frame

_GONE = ("message.withdrawn", "message.replaced", "message.moved", "message.refused")
_TURN_ENDS = ("task.waiting", "task.completed")
_TASK_ENDS = ("task.failed", "task.stopped", "task.paused")
_REPLIES = ("assistant.started", "assistant.completed")


class Exchange:
    """Follows one message through the log."""

    def __init__(self, message_id: str) -> None:
        self.message_id = message_id
        self.task_id: str | None = None
        self.ended: str | None = None
        """The type of the event that ended it."""
        self._is_consumed = False
        self._replies: set[str] = set()

    def take(self, frame: Frame) -> bool:
        """Take the next frame of the log; tell whether it belongs to this exchange."""
        if frame.type.startswith("message."):
            return self._message(frame)
        if frame.type == DELTA:
            return frame.data.get("message_id") in self._replies or self._is_mine(frame.data)
        if frame.type in _REPLIES:
            return self._reply(frame.data)
        if self.task_id is None or frame.task != self.task_id:
            return False
        if frame.type in _TASK_ENDS or (self._is_consumed and frame.type in _TURN_ENDS):
            self.ended = self.ended or frame.type
        return True

    def asked(self, event_type: str) -> None:
        """End it with a question of Main that only a person can answer."""
        self.ended = self.ended or event_type

    def _message(self, frame: Frame) -> bool:
        if frame.data.get("id") != self.message_id:
            return False
        self.task_id = frame.data.get("task_id") or self.task_id
        if frame.type == "message.consumed":
            self._is_consumed = True
        if frame.type in _GONE or frame.type == "message.answered":
            self.ended = self.ended or frame.type
        return True

    def _is_mine(self, reply: dict[str, Any]) -> bool:
        """Tell whether a reply is to the message, or of its task."""
        return reply.get("reply_to") == self.message_id or (
            self.task_id is not None and reply.get("task_id") == self.task_id
        )

    def _reply(self, data: dict[str, Any]) -> bool:
        mine = self._is_mine(data)
        reply_id = data.get("message_id") or data.get("id")
        if mine and reply_id:
            self._replies.add(reply_id)
        return mine
