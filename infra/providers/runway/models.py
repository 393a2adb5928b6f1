"""Runway's models that we use, with their prices.

From its own Python client 5.24.0 (image_to_video_create_params, text_to_video_create_params), read
2026-11-30: gen4.5 makes 2 to 10 whole seconds from a text of at most 1000 UTF-16 units, with a
first picture or without. 12 credits a second at $0.01 is what litellm 1.110.2 repeats of
docs.dev.runwayml.com/guides/pricing; that page itself was not seen.
"""

import math
from typing import Any

from infra.providers.http.models import Model
from infra.providers.http.prompts import described
from infra.providers.ports import OperationLimits

CREDIT_MICROS = 10_000
CREDITS_A_SECOND = 12
SHORTEST_S, LONGEST_S = 2, 10
WITH_PICTURE = ("1280:720", "720:1280", "1104:832", "960:960", "832:1104", "1584:672")
WITHOUT_PICTURE = ("1280:720", "720:1280")
_MOST_UNITS = 1000
_MOST_FILE_BYTES = 3_700_000
"""A data URL may have 5 MB, and is a third larger than its picture."""
_MOVES = {
    "push_in": "slow push in",
    "pull_out": "slow pull out",
    "pan_left": "pan to the left",
    "pan_right": "pan to the right",
    "tilt_up": "tilt upwards",
    "tilt_down": "tilt downwards",
    "drift": "gentle drift",
    "orbit": "slow orbit around the subject",
}


def _clip(payload: dict[str, Any]) -> dict[str, Any]:
    return {
        "model": "gen4.5",
        "promptText": _shortened(f"{described(payload)}{_move(payload)}"),
        "duration": int(seconds(payload)),
    }


def _move(payload: dict[str, Any]) -> str:
    move = _MOVES.get(str(payload.get("camera")))
    return f" Camera: {move}." if move else ""


def _shortened(text: str) -> str:
    """Return as much of a text as may be sent: what matters most stands first."""
    units = text.encode("utf-16-le")
    return units[: _MOST_UNITS * 2].decode("utf-16-le", "ignore")


def seconds(payload: dict[str, Any]) -> float:
    """Return how many seconds are made and charged for a clip."""
    return max(math.ceil(payload.get("duration_s", SHORTEST_S)), SHORTEST_S)


def ratio(payload: dict[str, Any], ratios: tuple[str, ...]) -> str:
    """Return the frame that is nearest in shape to the wanted one."""
    wanted = payload["width"] / payload["height"]
    return min(ratios, key=lambda each: abs(math.log(_shape(each) / wanted)))


def _shape(frame: str) -> float:
    width, _, height = frame.partition(":")
    return int(width) / int(height)


MODELS = (
    Model(
        operation="clip",
        address="gen4.5",
        inputs=_clip,
        unit="second",
        unit_micros=CREDITS_A_SECOND * CREDIT_MICROS,
        most_units=seconds,
        role="clip",
        media_type="video/mp4",
        source="https://docs.dev.runwayml.com/guides/pricing/ as litellm 1.110.2 repeats it "
        "(unverified)",
        as_of="2026-11-30",
        file_fields={"image": "promptImage"},
        most_file_bytes=_MOST_FILE_BYTES,
        shown_as=f"{SHORTEST_S} seconds",
        limits=OperationLimits(
            seconds=(0.5, LONGEST_S), frames=WITH_PICTURE, typical_s=60.0, typical_per_second=6.0
        ),
    ),
)
