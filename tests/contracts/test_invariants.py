"""Each promise of `docs/invariants.md` names what holds it and what proves it, and both exist."""

import ast
import re
from dataclasses import dataclass

import pytest

from tests.contracts.sources import ROOT

DOCUMENT = ROOT / "docs" / "invariants.md"
_NAMED = re.compile(r"`([\w./]+)::(\w+)`")


@dataclass(frozen=True)
class Promise:
    """A numbered promise and the names beside it."""

    number: int
    title: str
    holders: tuple[tuple[str, str], ...]
    proofs: tuple[tuple[str, str], ...]


def promises() -> list[Promise]:
    found: list[Promise] = []
    for part in re.split(r"^### ", DOCUMENT.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        heading, _, body = part.partition("\n")
        number, _, title = heading.partition(". ")
        held, _, proven = body.partition("- Proven by:")
        found.append(
            Promise(
                number=int(number),
                title=title,
                holders=tuple(_NAMED.findall(held)),
                proofs=tuple(_NAMED.findall(proven)),
            )
        )
    return found


PROMISES = promises()


def defines(path: str, name: str) -> bool:
    """Tell whether a file defines a name: a function, a class, or a constraint or index in SQL."""
    text = (ROOT / path).read_text(encoding="utf-8")
    if path.endswith(".sql"):
        return re.search(rf"\b{name}\b", text) is not None
    return any(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and node.name == name
        for node in ast.walk(ast.parse(text))
    )


def test_promises_are_numbered_without_gaps() -> None:
    assert [promise.number for promise in PROMISES] == list(range(1, len(PROMISES) + 1))
    assert 15 <= len(PROMISES) <= 25


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: str(promise.number))
def test_a_promise_is_held_and_proven_by_what_exists(promise: Promise) -> None:
    assert promise.holders, promise.title
    assert promise.proofs, promise.title
    for path, name in (*promise.holders, *promise.proofs):
        assert (ROOT / path).is_file(), f"{promise.title}: there is no {path}"
        assert defines(path, name), f"{promise.title}: {path} has no {name}"


@pytest.mark.parametrize("promise", PROMISES, ids=lambda promise: str(promise.number))
def test_product_holds_and_tests_prove(promise: Promise) -> None:
    assert not [path for path, _ in promise.holders if path.startswith("tests/")]
    assert not [
        f"{path}::{name}"
        for path, name in promise.proofs
        if not (path.startswith("tests/") and name.startswith("test_"))
    ]
