"""What a yes is bound to: any change of what would run, or of its price, is another hash."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from execution.ledger import hash_of

REQUEST: dict[str, Any] = {
    "operation": "clip",
    "provider": "local",
    "payload": {"prompt": "a harbour", "duration_s": 4.0, "palette": ["#102030"]},
    "inputs": {"image": {"object_id": "o", "version": 1, "sha256": "a"}},
    "name": "Shot 1",
    "title": "Shot 1",
}


def changed(path: tuple[str, ...], value: object) -> dict[str, Any]:
    def put(node: dict[str, Any], rest: tuple[str, ...]) -> dict[str, Any]:
        return {**node, rest[0]: put(node[rest[0]], rest[1:]) if rest[1:] else value}

    return put(REQUEST, path)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("operation",), "image"),
        (("provider",), "fal"),
        (("payload", "prompt"), "a harbour "),
        (("payload", "duration_s"), 4.1),
        (("payload", "palette"), []),
        (("inputs", "image", "version"), 2),
        (("inputs", "image", "sha256"), "b"),
        (("inputs",), {}),
        (("name",), "Shot 2"),
    ],
)
def test_another_request_is_another_hash(path: tuple[str, ...], value: object) -> None:
    assert hash_of("generate_clip", changed(path, value), 100) != hash_of(
        "generate_clip", REQUEST, 100
    )


def test_another_tool_or_price_is_another_hash() -> None:
    hashes = {
        hash_of("generate_clip", REQUEST, 100),
        hash_of("generate_image", REQUEST, 100),
        hash_of("generate_clip", REQUEST, 101),
        hash_of("generate_clip", REQUEST, 0),
        hash_of("generate_clip", REQUEST, None),
    }
    assert len(hashes) == 5


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.text(max_size=4), json_values, max_size=5), st.randoms())
def test_the_order_of_keys_means_nothing(request: dict[str, Any], random: Any) -> None:
    keys = list(request)
    random.shuffle(keys)
    assert hash_of("t", {key: request[key] for key in keys}, 1) == hash_of("t", request, 1)
