"""What a generator starts is under its limits too, and ends when it ends, however that comes."""

import os
import resource
import select
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from infra.media.ffmpeg import FfmpegError, run_ffmpeg

pytestmark = [pytest.mark.media, pytest.mark.timeout(90)]

ENDLESS = ["-f", "lavfi", "-i", "mandelbrot=size=640x480", "-f", "null", "-"]
RUN = f"""
from infra.media.ffmpeg import run_ffmpeg
run_ffmpeg({ENDLESS!r}, duration_s=1000, report=lambda share: print(share, flush=True))
"""
LIMITED = """
import resource, sys
from infra.media.ffmpeg import FfmpegError, run_ffmpeg
from infra.providers.local import __main__ as generator
resource.setrlimit(getattr(resource, sys.argv[1]), (int(sys.argv[2]), int(sys.argv[2]) + 5))
try:
    run_ffmpeg({arguments!r})
except FfmpegError as error:
    print(generator._from_outside(error, "render").message)
"""


def test_ffmpeg_ends_when_the_process_that_runs_it_is_killed() -> None:
    with subprocess.Popen([sys.executable, "-c", RUN], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline()  # FFmpeg runs
        listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        (child,) = (int(pid) for pid in listed)
        assert "ffmpeg" in Path(f"/proc/{child}/exe").readlink().name
        handle = os.pidfd_open(child)
        try:
            os.kill(process.pid, signal.SIGKILL)
            assert select.select([handle], [], [], 10.0)[0], "FFmpeg lives on"
        finally:
            os.close(handle)


@pytest.mark.parametrize(
    ("limit", "amount", "arguments", "said"),
    [
        ("RLIMIT_CPU", 2, ENDLESS, "used up the 2 seconds of processor time"),
        (
            "RLIMIT_DATA",
            200 << 20,
            ["-f", "lavfi", "-i", "color=size=8000x8000", "-vf", "tile=4x4", "-f", "null", "-"],
            "needs more memory than the 200 MiB",
        ),
    ],
)
def test_ffmpeg_is_under_the_limits_of_the_process_that_runs_it(
    limit: str, amount: int, arguments: list[str], said: str
) -> None:
    assert resource.getrlimit(getattr(resource, limit))[0] == resource.RLIM_INFINITY
    ended = subprocess.run(
        [sys.executable, "-c", LIMITED.format(arguments=arguments), limit, str(amount)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert said in ended.stdout, ended.stderr


def test_ffmpeg_that_fails_by_itself_is_no_limit() -> None:
    with pytest.raises(FfmpegError) as failed:
        run_ffmpeg(["-i", "/nonexistent", "-f", "null", "-"])
    assert not failed.value.no_memory
