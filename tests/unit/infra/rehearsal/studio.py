"""A task as the runtime keeps it, in memory: what a worker is shown, and what becomes of its calls.

Progress is derived by the product's own `progress.derive` and shown by its own `layers`, so the
model sees exactly the shapes of the product. A call that the product would refuse fails the test.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid5

from langchain_core.messages import (
    AIMessage,
    BaseMessage,
    HumanMessage,
    SystemMessage,
    ToolMessage,
)

from execution import ledger, progress
from execution.ledger import LedgerEntry
from execution.progress import Checklist, ChecklistItem, ItemStatus, Plan
from execution.reviews import Review
from infra.providers.rehearsal.model import RehearsalModel
from memory import layers
from tests.unit.execution.entries import BASE
from tests.unit.execution.entries import checklist as a_checklist
from tools import proposals
from tools.plan import PlannedStep, ProposePlan, _check_structure
from tools.registry import TOOLS

SCHEMAS = [tool.schema() for tool in TOOLS.values()]
CAPABILITIES: dict[str, Any] = {
    "operations": [
        {"name": name, "provider": "local", "price_micros": price, "unit": unit}
        for name, price, unit in (
            ("captions", 500, "call"),
            ("clip", 3000, "second"),
            ("image", 4000, "call"),
            ("music", 200, "second"),
            ("narration", 1000, "call"),
            ("render", 2000, "second"),
        )
    ],
    "currency": "USD",
    "narration_languages": ["de", "en", "es", "fr", "it", "ja", "ko", "pt", "zh"],
}
_KINDS = {
    "generate_image": ("image", "image"),
    "generate_clip": ("video", "clip"),
    "generate_narration": ("audio", "narration"),
    "generate_music": ("audio", "music"),
    "make_captions": ("captions", "captions"),
    "assemble_film": ("video", "master"),
    "generate_model": ("model3d", "model"),
}
_STEP_KINDS = {
    "generate_image": ("image", "characters", "keyframes"),
    "generate_clip": ("shots",),
    "generate_narration": ("narration",),
    "generate_music": ("music",),
    "make_captions": ("captions",),
    "assemble_film": ("master",),
    "write_document": ("script", "document"),
    "generate_model": ("model3d",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the model said and called."""

    text: str
    calls: tuple[tuple[str, dict[str, Any]], ...]

    def named(self, name: str) -> list[dict[str, Any]]:
        return [arguments for called, arguments in self.calls if called == name]

    @property
    def names(self) -> set[str]:
        return {name for name, _ in self.calls}


@dataclass(kw_only=True)
class _Version:
    checklist: Checklist
    items: list[ChecklistItem]


@dataclass(kw_only=True)
class Studio:
    """One task, from its first message on."""

    kind: str = "persistent"
    title: str = "Work"
    goal: str = ""
    language: str = "en"
    said: list[str] = field(default_factory=list)
    inbox: list[str] = field(default_factory=list)
    transcript: list[BaseMessage] = field(default_factory=list)
    entries: list[LedgerEntry] = field(default_factory=list)
    versions: list[_Version] = field(default_factory=list)
    pending: dict[str, str] = field(default_factory=dict)
    events: list[dict[str, Any]] = field(default_factory=list)
    objects: list[dict[str, Any]] = field(default_factory=list)
    documents: list[dict[str, Any]] = field(default_factory=list)
    delivery: str | None = None
    number: int = 0
    review_points: frozenset[str] = frozenset()
    looks: list[Review] = field(default_factory=list)
    changes: list[dict[str, Any]] = field(default_factory=list)

    def say(self, text: str) -> None:
        self.inbox.append(text)
        self.said.append(text)

    @property
    def plan(self) -> Plan | None:
        usable = [v for v in self.versions if v.checklist.status in ("approved", "proposed")]
        if not usable:
            return None
        best = max(usable, key=lambda v: (v.checklist.status == "approved", v.checklist.version))
        return progress.derive(best.checklist, best.items, self.entries, self.looks)

    def state(self) -> dict[str, Any]:
        plan = self.plan
        return {
            "task": {
                "kind": self.kind,
                "title": self.title,
                "goal": self.goal or (self.said[0] if self.said else ""),
                "language": self.language,
            },
            "person_said": list(dict.fromkeys(self.said)),
            "plan": layers._plan(plan) if plan else None,
            "budget": {"currency": "USD", "limit_micros": 0, "held_micros": 0, "settled_micros": 0},
            "waiting": [f"approval: {title}" for title in self.pending.values()],
            "events": self.events,
            "doubts": [layers._doubt(entry) for entry in ledger.doubts(self.entries)],
            "delivery": self.delivery,
            "objects": self.objects,
            "documents": self.documents[::-1],
            "capabilities": CAPABILITIES,
            **({"changes": self.changes} if self.changes else {}),
        }

    def messages(self) -> list[BaseMessage]:
        return [
            SystemMessage("rules"),
            *self.transcript,
            *(HumanMessage(text or "(no text)") for text in self.inbox),
            HumanMessage(
                f"<state>{json.dumps(self.state(), ensure_ascii=False, indent=1)}</state>"
            ),
        ]

    def act(self) -> Answer:
        """Ask the model once and settle what it proposes."""
        message = RehearsalModel().bind_tools(SCHEMAS).invoke(self.messages())
        self.transcript += [HumanMessage(text or "(no text)") for text in self.inbox]
        self.inbox.clear()
        self.number += 1
        calls = [(call["name"], call["args"]) for call in message.tool_calls]
        assert len(calls) <= proposals.MAX_CALLS_PER_STEP
        text = str(message.text)
        ids = [f"call_{self.number}_{seq}" for seq in range(1, len(calls) + 1)]
        content = text or ("" if calls else "(nothing)")
        self.transcript.append(
            AIMessage(
                content=content,
                tool_calls=[
                    {"name": name, "args": arguments, "id": call_id}
                    for (name, arguments), call_id in zip(calls, ids, strict=True)
                ],
            )
        )
        for seq, ((name, arguments), call_id) in enumerate(zip(calls, ids, strict=True), start=1):
            answer = self._settle(name, arguments, f"turn/{self.number}/{seq}")
            self.transcript.append(ToolMessage(answer, tool_call_id=call_id))
        return Answer(text=text, calls=tuple(calls))

    def _settle(self, name: str, arguments: dict[str, Any], key: str) -> str:
        checked = TOOLS[name].arguments.model_validate(arguments)
        match name:
            case "propose_plan":
                assert isinstance(checked, ProposePlan)
                return self._propose(checked, key)
            case "ask_person":
                self.pending[key] = arguments["question"]
                return f"pending: approval {key}"
            case "check_call":
                look = {"looked_at": arguments["call"]}
                self.entries.append(
                    replace(BASE, call_key=key, tool=name, risk="read", result=look)
                )
                return "It may still come. Now decide."
            case "keep_results":
                self._record(name, arguments | {"step": None}, key, "settled")
                return "Kept as they are."
            case "write_document":
                step = arguments["step"]
                self._check_slot(name, step, 1)
                self._record(name, arguments, key, "settled")
                self._store(key, "document", "script", arguments["name"], step=step, slot=1)
                self.documents.append(
                    {
                        "object_id": self.objects[-1]["object_id"],
                        "version": 1,
                        "name": arguments["name"],
                        "text": arguments["text"],
                    }
                )
                return "Kept as object."
            case _:
                if arguments["step"] is not None:
                    self._check_slot(name, arguments["step"], arguments.get("slot", 1))
                self._record(name, arguments, key, "held")
                return f"pending: job {key}"

    def _check_slot(self, name: str, step: str, slot: int) -> None:
        plan = self.plan
        assert plan is not None
        assert plan.is_approved
        item = plan.find(step)
        assert item is not None
        assert item.item.kind in _STEP_KINDS[name]
        assert item.status is not ItemStatus.TODO
        assert slot in item.ready_slots, f"slot {slot} of {step} is taken, or lacks something"

    def _propose(self, plan: ProposePlan, key: str) -> str:
        _check_structure(plan)
        previous = self.plan
        version = len(self.versions) + 1
        form = plan.model_dump(include={"width", "height", "fps", "duration_s", "language"})
        row = a_checklist(
            version=version, title=plan.title, format=form, status="proposed", call_key=key
        )
        items = [
            self._item(step, position, plan, previous, version)
            for position, step in enumerate(plan.steps)
        ]
        self.versions.append(_Version(checklist=row, items=items))
        self.pending = {k: v for k, v in self.pending.items() if not self._is_plan(k)}
        self.pending[key] = plan.title
        return f"pending: approval {key}. The person has been asked; wait for the answer."

    def _is_plan(self, key: str) -> bool:
        return any(version.checklist.call_key == key for version in self.versions)

    def _item(
        self,
        step: PlannedStep,
        position: int,
        plan: ProposePlan,
        previous: Plan | None,
        version: int,
    ) -> ChecklistItem:
        kept = previous.find(step.key) if previous and step.key in plan.keep else None
        return ChecklistItem(
            key=step.key,
            position=position,
            title=step.title,
            kind=step.kind,
            depends_on=step.depends_on,
            expected_count=step.count,
            seconds=step.seconds,
            review=step.review or step.kind in self.review_points,
            from_version=kept.item.from_version if kept else version,
            slot_versions={
                **(kept.item.slot_versions if kept else {}),
                **{str(number): version for number in step.remake},
            },
        )

    def _record(self, name: str, arguments: dict[str, Any], key: str, status: str) -> None:
        plan = self.plan
        step = arguments.get("step")
        self.entries.append(
            replace(
                BASE,
                call_key=key,
                tool=name,
                arguments=arguments,
                plan_version=plan.checklist.version if plan and step else None,
                step_key=step,
                slot=arguments.get("slot", 1) if step else None,
                status=status,
                outcome="succeeded" if status == "settled" else None,
            )
        )

    def _store(
        self, key: str, kind: str, role: str, name: str, *, step: str | None, slot: int | None
    ) -> None:
        self.objects.append(
            {
                "object_id": str(uuid5(UUID(int=7), key)),
                "version": 1,
                "kind": kind,
                "role": role,
                "name": name,
                "step": step,
                "slot": slot,
                "facts": {},
            }
        )

    # What people and executors do

    def approve(self) -> None:
        for version in self.versions:
            key = version.checklist.call_key
            if version.checklist.status == "approved" and self.pending:
                version.checklist = replace(version.checklist, status="superseded")
            if key in self.pending:
                del self.pending[key]
                version.checklist = replace(version.checklist, status="approved")
                number = version.checklist.version
                self._happen(key, f"The person approved plan version {number} and its budget.")

    def reject(self, note: str = "no reason given") -> None:
        key, title = self.pending.popitem()
        for version in self.versions:
            if version.checklist.call_key == key:
                version.checklist = replace(version.checklist, status="rejected")
        self._happen(key, f"The person refused '{title}' (permission): {note}")

    def look(self, key: str, *, accepted: bool, note: str = "no reason given") -> None:
        """A person looks at the results of a step."""
        plan = self.plan
        item = plan.find(key) if plan else None
        assert plan is not None
        assert item is not None
        assert item.status is ItemStatus.REVIEW
        self.looks.append(
            Review(
                approval_id=uuid5(UUID(int=8), str(len(self.looks))),
                step_key=key,
                results_hash=item.results_hash,
                plan_version=plan.checklist.version,
                accepted=accepted,
                created_at=BASE.created_at,
            )
        )
        if not accepted:
            last = item.slots[-1].entry
            assert last is not None
            said = f"The person refused '{item.item.title}' (permission): {note}"
            self._happen(last.call_key, said)

    def answer(self, label: str) -> None:
        key, title = self.pending.popitem()
        self._happen(key, f"The person answered '{title}' with: {label}")

    def _happen(self, key: str, text: str) -> None:
        self.events.append({"call": key, "what_happened": text})

    def finish_jobs(self, *, fail: Sequence[str] = (), reason: str = "tool_failed") -> None:
        """Let every running job end; those with a name of `fail` fail."""
        for place, entry in enumerate(self.entries):
            if entry.status != "held":
                continue
            name = entry.arguments["name"]
            failed = name in fail
            self.entries[place] = replace(
                entry, status="settled", outcome="failed" if failed else "succeeded"
            )
            if failed:
                self._happen(
                    entry.call_key, f"'{name}' failed ({reason.partition(':')[0]}): {reason}"
                )
            else:
                kind, role = _KINDS[entry.tool]
                self._store(entry.call_key, kind, role, name, step=entry.step_key, slot=entry.slot)

    def produce(self, *, rounds: int = 60) -> list[Answer]:
        """Act and let jobs end until the plan is complete."""
        answers: list[Answer] = []
        for _ in range(rounds):
            plan = self.plan
            if plan is not None and plan.is_complete:
                return answers
            answers.append(self.act())
            self.finish_jobs()
        message = "the plan was never completed"
        raise AssertionError(message)


def stream(messages: list[BaseMessage], tools: list[dict[str, Any]]) -> AIMessage:
    """Return the model's answer put together from its stream."""

    async def read() -> Any:
        whole: Any = None
        async for chunk in RehearsalModel().bind_tools(tools).astream(messages):
            whole = chunk if whole is None else whole + chunk
        return whole

    return asyncio.run(read())
