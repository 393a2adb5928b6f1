"""What enters becomes text and JSON that every store keeps unchanged."""

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.sanitize import clean_json, clean_text

ANY_CHARACTER = st.characters(exclude_categories=())


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        ("a\x00b", "ab"),
        ("\x00", ""),
        ("שלום\u200f", "שלום\u200f"),
        ("👩‍👩‍👧", "👩‍👩‍👧"),
        ("line\r\n\ttab", "line\r\n\ttab"),
    ],
)
def test_only_what_a_store_refuses_is_taken_out(dirty: str, clean: str) -> None:
    assert clean_text(dirty) == clean


@given(st.characters(categories=("Cs",)))
def test_a_lone_surrogate_leaves_only_a_mark_that_it_was_there(lone: str) -> None:
    cleaned = clean_text(f"a{lone}b")
    assert (cleaned[0], cleaned[-1]) == ("a", "b")
    assert set(cleaned[1:-1]) == {"\ufffd"}


@given(st.text(ANY_CHARACTER))
def test_cleaned_text_is_stored_and_cleaned_again_unchanged(text: str) -> None:
    cleaned = clean_text(text)
    assert "\x00" not in cleaned
    assert cleaned.encode("utf-8").decode("utf-8") == cleaned
    assert clean_text(cleaned) == cleaned


@pytest.mark.parametrize(
    ("dirty", "clean"),
    [
        (math.nan, None),
        (math.inf, None),
        (-math.inf, None),
        (2**63 - 1, 2**63 - 1),
        (2**63, str(2**63)),
        (-(2**70), str(-(2**70))),
        (True, True),
        ((1, 2), [1, 2]),
        ({1: "a\x00"}, {"1": "a"}),
        ({"a\x00": {"b": [math.nan, "\x00"]}}, {"a": {"b": [None, ""]}}),
        ({3}, "{3}"),
        (b"x", "b'x'"),
    ],
)
def test_json_keeps_its_shape_without_what_breaks_a_store(dirty: Any, clean: Any) -> None:
    assert clean_json(dirty) == clean


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(ANY_CHARACTER, max_size=6),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(ANY_CHARACTER, max_size=4), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(anything)
def test_cleaned_json_is_strict_json_and_stays_as_it_is(value: Any) -> None:
    cleaned = clean_json(value)
    text = json.dumps(cleaned, allow_nan=False, ensure_ascii=False)
    assert json.loads(text.encode("utf-8").decode("utf-8")) == cleaned
    assert clean_json(cleaned) == cleaned
