"""The peaks of a film's sound stay below the limit as delivered, whatever the encoder adds."""

from pathlib import Path

import numpy as np
import pytest

from infra.media.loudness import measure_loudness
from infra.media.timeline import TimelineMusic
from infra.providers.local.film import soundtrack
from infra.providers.local.sound import finish
from workspace.assembly.timeline import FilmFormat, Shot, build_timeline

pytestmark = pytest.mark.media

SECONDS = 6.0
LIMIT_DB = -1.5


def bursts(share: float, hertz: float) -> finish.Samples:
    """Square waves: AAC raises their peaks by three to six decibels."""
    seconds = np.arange(round(SECONDS * finish.RATE)) / finish.RATE
    wave = np.sign(np.sin(2 * np.pi * hertz * seconds)) * (seconds % 0.5 < 0.5 * share)
    return np.stack([wave, wave], axis=1) * 0.5


@pytest.fixture(params=[(0.1, 3000.0), (1.0, 440.0), (0.02, 150.0)])
def music(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "music.wav"
    finish.write_wav(path, bursts(*request.param))
    return path


@pytest.mark.parametrize(("loudness_lufs", "rounds"), [(-16.0, 5), (-9.0, 5), (-9.0, 1)])
def test_no_peak_passes_the_limit_once_encoded(
    music: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, loudness_lufs: float, rounds: int
) -> None:
    monkeypatch.setattr(soundtrack, "_ROUNDS", rounds)
    timeline = build_timeline(
        title="Bursts",
        language="en",
        film_format=FilmFormat(width=320, height=180, fps=24),
        shots=[Shot(key="shot.1", name="One", duration_s=SECONDS)],
        lines=[],
        music=TimelineMusic(key="music", gain_db=0.0),
        loudness_lufs=loudness_lufs,
        true_peak_db=LIMIT_DB,
    )

    told = soundtrack.mix_soundtrack(timeline, {"music": music}, tmp_path / "mix.m4a")

    assert told == measure_loudness(tmp_path / "mix.m4a")
    assert told.true_peak_db is not None
    assert told.true_peak_db <= LIMIT_DB
    assert told.integrated_lufs is not None
    assert told.integrated_lufs >= -40
