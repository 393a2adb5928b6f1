"""A trial each of a few scenarios, as short as they can be, so that `make test` sees them all pass.

Each one stands for what no other test tries as a whole, over HTTP, with real processes: a worker
that dies and a page that loses its stream (`poster-series`), words at an open question, three works
at once and their words, a stop while a vendor works, an order whose answer is lost, a wish about
last week's work, three weeks without an answer, and a film of pictures, voice, music and cut. Every
scenario, with every seed, is tried by `make evals`, one trial of each by `make evals-quick`.
"""

from pathlib import Path

import pytest

from evals.scenarios.laboratory import Faults, Laboratory
from evals.scenarios.loading import FILES, load
from evals.trials import Outcome

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]

CHOSEN: list[tuple[str, Faults]] = [
    ("poster-series", "listed"),
    ("message-at-open-question", "none"),
    ("three-at-once", "none"),
    ("stop-at-vendor", "none"),
    ("unknown-outcome", "none"),
    ("warmer-after-days", "none"),
    ("never-answers", "none"),
    ("film", "none"),
]


@pytest.mark.parametrize(("name", "faults"), CHOSEN, ids=[name for name, _ in CHOSEN])
async def test_a_short_trial_passes(
    name: str, faults: Faults, postgres_server: str, template_database: str, tmp_path: Path
) -> None:
    place = Laboratory(server=postgres_server, template=template_database, folder=tmp_path)
    lines = await place.attempt(load(FILES / f"{name}.yaml", quick=True), 1, faults)
    outcome = lines[-1]
    assert isinstance(outcome, Outcome)
    failed = [f"{each.name}: {each.told}" for each in outcome.checks if not each.passed]
    assert outcome.passed, [outcome.ended, outcome.reason, *failed, *outcome.invariants_broken]
