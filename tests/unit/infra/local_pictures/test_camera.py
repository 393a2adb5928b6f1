"""No camera move shows what lies beyond the picture, stands still or jumps."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.providers.local.pictures.camera import Camera, Move, Sight

SIZE = (1280, 720)


def _camera(move: Move, *, duration_s: float = 4.0, strength: float = 1.0) -> Camera:
    return Camera(
        move=move, width=SIZE[0], height=SIZE[1], duration_s=duration_s, strength=strength
    )


@given(
    move=st.sampled_from(list(Move)),
    depth=st.floats(0, 1),
    place=st.floats(0, 1),
    duration_s=st.floats(0.5, 60),
    strength=st.floats(0.5, 2.5),
    slack=st.floats(0, 0.05),
)
def test_every_sheet_fills_the_frame(
    *, move: Move, depth: float, place: float, duration_s: float, strength: float, slack: float
) -> None:
    sight = _camera(move, duration_s=duration_s, strength=strength).sight(depth, place * duration_s)
    left, top, right, bottom = sight.box((700.0, 300.0), SIZE, slack=slack)
    assert left >= 0
    assert top >= 0
    assert right <= SIZE[0] + 1e-6
    assert bottom <= SIZE[1] + 1e-6
    assert (right - left) / (bottom - top) == pytest.approx(SIZE[0] / SIZE[1])


@pytest.mark.parametrize("move", list(Move))
def test_a_move_goes_on_at_every_moment_without_jumps(move: Move) -> None:
    camera = _camera(move)
    boxes = [camera.sight(0.9, step / 24).box((640, 360), SIZE) for step in range(97)]
    steps = [max(abs(b - a) for a, b in zip(one, two, strict=True)) for one, two in pairwise(boxes)]
    assert min(steps) > 0.05
    assert max(steps) < 8.0
    changes = [abs(two - one) for one, two in pairwise(steps)]
    assert max(changes) < 0.25


@pytest.mark.parametrize("move", [Move.PUSH_IN, Move.PAN_LEFT, Move.TILT_UP, Move.DRIFT])
def test_near_sheets_move_more_than_far_ones(move: Move) -> None:
    camera = _camera(move)

    def travel(depth: float) -> float:
        first, last = camera.sight(depth, 0.0), camera.sight(depth, 4.0)
        return abs(last.x - first.x) + abs(last.y - first.y) + 1000 * abs(last.zoom - first.zoom)

    assert travel(0.9) > 1.5 * travel(0.1)


def test_pushing_in_is_pulling_out_backwards() -> None:
    into, out = _camera(Move.PUSH_IN), _camera(Move.PULL_OUT)
    assert into.sight(0.6, 0.0) == out.sight(0.6, 4.0) == Sight(1.0, 0.0, 0.0)
    assert into.sight(0.6, 4.0).zoom == pytest.approx(out.sight(0.6, 0.0).zoom)


def test_a_flat_picture_keeps_what_its_margins_hold() -> None:
    for move in (Move.PUSH_IN, Move.PAN_LEFT, Move.PAN_RIGHT, Move.DRIFT, Move.TILT_DOWN):
        camera = Camera(move=move, width=1280, height=720, duration_s=20, most_crop=0.041)
        for step in range(21):
            left, _, right, _ = camera.sight(0.74, step).box((640, 360), SIZE)
            assert left <= 0.0485 * 1280
            assert right >= (1 - 0.0485) * 1280
