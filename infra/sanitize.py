"""The one sanitizer: what enters becomes text and JSON that every store keeps unchanged.

Postgres refuses NUL and lone surrogates, `jsonb` refuses NaN and infinities, and LangGraph's
msgpack refuses integers over 64 bits (all three were met as stored corruption or failed writes).
Person's text, tool arguments, model output, webhooks and web pages pass through here once, at the
boundary.
"""

import math
from typing import Any, cast

_MAX_INT = 2**63 - 1


def clean_text(text: str) -> str:
    """Return the text without NUL and with lone surrogates replaced by U+FFFD.

    Everything else, right-to-left marks included, is kept.
    """
    if "\x00" in text:
        text = text.replace("\x00", "")
    return text.encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def clean_json(value: Any) -> Any:
    """Return a JSON value that any store keeps: clean strings, finite floats, 64-bit integers.

    Not-a-number and infinities become None, larger integers become strings, unknown types become
    their text; keys become clean strings.
    """
    if isinstance(value, dict):
        pairs = cast("dict[Any, Any]", value).items()
        return {clean_text(str(key)): clean_json(item) for key, item in pairs}
    if isinstance(value, list | tuple):
        return [clean_json(item) for item in cast("list[Any]", value)]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if value is None or isinstance(value, bool | float):
        return value
    if isinstance(value, int) and abs(value) <= _MAX_INT:
        return value
    return clean_text(str(value))
