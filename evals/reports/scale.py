"""Where on an axis a moment lies, when a week of waiting lies between two bursts.

Empty time is cut: a stretch in which nothing happens takes a small fixed width, whatever its
length, and says it. Each burst between cuts is drawn to its own scale, as a share of what is left.
Places are per cent of the width.
"""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from evals.reports.wording import span

SHORTEST_CUT_S = 60.0
CUT_SHARE = 0.2
"""A stretch is cut when it would take more than this of the width …"""
CUT_TIMES_USUAL = 10
"""… and is so many times as long as most stretches are."""
MOST_CUTS = 6
_CUT_WIDTH = 7.0
_LEAST_BURST_WIDTH = 6.0
_MOMENT_WIDTH = 1.0
_TICK_DISTANCE = 10.0
_NARROW_TICK_DISTANCE = 28.0
_NICE_S = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1_200, 1_800, 3_600, 7_200, 14_400, 21_600)
_DAY_S = 86_400


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the axis."""

    begins_s: float
    ends_s: float
    left: float
    right: float
    is_cut: bool

    def place(self, at_s: float) -> float:
        """Return where a moment of this part lies."""
        length = self.ends_s - self.begins_s
        within = (at_s - self.begins_s) / length if length else 0.0
        return self.left + within * (self.right - self.left)


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark of the axis."""

    place: float
    label: str
    is_for_narrow: bool
    """Whether a narrow screen has room for it too."""


class Scale:
    """The axis of one trial."""

    def __init__(self, times: Sequence[float], end_s: float) -> None:
        """Lay out the axis from 0 to the end, or to the last moment where that is later."""
        points = sorted({0.0, end_s, *times})
        self.stretches = _laid_out(points, _cuts(points))
        self._begins = [stretch.begins_s for stretch in self.stretches]

    def place(self, at_s: float) -> float:
        """Return where a moment lies, in per cent."""
        found = bisect_right(self._begins, at_s) - 1
        return self.stretches[max(found, 0)].place(at_s)

    @property
    def cuts(self) -> list[Stretch]:
        """The stretches in which nothing happened and that are not drawn to scale."""
        return [stretch for stretch in self.stretches if stretch.is_cut]

    @property
    def is_compressed(self) -> bool:
        """Whether time was cut out."""
        return bool(self.cuts)

    def ticks(self) -> list[Tick]:
        """Return the marks of the axis: where each burst begins, then what fits between."""
        ticks: list[Tick] = []
        for place, label in (*self._beginnings(), *self._steps()):
            if all(abs(place - each.place) >= _TICK_DISTANCE for each in ticks):
                narrow = [each.place for each in ticks if each.is_for_narrow]
                is_narrow = all(abs(place - each) >= _NARROW_TICK_DISTANCE for each in narrow)
                ticks.append(Tick(place, label, is_narrow))
        return sorted(ticks, key=lambda tick: tick.place)

    @property
    def _bursts(self) -> list[Stretch]:
        return [stretch for stretch in self.stretches if not stretch.is_cut]

    def _beginnings(self) -> list[tuple[float, str]]:
        return [(burst.left, span(burst.begins_s)) for burst in self._bursts]

    def _steps(self) -> list[tuple[float, str]]:
        """Return the steps within bursts, after a cut counted from where its burst begins."""
        found: list[tuple[float, str]] = []
        for burst in self._bursts:
            step = _step(burst)
            count = int((burst.ends_s - burst.begins_s) / step) if step else 0
            sign = "+" if burst.begins_s else ""
            for number in range(1, count + 1):
                since = number * step
                found.append((burst.place(burst.begins_s + since), f"{sign}{span(since)}"))
        return found


def _cuts(points: Sequence[float]) -> set[tuple[float, float]]:
    """Return the gaps to cut, the longest first, as long as one dwarfs all that is left."""
    gaps = sorted(pairwise(points), key=lambda gap: gap[1] - gap[0])
    if not gaps:
        return set()
    usual = gaps[len(gaps) // 4][1] - gaps[len(gaps) // 4][0]
    left = points[-1] - points[0]
    cut: set[tuple[float, float]] = set()
    for gap in reversed(gaps):
        length = gap[1] - gap[0]
        least = max(CUT_SHARE * left, CUT_TIMES_USUAL * usual, SHORTEST_CUT_S)
        if length < least or len(cut) == MOST_CUTS:
            break
        cut.add(gap)
        left -= length
    return cut


def _laid_out(points: Sequence[float], cuts: set[tuple[float, float]]) -> list[Stretch]:
    borders = sorted({points[0], points[-1], *(each for gap in cuts for each in gap)})
    parts: list[tuple[float, float]] = []
    for part in pairwise(borders):
        parts.append(part)
        follows = parts[-2:-1]
        if part in cuts and follows and follows[0] in cuts:  # one moment between two cuts
            parts.insert(-1, (part[0], part[0]))
    if not parts or parts[-1] in cuts:
        parts.append((borders[-1], borders[-1]))
    if parts[0] in cuts:
        parts.insert(0, (borders[0], borders[0]))
    return _with_widths(parts, cuts)


def _with_widths(
    parts: Sequence[tuple[float, float]], cuts: set[tuple[float, float]]
) -> list[Stretch]:
    bursts = [part for part in parts if part not in cuts]
    busy = sum(end - begin for begin, end in bursts)
    least = {
        burst: _MOMENT_WIDTH if burst[0] == burst[1] else _LEAST_BURST_WIDTH for burst in bursts
    }
    spare = 100 - len(cuts) * _CUT_WIDTH - sum(least.values())
    stretches: list[Stretch] = []
    left = 0.0
    for begin, end in parts:
        is_cut = (begin, end) in cuts
        part = (end - begin) / busy if busy else 1 / len(bursts)
        width = _CUT_WIDTH if is_cut else least[begin, end] + part * spare
        stretches.append(Stretch(begin, end, left, left + width, is_cut))
        left += width
    return stretches


def _step(burst: Stretch) -> float:
    """Return the smallest nice step of which no two marks touch, or 0 where none fits."""
    length, width = burst.ends_s - burst.begins_s, burst.right - burst.left
    if not length:
        return 0.0
    for step in (*_NICE_S, *(_DAY_S * days for days in (1, 2, 7, 14, 30, 90, 365))):
        if step * width / length >= _TICK_DISTANCE:
            return float(step)
    return 0.0
