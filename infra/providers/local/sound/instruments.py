"""Instruments: one note each, made of sines, tables and noise.

Owns the timbres. Every function returns mono samples at 48 kHz of about unit level; pitch is a
frequency in Hz, `seconds` how long the key is held. Decays are part of the note, so a result may be
longer than `seconds`.
"""

from functools import cache

import numpy as np

from infra.providers.local.sound.finish import RATE, Samples

_TABLE = 4096
_HIGHEST_HZ = 12_000.0
type Rng = np.random.Generator


def pad(
    frequency: float, seconds: float, *, brightness: float, drift: float, attack_s: float = 0.9
) -> Samples:
    """Return a soft string-like sound that opens slowly; `drift` sets where its chorus begins."""
    release_s = 1.4
    times = _times(seconds + release_s)
    wobble = 0.0022 * np.sin(2 * np.pi * (0.23 * times + drift))
    envelope = _swell(times, seconds, attack_s, release_s)
    opening = np.clip(times / max(seconds, 0.5), 0, 1)
    sound = np.zeros(len(times))
    for cents, sign, level in ((0.0, 1.0, 1.0), (-6.0, -1.0, 0.5), (5.0, 0.6, 0.5)):
        phase = frequency * 2 ** (cents / 1200) * times + sign * wobble * frequency / 6 + drift
        dark = _read(_table(frequency, 1.7), phase)
        bright = _read(_table(frequency, 1.0), phase)
        mix = brightness * (0.35 + 0.65 * np.sin(np.pi * opening))
        sound += level * (dark * (1 - mix) + bright * mix)
    return 0.4 * sound * envelope


def strings(frequency: float, seconds: float, *, brightness: float, drift: float) -> Samples:
    """Return bowed strings: brighter than a pad, with vibrato that comes in late."""
    times = _times(seconds + 0.6)
    vibrato = 0.0016 * np.clip(times - 0.4, 0, 1) * np.sin(2 * np.pi * (5.1 * times + drift))
    sound = np.zeros(len(times))
    for cents in (-7.0, 0.0, 6.0):
        phase = frequency * 2 ** (cents / 1200) * times + vibrato * frequency / 5 + drift * cents
        sound += _read(_table(frequency, 1.35 - 0.25 * brightness), phase)
    return 0.3 * sound * _swell(times, seconds, 0.16, 0.6)


def pluck(frequency: float, seconds: float, *, velocity: float) -> Samples:
    """Return a plucked string by its modes: high partials are weaker and die sooner."""
    return _modes(
        frequency,
        max(seconds, 1.2) + 0.6,
        decay_s=2.2 * (220 / frequency) ** 0.4,
        damping=0.10,
        position=0.21,
        stiffness=0.00006,
        slope=1.1 - 0.3 * velocity,
        attack_s=0.002,
    )


def felt(frequency: float, seconds: float, *, velocity: float) -> Samples:
    """Return a piano with felt on its strings."""
    tone = _modes(
        frequency,
        max(seconds, 0.8) + 1.2,
        decay_s=3.4 * (220 / frequency) ** 0.5,
        damping=0.045,
        position=0.12,
        stiffness=0.0004,
        slope=1.75 - 0.5 * velocity,
        attack_s=0.007,
    )
    held = np.clip((seconds + 0.9 - np.arange(len(tone)) / RATE) / 0.5, 0, 1)
    thump = _hit(140.0, 60.0, 0.05, len(tone))
    return (tone + 0.05 * thump) * held


def mallet(frequency: float, seconds: float, *, velocity: float) -> Samples:
    """Return a wooden bar: a marimba's first modes, one and four times the pitch."""
    times = _times(min(max(seconds, 0.4), 1.0) + 0.3)
    first = np.sin(2 * np.pi * frequency * times) * np.exp(-times * (4 + frequency / 300))
    fourth = np.sin(2 * np.pi * 3.93 * frequency * times) * np.exp(-times * 16)
    tenth = np.sin(2 * np.pi * 9.2 * frequency * times) * np.exp(-times * 45)
    return _attacked(first + 0.32 * velocity * fourth + 0.1 * velocity * tenth, 0.0015)


def glass(frequency: float, seconds: float, *, velocity: float) -> Samples:
    """Return a glassy bell by frequency modulation whose colour fades before its tone."""
    times = _times(max(seconds, 1.0) + 2.4)
    index = (0.9 + 1.1 * velocity) * np.exp(-times * 2.6)
    modulator = np.sin(2 * np.pi * 3.51 * frequency * times)
    tone = np.sin(2 * np.pi * frequency * times + index * modulator) * np.exp(-times * 1.5)
    shimmer = np.sin(2 * np.pi * 1.003 * frequency * times) * np.exp(-times * 1.1)
    return _attacked(0.6 * tone + 0.4 * shimmer, 0.006)


def bass(frequency: float, seconds: float, *, velocity: float) -> Samples:
    """Return a round bass with a little of its second and third partial."""
    times = _times(seconds + 0.15)
    phase = 2 * np.pi * frequency * times
    sound = np.sin(phase) + 0.28 * np.sin(2 * phase) + 0.10 * velocity * np.sin(3 * phase)
    envelope = _swell(times, seconds, 0.012, 0.15) * (0.55 + 0.45 * np.exp(-times * 2.2))
    return np.tanh(1.2 * sound * envelope) * 0.8


def kick(_rng: Rng) -> Samples:
    """Return a soft bass drum."""
    return _hit(108.0, 46.0, 0.30, round(0.4 * RATE))


def tom(_rng: Rng) -> Samples:
    """Return a low drum with a long tail."""
    return _hit(132.0, 74.0, 0.7, round(0.9 * RATE))


def shaker(rng: Rng) -> Samples:
    """Return one stroke of a shaker."""
    return _noise(rng, 0.085, low=5200, high=11000, attack_s=0.018, decay=46)


def brush(rng: Rng) -> Samples:
    """Return a brush on a snare drum."""
    return _noise(rng, 0.22, low=900, high=6500, attack_s=0.012, decay=19)


def snap(rng: Rng) -> Samples:
    """Return snapping fingers."""
    return _noise(rng, 0.12, low=1400, high=3800, attack_s=0.001, decay=42)


def _times(seconds: float) -> Samples:
    return np.arange(round(seconds * RATE)) / RATE


def _swell(times: Samples, seconds: float, attack_s: float, release_s: float) -> Samples:
    attack = min(attack_s, seconds / 2 + 0.01)
    rising = 0.5 - 0.5 * np.cos(np.pi * np.clip(times / attack, 0, 1))
    falling = 0.5 + 0.5 * np.cos(np.pi * np.clip((times - seconds) / release_s, 0, 1))
    return rising * falling


def _attacked(sound: Samples, attack_s: float) -> Samples:
    count = min(round(attack_s * RATE), len(sound))
    sound[:count] *= np.linspace(0, 1, count)
    count = min(round(0.05 * RATE), len(sound))
    sound[-count:] *= np.linspace(1, 0, count)
    return sound


@cache
def _table(frequency: float, slope: float) -> Samples:
    phase = np.arange(_TABLE) / _TABLE
    table = np.zeros(_TABLE)
    for partial in range(1, max(int(_HIGHEST_HZ / 2 / frequency), 2)):
        roll_off = 1 / (1 + (partial * frequency / 2600) ** 2)
        table += np.sin(2 * np.pi * partial * phase + partial**2 * 0.7) * roll_off / partial**slope
    return table / np.sqrt(np.mean(table**2)) * 0.5


def _read(table: Samples, phase: Samples) -> Samples:
    place = (phase % 1.0) * _TABLE
    index = place.astype(np.int64)
    part = place - index
    index &= _TABLE - 1
    return table[index] * (1 - part) + table[(index + 1) & (_TABLE - 1)] * part


def _modes(
    frequency: float,
    seconds: float,
    *,
    decay_s: float,
    damping: float,
    position: float,
    stiffness: float,
    slope: float,
    attack_s: float,
) -> Samples:
    times = _times(seconds)
    sound = np.zeros(len(times))
    for partial in range(1, 25):
        pitch = partial * frequency * np.sqrt(1 + stiffness * partial**2)
        if pitch > _HIGHEST_HZ:
            break
        level = np.sin(np.pi * partial * position) / partial**slope
        speed = (1 + damping * partial**1.6) / decay_s * 2.3
        sound += level * np.sin(2 * np.pi * pitch * times) * np.exp(-speed * times)
    return _attacked(sound / max(float(np.abs(sound).max()), 1e-9), attack_s)


def _hit(start_hz: float, end_hz: float, decay_s: float, count: int) -> Samples:
    times = np.arange(count) / RATE
    sweep = end_hz * times + (start_hz - end_hz) / 28 * (1 - np.exp(-28 * times))
    return _attacked(np.sin(2 * np.pi * sweep) * np.exp(-times * 3.2 / decay_s), 0.002)


def _noise(
    rng: Rng, seconds: float, *, low: float, high: float, attack_s: float, decay: float
) -> Samples:
    count = round(seconds * RATE)
    spectrum = np.fft.rfft(rng.standard_normal(count))
    frequencies = np.fft.rfftfreq(count, 1 / RATE)
    band = 1 / (1 + (low / np.maximum(frequencies, 1)) ** 4) / (1 + (frequencies / high) ** 4)
    times = np.arange(count) / RATE
    sound = np.fft.irfft(spectrum * band, count) * np.exp(-times * decay)
    return _attacked(sound / max(float(np.abs(sound).max()), 1e-9), attack_s)
