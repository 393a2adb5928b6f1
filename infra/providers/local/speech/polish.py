"""Make the raw voice of espeak-ng pleasant: tone, level, a small room, silence around it.

Promises that the words keep their distances: the sound is moved by exactly `LEAD_S`, nothing else
changes in time. The tone curve takes away the buzz above 5 kHz and the hardness at 3 kHz and gives
some warmth below 250 Hz; speech stays intelligible, since the band of consonants is kept.
"""

import numpy as np

from infra.providers.local.sound import finish
from infra.providers.local.sound.finish import RATE, Samples

LEAD_S = 0.08
TAIL_S = 0.32
_TONE = {
    20.0: -40.0,
    60.0: -14.0,
    95.0: 0.0,
    160.0: 2.5,
    300.0: 1.5,
    700.0: 0.0,
    1800.0: 0.0,
    3000.0: -2.0,
    4200.0: -1.0,
    5500.0: -3.0,
    8000.0: -6.0,
    10500.0: -14.0,
    11500.0: -60.0,
}
_ROOM_S = 0.26
_ROOM_LEVEL = 0.10
_ROOM_SEED = 7


def duration_s(speech_s: float) -> float:
    """Return how long the finished sound of so much speech is."""
    return LEAD_S + speech_s + TAIL_S


def polish(samples: Samples, rate: int) -> Samples:
    """Return the finished voice: mono at 48 kHz, not yet at its loudness."""
    lead = np.zeros(round(LEAD_S * RATE))
    tail = np.zeros(round(TAIL_S * RATE))
    voice = np.concatenate([lead, finish.resample(samples, rate), tail])
    voice = finish.equalise(voice, _TONE)
    voice /= max(float(np.abs(voice).max()), 1e-9)
    voice = finish.compress(voice, threshold_db=-22.0, ratio=2.2)
    room = finish.equalise(finish.convolve(voice, _room()), {20.0: -30, 200.0: 0, 4000.0: -4})
    level = _ROOM_LEVEL * float(np.sqrt(np.mean(voice**2) / max(np.mean(room**2), 1e-12)))
    return finish.fade(voice + level * room, fade_in_s=0.02, fade_out_s=0.12)


def _room() -> Samples:
    """Return the sound of a small furnished room: a few reflections, then a short decay."""
    generator = np.random.default_rng(_ROOM_SEED)
    count = round(_ROOM_S * RATE)
    times = np.arange(count) / RATE
    decay = generator.standard_normal(count) * np.exp(-times * 24)
    decay[: round(0.009 * RATE)] = 0.0
    for at_s, gain in ((0.0071, 9.0), (0.0113, -7.0), (0.0167, 6.0), (0.0229, -4.0)):
        decay[round(at_s * RATE)] += gain
    return decay
