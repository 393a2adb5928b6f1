"""Finish audio: tone, level, room, loudness and the WAV file.

Owns what speech and music share after their synthesis. Promises that a written file does not clip
and has the asked loudness wherever its peaks allow. Filters work on the spectrum of the whole
signal, so nothing is shifted in time.
"""

import wave
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from infra.media.loudness import measure_loudness

type Samples = NDArray[np.float64]

RATE = 48_000
_FRAME_S = 0.005
_SILENT = 1e-9
_TOO_SHORT_S = 0.45
"""Loudness is gated in blocks of 400 ms; what is shorter has none."""


def decibels(amplitude: float) -> float:
    """Return a level in dB; silence is -180."""
    return 20 * float(np.log10(max(amplitude, _SILENT)))


def amplitude(level_db: float) -> float:
    """Return the factor of a level in dB."""
    return 10.0 ** (level_db / 20)


def resample(samples: Samples, rate: int, to_rate: int = RATE) -> Samples:
    """Change the rate of one channel exactly, through its spectrum."""
    divisor = int(np.gcd(rate, to_rate))
    up, down = to_rate // divisor, rate // divisor
    padding = -len(samples) % down
    padded = np.concatenate([samples, np.zeros(padding + down * 8)])
    spectrum = np.fft.rfft(padded)
    length = len(padded) * up // down
    target = np.zeros(length // 2 + 1, dtype=np.complex128)
    kept = min(len(spectrum), len(target))
    target[:kept] = spectrum[:kept]
    return np.fft.irfft(target, length)[: round(len(samples) * up / down)] * (up / down)


def equalise(samples: Samples, curve: dict[float, float], rate: int = RATE) -> Samples:
    """Apply a curve of gains in dB at frequencies, smooth between them."""
    tail = np.zeros((rate // 5, *samples.shape[1:]))
    padded = np.concatenate([samples, tail])
    frequencies = np.fft.rfftfreq(len(padded), 1 / rate)
    points = np.log2(np.array(sorted(curve)))
    gains = np.interp(
        np.log2(np.maximum(frequencies, 1.0)), points, [curve[key] for key in sorted(curve)]
    )
    response = 10.0 ** (gains / 20)
    if samples.ndim > 1:
        response = response[:, None]
    spectrum = np.fft.rfft(padded, axis=0) * response
    return np.fft.irfft(spectrum, len(padded), axis=0)[: len(samples)]


def compress(samples: Samples, *, threshold_db: float, ratio: float, rate: int = RATE) -> Samples:
    """Level out what is louder than a threshold; the gain looks ahead, so it never pumps late."""
    frame = round(_FRAME_S * rate)
    power = np.square(samples if samples.ndim == 1 else samples.max(axis=1))
    count = -(-len(power) // frame)
    padded = np.zeros(count * frame)
    padded[: len(power)] = power
    level = 10 * np.log10(padded.reshape(count, frame).mean(axis=1) + _SILENT)
    over = np.maximum(level - threshold_db, 0.0)
    window = np.hanning(17)
    gain_db = -(1 - 1 / ratio) * np.convolve(over, window / window.sum(), mode="same")
    centres = (np.arange(count) + 0.5) * frame
    gain = 10.0 ** (np.interp(np.arange(len(samples)), centres, gain_db) / 20)
    return samples * (gain if samples.ndim == 1 else gain[:, None])


def limit(samples: Samples, ceiling_db: float, rate: int = RATE) -> Samples:
    """Turn down around every peak above the ceiling, smoothly and before it comes."""
    ceiling = amplitude(ceiling_db)
    peaks = np.abs(samples) if samples.ndim == 1 else np.abs(samples).max(axis=1)
    if peaks.max(initial=0.0) <= ceiling:
        return samples
    frame = round(0.002 * rate)
    count = -(-len(peaks) // frame)
    padded = np.zeros(count * frame)
    padded[: len(peaks)] = peaks
    needed = np.minimum(ceiling / np.maximum(padded.reshape(count, frame).max(axis=1), _SILENT), 1)
    reach = 8
    edges = np.pad(needed, reach, constant_values=1.0)
    held = np.lib.stride_tricks.sliding_window_view(edges, 2 * reach + 1).min(axis=1)
    smooth = np.convolve(np.pad(held, 3, mode="edge"), np.ones(7) / 7, mode="valid")
    centres = (np.arange(count) + 0.5) * frame
    gain = np.interp(np.arange(len(samples)), centres, smooth)
    limited = samples * (gain if samples.ndim == 1 else gain[:, None])
    return np.clip(limited, -ceiling, ceiling)


def convolve(samples: Samples, impulse: Samples) -> Samples:
    """Return the first column-wise convolution, as long as the samples."""
    length = len(samples) + len(impulse) - 1
    size = 1 << (length - 1).bit_length()
    spectrum = np.fft.rfft(samples, size, axis=0) * np.fft.rfft(impulse, size, axis=0)
    return np.fft.irfft(spectrum, size, axis=0)[: len(samples)]


def fade(samples: Samples, *, fade_in_s: float, fade_out_s: float, rate: int = RATE) -> Samples:
    """Fade the ends in and out along half a cosine."""
    faded = samples.copy()
    for seconds, at_end in ((fade_in_s, False), (fade_out_s, True)):
        count = min(round(seconds * rate), len(faded))
        if count == 0:
            continue
        ramp = 0.5 - 0.5 * np.cos(np.linspace(0.0, np.pi, count))
        if faded.ndim > 1:
            ramp = ramp[:, None]
        if at_end:
            faded[-count:] *= ramp[::-1]
        else:
            faded[:count] *= ramp
    return faded


def write_wav(path: Path, samples: Samples, rate: int = RATE) -> None:
    """Write 16 bit PCM, mono or stereo."""
    values = np.round(np.clip(samples, -1.0, 1.0) * 32767).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1 if samples.ndim == 1 else samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(values.tobytes())


def write_at_loudness(
    path: Path, samples: Samples, *, loudness_lufs: float, ceiling_db: float
) -> float | None:
    """Write a WAV with the asked loudness; return what it has, or None if it is silent.

    What is too short to have a loudness is brought to the level that speech of it would have.
    """
    peak = float(np.abs(samples).max(initial=0.0))
    if peak < _SILENT:
        write_wav(path, samples)
        return None
    scaled = samples * (amplitude(-6.0) / peak)
    measured: float | None = None
    for _ in range(3):
        write_wav(path, scaled)
        measured = _loudness(path, scaled)
        if measured is None or abs(measured - loudness_lufs) < 0.05:  # noqa: PLR2004
            break
        scaled = limit(scaled * amplitude(loudness_lufs - measured), ceiling_db)
    else:
        write_wav(path, scaled)
        measured = _loudness(path, scaled)
    return measured


def _loudness(path: Path, samples: Samples) -> float | None:
    if len(samples) < _TOO_SHORT_S * RATE:
        return decibels(float(np.sqrt(np.mean(np.square(samples)))))
    return measure_loudness(path).integrated_lufs
