"""What the page knows of the service by heart is what the service has."""

import re
from typing import get_args

from tests.contracts.sources import ROOT
from tools.plan import StepKind


def test_the_page_offers_every_kind_of_step_to_be_looked_at() -> None:
    source = (ROOT / "web/src/contract.ts").read_text(encoding="utf-8")
    listed = re.search(r"STEP_KINDS = \[(.*?)\] as const", source, re.DOTALL)
    assert listed is not None
    assert tuple(re.findall(r'"(\w+)"', listed[1])) == get_args(StepKind.__value__)


def test_the_page_hears_every_event_of_tasks() -> None:
    source = (ROOT / "web/src/contract.ts").read_text(encoding="utf-8")
    listed = re.search(r"\n  task:\s+\((.*?)\)\.split", source, re.DOTALL)
    assert listed is not None
    heard = set(re.findall(r"\w+", listed[1]))
    told = {
        name
        for folder in ("execution", "nodes", "server", "tools")
        for file in (ROOT / folder).rglob("*.py")
        for name in re.findall(r'"task\.(\w+)"', file.read_text(encoding="utf-8"))
    }
    assert {"created", "accepted", "offered"} <= told
    assert told - heard == set()
