"""What a local generator is asked, what it answers and how it refuses.

Owns the shapes of one generator run. Every generator reads its inputs through the typed readers of
`LocalRequest`, so a wrong input is refused with a sentence before any work is done.
"""

import json
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast


class LocalError(Exception):
    """A local generator could not do what it was asked.

    LocalError
    ├── InvalidInputError     the request is wrong: the same request fails the same way
    ├── MissingGlyphsError    no font here can draw the text
    ├── ToolFailedError       a tool that the generator runs gave up
    ├── LimitReachedError     it needs more time or memory than it may have
    └── DiskFullError         there was no room for the result
    """

    code = "local_error"

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidInputError(LocalError):
    """The request is not one that this generator can carry out."""

    code = "invalid_input"


class MissingGlyphsError(LocalError):
    """No installed font has all the characters of the text."""

    code = "missing_glyphs"


class ToolFailedError(LocalError):
    """A tool that the generator runs has failed."""

    code = "tool_failed"


class LimitReachedError(LocalError):
    """The request needs more time or memory than its operation may have here."""

    code = "limit_reached"


class DiskFullError(LocalError):
    """The disk has no room for the result."""

    code = "disk_full"


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalArtifact:
    """One produced file, named relative to the output directory."""

    role: str
    path: str
    media_type: str
    name_suffix: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalResult:
    """What a run made; the first artifact is the primary one."""

    artifacts: tuple[LocalArtifact, ...]
    measured: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalRequest:
    """One generator run: the same request gives the same bytes (for video, the same frames)."""

    operation: str
    seed: int
    inputs: dict[str, Any]
    files: dict[str, Path] = field(default_factory=dict[str, Path])

    def text(self, name: str, default: str | None = None) -> str:
        """Return a string input, stripped; without a default it must be there and not be empty."""
        value = self.inputs.get(name)
        if value is None:
            value = default
        if not isinstance(value, str):
            msg = f"The input '{name}' must be text."
            raise InvalidInputError(msg)
        if default is None and not value.strip():
            msg = f"The input '{name}' must not be empty."
            raise InvalidInputError(msg)
        return value.strip()

    def number(self, name: str, *, low: float, high: float, default: float | None = None) -> float:
        """Return a finite number between two bounds, both included."""
        value = self.inputs.get(name, default)
        if isinstance(value, bool) or not isinstance(value, int | float):
            msg = f"The input '{name}' must be a number."
            raise InvalidInputError(msg)
        if not math.isfinite(value) or not low <= value <= high:
            msg = f"The input '{name}' must lie between {low:g} and {high:g}, it is {value:g}."
            raise InvalidInputError(msg)
        return float(value)

    def integer(self, name: str, *, low: int, high: int, default: int | None = None) -> int:
        """Return a whole number between two bounds, both included."""
        value = self.number(name, low=low, high=high, default=default)
        if value != int(value):
            msg = f"The input '{name}' must be a whole number, it is {value:g}."
            raise InvalidInputError(msg)
        return int(value)

    def choice[T: str](self, name: str, options: tuple[T, ...], default: T) -> T:
        """Return one of the given words."""
        value = self.inputs.get(name, default)
        for option in options:
            if value == option:
                return option
        msg = f"The input '{name}' must be one of {', '.join(options)}."
        raise InvalidInputError(msg)

    def items(self, name: str) -> list[Any]:
        """Return a list input; one that is missing or null is empty."""
        value = self.inputs.get(name)
        if value is None:
            return []
        if not isinstance(value, list):
            msg = f"The input '{name}' must be a list."
            raise InvalidInputError(msg)
        return cast("list[Any]", value)

    def file(self, name: str) -> Path:
        """Return the path of an input file that exists."""
        path = self.files.get(name)
        if path is None or not path.is_file():
            msg = f"The input file '{name}' is missing."
            raise InvalidInputError(msg)
        return path


def load_request(path: Path) -> LocalRequest:
    """Read a request from its JSON file.

    Raises:
        InvalidInputError: The file is not a request of the agreed shape.
    """
    try:
        raw: Any = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, OSError) as error:
        msg = f"The request cannot be read: {error}"
        raise InvalidInputError(msg) from error
    match raw:
        case {"operation": str(operation), "seed": int(seed), "inputs": dict(), **rest}:
            files: Any = rest.get("files", {})
        case _:
            msg = "The request needs an operation, a whole seed and inputs."
            raise InvalidInputError(msg)
    if not isinstance(files, dict):
        msg = "The files of the request must be an object of names and paths."
        raise InvalidInputError(msg)
    named = cast("dict[str, Any]", files)
    return LocalRequest(
        operation=operation,
        seed=seed,
        inputs=cast("dict[str, Any]", raw["inputs"]),
        files={name: Path(str(file)) for name, file in named.items()},
    )
