"""Build cues: which pieces stand together, in which lines, from when to when.

Owns the cutting, by the cheapest way through all possible breaks, and the timing. Promises at most
two lines of at most the allowed length, no overlap, two frames between cues and nothing after the
film's end. Speech that is too fast to be read is shown as long as there is room; the caller reports
the reading speed that results.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

from infra.media.subtitles import (
    GAP_FRAMES,
    LONGEST_S,
    SHORTEST_S,
    Cue,
    ReadingRules,
)
from infra.providers.local.cues.pieces import CLAUSE, CLING, SENTENCE, Piece, join

_CUE_COST = 3.0
_RUN_ON_COST = 4.0
_PAUSE_COST = 5.0
_LONG_PAUSE_S = 0.6
_FAST_COST = 2.5
_SHORT_COST = 6.0
_ORPHAN_COST = 4.0
_ORPHAN_SHARE = 0.55
"""Of a line: a part of a sentence that is shorter than this should not stand alone."""
_LINGER_S = 0.35
_LONGEST_LINGER_S = 1.4
_SMALL_GAP_S = 0.5
_EARLY_S = 0.25
_LEAST_S = 0.3
_TWO_LINES_COST = 0.6
_TOP_HEAVY_COST = 0.08
_IMPOSSIBLE = float("inf")


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What the cues must fit: the reading rules, the film's end and its rate."""

    rules: ReadingRules
    duration_s: float
    fps: float

    @property
    def gap_s(self) -> float:
        """The least time between two cues, never less than two frames."""
        return math.ceil(1000 * GAP_FRAMES / self.fps) / 1000


def build_cues(lines: list[list[Piece]], frame: Frame) -> list[Cue]:
    """Return the cues of all lines of narration, in order of time."""
    groups: list[list[Piece]] = []
    ordered = sorted((line for line in lines if line), key=lambda line: line[0].start_s)
    for index, line in enumerate(ordered):
        following = ordered[index + 1][0].start_s if index + 1 < len(ordered) else None
        groups += _cut(line, following or frame.duration_s, frame.rules)
    return _timed(groups, frame)


def lines_of(pieces: list[Piece], rules: ReadingRules) -> tuple[str, ...] | None:
    """Return the best one or two lines for the pieces, or None if they do not fit."""
    return _lines(pieces, rules)[1]


def _lines(pieces: list[Piece], rules: ReadingRules) -> tuple[float, tuple[str, ...] | None]:
    text = join(pieces)
    longest = rules.line_characters
    if len(text) <= longest:
        return 0.0, (text,)
    best: tuple[float, tuple[str, ...] | None] = (_IMPOSSIBLE, None)
    if len(text) > 2 * longest + 1:
        return best
    for index in range(1, len(pieces)):
        upper, lower = join(pieces[:index]), join(pieces[index:])
        if max(len(upper), len(lower)) > longest:
            continue
        uneven = abs(len(upper) - len(lower)) / longest
        heavy = _TOP_HEAVY_COST if len(upper) > len(lower) else 0.0
        cost = _TWO_LINES_COST + 0.35 * pieces[index - 1].break_cost + 2.0 * uneven + heavy
        if cost < best[0]:
            best = (cost, (upper, lower))
    return best


def _cut(line: list[Piece], end_s: float, rules: ReadingRules) -> list[list[Piece]]:
    """Find the cheapest cutting; `end_s` is when the next line of narration or the end comes."""
    costs = [0.0] + [_IMPOSSIBLE] * len(line)
    origins = [0] * (len(line) + 1)
    for end in range(1, len(line) + 1):
        following = line[end].start_s if end < len(line) else end_s
        for start in range(end - 1, -1, -1):
            opens = start == 0 or line[start - 1].break_cost == SENTENCE
            cost = _cost(line[start:end], following, rules, opens=opens)
            if cost == _IMPOSSIBLE:
                break
            if costs[start] + cost < costs[end]:
                costs[end], origins[end] = costs[start] + cost, start
    groups: list[list[Piece]] = []
    end = len(line)
    while end:
        groups.append(line[origins[end] : end])
        end = origins[end]
    return groups[::-1]


def _cost(pieces: list[Piece], following_s: float, rules: ReadingRules, *, opens: bool) -> float:
    """Return what a cue of these pieces costs; `opens` tells that a sentence begins with it."""
    spoken_s = pieces[-1].end_s - pieces[0].start_s
    if len(pieces) == 1:
        layout = 0.0
    else:
        layout, lines = _lines(pieces, rules)
        if lines is None or spoken_s > LONGEST_S:
            return _IMPOSSIBLE
    length = len(join(pieces))
    shown_s = min(
        max(following_s - pieces[0].start_s, spoken_s), spoken_s + _LONGEST_LINGER_S, LONGEST_S
    )
    cost = _CUE_COST + layout + pieces[-1].break_cost
    if pieces[-1].break_cost >= CLING:
        cost += CLING
    cost += _FAST_COST * max(length / max(shown_s, 0.05) - rules.characters_per_second, 0.0)
    complete = opens and pieces[-1].break_cost <= CLAUSE
    if not complete and length < _ORPHAN_SHARE * rules.line_characters:
        cost += _ORPHAN_COST
    cost += _SHORT_COST * max(SHORTEST_S - shown_s, 0.0)
    cost += sum(_RUN_ON_COST for piece in pieces[:-1] if piece.break_cost == SENTENCE)
    for before, after in pairwise(pieces):
        if after.start_s - before.end_s > _LONG_PAUSE_S:
            cost += _PAUSE_COST
    return cost


def _timed(groups: list[list[Piece]], frame: Frame) -> list[Cue]:
    cues: list[Cue] = []
    for index, group in enumerate(groups):
        earliest = cues[-1].end_s + frame.gap_s if cues else 0.0
        upcoming = groups[index + 1][0].start_s if index + 1 < len(groups) else None
        limit = frame.duration_s if upcoming is None else upcoming - frame.gap_s
        limit = min(limit, frame.duration_s)
        start = max(group[0].start_s, earliest)
        lines = lines_of(group, frame.rules) or (join(group),)
        characters = sum(len(line) for line in lines)
        reading_s = characters / frame.rules.characters_per_second
        needed = max(SHORTEST_S, reading_s)
        start, end = _span(group, start, earliest, limit=limit, needed=needed)
        if upcoming is not None and limit - end < _SMALL_GAP_S:
            end = min(max(limit, end), start + LONGEST_S)
        # Text is never lost for want of room: the cue after this one is shown later instead.
        end = min(max(end, start + _LEAST_S), frame.duration_s)
        if end - start >= 1 / frame.fps:
            cues.append(Cue(start_s=_floor(start), end_s=_floor(end), lines=lines))
    return cues


def _span(
    group: list[Piece], start: float, earliest: float, *, limit: float, needed: float
) -> tuple[float, float]:
    """Stand from the first word until a little after the last, longer if reading needs it."""
    spoken_end = group[-1].end_s
    end = max(spoken_end + _LINGER_S, min(start + needed, spoken_end + _LONGEST_LINGER_S))
    end = min(max(end, start + SHORTEST_S), limit, start + LONGEST_S)
    lacking = needed - (end - start)
    if lacking > 0:
        start = max(earliest, start - min(lacking, _EARLY_S))
    return start, end


def _floor(seconds: float) -> float:
    """Return whole milliseconds, so that every format says the same."""
    return int(seconds * 1000 + 1e-6) / 1000
