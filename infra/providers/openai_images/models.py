"""OpenAI's models that we use for pictures, with their prices.

From its own Python client 3.57.0 (responses/tool_param `ImageGeneration`), read 2026-11-30: a size
has sides divisible by 16 and a shape between 1:3 and 3:1; the limits of its pixels are those that
fal.ai/models/openai/gpt-image-2/llms.txt names. A million tokens of gpt-image-2.6-sunburst cost $5
as text, $8 as a picture that goes in and $30 as one that comes out (the vendor's own page,
developers.openai.com/api/docs/models/gpt-image-2.6-sunburst); gpt-5.6-luna, which passes the text
on, costs $0.20 and $1.20 as litellm 1.110.2 repeats the vendor's list. That luna may call the tool
is what others report (Fabric 1.4.534; unverified), and so is how many tokens a picture comes to:
fal's prices of the family are those of 1300 to 1900 tokens at medium quality and up to 4
megapixels.
"""

import math
from collections.abc import Callable
from typing import Any

from infra.providers.http.models import Model, Rate
from infra.providers.http.prompts import described
from infra.providers.ports import OperationLimits

PICTURE, TEXT = "gpt-image-2.6-sunburst", "gpt-5.6-luna"
MILLION = 1_000_000
PICTURE_OUT = Rate(unit="million picture tokens out", unit_micros=30_000_000)
PICTURE_IN = Rate(unit="million picture tokens in", unit_micros=8_000_000)
PROMPT_IN = Rate(unit="million prompt tokens in", unit_micros=5_000_000)
TEXT_IN = Rate(unit="million text tokens in", unit_micros=200_000)
TEXT_OUT = Rate(unit="million text tokens out", unit_micros=1_200_000)
_STEP = 16
_WIDEST = 3
_LEAST_PIXELS, _MOST_PIXELS = 655_360, 8_294_400
_TOKENS = 2000
_TOKENS_A_MEGAPIXEL = 500
_BESIDES = 600
"""What text goes in and out besides, in the price of picture tokens: twice what is usual."""
_INSTRUCTIONS = (
    "Call the image_generation tool exactly once, with the user's text as its prompt, unchanged. "
    "Write nothing yourself."
)


def _picture(payload: dict[str, Any]) -> dict[str, Any]:
    tool = {
        "type": "image_generation",
        "model": PICTURE,
        "size": size(payload),
        "quality": "medium",
        "output_format": "png",
    }
    return {
        "model": TEXT,
        "instructions": _INSTRUCTIONS,
        "input": described(payload),
        "tools": [tool],
        "tool_choice": {"type": "image_generation"},
        "max_tool_calls": 1,
        "background": True,
        "store": True,
    }


def size(payload: dict[str, Any]) -> str:
    """Return the nearest size that may be asked for."""
    width, height = _sides(payload)
    return f"{width}x{height}"


def _sides(payload: dict[str, Any]) -> tuple[int, int]:
    width, height = float(payload.get("width", 1280)), float(payload.get("height", 720))
    width, height = max(width, height / _WIDEST), max(height, width / _WIDEST)
    pixels = width * height
    scale = math.sqrt(min(max(_LEAST_PIXELS / pixels, 1.0), _MOST_PIXELS / pixels))
    sides = _stepped(width * scale, height * scale, math.floor)
    if sides[0] * sides[1] < _LEAST_PIXELS:
        sides = _stepped(width * scale, height * scale, math.ceil)
    return sides


def _stepped(width: float, height: float, rounded: Callable[[float], int]) -> tuple[int, int]:
    """Return sides in whole steps, none longer than three times the other."""
    wide, high = rounded(width / _STEP) * _STEP, rounded(height / _STEP) * _STEP
    return min(wide, _WIDEST * high), min(high, _WIDEST * wide)


def _most(payload: dict[str, Any]) -> float:
    width, height = _sides(payload)
    tokens = _TOKENS + _TOKENS_A_MEGAPIXEL * math.ceil(width * height / MILLION) + _BESIDES
    return tokens / MILLION


MODELS = (
    Model(
        operation="image",
        address=PICTURE,
        inputs=_picture,
        unit=PICTURE_OUT.unit,
        unit_micros=PICTURE_OUT.unit_micros,
        most_units=_most,
        role="image",
        media_type="image/png",
        source="https://developers.openai.com/api/docs/models/gpt-image-2.6-sunburst",
        as_of="2026-11-30",
        seed_field=None,
        rates=(PICTURE_IN, PROMPT_IN, TEXT_IN, TEXT_OUT),
        shown_as="picture",
        limits=OperationLimits(typical_s=45.0),
    ),
)
