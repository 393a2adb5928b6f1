"""fal's models that we use, with their prices.

From the vendor's own page of the model, https://fal.ai/models/fal-ai/flux-1/dev/llms.txt, read
2026-11-30: $0.025 a megapixel, `image_size` as width and height, `seed`, `num_images`.
"""

from typing import Any

from infra.providers.http.models import Model, whole_megapixels
from infra.providers.http.prompts import described
from infra.providers.ports import OperationLimits


def _picture(payload: dict[str, Any]) -> dict[str, Any]:
    return {
        "prompt": described(payload),
        "image_size": {"width": payload["width"], "height": payload["height"]},
        "num_images": 1,
        "output_format": "png",
    }


MODELS = (
    Model(
        operation="image",
        address="fal-ai/flux-1/dev",
        inputs=_picture,
        unit="megapixel",
        unit_micros=25_000,
        most_units=whole_megapixels,
        role="image",
        media_type="image/png",
        source="https://fal.ai/models/fal-ai/flux-1/dev/llms.txt",
        as_of="2026-11-30",
        limits=OperationLimits(typical_s=15.0),
    ),
)
