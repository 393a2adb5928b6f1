"""The sound of a film: narration in its places, music that makes room for it, one loudness.

Promises exactly the film's length in samples, the asked loudness wherever the true peak allows it,
and that no peak of the encoded sound is above the limit: AAC raises some peaks by several decibels,
so what is measured is what is delivered. The music's level is drawn by the known places of the
narration (it gives way before a line begins), so it does not pump between words.
"""

import tempfile
from itertools import pairwise
from pathlib import Path

import numpy as np

from infra.media.ffmpeg import run_ffmpeg
from infra.media.loudness import Loudness, measure_loudness
from infra.media.timeline import Timeline
from infra.providers.local.request import InvalidInputError
from infra.providers.local.sound import finish
from infra.providers.local.sound.finish import RATE, Samples

_COMMON_LUFS = -20.0
_RISE_DB = 8.0
"""How much louder the music is where nobody speaks."""
_BEFORE_S, _AFTER_S = 0.45, 0.9
_MERGE_S = 1.6
_ALONE_LUFS = -20.0
_PRECISION_LU = 0.08
_ROUNDS = 5
_SHORTEST_S = 0.45
_FADE_OUT_S = 0.4
_HEADROOM_DB = 0.4
"""Below the limit, so that another decoder's rounding does not pass it."""
_UNHEARD = Loudness(integrated_lufs=None, range_lu=None, true_peak_db=None)
_ENCODER = "-c:a aac -aac_tns 0 -b:a 192k -ar 48000 -ac 2 -fflags +bitexact -f mp4"
"""Temporal noise shaping of FFmpeg's encoder raised single moments of some films by up to 1.7 dB,
against which no lower ceiling helps; without it 0.1 dB was the most in 40 mixes of speech."""


def mix_soundtrack(timeline: Timeline, files: dict[str, Path], path: Path) -> Loudness:
    """Write the finished mix as AAC in an MP4; return what it measures.

    Raises:
        FfmpegError: A sound file cannot be read.
        InvalidInputError: A sound file holds no sound.
    """
    count = round(timeline.duration_s * RATE)
    mixed = np.zeros((count, 2))
    for line in timeline.narration:
        voice = _levelled(files[line.key])
        start = round(line.start_s * RATE)
        # A longer file than planned would speak into the next line.
        length = min(len(voice), count - start, round((line.duration_s + 0.05) * RATE))
        mixed[start : start + length] += voice[:length]
    if timeline.music is not None:
        music = _fitted(_levelled(files[timeline.music.key]), count)
        mixed += music * _music_level(timeline, timeline.music.gain_db, count)[:, None]
    if not np.abs(mixed).max(initial=0.0) > 0:
        return _encode(mixed, path)
    mixed = finish.fade(mixed, fade_in_s=0.01, fade_out_s=min(_FADE_OUT_S, timeline.duration_s / 4))
    return _at_loudness(mixed, timeline, path)


def speech_spans(timeline: Timeline) -> list[tuple[float, float]]:
    """Return when somebody speaks; lines with a short pause between them are one span."""
    spans: list[tuple[float, float]] = []
    for line in timeline.narration:
        if spans and line.start_s - spans[-1][1] < _MERGE_S:
            spans[-1] = (spans[-1][0], line.end_s)
        else:
            spans.append((line.start_s, line.end_s))
    return spans


def _music_level(timeline: Timeline, gain_db: float, count: int) -> Samples:
    if not timeline.narration:
        return np.full(count, finish.amplitude(_ALONE_LUFS - _COMMON_LUFS))
    points: list[tuple[float, float]] = [(0.0, gain_db + _RISE_DB)]
    for start, end in speech_spans(timeline):
        points += [
            (start - _BEFORE_S, gain_db + _RISE_DB),
            (start - 0.05, gain_db),
            (end + 0.1, gain_db),
            (end + _AFTER_S, gain_db + _RISE_DB),
        ]
    times = np.maximum.accumulate([time for time, _ in points])
    # Where two points fall together the quieter one holds, as when a line opens the film.
    levels = [level for _, level in points]
    for index, (before, after) in enumerate(pairwise(times)):
        if after <= before:
            levels[index] = levels[index + 1] = min(levels[index], levels[index + 1])
    moments = np.arange(count) / RATE
    return 10.0 ** (np.interp(moments, times, levels) / 20)


def _fitted(music: Samples, count: int) -> Samples:
    """Return music of exactly this length: faded where it is cut, silent where it is too short."""
    if len(music) > count:
        return finish.fade(music[:count], fade_in_s=0.0, fade_out_s=min(2.0, count / RATE / 4))
    return np.concatenate([music, np.zeros((count - len(music), 2))])


def _levelled(path: Path) -> Samples:
    """Read any sound file as stereo and bring it to the common loudness."""
    samples = _read(path)
    if len(samples) < _SHORTEST_S * RATE:
        return samples
    loudness = measure_loudness(path).integrated_lufs
    if loudness is None:
        return samples
    return samples * finish.amplitude(_COMMON_LUFS - loudness)


def _read(path: Path) -> Samples:
    with tempfile.TemporaryDirectory() as folder:
        raw = Path(folder) / "raw"
        arguments = ["-i", str(path), "-map", "0:a:0", "-ac", "2", "-ar", str(RATE)]
        run_ffmpeg([*arguments, "-f", "f32le", str(raw)])
        samples = np.fromfile(raw, dtype="<f4").astype(np.float64)
    if len(samples) == 0:
        msg = f"There is no sound in {path.name}."
        raise InvalidInputError(msg)
    return samples.reshape(-1, 2)


def _at_loudness(mixed: Samples, timeline: Timeline, path: Path) -> Loudness:
    """Bring the mix to the target in a few rounds of gain, limiting, encoding and measuring.

    The peaks go before the loudness: when the rounds are over and a peak still passes the limit,
    the whole is turned down.
    """
    target = timeline.loudness_lufs
    highest = timeline.true_peak_db - _HEADROOM_DB
    gain_db = target - _COMMON_LUFS
    ceiling_db = highest
    limited, measured = mixed, _UNHEARD
    for _ in range(_ROUNDS):
        limited = finish.limit(mixed * finish.amplitude(gain_db), ceiling_db)
        measured = _encode(limited, path)
        if measured.integrated_lufs is None or measured.true_peak_db is None:
            return measured
        error = target - measured.integrated_lufs
        over = max(measured.true_peak_db - highest, 0.0)
        if abs(error) <= _PRECISION_LU and over <= 0:
            return measured
        gain_db += error
        ceiling_db -= over + (0.05 if over else 0.0)
    while measured.true_peak_db is not None and measured.true_peak_db > timeline.true_peak_db:
        limited *= finish.amplitude(highest - measured.true_peak_db)
        measured = _encode(limited, path)
    return measured


def _encode(samples: Samples, path: Path) -> Loudness:
    raw = path.with_suffix(".wav")
    finish.write_wav(raw, samples)
    run_ffmpeg(["-i", str(raw), *_ENCODER.split(), str(path)])
    raw.unlink()
    return measure_loudness(path)
