"""Narration: a text spoken with espeak-ng, made pleasant, with the time of every word.

Promises that the speech is about -20 LUFS, begins and ends in silence, is not longer than
`max_duration_s` (it is said up to 1.35 times faster for that, then refused), and that the timings
hold all of the text. The words are the written ones, whatever was said for them.
"""

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from infra.providers.local.request import (
    InvalidInputError,
    LocalArtifact,
    LocalError,
    LocalRequest,
    LocalResult,
)
from infra.providers.local.sound import finish
from infra.providers.local.speech import polish
from infra.providers.local.speech.espeak import Manner, Utterance, speak
from infra.providers.local.speech.timing import WordTime, word_times
from infra.providers.local.speech.voices import Voice, find_voice
from infra.providers.local.speech.words import SpokenWord, split_words, write_script

FASTEST = 1.35
"""How much faster than its calm pace a text may be said before it is too long."""
LOUDNESS_LUFS = -20.0
CEILING_DB = -2.0
_LONGEST_TEXT = 20_000
_LONGEST_S = 3600.0
_SHORTEST_S = 0.3
_TRIES = 5


class TextTooLongError(LocalError):
    """The text cannot be said in the given time."""

    code = "text_too_long"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spoken:
    utterance: Utterance
    times: tuple[WordTime, ...]
    pace: float

    @property
    def duration_s(self) -> float:
        return polish.duration_s(len(self.utterance.samples) / self.utterance.rate)


def generate(request: LocalRequest, out: Path, report: Callable[[float], None]) -> LocalResult:
    """Speak the text; write the sound and the word times.

    Raises:
        UnsupportedLanguageError: No voice speaks the language.
        TextTooLongError: Even at the fastest pace it takes longer than `max_duration_s`.
        InvalidInputError: There is nothing in the text that can be said.
    """
    text = request.text("text")
    if len(text) > _LONGEST_TEXT:
        msg = f"The text has {len(text)} characters; at most {_LONGEST_TEXT} can be spoken at once."
        raise InvalidInputError(msg)
    voice = find_voice(request.text("language"))
    longest = _longest(request)
    words = split_words(text, voice.base)
    if not words:
        msg = "There is nothing in the text that can be said."
        raise InvalidInputError(msg)
    spoken = _within(words, voice, longest)
    report(0.3)
    sound = polish.polish(spoken.utterance.samples, spoken.utterance.rate)
    report(0.6)
    wav = out / "narration.wav"
    loudness = finish.write_at_loudness(
        wav, sound, loudness_lufs=LOUDNESS_LUFS, ceiling_db=CEILING_DB
    )
    duration_s = len(sound) / finish.RATE
    timings = {
        "duration_s": round(duration_s, 4),
        "words": [_shifted(word, duration_s) for word in spoken.times],
    }
    (out / "timings.json").write_text(
        json.dumps(timings, ensure_ascii=False, indent=1), encoding="utf-8"
    )
    report(1.0)
    return LocalResult(
        artifacts=(
            LocalArtifact(role="narration", path=wav.name, media_type="audio/wav"),
            LocalArtifact(
                role="timings",
                path="timings.json",
                media_type="application/json",
                name_suffix="timings",
            ),
        ),
        measured=_measured(spoken, duration_s, loudness, voice),
    )


def _longest(request: LocalRequest) -> float | None:
    if request.inputs.get("max_duration_s") is None:
        return None
    return request.number("max_duration_s", low=_SHORTEST_S, high=_LONGEST_S)


def _within(words: list[SpokenWord], voice: Voice, longest: float | None) -> _Spoken:
    """Say the words at the calmest pace that fits."""
    spoken = _speak(words, voice, pace=1.0)
    if longest is None:
        return spoken
    for _ in range(_TRIES):
        if spoken.duration_s <= longest:
            return spoken
        if spoken.pace >= FASTEST:
            break
        # Pauses do not shrink with the rate, so a little more than the ratio is asked for.
        wanted = spoken.pace * (spoken.duration_s / longest) * 1.01
        spoken = _speak(words, voice, pace=min(wanted, FASTEST))
    if spoken.duration_s <= longest:
        return spoken
    if spoken.pace < FASTEST:
        spoken = _speak(words, voice, pace=FASTEST)
        if spoken.duration_s <= longest:
            return spoken
    raise TextTooLongError(_refusal(spoken, longest))


def _refusal(spoken: _Spoken, longest: float) -> str:
    fitting = sum(polish.duration_s(word.end_s) <= longest for word in spoken.times)
    return (
        f"Said {FASTEST:g} times faster, the text still takes {spoken.duration_s:.1f} s; "
        f"{longest:g} s are allowed. About {fitting} of its {len(spoken.times)} words fit."
    )


def _speak(words: list[SpokenWord], voice: Voice, *, pace: float) -> _Spoken:
    script = write_script(words)
    manner = Manner(rate_wpm=round(voice.rate_wpm * pace))
    utterance = speak(script.text, voice.name, manner)
    times = word_times(words, script, utterance)
    return _Spoken(utterance=_trimmed(utterance), times=times, pace=pace)


def _trimmed(utterance: Utterance) -> Utterance:
    """Drop the silence after the last sound; the one before the first is none."""
    heard = np.flatnonzero(np.abs(utterance.samples) > 0.001)  # noqa: PLR2004 - -60 dB
    end = int(heard[-1]) + 1 if len(heard) else len(utterance.samples)
    return replace(utterance, samples=utterance.samples[:end])


def _shifted(word: WordTime, duration_s: float) -> dict[str, Any]:
    times = {
        key: round(min(value + polish.LEAD_S, duration_s), 3)
        for key, value in (("start_s", word.start_s), ("end_s", word.end_s))
    }
    return {**asdict(word), **times}


def _measured(
    spoken: _Spoken, duration_s: float, loudness: float | None, voice: Voice
) -> dict[str, Any]:
    said_s = max(duration_s - polish.LEAD_S - polish.TAIL_S, _SHORTEST_S)
    return {
        "duration_s": round(duration_s, 4),
        "words": len(spoken.times),
        "pace_wpm": round(60 * len(spoken.times) / said_s, 1),
        "sped_up": round(spoken.pace, 3),
        "lufs": None if loudness is None else round(loudness, 2),
        "voice": voice.name,
        "language": voice.language,
    }
