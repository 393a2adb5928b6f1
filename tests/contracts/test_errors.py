"""Every exception says what it means, and answers carry codes that are told apart."""

import ast
import importlib
from collections import Counter

from infra.errors import AppError, default_message
from tests.contracts.sources import modules, name


def test_every_exception_has_a_docstring() -> None:
    silent = [
        f"{name(path)}: {node.name}"
        for path in modules()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
        and node.name.endswith("Error")
        and not ast.get_docstring(node)
    ]
    assert silent == []


def every_error() -> list[type[AppError]]:
    for path in modules():
        if path.name == "errors.py":
            importlib.import_module(name(path).removesuffix(".py").replace("/", "."))
    found: list[type[AppError]] = []
    todo: list[type[AppError]] = [AppError]
    while todo:
        kind = todo.pop()
        found.append(kind)
        todo += kind.__subclasses__()
    return [kind for kind in found if not kind.__name__.startswith("_")]


def test_a_code_means_one_error() -> None:
    counts = Counter(kind.code for kind in every_error() if "code" in vars(kind))
    assert [code for code, count in counts.items() if count > 1] == []


def test_default_messages_are_sentences() -> None:
    broken = [
        kind.__name__
        for kind in every_error()
        if not default_message(kind).endswith(".") or not default_message(kind)[0].isupper()
    ]
    assert broken == []
