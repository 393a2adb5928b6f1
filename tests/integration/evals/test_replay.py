"""A recorded trial made once more: the same service does the same, another build does not."""

from pathlib import Path

import pytest

from evals import replay, trials
from evals.reports.diff import Differences, differences
from evals.reports.lanes import in_lanes
from evals.scenarios.laboratory import Laboratory
from evals.scenarios.schema import Scenario
from evals.scenarios.service import PROGRAM
from evals.trials import Record

SCENARIO = Scenario.model_validate(
    {
        "id": "owls",
        "why": "one brief with one yes",
        "user": {
            "script": [
                {
                    "when": "start",
                    "do": {"say": "A series of two posters about owls at night", "begins": "owls"},
                },
                {"when": "question", "do": {"decide": "approve", "after_s": "20s"}},
            ]
        },
        "done": ["owls.status == completed"],
    }
)


@pytest.fixture
def place(postgres_server: str, template_database: str, tmp_path: Path) -> Laboratory:
    return Laboratory(server=postgres_server, template=template_database, folder=tmp_path)


async def recorded(place: Laboratory) -> Record:
    found = trials.whole(await place.attempt(SCENARIO, 1, "none"))
    assert found.outcome.ended != "broken", found.outcome.reason
    return found


async def difference(place: Laboratory, before: Record) -> Differences:
    after = await replay.again(place, before)
    assert after.outcome.ended != "broken", after.outcome.reason
    return differences(in_lanes(before), in_lanes(after))


@pytest.mark.e2e
async def test_a_trial_made_once_more_is_the_same(place: Laboratory, tmp_path: Path) -> None:
    path = tmp_path / "owls.jsonl"
    before = await recorded(place)
    trials.write(path, [before.trial, *before.happenings, before.outcome])
    found = await difference(place, trials.read(path))
    assert found.all == ()


@pytest.mark.e2e
@pytest.mark.long
async def test_another_build_is_seen_in_the_log(place: Laboratory) -> None:
    broken = Laboratory(
        server=place.server,
        template=place.template,
        folder=place.folder,
        program=(*PROGRAM[:-1], "tests.faults.broken", "forgets_the_card"),
    )
    before = await recorded(broken)
    assert not before.outcome.passed
    found = await difference(place, before)
    assert any("approval.requested" in each and "is new" in each for each in found.all)
    assert any("missed_confirmations" in each for each in found.all)
