"""Reads what a chat model is shown back into plain values; tolerant of anything.

Sections are read in order, JSON by its own syntax, so that a text which contains `</state>` or
`<candidates>` can neither end a section nor begin one. What cannot be read counts as absent.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage

type Json = dict[str, Any]

_TOO_LARGE = 1_000_000
_SECTIONS = (
    "recent",
    "replied_to",
    "candidates",
    "near",
    "shown",
    "about",
    "examples",
    "capabilities",
)
_NOTHING = "(nothing)"
"""What a transcript shows where an answer had neither words nor calls."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A task that a message may be about."""

    task_id: str
    title: str
    goal: str
    status: str
    language: str
    summary: str = ""
    updated: str = ""
    """When it was last active, as it is written."""
    objects: tuple[str, ...] = ()
    """What its objects are called."""
    archived: bool = False
    """Whether it was put away, and is meant only where it is named."""
    asks: str = ""
    """The question on which it waits, with what it offers."""
    meaning: float | None = None
    """How near it is to the message in meaning, at most 1; None where nothing was compared."""
    same_words: bool = False
    """Whether the very same message began it a few minutes ago."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MainView:
    """What the router and Main's own answer see."""

    message: str
    language: str
    recent: tuple[Json, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    near: tuple[Candidate, ...] = ()
    """Tasks at work that a new one would repeat."""
    shown: tuple[Json, ...] = ()
    """The objects that were shown last, newest first."""
    about: tuple[str, ...] = ()
    """The objects that the person pointed at."""
    capabilities: Json = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanStep:
    """A step of the plan and how far it has come."""

    key: str
    title: str
    kind: str
    count: int
    status: str
    done: int
    running: int
    """Slots that need nothing more to be ordered now: being made, or waiting for a yes."""
    failed: int
    missing: tuple[int, ...]
    attempts: Mapping[int, int]
    given_up: tuple[int, ...] = ()
    """Slots that were tried as often as they may be."""
    depends_on: tuple[str, ...] = ()
    seconds: float = 0
    review: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanView:
    """The plan that drives the work, or the newest proposal."""

    version: int
    approved: bool
    width: int
    height: int
    fps: int
    duration_s: float
    language: str
    steps: tuple[PlanStep, ...]

    def first(self, kind: str) -> PlanStep | None:
        """Return the first step of a kind."""
        return next((step for step in self.steps if step.kind == kind), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Affected:
    """A result under which something has changed that nobody has decided about."""

    step: str
    slot: int
    through: tuple[tuple[str, int], ...]
    """The results in between; empty where it was made from what has changed."""
    by_words: bool
    """Whether what has changed is a text."""
    ordered: str
    """The words that the result was ordered by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredObject:
    """An object of the task."""

    object_id: str
    version: int
    kind: str
    step: str | None
    slot: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of an earlier answer and the one line that came back."""

    name: str
    arguments: Json
    call_id: str
    answer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """Something a person said: as a message, as a reason for a refusal or as an answer."""

    text: str
    is_answer: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """What the model itself said in an earlier answer, often nothing."""

    text: str


type Entry = Utterance | Call | Spoken


@dataclass(frozen=True, slots=True, kw_only=True)
class WorkerView:
    """What a worker's inference sees; `story` is in the order in which it happened."""

    kind: str
    title: str
    goal: str
    language: str
    said: tuple[str, ...]
    plan: PlanView | None
    waiting: tuple[str, ...]
    events: tuple[Json, ...]
    objects: tuple[StoredObject, ...]
    documents: tuple[Json, ...]
    delivery: str | None
    doubts: tuple[str, ...]
    capabilities: Json
    autonomy: str
    story: tuple[Entry, ...]
    changes: tuple[Affected, ...] = ()


def read_main(messages: Sequence[BaseMessage]) -> MainView:
    """Read the sections of the last human message; a bare text is the message itself."""
    text = next((text_of(m) for m in reversed(messages) if isinstance(m, HumanMessage)), "")
    sections: dict[str, Any] = {}
    rest = text.lstrip()
    while name := next((one for one in _SECTIONS if rest.startswith(f"<{one}>")), None):
        sections[name], rest = _section(rest, name)
    language, message = _message(rest)
    return MainView(
        message=message,
        language=language,
        recent=tuple(json_objects(sections.get("recent"))),
        candidates=tuple(as_candidate(item) for item in json_objects(sections.get("candidates"))),
        near=tuple(as_candidate(item) for item in json_objects(sections.get("near"))),
        shown=tuple(json_objects(sections.get("shown"))),
        about=tuple(_text(item) for item in _items(sections.get("about")) if _text(item)),
        capabilities=_object(sections.get("capabilities")),
    )


def read_worker(messages: Sequence[BaseMessage]) -> WorkerView:
    """Read the state of the last message and the transcript before it."""
    last = messages[-1] if messages else HumanMessage("")
    found, _ = _section(text_of(last).lstrip(), "state")
    state = _object(found)
    task = _object(state.get("task"))
    events = tuple(json_objects(state.get("events")))
    said = tuple(text for text in _items(state.get("person_said")) if isinstance(text, str))
    return WorkerView(
        kind=_text(task.get("kind")),
        title=_text(task.get("title")),
        goal=_text(task.get("goal")),
        language=_text(task.get("language")) or "en",
        said=said,
        plan=_plan(state.get("plan")),
        waiting=tuple(_text(item) for item in _items(state.get("waiting")) if _text(item)),
        events=events,
        objects=tuple(_stored(item) for item in json_objects(state.get("objects"))),
        documents=tuple(json_objects(state.get("documents"))),
        delivery=_text(state.get("delivery")) or None,
        doubts=tuple(_text(item.get("call")) for item in json_objects(state.get("doubts"))),
        capabilities=_object(state.get("capabilities")),
        autonomy=_text(state.get("autonomy")),
        story=_story(messages[:-1], said, events),
        changes=tuple(_affected(state.get("changes"))),
    )


def _affected(found: Any) -> Iterator[Affected]:
    for change in json_objects(found):
        for result in json_objects(change.get("results")):
            through = [_text(each).rpartition(" ") for each in _items(result.get("through"))]
            yield Affected(
                step=_text(result.get("step")),
                slot=_count(result.get("slot")),
                through=tuple((key, int(n)) for key, _, n in through if n.isdecimal()),
                by_words=change.get("kind") == "document",
                ordered=_text(result.get("ordered")),
            )


def is_state(message: BaseMessage) -> bool:
    """Whether a message carries a worker's state."""
    return isinstance(message, HumanMessage) and text_of(message).lstrip().startswith("<state>")


def text_of(message: BaseMessage) -> str:
    """Return a message's words, whatever blocks it is made of."""
    return str(message.text)


def _section(text: str, name: str) -> tuple[Any, str]:
    """Return a section's JSON and what follows it; None when the text does not begin with it."""
    opening = f"<{name}>"
    if not text.startswith(opening):
        return None, text
    body = text[len(opening) :].lstrip()
    try:
        found, end = json.JSONDecoder().raw_decode(body)
    except (ValueError, RecursionError):
        return None, text.partition(f"</{name}>")[2].lstrip()
    return found, body[end:].lstrip().removeprefix(f"</{name}>").lstrip()


def _message(text: str) -> tuple[str, str]:
    if not text.startswith("<message"):
        return "", text.strip()
    head, _, body = text.partition(">")
    language = head.partition('language="')[2].partition('"')[0]
    inner, closing, _ = body.rpartition("</message>")
    return language, (inner if closing else body).strip()


def as_candidate(item: Json) -> Candidate:
    """Return a task as it is shown; what cannot be read counts as absent."""
    return Candidate(
        task_id=_text(item.get("task_id")),
        title=_text(item.get("title")),
        goal=_text(item.get("goal")),
        status=_text(item.get("status")),
        language=_text(item.get("language")),
        summary=_text(item.get("summary")),
        updated=_text(item.get("updated")),
        archived=item.get("archived") is True,
        asks=_asked(item.get("asks")),
        meaning=_nearness(item.get("meaning")),
        objects=tuple(_text(one.get("name")) for one in json_objects(item.get("objects"))),
        same_words=item.get("same_words") is True,
    )


def _asked(found: Any) -> str:
    """Return a question with what it offers, as one text."""
    asked = _object(found)
    options = [_text(one) for one in _items(asked.get("options"))]
    return " ".join(one for one in (_text(asked.get("question")), *options) if one)


def _nearness(value: Any) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and -1 <= value <= 1 else None


def _plan(found: Any) -> PlanView | None:
    plan = _object(found)
    if not plan:
        return None
    shape = _object(plan.get("format"))
    return PlanView(
        version=_count(plan.get("version")),
        approved=plan.get("approved") is True,
        width=_count(shape.get("width")) or 1280,
        height=_count(shape.get("height")) or 720,
        fps=_count(shape.get("fps")) or 24,
        duration_s=_number(shape.get("duration_s")),
        language=_text(shape.get("language")),
        steps=tuple(_step(item) for item in json_objects(plan.get("steps"))),
    )


def plan_proposed(arguments: Json) -> PlanView | None:
    """Return a proposal as it was called for, as a plan; None if it has no steps."""
    names = ("width", "height", "fps", "duration_s", "language")
    shape = {name: arguments.get(name) for name in names}
    plan = _plan({"format": shape, "steps": arguments.get("steps")})
    return plan if plan is not None and plan.steps else None


def _step(item: Json) -> PlanStep:
    attempts = _object(item.get("attempts"))
    return PlanStep(
        key=_text(item.get("key")),
        title=_text(item.get("title")),
        kind=_text(item.get("kind")),
        count=_count(item.get("count")),
        status=_text(item.get("status")),
        done=_count(item.get("done")),
        running=_count(item.get("running")) + len(_items(item.get("asked_slots"))),
        failed=_count(item.get("failed")),
        missing=tuple(slot for slot in map(_count, _items(item.get("missing_slots"))) if slot),
        given_up=tuple(slot for slot in map(_count, _items(item.get("failed_slots"))) if slot),
        attempts={int(slot): _count(n) for slot, n in attempts.items() if slot.isdecimal()},
        depends_on=tuple(_text(each) for each in _items(item.get("depends_on"))),
        seconds=_number(item.get("seconds")),
        review=item.get("review") is True,
    )


def _stored(item: Json) -> StoredObject:
    return StoredObject(
        object_id=_text(item.get("object_id")),
        version=_count(item.get("version")),
        kind=_text(item.get("kind")),
        step=_text(item.get("step")) or None,
        slot=_count(item.get("slot")) or None,
    )


def _story(
    transcript: Sequence[BaseMessage], said: Sequence[str], events: Sequence[Json]
) -> tuple[Entry, ...]:
    """Return words and calls in order; words that are no longer in the transcript come first."""
    answers = {m.tool_call_id: text_of(m) for m in transcript if isinstance(m, ToolMessage)}
    shown = {text_of(m) for m in transcript if isinstance(m, HumanMessage)}
    story: list[Entry] = [Utterance(text=text) for text in said if text not in shown]
    for message in transcript:
        if isinstance(message, HumanMessage):
            story.append(Utterance(text=text_of(message)))
        elif isinstance(message, AIMessage):
            words = text_of(message)
            story.append(Spoken(text="" if words == _NOTHING else words))
            for call in message.tool_calls:
                call_id = call["id"] or ""
                story.append(
                    Call(
                        name=call["name"],
                        arguments=call["args"],
                        call_id=call_id,
                        answer=answers.get(call_id, ""),
                    )
                )
                story += _decided(call_id, events)
    return tuple(story)


def _decided(call_id: str, events: Sequence[Json]) -> list[Entry]:
    """Return what the person wrote when they decided about a call."""
    return [
        Utterance(text=words, is_answer=True)
        for event in events
        if same_call(event.get("call"), call_id)
        and (words := decision_words(_text(event.get("what_happened"))))
    ]


def same_call(key: object, call_id: str) -> bool:
    """A ledger's key `turn/step/seq` and a transcript's id `call_step_seq` name the same call."""
    return isinstance(key, str) and bool(key) and call_id == "call_" + "_".join(key.split("/")[-2:])


_NO_REASON = "no reason given"


def decision_words(happening: str) -> str:
    """Return the person's own words in an event about a decision, empty if there are none."""
    if happening.startswith("The person refused '"):
        words = happening.rpartition("' (permission): ")[2].strip()
        return "" if words == _NO_REASON else words
    if happening.startswith("The person answered '"):
        return happening.rpartition("' with: ")[2].strip()
    return ""


def _object(value: Any) -> Json:
    return cast("Json", value) if isinstance(value, dict) else {}


def _items(value: Any) -> list[Any]:
    return cast("list[Any]", value) if isinstance(value, list) else []


def json_objects(value: Any) -> list[Json]:
    """Return the objects of a JSON list, nothing of anything else."""
    return [cast("Json", item) for item in _items(value) if isinstance(item, dict)]


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _number(value: Any) -> float:
    """Return a sensible number, 0 for anything else, also for what is not finite."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return 0.0
    return float(value) if 0 <= value < _TOO_LARGE else 0.0


def _count(value: Any) -> int:
    return int(_number(value))
