"""The calls in a model's answer: names and arguments as data that is safe to keep.

Arguments are read strictly. A client's own reading mends what is incomplete, and half a call would
then look like a whole one.
"""

import json
import re
from dataclasses import dataclass
from typing import Any, cast

from langchain_core.messages import AIMessageChunk, ToolCallChunk

from infra.sanitize import clean_json, clean_text

MAX_ARGUMENT_CHARACTERS = 250_000
"""Of one call, as JSON; room for the longest document, escaped."""
MAX_DEPTH = 40
"""No tool takes more than a few; what walks them has a limit of its own that nobody counts on."""
_MAX_NAME = 64
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_-]")
_NO_JSON = "The arguments are not valid JSON."
_CUT_OFF = "Your answer was cut off before this call was complete; propose it again, shorter."
_TOO_DEEP = f"The arguments are nested deeper than {MAX_DEPTH} levels."
_TOO_LONG = f"The arguments are longer than {MAX_ARGUMENT_CHARACTERS} characters."


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCall:
    """A call as the model wrote it; `error` says why its arguments could not be read."""

    name: str
    arguments: dict[str, Any]
    error: str | None = None


def calls_of(answer: AIMessageChunk, *, is_cut_short: bool) -> tuple[ProposedCall, ...]:
    """Return the calls in the order in which they were written."""
    chunks = answer.tool_call_chunks
    last = len(chunks) - 1
    return tuple(
        _call(chunk, may_lack_a_part=is_cut_short and number == last)
        for number, chunk in enumerate(chunks)
    )


def _call(chunk: ToolCallChunk, *, may_lack_a_part: bool) -> ProposedCall:
    name = _name(chunk["name"] or "")
    arguments, error = _arguments(chunk["args"] or "")
    if may_lack_a_part and (error is not None or not arguments):
        error = _CUT_OFF
    return ProposedCall(name=name, arguments={} if error else arguments, error=error)


def _name(written: str) -> str:
    """Return a name that every service takes back in the history of a conversation."""
    return _NOT_IN_NAMES.sub("_", clean_text(written).strip()[:_MAX_NAME]) or "unknown"


def _arguments(written: str) -> tuple[dict[str, Any], str | None]:
    if len(written) > MAX_ARGUMENT_CHARACTERS:
        return {}, _TOO_LONG
    if not written.strip():
        return {}, None
    try:
        read = json.loads(written, strict=False)
    except (ValueError, RecursionError):
        return {}, _NO_JSON
    if not isinstance(read, dict):
        return {}, _NO_JSON
    if _is_deep(read, MAX_DEPTH):
        return {}, _TOO_DEEP
    return clean_json(cast("dict[str, Any]", read)), None


def _is_deep(value: Any, left: int) -> bool:
    match value:
        case dict():
            inner = cast("dict[str, Any]", value).values()
        case list():
            inner = cast("list[Any]", value)
        case _:
            return False
    return left == 0 or any(_is_deep(each, left - 1) for each in inner)
