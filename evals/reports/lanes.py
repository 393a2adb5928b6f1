"""A record by what it is about: each thing's own happenings in order, one thing after another.

Two jobs that run side by side end in the order in which the machine gets to them. So where a trial
is made once more, what counts is the order of what befell each: the person, a message, a question,
a job, an object, a task. What an event repeats of other things is left to their own events.
"""

import re
from collections import defaultdict
from collections.abc import Callable

from evals.trials import Happening, Record

ECHOES = frozenset({"task.updated"})
"""They say nothing of their own, and how many there are is the machine's speed."""
_TIMED = re.compile(r"_s$")
_OF_THE_TASK = (
    *("id", "kind", "title", "goal", "status", "reason", "waiting_reason", "language"),
    *("delivery", "acceptance", "results"),
)
_CALL = re.compile(r"[0-9a-f-]{36}/")


def in_lanes(record: Record) -> Record:
    """Return a record with its happenings by what they are about, and without what is measured."""
    lanes: dict[str, list[Happening]] = defaultdict(list)
    named = _names()
    for each in record.happenings:
        if each.track != "world" and each.what not in ECHOES:
            lanes[named(each)].append(_own(each))
    outcome = record.outcome
    metrics = {name: each for name, each in outcome.metrics.items() if not _TIMED.search(name)}
    return record.model_copy(
        update={
            "happenings": [each for name in sorted(lanes) for each in lanes[name]],
            "outcome": outcome.model_copy(update={"metrics": metrics}),
        }
    )


def _names() -> Callable[[Happening], str]:
    """Return what each lane is called: by what it is about, in the order of its coming."""
    known: dict[str, str] = {}
    counts: dict[str, int] = defaultdict(int)

    def name(each: Happening) -> str:
        about = _about(each)
        if about not in known:
            kind = _kind(each)
            counts[kind] += 1
            known[about] = f"{kind} {counts[kind]:03}"
        return known[about]

    return name


def _about(each: Happening) -> str:
    """Return the thing that something is about."""
    match each.what.partition(".")[0]:
        case "step" | "task":
            return f"task {each.task_id}"
        case _ if each.track == "person":
            return "person"
        case _ if each.track == "money":
            return f"money {each.data.get('call_key')} {each.task_id}"
        case _:
            return str(each.data.get("id"))


def _kind(each: Happening) -> str:
    """Return what makes a thing the same in another trial: what is said of it when it comes."""
    data = each.data
    match each.track:
        case "person":
            return "person"
        case "money":
            return f"money {_CALL.sub('', str(data.get('call_key')))}"
        case _:
            what = each.what.partition(".")[0]
            return " ".join([what, *(str(data[name]) for name in _TOLD.get(what, ()))])


_TOLD = {
    "job": ("step_key", "slot", "title"),
    "object": ("step_key", "slot", "role", "name"),
    "message": ("role", "text"),
    "assistant": ("role", "text"),
    "approval": ("kind", "title"),
}


def _own(each: Happening) -> Happening:
    """Return what is said of the thing itself, without its standing among others."""
    if each.track == "person":
        data = {name: value for name, value in each.data.items() if name != "shown"}
        return each.model_copy(update={"data": data})
    if each.what.startswith("task."):
        data = {name: each.data[name] for name in _OF_THE_TASK if name in each.data}
        return each.model_copy(update={"data": data})
    return each
