"""Two records as logs: where they first differ, in words, and how much of them is equal.

Nothing that a machine draws or measures anew is a difference: ids, digests, times, addresses. An id
stands for the thing that it named first: so two lines are equal when they say the same about things
that have had the same part so far, and naming another task than before is a difference.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from evals.reports.volatile import LogLine, end_of, log_of
from evals.reports.wording import one_line, plural
from evals.trials import Record

_CHANGES = 3
"""So many changes of a line are told, and how many more there are."""


@dataclass(frozen=True, slots=True)
class Differences:
    """What lies between two records of the same trial."""

    equal: int
    """Lines that are equal, in order."""
    before: int
    after: int
    all: tuple[str, ...]
    """Where they differ, each as a sentence, in order."""

    @property
    def first(self) -> str | None:
        """Where they first differ; None when they do not."""
        return self.all[0] if self.all else None

    @property
    def told(self) -> str:
        """The whole finding for a reader."""
        of = (
            plural(self.before, "line", "lines")
            if self.before == self.after
            else f"{self.before} lines before and {self.after} now"
        )
        equal = f"{self.equal} of {of} {'is' if self.equal == 1 else 'are'} equal."
        return f"{equal} {self.first}" if self.first else f"The logs are equal: {equal}"


@dataclass(slots=True)
class _Same:
    """Which id of one record stands for which of the other, by what they named first."""

    forth: dict[str, str] = field(default_factory=dict[str, str])
    back: dict[str, str] = field(default_factory=dict[str, str])

    def agree(self, before: LogLine, after: LogLine) -> bool:
        """Return whether both lines name the same things; remember what is named anew."""
        if len(before.ids) != len(after.ids):  # a text may look like one that had an id
            return False
        for old, new in zip(before.ids, after.ids, strict=True):
            if self.forth.setdefault(old, new) != new or self.back.setdefault(new, old) != old:
                return False
        return True


@dataclass(frozen=True, slots=True)
class _Part:
    """A stretch of both logs that is the same, or is not."""

    is_same: bool
    before: range
    after: range


def differences(before: Record, after: Record) -> Differences:
    """Return how two records of the same trial differ as logs, and where."""
    old = [*log_of(before.happenings), *end_of(before.outcome)]
    new = [*log_of(after.happenings), *end_of(after.outcome)]
    other = _other_trial(before, after)
    same, equal, found = _Same(), 0, [other] if other else []
    for part in _parts(old, new):
        if not part.is_same:
            found += [_told(old, new, rest) for rest in _rests(part)]
            continue
        for place, other_place in zip(part.before, part.after, strict=True):
            if same.agree(old[place], new[other_place]):
                equal += 1
            else:
                found.append(_named_another(place, old[place]))
    return Differences(equal, len(old), len(new), tuple(found))


def _other_trial(before: Record, after: Record) -> str | None:
    for name in ("scenario", "seed", "faults", "listed", "policy"):
        old, new = getattr(before.trial, name), getattr(after.trial, name)
        if old != new:
            return f"They are of different trials: {name} was {_quoted(old)} and is {_quoted(new)}."
    return None


def _parts(old: Sequence[LogLine], new: Sequence[LogLine]) -> Iterator[_Part]:
    """Lay both logs against each other by what their lines say."""
    shortest = min(len(old), len(new))
    head = next((n for n in range(shortest) if old[n].fields != new[n].fields), shortest)
    tail = next(
        (n for n in range(shortest - head) if old[-1 - n].fields != new[-1 - n].fields),
        shortest - head,
    )
    yield _Part(is_same=True, before=range(head), after=range(head))
    inner = SequenceMatcher(
        None,
        [line.fields for line in old[head : len(old) - tail]],
        [line.fields for line in new[head : len(new) - tail]],
        autojunk=False,
    )
    for kind, i1, i2, j1, j2 in inner.get_opcodes():
        yield _Part(
            is_same=kind == "equal",
            before=range(head + i1, head + i2),
            after=range(head + j1, head + j2),
        )
    yield _Part(
        is_same=True,
        before=range(len(old) - tail, len(old)),
        after=range(len(new) - tail, len(new)),
    )


def _rests(part: _Part) -> Iterator[_Part]:
    """Return a stretch, and what is left of it after each of its lines."""
    for done in range(max(len(part.before), len(part.after))):
        yield _Part(is_same=False, before=part.before[done:], after=part.after[done:])


def _told(old: Sequence[LogLine], new: Sequence[LogLine], part: _Part) -> str:
    """Return in words what a stretch that is not the same begins with."""
    if part.before and part.after:
        return _replaced(old, new, part)
    if part.before:
        was = old[part.before[0]]
        comes_later = f"comes later now; here is {_at(new, part.after)}"
        said = comes_later if _has_moved(was, old, new) else "is missing"
        return f"Line {part.before[0] + 1}: {_shown(was)} {said}."
    now = new[part.after[0]]
    comes_earlier = f"comes earlier now; here was {_at(old, part.before)}"
    said = comes_earlier if _has_moved(now, old, new) else "is new"
    return f"Line {part.after[0] + 1}: {_shown(now)} {said}."


def _replaced(old: Sequence[LogLine], new: Sequence[LogLine], part: _Part) -> str:
    was, now = old[part.before[0]], new[part.after[0]]
    place = f"Line {part.before[0] + 1}"
    if was.title == now.title:
        return f"{place}, {_title(was)}: {_changed(was, now)}."
    if _has_moved(was, old, new):
        return f"{place}: {_shown(was)} comes later now; here is {_shown(now)}."
    return f"{place}: here was {_shown(was)} and is {_shown(now)}."


def _at(log: Sequence[LogLine], part: range) -> str:
    """Return what a log says where the other one has something more."""
    return _shown(log[part.start]) if part.start < len(log) else "the end"


def _has_moved(line: LogLine, old: Sequence[LogLine], new: Sequence[LogLine]) -> bool:
    """Return whether both logs have a line as often, so that it only changed its place."""
    counts = [sum(each.fields == line.fields for each in log) for log in (old, new)]
    return counts[0] == counts[1]


def _changed(was: LogLine, now: LogLine) -> str:
    old, new = dict(was.fields), dict(now.fields)
    changes = [
        f"{name} was {_quoted(old.get(name))} and is {_quoted(new.get(name))}"
        for name in dict.fromkeys([*old, *new])
        if old.get(name) != new.get(name)
    ]
    more = len(changes) - _CHANGES
    return "; ".join(changes[:_CHANGES]) + (f"; and {more} more" if more > 0 else "")


def _named_another(place: int, line: LogLine) -> str:
    return f"Line {place + 1}: {_shown(line)} is about another thing than before."


def _shown(line: LogLine) -> str:
    told = dict(line.fields).get("told")
    return f"{_title(line)} ({_quoted(told)})" if told else _title(line)


def _title(line: LogLine) -> str:
    return one_line(line.title, longest=80)


def _quoted(value: object) -> str:
    return "nothing" if value is None else f"“{one_line(str(value), longest=120)}”"
