"""FFmpeg runs to its end, tells its progress, and fails with a reason."""

from pathlib import Path

import pytest

from infra.media.ffmpeg import FfmpegError, ffmpeg_path, run_ffmpeg

pytestmark = pytest.mark.media

RAW = ["-f", "rawvideo", "-pix_fmt", "gray", "-s", "64x64", "-r", "10", "-i", "pipe:0"]


def test_the_binary_is_there() -> None:
    assert ffmpeg_path().is_file()


def test_progress_is_told_while_it_works(tmp_path: Path) -> None:
    told: list[float] = []
    source = ["-f", "lavfi", "-i", "testsrc=d=4:s=320x180"]
    run_ffmpeg([*source, str(tmp_path / "out.mp4")], duration_s=4, report=told.append)
    assert told
    assert 0.5 < told[-1] <= 1.0
    assert (tmp_path / "out.mp4").stat().st_size > 1000


def test_fed_frames_arrive(tmp_path: Path) -> None:
    frames = (bytes([shade]) * 4096 for shade in range(30))
    run_ffmpeg([*RAW, "-f", "rawvideo", "out.gray"], frames=frames, cwd=tmp_path)
    written = (tmp_path / "out.gray").read_bytes()
    assert [written[4096 * n] for n in range(30)] == list(range(30))


def test_a_wrong_argument_fails_with_its_last_words() -> None:
    with pytest.raises(FfmpegError, match="nope") as failure:
        run_ffmpeg(["-f", "lavfi", "-i", "nope=1", "-f", "null", "-"])
    assert failure.value.exit_code
    assert not failure.value.disk_full


def test_no_room_for_the_output_is_told_apart() -> None:
    source = ["-f", "lavfi", "-i", "testsrc=d=1:s=320x180", "-f", "matroska"]
    with pytest.raises(FfmpegError) as failure:
        run_ffmpeg([*source, "/dev/full"])
    assert failure.value.disk_full


def test_an_encoder_that_dies_while_it_is_fed_is_a_failure() -> None:
    endless = (bytes(4096) for _ in range(100_000))
    with pytest.raises(FfmpegError):
        run_ffmpeg([*RAW, "-c:v", "no_such_encoder", "-f", "null", "-"], frames=endless)


def test_an_error_while_making_frames_stops_the_encoder() -> None:
    def frames() -> object:
        yield bytes(4096)
        msg = "no more"
        raise ValueError(msg)

    with pytest.raises(ValueError, match="no more"):
        run_ffmpeg([*RAW, "-f", "null", "-"], frames=frames())  # pyright: ignore[reportArgumentType]
