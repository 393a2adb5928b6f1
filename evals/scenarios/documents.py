"""A YAML file as data, with the line of everything in it; what YAML lets pass is refused here.

A key that stands twice would silently lose what it said first, and what contains itself has no end.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from evals.refusals import Place
from infra.errors import ConfigurationError


@dataclass(frozen=True, slots=True)
class Document:
    """What a file says, and where it says it."""

    value: Any
    root: yaml.Node | None

    def line_of(self, place: Place) -> int:
        """Return the line of what stands there, or of the nearest thing around it."""
        node, line = self.root, 1
        for part in place:
            found = _within(node, part)
            if found is None:
                break
            line, node = found
        return line


def read(path: Path) -> Document:
    """Read a file.

    Raises:
        ConfigurationError: it cannot be read; the message names the file and why.
    """
    try:
        return _parsed(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError:
        said = "it is not UTF-8. Save it as UTF-8"
    except OSError as error:
        said = f"it cannot be read: {error.strerror or error}"
    except RecursionError:
        said = "it is nested too deeply"
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}: " if error.problem_mark else ""
        said = f"{line}{error.problem or error.context}"
    except yaml.YAMLError:
        said = "it has a character that YAML does not allow"
    message = f"{path.name}: {said}."
    raise ConfigurationError(message) from None


def _parsed(text: str) -> Document:
    loader = yaml.SafeLoader(text)
    try:
        root = loader.get_single_node()
        if root is None:
            return Document(None, None)
        _refuse_traps(root, frozenset())
        return Document(loader.construct_document(root), root)
    finally:
        loader.dispose()


def _refuse_traps(node: yaml.Node, around: frozenset[int]) -> None:
    if id(node) in around:
        raise yaml.MarkedYAMLError(
            problem="what has an anchor here refers to itself", problem_mark=node.start_mark
        )
    inner: list[yaml.Node] = []
    if isinstance(node, yaml.SequenceNode):
        inner = node.value
    elif isinstance(node, yaml.MappingNode):
        _refuse_doubled(node)
        inner = [part for pair in node.value for part in pair]
    for part in inner:
        _refuse_traps(part, around | {id(node)})


def _refuse_doubled(node: yaml.MappingNode) -> None:
    seen: set[str] = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            continue
        if key.value in seen:
            raise yaml.MarkedYAMLError(
                problem=f"{key.value} stands twice in one mapping", problem_mark=key.start_mark
            )
        seen.add(key.value)


def _within(node: yaml.Node | None, part: str | int) -> tuple[int, yaml.Node] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(part):
                return key.start_mark.line + 1, value
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        inner = node.value[part]
        return inner.start_mark.line + 1, inner
    return None
