"""What is wrong with data that is no model of ours, in our words: one sentence for each fault."""

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import ValidationError

type Place = tuple[str | int, ...]

_SAID: Mapping[str, str] = {
    "missing": "it is missing",
    "extra_forbidden": "there is no such key",
    "invalid_key": "its keys must be words",
    "string_type": "it must be a text",
    "string_too_short": "it must not be empty",
    "string_pattern_mismatch": "'{input}' is no name of small letters and digits",
    "int_type": "it must be a whole number",
    "int_parsing": "'{input}' is no whole number",
    "int_from_float": "'{input}' is no whole number",
    "float_type": "it must be a number",
    "float_parsing": "'{input}' is no number",
    "finite_number": "'{input}' is no finite number",
    "greater_than_equal": "{input} is less than {ge}",
    "greater_than": "{input} is not more than {gt}",
    "less_than_equal": "{input} is more than {le}",
    "literal_error": "'{input}' is none of {expected}",
    "enum": "'{input}' is none of {expected}",
    "list_type": "it must be a list",
    "too_short": "it must not be empty",
    "dict_type": "it must be a mapping",
    "model_type": "it must be a mapping",
    "model_attributes_type": "it must be a mapping",
    "union_tag_invalid": "there is no '{tag}'",
    "union_tag_not_found": "it does not say what it is",
    "json_invalid": "it is no JSON",
    "value_error": "{error}",
}


def refusals(error: ValidationError) -> Iterator[tuple[Place, str]]:
    """Return each fault: where it is, and what it is."""
    for problem in error.errors(include_url=False):
        words: dict[str, Any] = {"input": problem["input"], **problem.get("ctx", {})}
        said = _SAID.get(problem["type"], "'{input}' is nothing that can stand here")
        yield problem["loc"], said.format_map(words)


def dotted(place: Place) -> str:
    """Return a place as it is written: `user.script.1.do`."""
    return ".".join(str(part) for part in place)
