"""Music: a bed of exact length that begins, grows and really ends.

Promises stereo at 48 kHz with exactly `duration_s`, about -20 LUFS without clipping, no loop, and
another piece for every seed. The mood is read from a free text in many languages.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np

from infra.providers.local.request import LocalArtifact, LocalRequest, LocalResult
from infra.providers.local.sound import finish
from infra.providers.local.sound.compose import Composer
from infra.providers.local.sound.form import plan_form
from infra.providers.local.sound.mix import mix
from infra.providers.local.sound.moods import find_mood

LOUDNESS_LUFS = -20.0
CEILING_DB = -3.0
_LONGEST_S = 900.0
_SHORTEST_S = 0.5


def generate(request: LocalRequest, out: Path, report: Callable[[float], None]) -> LocalResult:
    """Compose and play one piece of music."""
    duration_s = request.number("duration_s", low=_SHORTEST_S, high=_LONGEST_S)
    mood = find_mood(request.text("mood", default=""))
    rng = np.random.default_rng(request.seed & (2**64 - 1))
    form = plan_form(duration_s, mood)
    composer = Composer(form=form, mood=mood, rng=rng)
    notes = composer.write()
    samples = mix(notes, mood, duration_s, rng, report)
    wav = out / "music.wav"
    loudness = finish.write_at_loudness(
        wav, samples, loudness_lufs=LOUDNESS_LUFS, ceiling_db=CEILING_DB
    )
    report(1.0)
    return LocalResult(
        artifacts=(LocalArtifact(role="music", path=wav.name, media_type="audio/wav"),),
        measured={
            "duration_s": round(len(samples) / finish.RATE, 4),
            "mood": mood.name,
            "tempo_bpm": round(60 / form.beat_s, 1),
            "bars": form.bars,
            "notes": len(notes),
            "lufs": None if loudness is None else round(loudness, 2),
        },
    )
