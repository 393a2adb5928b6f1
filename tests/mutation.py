"""Changes the stop-check in every small way, and tells which change no test notices.

`make mutate`. The changes are mutmut's; the tests of the pure functions are called in this process,
where a change costs milliseconds, so all of them are tried in a minute. Ends with 1 if a change
survives that `KNOWN` does not explain.
"""

import importlib
import itertools
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from mutmut.mutation.file_mutation import mutate_file_contents
from mutmut.mutation.trampoline import set_mutant_under_test

ROOT = Path(__file__).parents[1]
FACTS = (
    "is_progress",
    "is_new_result",
    "is_about_money",
    "looks_due",
    "_titles",
    "_unread_answers",
    "_awaited",
    "_just_looked",
    "_was_answered_at_once",
    "_asked_last",
)
"""The pure part of `execution.facts`; the rest of it reads tables."""
MUTATED: dict[str, tuple[str, ...] | None] = {"execution.verdict": None, "execution.facts": FACTS}
TESTS = (
    "tests.unit.execution.test_situations",
    "tests.unit.execution.test_verdict_sentences",
    "tests.unit.execution.test_verdict",
    "tests.unit.execution.test_facts",
    "tests.unit.execution.test_changes_verdict",
    "tests.unit.execution.test_others_verdict",
)
KNOWN: dict[str, str] = {}
"""Changes that no test can notice, each with why: what comes of them is the same."""

type Case = Callable[[], object]


def mutated(name: str) -> tuple[ModuleType, list[str]]:
    """Import a module with all its changes in it, none of them at work; return their names."""
    path = ROOT / f"{name.replace('.', '/')}.py"
    source = mutate_file_contents(str(path), path.read_text(encoding="utf-8"))
    module = ModuleType(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    exec(compile(source.code, str(path), "exec"), vars(module))  # noqa: S102 - our own
    parent, _, own = name.rpartition(".")
    setattr(importlib.import_module(parent), own, module)
    return module, list(source.mutant_names)


def cases(name: str) -> Iterator[Case]:
    """Every test of a module with each set of its parameters, but for the drawn ones."""
    for test_name, test in vars(importlib.import_module(name)).items():
        if test_name.startswith("test_") and not hasattr(test, "is_hypothesis_test"):
            yield from _with_parameters(test)


def _with_parameters(test: Callable[..., object]) -> Iterator[Case]:
    marks = [mark for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
    sets = [[_named(mark.args[0], values) for values in mark.args[1]] for mark in marks]
    for chosen in itertools.product(*sets):
        given = {key: value for each in chosen for key, value in each.items()}
        yield lambda given=given: test(**given)


def _named(names: str | tuple[str, ...] | list[str], values: Any) -> dict[str, Any]:
    listed = names.replace(" ", "").split(",") if isinstance(names, str) else [*names]
    values = values.values if hasattr(values, "marks") else values
    row = values if len(listed) > 1 or isinstance(values, tuple) else (values,)
    return dict(zip(listed, row, strict=True))


def is_noticed(every: list[Case]) -> bool:
    """Tell whether a test fails."""
    for case in every:
        try:
            case()
        except (Exception, pytest.fail.Exception):  # noqa: BLE001 - whatever a changed line does
            return True
    return False


def main() -> int:
    """Try every change; print what survives."""
    sys.path.insert(0, str(ROOT))
    found: list[str] = []
    for name, functions in MUTATED.items():
        _, names = mutated(name)
        wanted = [
            f"{name}.{each}"
            for each in names
            if functions is None or each.rpartition("__mutmut_")[0].removeprefix("x_") in functions
        ]
        print(f"{name}: {len(wanted)} changes")  # noqa: T201 - the command's answer
        found += wanted
    every = [case for test in TESTS for case in cases(test)]
    set_mutant_under_test("")
    for case in every:
        case()
    survivors: list[str] = []
    for each in found:
        set_mutant_under_test(each)
        if not is_noticed(every):
            survivors.append(each)
    unexplained = [each for each in survivors if each not in KNOWN]
    for each in survivors:
        print(f"  survives: {each} {KNOWN.get(each, '')}")  # noqa: T201
    print(f"{len(found)} changes, {len(found) - len(survivors)} noticed by {len(every)} cases")  # noqa: T201
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
