"""What differs between two runs of a trial without meaning anything, and how it is set aside.

Ids, digests, addresses and times are taken out of a text and kept beside it, in order. So two lines
can be held against each other twice: what they say, and whether what they name is the same thing
that the other record names by another id.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, cast

from evals.trials import Happening, Outcome

NOISE = frozenset({"job.progress", "assistant.delta"})
"""How often these come is the machine's speed, so they are no lines of a log."""

_VOLATILE_KEY = re.compile(
    r"(?:^|_)(?:at|ms|ts|until|expires|etag|port|pid|seq|seed|cursor|took|elapsed|latency)$|^wall_s$"
)
_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_TIME = r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?"
_ADDRESS = r"(?:127\.0\.0\.1|localhost|\[::1\]):\d+"
_PARTS = re.compile(
    rf"(?P<id>\b{_UUID}\b|\b(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{{8,}}\b)"
    rf"|(?P<time>\b{_TIME})|(?P<address>{_ADDRESS})"
)


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of a log: what it says, field by field, and the ids it names, in order."""

    title: str
    """For a reader: where it is and what it is about."""
    fields: tuple[tuple[str, str], ...]
    ids: tuple[str, ...]


def log_of(happenings: Sequence[Happening]) -> list[LogLine]:
    """Return what happened as lines of a log."""
    return [_line(each) for each in happenings if each.what not in NOISE]


def end_of(outcome: Outcome) -> list[LogLine]:
    """Return how a trial ended as lines of a log."""
    checks = [
        _made(f"the check {each.name}", {"passed": each.passed, "told": each.told})
        for each in outcome.checks
    ]
    metrics = [
        _made(f"the metric {name}", {"value": value})
        for name, value in sorted(outcome.metrics.items())
        if not _VOLATILE_KEY.search(name)
    ]
    told = {
        "ended": outcome.ended,
        "passed": outcome.passed,
        "reason": outcome.reason,
        "invariants": outcome.invariants_broken,
    }
    return [_made("the outcome", told), *checks, *metrics]


def _line(each: Happening) -> LogLine:
    told = {"track": each.track, "what": each.what, "told": each.told, "task": each.task_id}
    return _made(f"{each.track} {each.what}", {**told, "data": each.data})


def _made(title: str, told: dict[str, Any]) -> LogLine:
    fields: list[tuple[str, str]] = []
    ids: list[str] = []
    for path, value in _leaves(told, ""):
        shown, found = _set_aside(str(value))
        fields.append((path, shown))
        ids += found
    return LogLine(title, tuple(fields), tuple(ids))


def _leaves(value: object, path: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict) and value:
        for key, inner in sorted(cast("dict[str, object]", value).items()):
            if not _VOLATILE_KEY.search(key):
                yield from _leaves(inner, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and value:
        for place, inner in enumerate(cast("list[object]", value)):
            yield from _leaves(inner, f"{path}[{place}]")
    else:
        yield path, value


def _set_aside(text: str) -> tuple[str, list[str]]:
    ids: list[str] = []

    def name(found: re.Match[str]) -> str:
        kind = found.lastgroup or ""
        if kind == "id":
            ids.append(found.group().lower())
        return f"<{kind}>"

    return _PARTS.sub(name, text), ids
