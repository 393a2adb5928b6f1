"""The picture of a trial: person, agent, jobs, money and world as parallel tracks on one clock.

Places are in per cent and heights in pixels, so that the picture fits any width without its words
becoming small. It is for the eye: everything in it is in the list below it too.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evals.reports.markup import Markup, tag
from evals.reports.scale import Scale
from evals.reports.wording import one_line, plural, span
from evals.trials import Happening, Record, Track

TRACKS: tuple[Track, ...] = ("person", "agent", "job", "money", "world")
NAMES: dict[Track, str] = {
    "person": "Person",
    "agent": "Agent",
    "job": "Jobs",
    "money": "Money",
    "world": "World",
}

_TOP = 20
_ROW = 36
_BOTTOM = _TOP + _ROW * len(TRACKS)
_HEIGHT = _BOTTOM + 24
_LANES = 6
_LANE = 5
_NEAR_THE_EDGE = 12
_JOB_ENDS = ("succeeded", "failed", "cancelled", "unknown")


@dataclass(frozen=True, slots=True)
class Bar:
    """A job, from its order to its end."""

    begins_s: float
    ends_s: float
    lane: int
    ended: str


def scale_of(record: Record) -> Scale:
    """Return the axis of a trial."""
    return Scale([each.at_s for each in record.happenings], record.outcome.virtual_s)


def timeline(record: Record, anchor: str, scale: Scale) -> Markup:
    """Return the picture with the names of its tracks and what is to be known of its axis."""
    names = [tag("li", tag("span", NAMES[track]), class_=f"track {track}") for track in TRACKS]
    return tag(
        "figure",
        tag("ul", *names, class_="tracks", aria_hidden="true"),
        tag("div", _picture(record, anchor, scale), class_="picture"),
        tag("figcaption", *_caption(record, scale)),
        class_="timeline",
    )


def bars(happenings: Sequence[Happening], end_s: float) -> list[Bar]:
    """Return the jobs that can be followed from beginning to end, in as few lanes as they need."""
    begun: dict[str, float] = {}
    spans: list[tuple[float, float, str]] = []
    for each in happenings:
        job = each.data.get("job_id", each.data.get("id"))
        kind, _, what = each.what.partition(".")
        if kind != "job" or not isinstance(job, str):
            continue
        if what == "submitted":
            begun.setdefault(job, each.at_s)
        elif what in _JOB_ENDS and job in begun:
            spans.append((begun.pop(job), each.at_s, what))
    spans += [(began, max(end_s, began), "open") for began in begun.values()]
    return _in_lanes(sorted(spans))


def _in_lanes(spans: Sequence[tuple[float, float, str]]) -> list[Bar]:
    free_from = [float("-inf")] * _LANES
    found: list[Bar] = []
    for begins, ends, ended in spans:
        free = (lane for lane, until in enumerate(free_from) if until <= begins)
        lane = next(free, _LANES - 1)
        free_from[lane] = max(free_from[lane], ends)
        found.append(Bar(begins, ends, lane, ended))
    return found


def _picture(record: Record, anchor: str, scale: Scale) -> Markup:
    return tag(
        "svg",
        *_ground(scale),
        *_axis(scale),
        *_jobs(record, scale),
        *(_mark(each, anchor, scale) for each in record.happenings),
        *_end(record, scale),
        width="100%",
        height=_HEIGHT,
        aria_hidden="true",
        focusable="false",
    )


def _ground(scale: Scale) -> list[Markup]:
    lines = [
        tag("line", x1="0", x2="100%", y1=_middle(track), y2=_middle(track), class_="rail")
        for track in TRACKS
    ]
    for cut in scale.cuts:
        middle = (cut.left + cut.right) / 2
        label = span(cut.ends_s - cut.begins_s)
        width = _percent(cut.right - cut.left)
        lines += [
            tag("rect", x=_percent(cut.left), y=_TOP, width=width, height=_BOTTOM - _TOP,
                class_="cut"),
            *(tag("line", x1=_percent(x), x2=_percent(x), y1=_TOP, y2=_BOTTOM, class_="tear")
              for x in (cut.left, cut.right)),
            tag("text", label, x=_percent(middle), y=_TOP - 6, text_anchor="middle",
                class_="skipped" if len(scale.cuts) < 3 else "skipped wide"),  # noqa: PLR2004
        ]  # fmt: skip
    return lines


def _axis(scale: Scale) -> list[Markup]:
    parts: list[Markup] = []
    for tick in scale.ticks():
        at = _percent(tick.place)
        wide = "" if tick.is_for_narrow else " wide"
        parts += [
            tag("line", x1=at, x2=at, y1=_TOP, y2=_BOTTOM + 5, class_=f"tick{wide}"),
            tag("text", tick.label, x=at, y=_BOTTOM + 19, text_anchor=_anchor(tick.place),
                class_=f"time{wide}"),
        ]  # fmt: skip
    return parts


def _jobs(record: Record, scale: Scale) -> list[Markup]:
    top = _middle("job") - _LANES * _LANE / 2
    drawn: list[Markup] = []
    for bar in bars(record.happenings, record.outcome.virtual_s):
        left, right = scale.place(bar.begins_s), scale.place(bar.ends_s)
        drawn.append(
            tag("rect", x=_percent(left), width=_percent(max(right - left, 0.3)),
                y=top + bar.lane * _LANE, height=_LANE - 1, rx=2, class_=f"bar {bar.ended}")
        )  # fmt: skip
    return drawn


def _mark(each: Happening, anchor: str, scale: Scale) -> Markup:
    said = tag("title", f"{span(each.at_s)} · {one_line(each.what)}: {one_line(each.told)}")
    return tag(
        "a",
        _shape(each.track, _percent(scale.place(each.at_s)), said),
        href=f"#{anchor}-{each.number}",
        tabindex=-1,
        class_=f"mark {each.track}",
    )


def _shape(track: Track, at: str, said: Markup) -> Markup:
    """Return a round mark for a person, a square one for the world, a stroke for the others."""
    middle = _middle(track)
    if track == "person":
        return tag("circle", said, cx=at, cy=middle, r=5)
    if track == "world":
        return tag("rect", said, x=at, y=middle - 5, width=10, height=10,
                   transform="translate(-5 0)")  # fmt: skip
    height = 10 if track == "job" else 18
    return tag("rect", said, x=at, y=middle - height / 2, width=3, height=height, rx=1.5,
               transform="translate(-1.5 0)")  # fmt: skip


def _end(record: Record, scale: Scale) -> list[Markup]:
    outcome = record.outcome
    at = _percent(scale.place(outcome.virtual_s))
    kind = "end" if outcome.passed else "end bad"
    return [tag("line", x1=at, x2=at, y1=_TOP, y2=_BOTTOM, class_=kind)]


def _caption(record: Record, scale: Scale) -> list[Markup | str]:
    told: list[Markup | str] = [
        f"{plural(len(record.happenings), 'thing', 'things')} happened in ",
        f"{span(record.outcome.virtual_s)} of the trial's own time. ",
    ]
    if scale.is_compressed:
        lengths = ", ".join(span(cut.ends_s - cut.begins_s) for cut in scale.cuts)
        told.append(
            f"Grey: empty time, cut out of the axis ({lengths}). What lies between two cuts has a"
            " scale of its own."
        )
    return told


def _middle(track: Track) -> int:
    return _TOP + _ROW * TRACKS.index(track) + _ROW // 2


def _percent(value: float) -> str:
    return f"{value:.2f}%"


def _anchor(place: float) -> str:
    if place < _NEAR_THE_EDGE / 2:
        return "start"
    return "end" if place > 100 - _NEAR_THE_EDGE / 2 else "middle"
