"""Music as it is heard: length, loudness, shape, difference."""

from pathlib import Path

import numpy as np
import pytest

from infra.media.loudness import measure_loudness
from infra.providers.local.sound.moods import MOODS
from tests.integration.infra.local_audio.runs import decibels, run, samples

RATE = 48_000


@pytest.mark.media
@pytest.mark.parametrize("mood", sorted(MOODS))
def test_a_piece_is_exact_loud_enough_and_really_ends(mood: str, tmp_path: Path) -> None:
    result = run("music", tmp_path, duration_s=16.4, mood=mood)
    wave = samples(tmp_path / "music.wav")
    loudness = measure_loudness(tmp_path / "music.wav")

    assert result.measured["mood"] == mood
    assert wave.shape == (round(16.4 * RATE), 2)
    assert loudness.integrated_lufs == pytest.approx(-20, abs=0.5)
    assert loudness.true_peak_db is not None
    assert loudness.true_peak_db < -2
    assert decibels(wave[:240]) < -50
    assert decibels(wave[-480:]) < -50
    # It fades within its last two seconds, not before.
    assert decibels(wave[-4 * RATE : -3 * RATE]) > -34
    # Both sides differ, but not so much that one ear is empty.
    left, right = wave[:, 0], wave[:, 1]
    assert abs(decibels(left) - decibels(right)) < 3
    assert np.corrcoef(left, right)[0, 1] < 0.98


@pytest.mark.parametrize("duration_s", [0.5, 1.0, 3.0])
def test_even_a_moment_of_music_begins_and_ends(duration_s: float, tmp_path: Path) -> None:
    run("music", tmp_path, duration_s=duration_s, mood="calm")
    wave = samples(tmp_path / "music.wav")

    assert len(wave) == round(duration_s * RATE)
    assert np.abs(wave).max() < 0.9
    assert decibels(wave[-48:]) < -40
    assert decibels(wave) > -40


def test_seeds_give_different_music_and_one_seed_the_same(tmp_path: Path) -> None:
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        run("music", tmp_path / name, seed=seed, duration_s=5, mood="warm")
    first, again, other = (samples(tmp_path / name / "music.wav") for name in "abc")

    assert np.array_equal(first, again)
    assert abs(np.corrcoef(first[:, 0], other[:, 0])[0, 1]) < 0.5


@pytest.mark.media
def test_music_does_not_loop(tmp_path: Path) -> None:
    run("music", tmp_path, duration_s=40, mood="documentary")
    mono = samples(tmp_path / "music.wav").mean(axis=1)[::24]
    spectrum = np.fft.rfft(mono, 2 * len(mono))
    likeness = np.fft.irfft(np.abs(spectrum) ** 2)[: len(mono)]
    likeness /= likeness[0]

    # A loop of two seconds or more would be as like itself as the overlap allows.
    assert np.abs(likeness[4000 : 3 * len(mono) // 4]).max() < 0.5
