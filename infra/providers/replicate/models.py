"""Replicate's models that we use, with their prices.

FLUX schnell at $0.003 a picture and its inputs are as two guides of its users repeat them, read
2026-11-30; the vendor's own page was not seen: check it before you pay.
"""

from typing import Any

from infra.providers.http.models import Model, one
from infra.providers.http.prompts import described
from infra.providers.ports import OperationLimits

_RATIOS = {
    "1:1": 1.0,
    "16:9": 16 / 9,
    "21:9": 21 / 9,
    "3:2": 3 / 2,
    "2:3": 2 / 3,
    "4:5": 4 / 5,
    "5:4": 5 / 4,
    "3:4": 3 / 4,
    "4:3": 4 / 3,
    "9:16": 9 / 16,
    "9:21": 9 / 21,
}


def _picture(payload: dict[str, Any]) -> dict[str, Any]:
    wanted = payload["width"] / payload["height"]
    nearest = min(_RATIOS, key=lambda name: abs(_RATIOS[name] / wanted - 1))
    return {
        "prompt": described(payload),
        "aspect_ratio": nearest,
        "num_outputs": 1,
        "output_format": "png",
    }


MODELS = (
    Model(
        operation="image",
        address="black-forest-labs/flux-schnell",
        inputs=_picture,
        unit="image",
        unit_micros=3_000,
        most_units=one,
        role="image",
        media_type="image/png",
        source="https://replicate.com/black-forest-labs/flux-schnell (unverified)",
        as_of="2026-11-30",
        limits=OperationLimits(frames=tuple(_RATIOS), typical_s=10.0),
    ),
)
