"""Clips are measured from their decoded frames."""

import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import cast

import av
import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

from infra.media.ffmpeg import run_ffmpeg
from infra.providers.local import clip, image
from infra.providers.local.pictures.camera import Move
from infra.providers.local.request import InvalidInputError, LocalRequest, LocalResult
from tests.integration.infra.local_pictures.conftest import MakeRequest

pytestmark = pytest.mark.media


def _film(
    request_of: MakeRequest,
    out: Path,
    prompt: str,
    *,
    keyframe: Path | None = None,
    **changes: object,
) -> LocalResult:
    out.mkdir(exist_ok=True)
    files = {} if keyframe is None else {"image": keyframe}
    inputs: dict[str, object] = {"fps": 12, "duration_s": 2.0, "camera": "push_in", **changes}
    request = request_of(prompt, operation="clip", files=files, **inputs)
    return clip.generate(request, out, lambda _: None)


def _keyframe(request_of: MakeRequest, out: Path, prompt: str, **changes: object) -> Path:
    out.mkdir(exist_ok=True)
    image.generate(request_of(prompt, **changes), out, lambda _: None)
    return out / "image.png"


def _frames(path: Path) -> Iterator[NDArray[np.uint8]]:
    with av.open(str(path)) as container:
        for frame in container.decode(video=0):
            yield cast("NDArray[np.uint8]", frame.to_ndarray(format="gray"))


def _motion(path: Path, half_second: int) -> float:
    """Return the least mean luma difference over half a second, with the grain averaged away."""
    small = [
        np.asarray(Image.fromarray(frame).resize((80, 45), Image.Resampling.BOX), dtype=np.float64)
        for frame in _frames(path)
    ]
    pairs = zip(small, small[half_second:], strict=False)
    return float(min(np.abs(two - one).mean() for one, two in pairs))


def _freezes(path: Path) -> list[str]:
    arguments = ["-i", str(path), "-vf", "freezedetect=n=-60dB:d=1.0", "-f", "null", "-"]
    return re.findall(r"freeze_start", run_ffmpeg(arguments, log_level="info"))


@pytest.mark.parametrize(("fps", "duration_s"), [(24, 1.0), (25, 1.3), (12, 0.5), (30, 0.34)])
def test_the_number_of_frames_is_exact(
    *, make_request: MakeRequest, tmp_path: Path, fps: int, duration_s: float
) -> None:
    result = _film(
        make_request, tmp_path, "a boat", fps=fps, duration_s=duration_s, width=320, height=256
    )
    with av.open(str(tmp_path / "clip.mp4")) as container:
        stream = container.streams.video[0]
        assert sum(1 for _ in container.decode(stream)) == round(fps * duration_s)
        assert (stream.codec_context.name, stream.codec_context.pix_fmt) == ("h264", "yuv420p")
        assert (stream.width, stream.height) == (320, 256)
        assert stream.average_rate == fps
        assert not container.streams.audio
    assert result.measured["frames"] == round(fps * duration_s)


@pytest.mark.parametrize("move", [move.value for move in Move])
def test_every_move_is_seen_at_every_moment(
    make_request: MakeRequest, tmp_path: Path, move: str
) -> None:
    result = _film(make_request, tmp_path, "potter hands on the wheel", camera=move, duration_s=2.5)
    assert _motion(tmp_path / "clip.mp4", 6) >= clip.LEAST_MOTION
    assert result.measured["motion_mean"] >= clip.LEAST_MOTION
    assert _freezes(tmp_path / "clip.mp4") == []


@pytest.mark.parametrize("prompt", ["night sky with stars", "fog", "campfire at night", "a cat"])
def test_quiet_pictures_move_too(make_request: MakeRequest, tmp_path: Path, prompt: str) -> None:
    _film(make_request, tmp_path, prompt, camera="tilt_up", duration_s=2.5)
    assert _motion(tmp_path / "clip.mp4", 6) >= clip.LEAST_MOTION
    assert _freezes(tmp_path / "clip.mp4") == []


def test_the_same_request_gives_the_same_frames(make_request: MakeRequest, tmp_path: Path) -> None:
    prints: list[str] = []
    for name in ("one", "two"):
        _film(make_request, tmp_path / name, "rain in the city", duration_s=0.5)
        frames = _frames(tmp_path / name / "clip.mp4")
        prints.append(hashlib.sha256(b"".join(frame.tobytes() for frame in frames)).hexdigest())
    assert prints[0] == prints[1]


def test_our_own_keyframe_is_moved_layer_by_layer(
    make_request: MakeRequest, tmp_path: Path
) -> None:
    keyframe = _keyframe(make_request, tmp_path / "key", "a lighthouse", title="Keeper")
    result = _film(make_request, tmp_path / "clip", "other words", seed=9, keyframe=keyframe)
    assert result.measured["layered"] is True
    assert result.measured["layers"] >= 4
    first = next(_frames(tmp_path / "clip" / "clip.mp4")).astype(np.float64)
    drawn = np.asarray(Image.open(keyframe).convert("L"), dtype=np.float64)
    assert np.abs(first - drawn).mean() < 10


def test_words_of_our_keyframe_stand_still_while_the_picture_moves(
    make_request: MakeRequest, tmp_path: Path
) -> None:
    request = make_request("mountains and trees", title="STANDING STILL", seed=2)
    facts = image.generate(request, tmp_path, lambda _: None).measured
    keyframe = tmp_path / "image.png"
    _film(make_request, tmp_path / "clip", "x", keyframe=keyframe, camera="pan_left")
    frames = [frame.astype(np.float64) for frame in _frames(tmp_path / "clip" / "clip.mp4")]
    x0, y0, x1, y1 = facts["text_boxes"][0]
    ink = int(facts["text_colour"][1:3], 16)
    strokes = np.abs(frames[0][y0:y1, x0:x1] - ink) < 24
    assert strokes.mean() > 0.1
    for frame in frames:
        assert np.abs(frame[y0:y1, x0:x1][strokes] - ink).mean() < 24
    assert np.abs(frames[0] - frames[-1]).mean() > 4


@pytest.mark.parametrize("move", [move.value for move in Move])
def test_a_foreign_keyframe_keeps_its_margins_in_sight(
    make_request: MakeRequest, tmp_path: Path, move: str
) -> None:
    picture = Image.new("RGB", (640, 360), "#808080")
    picture.paste("#202020", (120, 60, 520, 300))
    for x0, x1 in ((31, 41), (599, 609)):
        picture.paste("#ffffff", (x0, 40, x1, 320))
    picture.save(tmp_path / "key.png")
    result = _film(make_request, tmp_path / "clip", "x", keyframe=tmp_path / "key.png", camera=move)
    assert result.measured["layered"] is False
    for frame in _frames(tmp_path / "clip" / "clip.mp4"):
        middle = frame[160:200].mean(axis=0)
        assert middle[:90].max() > 190
        assert middle[-90:].max() > 190


def test_a_keyframe_of_another_shape_fills_the_frame(
    make_request: MakeRequest, tmp_path: Path
) -> None:
    Image.effect_noise((300, 900), 90).convert("RGB").save(tmp_path / "tall.jpg")
    _film(make_request, tmp_path / "clip", "x", keyframe=tmp_path / "tall.jpg")
    for frame in _frames(tmp_path / "clip" / "clip.mp4"):
        assert frame[:, :8].std() > 8
        assert frame[:, -8:].std() > 8


@pytest.mark.parametrize(
    "changes", [{"width": 641}, {"fps": 0}, {"fps": 61}, {"duration_s": 0}, {"camera": "spin"}]
)
def test_a_wrong_clip_request_is_refused(
    make_request: MakeRequest, tmp_path: Path, changes: dict[str, object]
) -> None:
    with pytest.raises(InvalidInputError):
        _film(make_request, tmp_path, "a boat", **changes)  # pyright: ignore[reportArgumentType]
    assert list(tmp_path.iterdir()) == []


def test_a_broken_keyframe_is_refused(make_request: MakeRequest, tmp_path: Path) -> None:
    (tmp_path / "broken.png").write_bytes(b"\x89PNG\r\n\x1a\n broken")
    with pytest.raises(InvalidInputError, match="keyframe"):
        _film(make_request, tmp_path / "clip", "x", keyframe=tmp_path / "broken.png")


def test_progress_rises_to_one(make_request: MakeRequest, tmp_path: Path) -> None:
    told: list[float] = []
    request: LocalRequest = make_request(
        "a boat", operation="clip", fps=10, duration_s=0.5, camera="drift", width=320, height=256
    )
    clip.generate(request, tmp_path, told.append)
    assert told == sorted(told)
    assert told[-1] == 1.0
    assert len(told) > 5
