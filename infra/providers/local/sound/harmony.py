"""Harmony: scales, chords and how one chord moves to the next.

Owns pitches as MIDI numbers. Promises that the upper voices of a chord move as little as they can
from the chord before and stay in the middle register, so that a pad never jumps.
"""

from itertools import pairwise, product

SCALES = {
    "major": (0, 2, 4, 5, 7, 9, 11),
    "minor": (0, 2, 3, 5, 7, 8, 10),
    "dorian": (0, 2, 3, 5, 7, 9, 10),
}
OCTAVE = 12
_DEGREES = 7
_LOW, _HIGH = 54, 74
_DOMINANT = 5
_CENTRE = 63


def scale_pitch(root: int, scale: str, step: int) -> int:
    """Return the pitch that many steps of the scale above the root; steps may be negative."""
    octave, degree = divmod(step, _DEGREES)
    return root + OCTAVE * octave + SCALES[scale][degree]


def chord(root: int, scale: str, degree: int, *, seventh: bool = False) -> tuple[int, ...]:
    """Return a chord on a degree of the scale, root first; in minor the fifth has a major third."""
    steps = [0, 2, 4, 6] if seventh and degree != _DOMINANT else [0, 2, 4]
    notes = [scale_pitch(root, scale, degree - 1 + step) for step in steps]
    if scale == "minor" and degree == _DOMINANT:
        notes[1] += 1
    return tuple(notes)


def voice(notes: tuple[int, ...], previous: tuple[int, ...] | None) -> tuple[int, ...]:
    """Lay the notes of a chord so that they move least from the voicing before."""
    options = [
        [pitch for pitch in range(_LOW, _HIGH + 1) if (pitch - note) % OCTAVE == 0]
        for note in notes
    ]
    best: tuple[float, tuple[int, ...]] | None = None
    for choice in product(*options):
        laid = tuple(sorted(choice))
        cost = _cost(laid, previous)
        if best is None or (cost, laid) < best:
            best = (cost, laid)
    return best[1] if best else notes


def nearest(pitches: list[int], target: int) -> int:
    """Return the pitch that is nearest to a target, the lower of two."""
    return min(pitches, key=lambda pitch: (abs(pitch - target), pitch))


def in_register(notes: tuple[int, ...], low: int, high: int) -> list[int]:
    """Return every octave of the notes between two pitches."""
    classes = {note % OCTAVE for note in notes}
    return [pitch for pitch in range(low, high + 1) if pitch % OCTAVE in classes]


def frequency(pitch: float) -> float:
    """Return the frequency of a MIDI pitch in Hz."""
    return 440.0 * 2 ** ((pitch - 69) / 12)


def _cost(laid: tuple[int, ...], previous: tuple[int, ...] | None) -> float:
    spread = laid[-1] - laid[0]
    crowding = sum(high - low <= 1 for low, high in pairwise(laid))
    cost = 0.3 * abs(sum(laid) / len(laid) - _CENTRE) + 8 * crowding + max(spread - 14, 0)
    if previous is not None:
        cost += sum(min(abs(pitch - before) for before in previous) for pitch in laid)
    return cost
