"""Mix: notes to a stereo signal of exact length.

Owns levels, panorama and the room. Promises exactly the asked number of samples, a start and an end
in silence, and room for a voice: the band of speech is a little lower and the low end is mono.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from infra.providers.local.sound import finish, instruments
from infra.providers.local.sound.compose import Note
from infra.providers.local.sound.finish import RATE, Samples
from infra.providers.local.sound.harmony import frequency
from infra.providers.local.sound.moods import Mood

_LEVELS = {
    "pad": (0.26, 0.5),
    "strings": (0.46, 0.5),
    "spiccato": (0.46, 0.35),
    "pluck": (0.34, 0.35),
    "felt": (0.42, 0.4),
    "mallet": (0.42, 0.35),
    "glass": (0.34, 0.6),
    "bass": (0.25, 0.05),
    "kick": (0.50, 0.05),
    "tom": (0.50, 0.35),
    "shaker": (0.42, 0.15),
    "brush": (0.46, 0.25),
    "snap": (0.55, 0.3),
}
"""Level and share that goes to the room."""
_DRUMS: dict[str, Callable[[np.random.Generator], Samples]] = {
    "kick": instruments.kick,
    "tom": instruments.tom,
    "shaker": instruments.shaker,
    "brush": instruments.brush,
    "snap": instruments.snap,
}
_STRUCK = {
    "pluck": instruments.pluck,
    "felt": instruments.felt,
    "mallet": instruments.mallet,
    "glass": instruments.glass,
    "bass": instruments.bass,
}
_TONE = {
    20.0: -36.0,
    35.0: -4.0,
    60.0: 0.0,
    300.0: 0.0,
    1000.0: -1.5,
    2500.0: -2.5,
    5000.0: -1.0,
    9000.0: 0.5,
    16000.0: -6.0,
    20000.0: -30.0,
}
_TAKES = 4
"""How many different strokes of one drum there are."""


def mix(
    notes: list[Note],
    mood: Mood,
    duration_s: float,
    rng: np.random.Generator,
    report: Callable[[float], None],
) -> Samples:
    """Return the stereo signal, not yet at its loudness."""
    count = round(duration_s * RATE)
    dry = np.zeros((count, 2))
    wet = np.zeros((count, 2))
    strokes = {name: [drum(rng) for _ in range(_TAKES)] for name, drum in _DRUMS.items()}
    for index, note in enumerate(notes):
        sound = _sound(note, mood, strokes, index)
        level, send = _LEVELS[note.instrument]
        _place(dry, wet, sound * (level * note.velocity), note=note, send=send)
        if index % 32 == 0:
            report(0.8 * index / len(notes))
    room = finish.convolve(wet, _room(mood.room_s, rng))
    report(0.9)
    together = finish.equalise(dry + 0.9 * room, _TONE)
    peak = float(np.abs(together).max(initial=0.0))
    together = together / max(peak, 1e-9)
    together = finish.compress(together, threshold_db=-16.0, ratio=1.6)
    ending_s = min(1.8, duration_s / 3)
    return finish.fade(together, fade_in_s=min(0.03, duration_s / 8), fade_out_s=ending_s)


def _place(dry: Samples, wet: Samples, sound: Samples, *, note: Note, send: float) -> None:
    start = round(note.start_s * RATE)
    length = min(len(sound), len(dry) - start)
    if length <= 0:
        return
    angle = (note.pan + 1) * np.pi / 4
    both = sound[:length, None] * np.array([np.cos(angle), np.sin(angle)])
    dry[start : start + length] += both
    wet[start : start + length] += send * both


def _sound(note: Note, mood: Mood, strokes: dict[str, list[Samples]], index: int) -> Samples:
    if note.instrument in strokes:
        return strokes[note.instrument][index % _TAKES]
    # Lengths and touches are rounded, so that equal notes are made once.
    seconds = max(round(note.seconds * 10), 1) / 10
    touch = round(note.velocity * 5) / 5
    drift = (note.pitch * 0.37) % 1.0
    match note.instrument:
        case "pad":
            return _pad(note.pitch, seconds, mood.brightness, drift)
        case "strings" | "spiccato":
            held = seconds if note.instrument == "strings" else 0.16
            return _strings(note.pitch, held, mood.brightness, drift)
        case instrument:
            return _struck(instrument, note.pitch, seconds, touch)


@lru_cache(maxsize=64)
def _pad(pitch: int, seconds: float, brightness: float, drift: float) -> Samples:
    return instruments.pad(frequency(pitch), seconds, brightness=brightness, drift=drift)


@lru_cache(maxsize=64)
def _strings(pitch: int, seconds: float, brightness: float, drift: float) -> Samples:
    return instruments.strings(frequency(pitch), seconds, brightness=brightness, drift=drift)


@lru_cache(maxsize=256)
def _struck(instrument: str, pitch: int, seconds: float, touch: float) -> Samples:
    return _STRUCK[instrument](frequency(pitch), seconds, velocity=touch)


def _room(seconds: float, rng: np.random.Generator) -> Samples:
    """Return a hall: noise on both sides that differs, its treble dying first."""
    count = round(seconds * RATE)
    times = np.arange(count)[:, None] / RATE
    noise = rng.standard_normal((count, 2))
    frequencies = np.fft.rfftfreq(count, 1 / RATE)[:, None]
    spectrum = np.fft.rfft(noise, axis=0)
    hall = np.zeros((count, 2))
    for low, high, decay in ((0, 700, 6.0), (700, 3500, 7.5), (3500, 20000, 13.0)):
        band = np.fft.irfft(spectrum * ((frequencies >= low) & (frequencies < high)), count, axis=0)
        hall += band * np.exp(-decay * times / seconds)
    onset = round(0.018 * RATE)
    hall[:onset] *= np.linspace(0, 1, onset)[:, None]
    return hall / np.sqrt(np.sum(hall**2) / 2)
