"""Lays out what the router is shown in a situation, without a database: to fit weights in minutes.

As `build` and the product would have it where all tasks fit into the list: nothing is searched, and
nothing has an id but its key. Figures are never taken from here; they come from `runner`.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from evals.routing.build import JUST_SHOWN, began, founding
from evals.routing.cases import Case, Situation, SomeTask
from infra.language import detect_language
from infra.providers.rehearsal.meaning import meaning_of
from infra.providers.rehearsal.reference import OPEN
from infra.providers.rehearsal.state import Candidate, Json, MainView
from memory import task_index
from memory.candidates import MAX_CANDIDATES, MAX_PUT_AWAY, MAX_RECENT
from memory.routing import MAX_RECENT as MAX_SAID
from memory.shown import MAX_SHOWN

_NOW = datetime(2026, 1, 1, tzinfo=UTC)
_DIGITS = 3
_NAMES = 6


def view(situation: Situation, case: Case) -> MainView:
    """Return what the router is shown for a message."""
    vector = meaning_of(case.say)
    return MainView(
        message=case.say,
        language=detect_language(case.say),
        recent=tuple(_said(situation))[-MAX_SAID:],
        candidates=tuple(
            replace(
                _candidate(situation, task),
                meaning=None
                if task.archived
                else round(float(meaning_of(_text(task)) @ vector), _DIGITS),
            )
            for task in _ordered(situation)
        ),
        shown=tuple(_shown(situation))[:MAX_SHOWN],
    )


def _ordered(situation: Situation) -> list[SomeTask]:
    tasks = sorted(situation.tasks, key=lambda task: task.age)
    here = [task for task in tasks if not task.archived]
    live = [task for task in here if task.status in OPEN][:MAX_RECENT]
    first = [*live, *(task for task in here if task not in live)][:MAX_CANDIDATES]
    return [*first, *[task for task in tasks if task.archived][:MAX_PUT_AWAY]]


def _candidate(situation: Situation, task: SomeTask) -> Candidate:
    asks = [task.asks.title, *task.asks.options] if task.asks is not None else []
    return Candidate(
        task_id=task.key,
        title=task.title,
        goal=task.goal,
        status=task.status,
        language=task.language or situation.language,
        summary=task.summary,
        updated=(_NOW - task.age).isoformat(timespec="minutes"),
        objects=tuple(made.name for made in task.objects)[:_NAMES],
        archived=task.archived,
        asks=" ".join(asks),
    )


def _text(task: SomeTask) -> str:
    names = [made.name for made in task.objects]
    return task_index.describe(task.title, task.goal, task.summary, names).text


def _said(situation: Situation) -> Iterable[Json]:
    """Yield what was said, the oldest first, the words that began each task among it."""
    first = {task.key: founding(situation, task) for task in situation.tasks}
    spoken: list[tuple[timedelta, Json]] = []
    for task in situation.tasks:
        said = first[task.key]
        words = said.text if said else task.words or task.goal
        one: Json = {"role": "user", "text": words, "task_id": task.key}
        spoken.append((began(situation, task), one))
    spoken += [
        (said.age, {"role": said.role, "text": said.text, "task_id": said.task})
        for said in situation.recent
        if said not in first.values()
    ]
    return [one for _, one in sorted(spoken, key=lambda each: -each[0])]


def _shown(situation: Situation) -> Iterable[Json]:
    """Yield the objects, the one that was shown last first."""
    found: list[tuple[timedelta, int, Json]] = []
    for task in situation.tasks:
        for made in task.objects:
            if made.kind == "captions":
                continue
            is_shown = made.key in situation.shown
            age = min(task.age, JUST_SHOWN) if is_shown else task.age
            place = -situation.shown.index(made.key) if is_shown else 0
            one: Json = {"name": made.name, "kind": made.kind, "task_id": task.key}
            found.append((age, place, one))
    return [one for _, _, one in sorted(found, key=lambda each: each[:2])]
