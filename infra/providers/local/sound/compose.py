"""Compose: from a form, a mood and a seed to notes.

Owns chords over bars, melody, accompaniment, bass and drums. Promises that the piece ends on its
home chord and that the same seed gives the same notes. The melody is one short motif that is
answered and varied, as tunes are, so it does not wander.
"""

from dataclasses import dataclass, field

import numpy as np

from infra.providers.local.sound import harmony
from infra.providers.local.sound.form import Form, Layers
from infra.providers.local.sound.moods import Mood

_ROOTS = (48, 50, 51, 53, 55, 57, 46)
_PHRASE = 4
_RHYTHMS: dict[int, tuple[tuple[float, ...], ...]] = {
    4: (
        (0, 1.5, 2, 4, 6),
        (0, 2, 3, 4),
        (0.5, 1, 2, 4, 5.5),
        (0, 3, 4, 5, 6),
        (0, 0.5, 1, 2.5, 4, 5),
        (0, 1, 2, 2.5, 3, 4, 6, 6.5),
    ),
    3: ((0, 2, 3), (0, 1, 2, 3, 5), (0, 1.5, 2, 3), (0, 2, 3, 4)),
}
"""Beats at which the notes of a motif of two bars begin, from sparse to dense."""
_ARPEGGIOS = {
    "slow": (1.0, (0, 1, 2, 1)),
    "eighths": (0.5, (0, 2, 1, 2, 3, 2, 1, 2)),
    "sixteenths": (0.25, (0, 1, 2, 3, 2, 1, 2, 1)),
    "ostinato": (0.5, (0, 0, 2, 0, 1, 0, 2, 1)),
    "offbeat": (1.0, (1, 2)),
}
_DRUMS: dict[str, dict[str, tuple[float, ...]]] = {
    "brushes": {"kick": (0, 2.5), "brush": (1, 3), "shaker": (0.5, 1.5, 2.5, 3.5)},
    "snaps": {"kick": (0, 2), "snap": (1, 3), "shaker": (0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5)},
    "kit": {
        "kick": (0, 1, 2, 3),
        "brush": (1, 3),
        "shaker": (0.25, 0.5, 1.25, 1.5, 2.25, 2.5, 3.25, 3.5),
    },
    "toms": {"tom": (0, 1.5, 2, 3.5), "kick": (0,), "shaker": (1, 3)},
    "pulse": {"kick": (0, 0.5), "shaker": (2,)},
}
_MELODY_LOW, _MELODY_HIGH = 67, 86
_STEPS = (-3, -2, -1, -1, 0, 1, 1, 2, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One sound; drums have no pitch. `velocity` and `pan` run from 0 to 1 and -1 to 1."""

    instrument: str
    start_s: float
    seconds: float
    pitch: int = 0
    velocity: float = 0.7
    pan: float = 0.0


@dataclass(slots=True, kw_only=True)
class Composer:
    """Writes one piece; what it has written stands in `notes`."""

    form: Form
    mood: Mood
    rng: np.random.Generator
    root: int = 0
    notes: list[Note] = field(default_factory=list[Note])
    _voicing: tuple[int, ...] | None = None

    def write(self) -> list[Note]:
        """Write all bars and the last chord."""
        self.root = int(self.rng.choice(_ROOTS))
        chords = self._chords()
        for bar, (notes, layers) in enumerate(zip(chords, self.form.layers, strict=True)):
            self._bar(bar, notes, layers)
        self._melody(chords)
        self._ending()
        return self.notes

    def _chords(self) -> list[tuple[int, ...]]:
        verse = self.mood.verse[int(self.rng.integers(len(self.mood.verse)))]
        bridge = self.mood.bridge[int(self.rng.integers(len(self.mood.bridge)))]
        degrees = [
            (bridge if layers.bridge else verse)[bar % _PHRASE]
            for bar, layers in enumerate(self.form.layers)
        ]
        cadence = self.mood.cadence[-len(degrees) :] if degrees else ()
        if cadence:
            degrees[-len(cadence) :] = cadence
        return [self._chord(degree) for degree in degrees]

    def _chord(self, degree: int) -> tuple[int, ...]:
        return harmony.chord(self.root, self.mood.scale, degree, seventh=self.mood.sevenths)

    def _bar(self, bar: int, chord: tuple[int, ...], layers: Layers) -> None:
        self._voicing = harmony.voice(chord, self._voicing)
        first = bar * self.form.beats
        self._pad(self._voicing, first, first + self.form.beats, layers.level)
        if layers.arpeggio:
            self._arpeggio(self._voicing, first, layers.level)
        if layers.bass:
            self._bass(chord[0], first, layers.level)
        if layers.drums:
            self._drum_bar(bar, layers.level)

    def _pad(self, voicing: tuple[int, ...], first: float, last: float, level: float) -> None:
        for index, pitch in enumerate(voicing):
            spread = (index / max(len(voicing) - 1, 1) - 0.5) * 1.2
            self._add("pad", first, last - first, pitch, 0.6 * level, pan=spread)

    def _arpeggio(self, voicing: tuple[int, ...], first: float, level: float) -> None:
        if self.mood.arpeggio not in _ARPEGGIOS:
            return
        step, pattern = _ARPEGGIOS[self.mood.arpeggio]
        offset = 0.5 if self.mood.arpeggio == "offbeat" else 0.0
        instrument = {"ostinato": "spiccato", "offbeat": "pluck"}.get(self.mood.arpeggio, "pluck")
        pitches = [*voicing, voicing[0] + harmony.OCTAVE]
        for index in range(round(self.form.beats / step)):
            beat = first + index * step + offset
            if self.rng.random() < 0.06:  # noqa: PLR2004 - a player leaves a note out now and then
                continue
            accent = 0.16 if index % 2 == 0 else 0.0
            pitch = pitches[pattern[index % len(pattern)] % len(pitches)]
            pan = 0.45 * (-1) ** index
            self._add(instrument, beat, step * 1.6, pitch, level * (0.40 + accent), pan=pan)

    def _bass(self, chord_root: int, first: float, level: float) -> None:
        pitch = 36 + (chord_root - 36) % harmony.OCTAVE
        beats = self.form.beats
        match self.mood.bass:
            case "pulse":
                hits = [(index * 0.5, 0.45, pitch) for index in range(beats * 2)]
            case "bounce":
                half = beats / 2
                hits = [(0.0, 0.8, pitch), (half, 0.7, pitch + 7), (beats - 0.5, 0.4, pitch)]
            case _:
                hits = [(0.0, beats - 0.2, pitch)]
        for at, length, note in hits:
            self._add("bass", first + at, length, note, level * 0.8)

    def _drum_bar(self, bar: int, level: float) -> None:
        pattern = _DRUMS.get(self.mood.drums, {})
        for drum, beats in pattern.items():
            for beat in beats:
                if beat >= self.form.beats or self.rng.random() < 0.04:  # noqa: PLR2004
                    continue
                soft = 0.55 if drum == "shaker" and beat % 1 else 0.8
                pan = {"shaker": 0.5, "snap": -0.35, "tom": (-1) ** int(beat) * 0.4}.get(drum, 0.0)
                self._add(drum, bar * self.form.beats + beat, 0.3, 0, level * soft, pan=pan)
        if bar % _PHRASE == _PHRASE - 1 and "brush" in pattern:
            for beat in (self.form.beats - 0.5, self.form.beats - 0.25):
                self._add("brush", bar * self.form.beats + beat, 0.2, 0, level * 0.4)

    def _melody(self, chords: list[tuple[int, ...]]) -> None:
        rhythms = _RHYTHMS[self.form.beats]
        dense = int(self.mood.density * len(rhythms) + self.rng.uniform(-0.8, 0.8))
        motif = rhythms[min(max(dense, 0), len(rhythms) - 1)]
        answer = rhythms[int(self.rng.integers(len(rhythms)))]
        steps = [int(self.rng.choice(_STEPS)) for _ in range(24)]
        pitch = 72 + int(self.rng.integers(-2, 5))
        for bar in range(0, len(chords), 2):
            if not self.form.layers[bar].melody:
                continue
            rhythm = answer if bar % _PHRASE else motif
            if self.rng.random() < 0.12:  # noqa: PLR2004 - silence belongs to a tune
                continue
            pitch = self._motif(bar, rhythm, steps, pitch, chords)

    def _motif(
        self,
        bar: int,
        rhythm: tuple[float, ...],
        steps: list[int],
        pitch: int,
        chords: list[tuple[int, ...]],
    ) -> int:
        span = 2.0 * self.form.beats
        ends = [*rhythm[1:], span]
        for index, (beat, end) in enumerate(zip(rhythm, ends, strict=True)):
            place = bar + int(beat // self.form.beats)
            if place >= len(chords) or not self.form.layers[place].melody:
                break
            step = steps[(index + bar % _PHRASE) % len(steps)]
            strong = beat % 1 == 0 or index == len(rhythm) - 1
            pitch = self._next(pitch, step, chords[place] if strong else None)
            velocity = 0.62 + 0.12 * (beat % self.form.beats == 0)
            length = min(end - beat, 2.5) * 0.95
            level = self.form.layers[place].level
            self._add(
                self.mood.lead,
                bar * self.form.beats + beat,
                length,
                pitch,
                velocity * level,
                pan=0.1,
            )
        return pitch

    def _next(self, pitch: int, step: int, chord: tuple[int, ...] | None) -> int:
        """Move along the scale, to a note of the chord where the beat is strong."""
        if pitch > _MELODY_HIGH - 4 or pitch < _MELODY_LOW + 3:
            step = -abs(step) if pitch > _MELODY_HIGH - 4 else abs(step)
        scale = tuple(self.root + interval for interval in harmony.SCALES[self.mood.scale])
        ladder = harmony.in_register(scale if chord is None else chord, _MELODY_LOW, _MELODY_HIGH)
        return harmony.nearest(ladder, pitch + step * 2)

    def _ending(self) -> None:
        """Play the home chord, rolled, and let it ring."""
        home = self._chord(1)
        voicing = harmony.voice(home[:3], self._voicing)
        end, ring = self.form.end_beat, self.form.ring_s
        beats = ring / self.form.beat_s
        self._pad(voicing, end, end + beats * 0.55, 0.75)
        self._add("bass", end, beats * 0.6, 36 + (self.root - 36) % harmony.OCTAVE, 0.6)
        lead = "pluck" if self.mood.lead == "strings" else self.mood.lead
        rolled = [*voicing, self.root + 2 * harmony.OCTAVE]
        for index, pitch in enumerate(rolled):
            spread = 0.3 * (index - 1)
            self._add(lead, end + index * 0.14, beats * 0.5, pitch, 0.5, pan=spread)

    def _add(
        self,
        instrument: str,
        beat: float,
        beats: float,
        pitch: int,
        velocity: float,
        *,
        pan: float = 0.0,
    ) -> None:
        late = 0.0 if instrument in {"pad", "bass"} else abs(float(self.rng.normal(0, 0.006)))
        start = self.form.seconds(beat)
        touch = velocity * (1 + float(self.rng.normal(0, 0.05)))
        self.notes.append(
            Note(
                instrument=instrument,
                start_s=start + late,
                seconds=max(self.form.seconds(beat + beats) - start, 0.05),
                pitch=pitch,
                velocity=min(max(touch, 0.05), 1.0),
                pan=pan,
            )
        )
