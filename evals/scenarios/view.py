"""What a person sees: the state that a page would show, made from the event stream alone.

Everything arrives whole and replaces what was known. `facts` are the words that conditions use.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from evals.scenarios.conditions import Value

type Json = dict[str, Any]

ENDED = ("completed", "failed", "stopped")
FOR_A_PERSON = ("approval", "review", "answer", "blocked", "no_progress", "limit", "budget")
"""What a task waits for until a person says something."""
_UNREAD = ("received", "routed", "delivered")
_KINDS = {"image": "images", "video": "videos", "model3d": "models", "audio": "sounds"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """An event as a client received it, in seconds since the trial began."""

    seq: int
    at_s: float
    type: str
    task_id: str | None
    data: Json


@dataclass(slots=True)
class View:
    """All that is shown, and when something last changed of it."""

    seq: int = 0
    now_s: float = 0.0
    changed_s: float = 0.0
    tasks: dict[str, Json] = field(default_factory=dict[str, Json])
    messages: dict[str, Json] = field(default_factory=dict[str, Json])
    questions: dict[str, Json] = field(default_factory=dict[str, Json])
    objects: dict[str, Json] = field(default_factory=dict[str, Json])
    happened: Counter[str] = field(default_factory=Counter[str])
    happened_of: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    begun_by: dict[str, str] = field(default_factory=dict[str, str])
    """The message that began each work, by the name that the person has for it."""

    def hear(self, told: Told) -> None:
        """Take over what an event says."""
        self.seq = told.seq
        self.changed_s = told.at_s
        self.happened[told.type] += 1
        if told.task_id:
            self.happened_of[told.type, told.task_id] += 1
        shelf = {
            "task": self.tasks,
            "message": self.messages,
            "approval": self.questions,
            "object": self.objects,
        }.get(told.type.partition(".")[0])
        if shelf is not None and "id" in told.data:
            shelf[told.data["id"]] = told.data

    def task_of(self, key: str) -> str | None:
        """Return the task that a work's first words went to, if they did."""
        message = self.messages.get(self.begun_by.get(key, ""), {})
        return message.get("task_id")

    def key_of(self, task_id: str | None) -> str | None:
        """Return what the person calls a task."""
        keys = (key for key in self.begun_by if self.task_of(key) == task_id)
        return next(keys, None) if task_id else None

    @property
    def pending(self) -> list[Json]:
        """The questions that wait for an answer."""
        return [each for each in self.questions.values() if each["status"] == "pending"]

    @property
    def unread(self) -> list[Json]:
        """What the person has said and nobody has read yet."""
        said = (each for each in self.messages.values() if each["role"] == "user")
        return [each for each in said if each["status"] in _UNREAD]

    @property
    def open_tasks(self) -> list[Json]:
        """Tasks that have not ended."""
        return [each for each in self.tasks.values() if each["status"] not in ENDED]

    @property
    def open_jobs(self) -> int:
        """Jobs that are queued or running, as the tasks show them."""
        shown = (each["jobs"] for each in self.tasks.values())
        return sum(int(each[state]) for each in shown for state in ("queued", "running", "unknown"))

    @property
    def needs_person(self) -> bool:
        """Whether something waits for what only a person can say."""
        waits = any(
            each["status"] == "paused"
            or (each["status"] == "waiting" and each["waiting_reason"] in FOR_A_PERSON)
            for each in self.open_tasks
        )
        return bool(self.pending) or waits

    @property
    def facts(self) -> dict[str, Value]:
        """What conditions may speak of."""
        facts: dict[str, Value] = {
            "tasks": len(self.tasks),
            "tasks.open": len(self.open_tasks),
            "questions": len(self.pending),
            "jobs.open": self.open_jobs,
            "messages.unread": len(self.unread),
            "messages.answered": sum(
                each["status"] == "answered" for each in self.messages.values()
            ),
        }
        for status in ("active", "waiting", "paused", *ENDED):
            facts[f"tasks.{status}"] = sum(t["status"] == status for t in self.tasks.values())
        for key in self.begun_by:
            task = self.tasks.get(self.task_of(key) or "")
            if task is not None:
                facts |= {f"{key}.{name}": value for name, value in self._of_task(task)}
        return facts

    def _of_task(self, task: Json) -> Iterator[tuple[str, Value]]:
        yield "status", task["status"]
        yield "kind", task["kind"]
        yield "waiting", task["waiting_reason"] or "nothing"
        yield "language", task["language"]
        yield "questions", sum(each["task_id"] == task["id"] for each in self.pending)
        budget = task["budget"]
        yield "spent_micros", budget["settled_micros"] + budget["absorbed_micros"]
        yield "held_micros", budget["held_micros"]
        yield "jobs", task["jobs"]["total"]
        yield "jobs_open", sum(task["jobs"][s] for s in ("queued", "running", "unknown"))
        agreed = [
            each["body"]
            for each in self.questions.values()
            if (each["task_id"], each["kind"], each["status"]) == (task["id"], "plan", "approved")
        ]
        yield "agreed", str(agreed[-1]) if agreed else ""
        yield from self._of_plan(task)
        delivery: Json = task["delivery"] or {}
        yield "delivery", delivery.get("status", "none")
        yield "revision", delivery.get("revision", 0)
        yield "acceptance", (task["acceptance"] or {}).get("state", "none")

    def _of_plan(self, task: Json) -> Iterator[tuple[str, Value]]:
        plan: Json = task["checklist"] or {}
        items: list[Json] = plan.get("items", [])
        yield "plan", plan.get("version", 0)
        yield "expected", sum(each["expected"] for each in items)
        yield "made", sum(each["done"] for each in items)
        for name, value in plan.get("format", {}).items():
            if isinstance(value, int | float | str):
                yield f"format.{name}", value
        made: list[Json] = [output for each in items for output in each["outputs"]] + task[
            "results"
        ]
        counted = Counter(_KINDS.get(each["kind"], "others") for each in made)
        for kind in (*_KINDS.values(), "others"):
            yield kind, counted[kind]
        for output in made:
            if output["role"] == "master":
                shown = self.objects.get(output["object_id"], {})
                for name, value in shown.get("meta", {}).items():
                    if isinstance(value, int | float | str):
                        yield f"master.{name}", value
