"""Reads scenario files, and says in a sentence what is wrong with one."""

from pathlib import Path
from typing import Any, cast

import yaml
from pydantic import ValidationError

from evals.scenarios.schema import Scenario
from infra.errors import ConfigurationError

FILES = Path(__file__).parent / "files"


def load(path: Path, *, quick: bool = False) -> Scenario:
    """Read one scenario.

    Raises:
        ConfigurationError: it is none; the message names the file and what is wrong.
    """
    try:
        given = yaml.safe_load(path.read_text(encoding="utf-8"))
        return Scenario.model_validate(_filled(given, quick=quick))
    except (yaml.YAMLError, OSError) as error:
        message = f"{path.name}: it cannot be read: {error}"
        raise ConfigurationError(message) from error
    except ValidationError as error:
        message = f"{path.name}: {_sentences(error)}"
        raise ConfigurationError(message) from None


def load_all(folder: Path = FILES, *, quick: bool = False) -> list[Scenario]:
    """Read every scenario of a folder, by name.

    Raises:
        ConfigurationError: one is none, or is called as another.
    """
    found = [load(path, quick=quick) for path in sorted(folder.glob("*.yaml"))]
    names = [each.id for each in found]
    if doubled := sorted({name for name in names if names.count(name) > 1}):
        message = f"Two scenarios are called {', '.join(doubled)}."
        raise ConfigurationError(message)
    return [each for each in found if each.in_quick or not quick]


def _filled(given: Any, *, quick: bool) -> Any:
    """Put the values into the texts."""
    if not isinstance(given, dict):
        return given
    whole = cast("dict[str, Any]", given)
    values: dict[str, Any] = {**whole.get("values", {})}
    values |= whole.get("quick", {}) if quick else {}
    return _replaced(whole, {f"{{{name}}}": str(value) for name, value in values.items()})


def _replaced(given: Any, values: dict[str, str]) -> Any:
    match given:
        case str():
            for name, value in values.items():
                given = given.replace(name, value)
            return given
        case dict():
            parts = cast("dict[str, Any]", given)
            return {key: _replaced(each, values) for key, each in parts.items()}
        case list():
            return [_replaced(each, values) for each in cast("list[Any]", given)]
        case _:
            return given


def _sentences(error: ValidationError) -> str:
    lines: list[str] = []
    for problem in error.errors(include_url=False):
        place = ".".join(str(part) for part in problem["loc"])
        match problem["type"]:
            case "extra_forbidden":
                said = "there is no such key"
            case "missing":
                said = "it is missing"
            case _:
                said = str(problem["msg"]).removeprefix("Value error, ")
        lines.append(f"{place}: {said}." if place else f"It {said}.")
    return " ".join(lines)
