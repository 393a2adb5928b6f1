"""Reads scenario files, and says in a sentence what is wrong with one."""

import re
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, cast

from pydantic import ValidationError

from evals.refusals import Place, dotted, refusals
from evals.scenarios.documents import Document, read
from evals.scenarios.references import Finding, findings
from evals.scenarios.schema import Scenario
from infra.errors import ConfigurationError

FILES = Path(__file__).parent / "files"
ENDING = ".yaml"

_OTHER_ENDINGS = frozenset({".yml", ".yaml"})
_PLACEHOLDER = re.compile(r"\{([A-Za-z_]\w*)\}")


def load(path: Path, *, quick: bool = False) -> Scenario:
    """Read one scenario; its file is called as it is.

    Raises:
        ConfigurationError: it is none; the message names the file, the line and what is wrong.
    """
    if path.suffix != ENDING:
        message = f"{path.name}: the name of a scenario's file ends in {ENDING}."
        raise ConfigurationError(message)
    document = read(path)
    try:
        given = _filled(document.value, quick=quick)
        scenario = Scenario.model_validate(given)
    except ValidationError as error:
        raise _refused(path, document, list(refusals(error))) from None
    except _NotFilledError as error:
        raise _refused(path, document, error.found) from None
    found = findings(scenario)
    if scenario.id != path.stem:
        found.insert(0, (("id",), f"it is {scenario.id}, and its file is called {path.name}"))
    if found:
        raise _refused(path, document, found)
    return scenario


def load_all(
    folder: Path = FILES, *, quick: bool = False, names: Collection[str] = ()
) -> list[Scenario]:
    """Read the scenarios of a folder that are named, or every one, by name.

    One that is not named is not read, so it may be broken. Without names a quick run leaves out
    what says so.

    Raises:
        ConfigurationError: one is none, or is not there.
    """
    paths = files(folder)
    known = [path.stem for path in paths]
    if unknown := sorted(set(names) - set(known)):
        message = f"There is no scenario {', '.join(unknown)}. There is: {', '.join(known)}."
        raise ConfigurationError(message)
    if names:
        return [load(path, quick=quick) for path in paths if path.stem in names]
    return [each for path in paths if (each := load(path, quick=quick)).in_quick or not quick]


def files(folder: Path) -> list[Path]:
    """Return the files of a folder that are meant as scenarios, by name.

    Raises:
        ConfigurationError: there are none.
    """
    if not folder.is_dir():
        message = f"{folder} is no folder."
        raise ConfigurationError(message)
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in _OTHER_ENDINGS)
    if not found:
        message = f"There are no scenarios (*{ENDING}) in {folder}."
        raise ConfigurationError(message)
    return found


class _NotFilledError(Exception):
    """What stands for something in its texts does not fit."""

    def __init__(self, found: list[Finding]) -> None:
        super().__init__(found)
        self.found = found


def _refused(path: Path, document: Document, found: list[Finding]) -> ConfigurationError:
    return ConfigurationError(
        f"{path.name}: "
        + " ".join(
            f"line {document.line_of(place)}: {f'{dotted(place)}: ' if place else ''}{said}."
            for place, said in found
        )
    )


def _filled(given: Any, *, quick: bool) -> Any:
    """Put the values into the texts.

    Raises:
        _NotFilledError: the values are none, or a text speaks of one that is not there.
    """
    if not isinstance(given, dict):
        return given
    whole = cast("dict[str, Any]", given)
    found = [*_wrong_values(whole, "values"), *_wrong_values(whole, "quick")]
    if found:
        raise _NotFilledError(found)
    values: dict[str, Any] = whole.get("values", {})
    short: dict[str, Any] = whole.get("quick", {})
    if unknown := [name for name in short if name not in values]:
        raise _NotFilledError([(("quick", name), "it is none of its values") for name in unknown])
    values = {**values, **short} if quick else values
    filled = _replaced(whole, {f"{{{name}}}": str(value) for name, value in values.items()})
    if found := list(_left(filled, ())):
        raise _NotFilledError(found)
    return filled


def _wrong_values(whole: dict[str, Any], name: str) -> Iterator[Finding]:
    given = whole.get(name, {})
    if not isinstance(given, dict):
        yield (name,), "it must be a mapping of names to texts or whole numbers"
        return
    for key, value in cast("dict[Any, Any]", given).items():
        if not isinstance(key, str) or _PLACEHOLDER.fullmatch(f"{{{key}}}") is None:
            yield (name, str(key)), f"'{key}' is no name"
        elif isinstance(value, bool) or not isinstance(value, str | int):
            yield (name, key), f"'{value}' is no text and no whole number"


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


def _left(given: Any, place: Place) -> Iterator[Finding]:
    """Find what stands for something that is none of the values."""
    match given:
        case str():
            for found in _PLACEHOLDER.finditer(given):
                yield place, f"{found[0]} is none of its values"
        case dict():
            for key, each in cast("dict[str, Any]", given).items():
                yield from _left(each, (*place, key))
        case list():
            for number, each in enumerate(cast("list[Any]", given)):
                yield from _left(each, (*place, number))
        case _:
            pass
