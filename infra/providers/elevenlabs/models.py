"""ElevenLabs' models that we use, with their prices.

From its own Python client 2.78.0 (text_to_speech, types/voice_settings) and its help pages on
models and characters, read 2026-11-30: Multilingual v2 takes 10,000 characters at once and costs a
credit for each. $0.08 a thousand characters is what litellm 1.110.2 repeats of
elevenlabs.io/pricing/api; a guide of June 2026 still says $0.10, and a plan's own credits may cost
less: check it before you pay.
"""

from typing import Any

from infra.providers.http.models import Model
from infra.providers.ports import OperationLimits

_TAGS = "ar bg cs da de el en es fi fil fr hi hr id it ja ko ms nl pl pt ro ru sk sv ta tr uk zh"
LANGUAGES = frozenset(_TAGS.split())
"""Those of Multilingual v2."""
LONGEST_TEXT = 10_000
_SAMPLE_CHARACTERS = 1000
_CALM = 14.0
_CALM_UNSPACED = 4.5
"""Characters a second of a calm voice; our own estimates."""
_UNSPACED = ("zh", "ja", "ko")
_FASTEST = 1.2
"""The fastest that the vendor lets a voice speak (unverified)."""


def _speech(payload: dict[str, Any]) -> dict[str, Any]:
    sent: dict[str, Any] = {"text": payload["text"], "model_id": "eleven_multilingual_v2"}
    return {**sent, "voice_settings": {"similarity_boost": 0.75, "speed": _speed(payload)}}


def _speed(payload: dict[str, Any]) -> float:
    """Return how fast a text must be said to fit, as far as that can be known before."""
    room = payload.get("max_duration_s")
    if room is None:
        return 1.0
    is_unspaced = str(payload["language"]).startswith(_UNSPACED)
    expected = len(payload["text"]) / (_CALM_UNSPACED if is_unspaced else _CALM)
    return round(min(max(expected / float(room), 1.0), _FASTEST), 2)


def characters(payload: dict[str, Any]) -> float:
    """Return how many characters are charged; a list of prices is for a thousand."""
    text = payload.get("text")
    return len(text) if isinstance(text, str) else _SAMPLE_CHARACTERS


MODELS = (
    Model(
        operation="narration",
        address="eleven_multilingual_v2",
        inputs=_speech,
        unit="character",
        unit_micros=80,
        most_units=characters,
        role="narration",
        media_type="audio/mpeg",
        source="https://elevenlabs.io/pricing/api as litellm 1.110.2 repeats it (unverified)",
        as_of="2026-11-30",
        shown_as="1000 characters",
        limits=OperationLimits(characters=LONGEST_TEXT, typical_s=10.0),
    ),
)
