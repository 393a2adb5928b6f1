"""Timelines: exact, without gap or overlap, every line within the film."""

import json
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.errors import ToolRefusedError
from infra.media.timeline import (
    Timeline,
    TimelineCaptions,
    TimelineFormatError,
    TimelineMusic,
    read_timeline,
)
from workspace.assembly.timeline import (
    TAIL_S,
    FilmFormat,
    NarrationDoesNotFitError,
    Shot,
    SpokenLine,
    build_timeline,
    timeline_faults,
)

RATES = st.sampled_from([12.0, 23.976, 24.0, 25.0, 30.0, 60.0])
LENGTHS = st.lists(st.floats(0.3, 12), min_size=1, max_size=12)


def build(lengths: list[float], spoken: list[float], fps: float = 24.0) -> Timeline:
    return build_timeline(
        title="Test",
        language="en",
        film_format=FilmFormat(width=640, height=360, fps=fps),
        shots=[
            Shot(key=f"shot.{index}", name=f"Shot {index}", duration_s=length)
            for index, length in enumerate(lengths, start=1)
        ],
        lines=[
            SpokenLine(
                key=f"narration.{index}",
                text=f"line {index}",
                duration_s=length,
                shot_key=f"shot.{min(index, len(lengths))}",
            )
            for index, length in enumerate(spoken, start=1)
        ],
        music=TimelineMusic(),
        captions=TimelineCaptions(),
    )


@given(lengths=LENGTHS, fps=RATES)
def test_shots_lie_on_frames_without_gap(lengths: list[float], fps: float) -> None:
    film = build(lengths, [], fps)

    assert film.shots[0].start_s == 0
    for before, after in pairwise(film.shots):
        assert after.start_s == pytest.approx(before.end_s, abs=1e-5)
    for shot in film.shots:
        assert shot.start_s * fps == pytest.approx(round(shot.start_s * fps), abs=1e-3)
    assert film.duration_s == pytest.approx(film.shots[-1].end_s, abs=1e-5)


@given(lengths=LENGTHS, fps=RATES)
def test_rounding_to_frames_does_not_add_up(lengths: list[float], fps: float) -> None:
    film = build(lengths, [], fps)

    assert abs(film.duration_s - sum(lengths)) <= 0.5 / fps + 1e-4


@given(lengths=LENGTHS, fps=RATES)
def test_a_crossfade_takes_a_quarter_of_a_shot_at_most(lengths: list[float], fps: float) -> None:
    film = build(lengths, [], fps)

    for before, after in pairwise(film.shots):
        assert after.transition_s <= 0.25 * min(before.duration_s, after.duration_s) + 1e-5


@given(lengths=LENGTHS, spoken=st.lists(st.floats(0.4, 15), max_size=12))
def test_lines_never_overlap_and_end_with_the_film(
    lengths: list[float], spoken: list[float]
) -> None:
    needed = sum(spoken) + 0.25 * max(len(spoken) - 1, 0) + TAIL_S
    if needed > sum(lengths) - 0.1:
        return
    film = build(lengths, spoken)

    assert timeline_faults(film) == []
    assert [line.key for line in film.narration] == [
        f"narration.{index}" for index in range(1, len(spoken) + 1)
    ]
    for before, after in pairwise(film.narration):
        assert after.start_s - before.end_s >= 0.2
    for line in film.narration:
        assert line.start_s >= 0
        assert line.end_s <= film.duration_s - TAIL_S + 0.001


def test_a_line_begins_with_its_shot() -> None:
    film = build([4, 4], [2, 2])

    assert [line.start_s for line in film.narration] == [0.35, 4.35]


def test_a_line_waits_for_the_one_before() -> None:
    film = build([4, 6], [5, 2])

    assert film.narration[1].start_s == pytest.approx(0.35 + 5 + 0.25)


def test_lines_move_up_when_the_last_would_not_end() -> None:
    film = build([5, 5], [2, 4.4])

    assert film.narration[1].start_s < 5.35
    assert film.narration[1].end_s == pytest.approx(10 - TAIL_S, abs=0.001)


def test_narration_longer_than_the_film_is_refused_with_what_is_lacking() -> None:
    with pytest.raises(NarrationDoesNotFitError, match=r"10\.2 s, the film has 8\.0 s"):
        build([4, 4], [5, 4.5])


def test_a_film_without_shots_is_refused() -> None:
    with pytest.raises(ToolRefusedError, match="at least one shot"):
        build([], [])


def test_a_line_of_an_unknown_shot_is_refused() -> None:
    with pytest.raises(ToolRefusedError, match=r"shot\.9"):
        build_timeline(
            title="",
            language="en",
            film_format=FilmFormat(width=64, height=36, fps=24),
            shots=[Shot(key="shot.1", name="", duration_s=3)],
            lines=[SpokenLine(key="n", text="t", duration_s=1, shot_key="shot.9")],
        )


@given(lengths=LENGTHS, fps=RATES)
def test_json_gives_the_same_timeline_back(lengths: list[float], fps: float) -> None:
    film = build(lengths, [], fps)

    assert read_timeline(json.loads(json.dumps(film.to_json()))) == film


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"shots": []}, "no shots"),
        ({"fps": "fast"}, "'fps'"),
        ({"shots": [{"key": "a", "name": "", "start_s": 0, "duration_s": -1}]}, "'duration_s'"),
        ({"narration": 5}, "'narration'"),
        ({"title": None}, "'title'"),
    ],
)
def test_what_is_no_timeline_is_refused(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(TimelineFormatError, match=sentence):
        read_timeline(build([3.0], []).to_json() | change)


def test_contradictions_are_told_in_sentences() -> None:
    film = build([4, 4], [2, 2]).to_json()
    film["shots"][1]["start_s"] = 5.0
    film["narration"][1]["start_s"] = 1.0
    film["narration"][1]["key"] = "narration.1"
    film["duration_s"] = 12.0

    faults = " ".join(timeline_faults(read_timeline(film)))

    assert "a gap of 1.00 s before 'Shot 2'" in faults
    assert "begins before" in faults
    assert "The shots end at 9.00 s, the film at 12.00 s" in faults
    assert "'narration.1' stands for 2 things" in faults
