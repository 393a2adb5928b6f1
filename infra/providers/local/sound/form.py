"""The form of a piece: how many bars, when each beat is, what plays in which bar.

Owns time. Promises that the last chord begins so that it can ring out before the end, and that the
tempo is as near to the mood's as whole bars allow; the last bar slows down.
"""

from dataclasses import dataclass

from infra.providers.local.sound.moods import Mood

_PHRASE = 4
_SLOWING = 0.18
"""How much longer the last bar is."""
_LONGEST_RING_S = 5.0
_RING_SHARE = 0.22
_SHORT = 16
"""A piece of fewer bars begins with half a phrase."""
_BREATH = 4
"""Every so many phrases, one has neither drums nor melody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layers:
    """What plays in one bar; `level` is its loudness from 0 to 1."""

    pad: bool = True
    arpeggio: bool = False
    bass: bool = False
    drums: bool = False
    melody: bool = False
    bridge: bool = False
    level: float = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """Bars, their layers and the map from beats to seconds."""

    bars: int
    beats: int
    beat_s: float
    ring_s: float
    layers: tuple[Layers, ...]

    def seconds(self, beat: float) -> float:
        """Return when a beat, counted from 0, is played."""
        last = max((self.bars - 1) * self.beats, 0)
        return self.beat_s * (beat + _SLOWING * max(beat - last, 0.0))

    @property
    def end_beat(self) -> float:
        """The beat of the last chord."""
        return float(self.bars * self.beats)


def plan_form(duration_s: float, mood: Mood) -> Form:
    """Lay out whole bars so that they and the ringing of the last chord fill the duration."""
    ring_s = min(_LONGEST_RING_S, _RING_SHARE * duration_s + 0.8, duration_s)
    bar_s = mood.beats * 60 / mood.tempo
    bars = max(round((duration_s - ring_s) / bar_s), 0)
    beats = bars * mood.beats + _SLOWING * mood.beats
    beat_s = (duration_s - ring_s) / beats if bars else 60 / mood.tempo
    return Form(
        bars=bars,
        beats=mood.beats,
        beat_s=beat_s,
        ring_s=ring_s if bars else duration_s,
        layers=tuple(_layers(bar, bars) for bar in range(bars)),
    )


def _layers(bar: int, bars: int) -> Layers:
    """Begin thin, grow phrase by phrase, breathe now and then, and thin out for the end."""
    skipped = _PHRASE // 2 if bars < _SHORT else 0
    phrase, phrases = (bar + skipped) // _PHRASE, max(-(-(bars + skipped) // _PHRASE), 1)
    if bar >= bars - 1 and bars > 1:
        return Layers(bass=True, arpeggio=bars > _PHRASE, level=0.62)
    if phrases == 1:
        return Layers(arpeggio=True, bass=True, melody=bar > 0, level=0.75)
    if phrase == 0:
        return Layers(arpeggio=bar % _PHRASE > 1, bass=False, level=0.55)
    if phrase % _BREATH == _BREATH - 1 and phrase < phrases - 1:
        return Layers(arpeggio=True, bass=True, bridge=True, level=0.66)
    climax = phrase >= phrases - 2
    return Layers(
        arpeggio=True,
        bass=True,
        drums=phrase > 1 or phrases < _BREATH,
        melody=True,
        bridge=phrase % _BREATH == _BREATH // 2,
        level=0.92 if climax else 0.78,
    )
