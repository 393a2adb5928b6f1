"""What the demonstration knows of its message and the work that came of it; pure, fed by events.

Everything arrives whole and replaces what was known, so it does not matter what was told before.
"""

from dataclasses import dataclass, field
from typing import Any

from infra.money import Money

type Json = dict[str, Any]

ENDED = ("completed", "failed", "stopped")
_ANSWERABLE = ("approval", "review", "budget", "jobs", "provider", "paused", None)
"""Waits that end by themselves, or by an answer that this program gives."""

_WAITS = {
    "approval": "waiting for an answer",
    "review": "waiting for a look",
    "jobs": "generating",
    "provider": "waiting for the chat model",
    "answer": "waiting for you",
    "blocked": "stuck",
    "no_progress": "stuck",
    "limit": "at its limit",
    "budget": "out of budget",
}
_STATES = {
    "active": "working",
    "paused": "paused",
    "completed": "done",
    "failed": "failed",
    "stopped": "stopped",
}


@dataclass(slots=True)
class Story:
    """One message, its task, the questions asked and the last words said."""

    message_id: str
    message: Json = field(default_factory=dict[str, Any])
    task: Json = field(default_factory=dict[str, Any])
    approvals: dict[str, Json] = field(default_factory=dict[str, Json])
    replies: list[Json] = field(default_factory=list[Json])
    words: str = ""
    _generation: tuple[str, int] = ("", 0)

    @property
    def task_id(self) -> str | None:
        """The task that the message belongs to, once it does."""
        return self.message.get("task_id")

    @property
    def title(self) -> str:
        """What the work is called."""
        return str(self.task.get("title") or "")

    @property
    def state(self) -> str:
        """Where the work stands, in words."""
        status = self.task.get("status")
        if status is None:
            return "being read" if self.message.get("status") != "answered" else "answered"
        if status == "waiting":
            return _WAITS.get(str(self.task.get("waiting_reason")), "waiting")
        if status == "active" and not self.steps:
            return "planning"
        return _STATES.get(str(status), str(status))

    @property
    def steps(self) -> list[Json]:
        """The steps of the plan."""
        plan: Json = self.task.get("checklist") or {}
        return plan.get("items", [])

    @property
    def jobs(self) -> Json:
        """The jobs, counted."""
        return self.task.get("jobs") or {"total": 0}

    @property
    def pending(self) -> list[Json]:
        """The questions of this message or task that nobody has answered."""
        return [card for card in self.approvals.values() if card["status"] == "pending"]

    @property
    def is_answered(self) -> bool:
        """Whether the message was answered without any work."""
        return self.message.get("status") == "answered" and bool(self.replies)

    @property
    def has_ended(self) -> bool:
        """Whether the work has come to an end."""
        return self.task.get("status") in ENDED

    @property
    def is_stuck(self) -> bool:
        """Whether the work waits for what only a person can say."""
        waits = self.task.get("status") == "waiting" and not self.pending
        return waits and self.task.get("waiting_reason") not in _ANSWERABLE

    def progress(self, step: Json) -> float:
        """Return how many results of a step there are, counting running ones in part."""
        running = sum(
            float(job["progress"] or 0)
            for job in self.jobs.get("items", [])
            if job["step_key"] == step["key"] and job["status"] == "running"
        )
        return min(float(step["expected"]), step["done"] + running)

    def money(self, name: str) -> Money:
        """Return an amount of the task's budget."""
        budget: Json = self.task.get("budget") or {}
        return Money(int(budget.get(f"{name}_micros", 0)), str(budget.get("currency", "USD")))

    def load(self, snapshot: Json) -> None:
        """Take over where a snapshot stands."""
        for message in snapshot["messages"]:
            self.apply("message.", message)
        for task in snapshot["tasks"]:
            self.apply("task.", task)
        for approval in snapshot["approvals"]:
            self.apply("approval.", approval)

    def apply(self, kind: str, data: Json) -> None:
        """Take in what an event tells."""
        subject = kind.partition(".")[0]
        if kind == "assistant.delta":
            self._hear(data)
        elif kind == "assistant.completed":
            self._reply(data)
        elif subject == "message" and data["id"] == self.message_id:
            self.message = data
        elif subject == "task" and data["id"] == self.task_id:
            self.task = data
        elif subject == "job" and self.task and data["task_id"] == self.task_id:
            self._job(data)
        elif subject == "approval" and self._concerns(data):
            self.approvals[data["id"]] = data

    def _concerns(self, approval: Json) -> bool:
        """Tell whether a question is about this work; Main asks only about messages without one."""
        if approval["task_id"] is None:
            return self.task_id is None
        return approval["task_id"] == self.task_id

    def _reply(self, message: Json) -> None:
        mine = message["reply_to"] == self.message_id
        if mine or (self.task_id is not None and message["task_id"] == self.task_id):
            self.replies.append(message)
            self.words = message["text"]

    def _hear(self, delta: Json) -> None:
        """Keep the words of a reply while it is written; a new attempt starts over."""
        current = (str(delta["message_id"]), int(delta["generation"]))
        if current != self._generation:
            self._generation = current
            self.words = ""
        self.words = self.words[: int(delta["offset"])] + str(delta["text"])

    def _job(self, job: Json) -> None:
        """Replace a job's row; the task's own events bring the counts."""
        items: list[Json] = self.jobs.get("items", [])
        for position, known in enumerate(items):
            if known["id"] == job["id"]:
                items[position] = job
