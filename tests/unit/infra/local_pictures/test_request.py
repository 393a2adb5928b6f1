"""Wrong inputs are refused with a sentence before any work is done."""

import math

import pytest

from infra.providers.local.pictures.brief import read_brief
from infra.providers.local.request import InvalidInputError, LocalRequest

GOOD: dict[str, object] = {"prompt": "a lighthouse", "width": 640, "height": 360}


def _request(**changes: object) -> LocalRequest:
    return LocalRequest(operation="image", seed=1, inputs={**GOOD, **changes})


@pytest.mark.parametrize(
    "changes",
    [
        {"width": 255},
        {"height": 4097},
        {"width": 640.5},
        {"width": "640"},
        {"width": True},
        {"height": math.nan},
        {"height": None},
        {"palette": ["red"]},
        {"palette": [1]},
        {"palette": "#fff"},
        {"prompt": 7},
        {"title": "x" * 201},
        {"prompt": "", "title": "", "style": "", "mood": " "},
    ],
)
def test_a_wrong_picture_request_is_refused(changes: dict[str, object]) -> None:
    with pytest.raises(InvalidInputError) as refusal:
        read_brief(_request(**changes))
    assert refusal.value.code == "invalid_input"
    assert refusal.value.message.endswith(".")


def test_missing_optional_inputs_are_left_open() -> None:
    brief = read_brief(_request())
    assert (brief.title, brief.subtitle, brief.palette) == ("", "", [])
    assert brief.subjects == ["lighthouse"]


def test_a_choice_outside_the_options_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="camera"):
        _request(camera="spin").choice("camera", ("push_in", "drift"), "push_in")
