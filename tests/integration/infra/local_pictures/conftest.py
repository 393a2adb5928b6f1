"""Requests for real pictures and clips, and how their pixels are measured."""

from collections.abc import Callable
from pathlib import Path

import pytest

from infra.providers.local.request import LocalRequest

MakeRequest = Callable[..., LocalRequest]


@pytest.fixture
def make_request() -> MakeRequest:
    """Return a maker of small requests; every input may be changed."""

    def make(
        prompt: str,
        *,
        seed: int = 1,
        operation: str = "image",
        files: dict[str, Path] | None = None,
        **changes: object,
    ) -> LocalRequest:
        inputs: dict[str, object] = {
            "prompt": prompt,
            "style": "",
            "mood": "",
            "palette": [],
            "title": "",
            "subtitle": "",
            "language": "en",
            "width": 640,
            "height": 360,
        }
        return LocalRequest(
            operation=operation, seed=seed, inputs=inputs | changes, files=files or {}
        )

    return make
