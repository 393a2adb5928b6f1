"""The trials of `make evals-quick`, each a test: real processes, HTTP, vendors, simulated people.

One of them with its faults too: a worker that dies and a page that loses its stream. Every seed,
with and without faults, is tried by `make evals`.
"""

from pathlib import Path

import pytest

from evals.scenarios.laboratory import Faults, Laboratory
from evals.scenarios.loading import load_all
from evals.trials import Outcome

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]

SCENARIOS = {each.id: each for each in load_all(quick=True)}
TRIALS: list[tuple[str, Faults]] = [
    ("poster-series", "listed"),
    *[(name, "none") for name in SCENARIOS],
]


@pytest.mark.parametrize(("name", "faults"), TRIALS)
async def test_a_short_trial_passes(
    name: str, faults: Faults, postgres_server: str, template_database: str, tmp_path: Path
) -> None:
    place = Laboratory(server=postgres_server, template=template_database, folder=tmp_path)
    lines = await place.attempt(SCENARIOS[name], 1, faults)
    outcome = lines[-1]
    assert isinstance(outcome, Outcome)
    failed = [f"{each.name}: {each.told}" for each in outcome.checks if not each.passed]
    assert outcome.passed, [outcome.ended, outcome.reason, *failed, *outcome.invariants_broken]
