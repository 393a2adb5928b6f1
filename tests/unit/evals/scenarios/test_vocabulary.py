"""The words that scenarios may use are those of the product, no fewer and no more."""

import ast
import re
from collections.abc import Iterator
from typing import get_args

from evals.scenarios import schema, vocabulary
from evals.scenarios.view import View
from evals.simulator import switches
from infra.crash_points import CrashPoint
from server.hub import DELTA
from tests.contracts.sources import ROOT, modules
from tests.unit.evals.scenarios.test_policies import TASK

_TYPE = re.compile(r"(?:task|message|assistant|approval|job|object|step)\.[a-z_]+")
_READERS = frozenset({"server/exchange.py", "server/hub.py", "server/routes/chat.py"})
"""They hear events and tell none."""
_SCHEMA = (ROOT / "infra/db/schema.sql").read_text(encoding="utf-8")


def _trees() -> Iterator[ast.Module]:
    for path in modules():
        name = path.relative_to(ROOT).as_posix()
        if name.split("/")[0] not in ("evals", "infra") and name not in _READERS:
            yield ast.parse(path.read_text(encoding="utf-8"))


def _told() -> set[str]:
    """Return every type of event that the product's sources spell out, or put together."""
    told: set[str] = set()
    built: set[str] = set()
    statuses: set[str] = set()
    for tree in _trees():
        for node in ast.walk(tree):
            match node:
                case ast.Constant(value=str(text)) if _TYPE.fullmatch(text):
                    told.add(text)
                case ast.JoinedStr() if re.match(r"f'\w+\.\{\w+\}'$", ast.unparse(node)):
                    built.add(ast.unparse(node)[2:-1])
                case ast.Call(args=[_, _, ast.Constant(value=str(status))]) if ast.unparse(
                    node.func
                ) in ("messages.advance", "advance"):
                    statuses.add(status)
                case _:
                    pass
    known = {"message.{status}", "job.{phase}"}
    assert {each for each in built if _TYPE.match(each.replace("{", ""))} == known
    return told | {f"message.{status}" for status in statuses} | {"job.failed", "job.cancelled"}


def _words(constraint: str) -> set[str]:
    found = re.search(rf"CONSTRAINT {constraint} CHECK (.*)", _SCHEMA)
    assert found is not None
    return set(re.findall(r"'(\w+)'::text", found[1]))


def test_the_events_are_those_that_the_product_tells() -> None:
    assert _told() - {DELTA} == vocabulary.EVENTS


def test_the_words_are_those_of_the_tables() -> None:
    assert _words("approvals_kind_check") == vocabulary.QUESTIONS
    assert _words("deliveries_status_check") == vocabulary.DELIVERIES
    assert _words("acceptances_state_check") == vocabulary.ACCEPTANCES
    assert _words("tasks_kind_check") == vocabulary.TASK_KINDS


def test_the_facts_are_those_that_are_seen() -> None:
    output = {"kind": "video", "role": "master", "object_id": "o1"}
    item = {"expected": 1, "done": 1, "outputs": [output]}
    size = {"width": 64, "height": 64, "fps": 24, "duration_s": 6.0, "language": "en"}
    task = TASK | {"checklist": {"version": 1, "items": [item], "format": size}}
    view = View(
        tasks={"t1": task},
        messages={"m1": {"id": "m1", "role": "user", "status": "consumed", "task_id": "t1"}},
        objects={"o1": {"meta": {"width": 64, "height": 64, "duration_s": 6.0, "measured": {}}}},
        begun_by={"film": "m1"},
    )
    of_work = {f"film.{name}" for name in vocabulary.FACTS_OF_A_WORK}
    assert set(view.facts) == set(vocabulary.FACTS) | of_work
    for name, value in view.facts.items():
        known = vocabulary.FACTS.get(name) or vocabulary.FACTS_OF_A_WORK[name.removeprefix("film.")]
        assert known.is_number is not isinstance(value, str), name
        assert known.words is None or value in known.words, name


def test_the_words_are_in_the_document() -> None:
    document = (ROOT / "docs/evals.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([^`\n]+)`", document))
    for event in vocabulary.EVENTS:
        kind, _, name = event.partition(".")
        assert {f"{kind}.", name} <= named, event
    words = vocabulary.SERVICES | vocabulary.REVIEW_POINTS | vocabulary.QUESTIONS
    assert words <= named
    for fact in vocabulary.FACTS_OF_A_WORK:
        kind, _, name = fact.rpartition(".")
        assert fact in named or {f"{kind}.", name} <= named, fact
    assert {fact for fact in vocabulary.FACTS if not fact.startswith("tasks.")} <= named
    assert {point.value for point in CrashPoint} <= named
    assert set(get_args(switches.Told.__value__)) <= named
    assert set(get_args(schema.Intent.__value__)) <= named
    acts = {name.partition(":")[0] for name in named}
    assert {*schema.DOINGS, *get_args(get_args(schema.Act.__annotations__["decide"])[0])} <= acts
