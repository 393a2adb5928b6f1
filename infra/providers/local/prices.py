"""What this installation charges itself for local compute: money is real from the first run.

Source: the operator's own rates (no vendor), as of 2026-11-29, in micro-units of the workspace's
currency.
"""

import math
from dataclasses import dataclass
from typing import Any, Literal

SOURCE = "this installation's own compute rates"
AS_OF = "2026-11-29"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A price per call and per second of result."""

    unit: Literal["call", "second"]
    unit_micros: int


RATES: dict[str, Rate] = {
    "image": Rate(unit="call", unit_micros=4_000),
    "clip": Rate(unit="second", unit_micros=3_000),
    "narration": Rate(unit="call", unit_micros=1_000),
    "music": Rate(unit="second", unit_micros=200),
    "captions": Rate(unit="call", unit_micros=500),
    "render": Rate(unit="second", unit_micros=2_000),
    "model3d": Rate(unit="call", unit_micros=8_000),
}


def price_micros(operation: str, payload: dict[str, Any]) -> int:
    """Return the price of one call; seconds are counted up to the next tenth."""
    rate = RATES[operation]
    if rate.unit == "call":
        return rate.unit_micros
    seconds = float(payload.get("duration_s") or payload.get("timeline", {}).get("duration_s") or 0)
    return math.ceil(round(seconds * 10, 6)) * rate.unit_micros // 10
