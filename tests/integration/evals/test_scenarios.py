"""Real trials of the real service, and of builds of it that are broken on purpose."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from evals import metrics
from evals.scenarios import laboratory
from evals.scenarios.laboratory import Faults, Laboratory
from evals.scenarios.loading import FILES, load
from evals.scenarios.schema import Scenario
from evals.trials import Happening, Line, Outcome

SOMEBODY = {
    "persona": {
        "name": "patient",
        "brief": {
            "say": "A series of three posters about owls at night, calm",
            "begins": "posters",
            "intent": "brief",
            "reveals": ["three"],
        },
    },
    "requirements": [
        {"id": "three", "say": "I asked for three posters", "check": "posters.images == 3"}
    ],
}
BROKEN = [
    ("orders_twice", "unknown-outcome", {"world": {"services": ["fal"]}}, "duplicate_generations"),
    ("forgets_the_card", "poster-series", {}, "missed_confirmations"),
    ("asks_for_what_was_allowed", "poster-series", {}, "unnecessary_confirmations"),
    ("calls_it_complete", "poster-series", {}, "premature_ends"),
    ("ignores_a_stop", "stop-in-the-middle", {}, "effects_after_stop"),
    ("loses_words", "message-at-open-question", {}, "lost_messages"),
    ("keeps_what_it_held", "stop-in-the-middle", {}, "money_leaked_micros"),
    (
        "wakes_at_every_progress",
        "poster-series",
        {"world": {"services": ["fal"]}},  # what is made there is seen to go on over seconds
        "empty_turns",
    ),
    ("plans_one_too_few", "poster-series", {"user": SOMEBODY}, "repeated_requirements"),
    (
        "leaves_out_what_was_missed",
        "poster-series",
        {"faults": [{"when": "event step.finished 2", "drop_stream": True}]},
        "stream_gaps",
    ),
    (
        "never_takes_over",
        "poster-series",
        {"faults": [{"kill": "decision.committed"}]},
        "deadlocks",
    ),
]


async def tried(
    place: tuple[str, str, Path],
    scenario: Scenario,
    *,
    build: str | None = None,
    faults: Faults = "none",
) -> tuple[Outcome, Sequence[Line]]:
    server, template, folder = place
    program = ("tests.faults.broken", build) if build else ("server",)
    laboratory = Laboratory(server=server, template=template, folder=folder, program=program)
    lines = await laboratory.attempt(scenario, 1, faults)
    outcome = lines[-1]
    assert isinstance(outcome, Outcome)
    assert outcome.ended != "broken", outcome.reason
    return outcome, lines


@pytest.fixture
def place(postgres_server: str, template_database: str, tmp_path: Path) -> tuple[str, str, Path]:
    return postgres_server, template_database, tmp_path


@pytest.mark.e2e
async def test_a_trial_is_made_judged_and_recorded(place: tuple[str, str, Path]) -> None:
    scenario = load(FILES / "poster-series.yaml", quick=True)
    outcome, lines = await tried(place, scenario)
    assert outcome.passed, [each for each in outcome.checks if not each.passed]
    assert (outcome.ended, outcome.invariants_broken) == ("done", [])
    assert outcome.metrics["spent_micros"] == 3 * 50_000
    happened = [line for line in lines if isinstance(line, Happening)]
    assert [line.number for line in happened] == list(range(1, len(happened) + 1))
    assert {line.track for line in happened} == {"person", "agent", "job", "money", "world"}
    assert [line.what for line in happened if line.track == "world"] == ["end"]
    said = [line for line in happened if line.track == "person"]
    assert [line.what for line in said] == ["say", "decide"]
    assert list(place[2].iterdir()) == [], "a trial leaves nothing behind"


@pytest.mark.e2e
async def test_a_fault_that_never_comes_fails_the_trial_and_is_named(
    place: tuple[str, str, Path],
) -> None:
    scenario = load(FILES / "impossible-brief.yaml", quick=True)
    never = [
        {"kill": "job.submitting", "nth": 1},
        {"vendor": "fal", "submission": 1, "ends": "lost"},
        {"when": "event message.received 1", "drop_stream": True},
    ]
    world = {"services": ["fal", "local"]}
    changed = scenario.model_dump(mode="json") | {"faults": never, "world": world}
    outcome, lines = await tried(place, Scenario.model_validate(changed), faults="listed")
    failed = [each for each in outcome.checks if not each.passed]
    assert [each.name for each in failed] == ["faults"]
    assert failed[0].told.count(";") == 1, "the stream was dropped"
    kinds = {line.what for line in lines if isinstance(line, Happening) and line.track == "world"}
    assert "drop_stream" in kinds
    assert "kill" not in kinds


@pytest.mark.e2e
async def test_a_harness_that_fails_in_one_trial_breaks_that_trial_alone(
    place: tuple[str, str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: object) -> None:
        msg = "falll"
        raise KeyError(msg)

    monkeypatch.setattr(laboratory, "settings_of", fails)
    server, template, folder = place
    trials = Laboratory(server=server, template=template, folder=folder)
    lines = await trials.attempt(load(FILES / "impossible-brief.yaml", quick=True), 1, "none")
    outcome = lines[-1]
    assert isinstance(outcome, Outcome)
    assert (outcome.ended, outcome.passed) == ("broken", False)
    assert outcome.reason.startswith("The harness failed: KeyError: 'falll'")
    assert list(folder.iterdir()) == []


@pytest.mark.e2e
@pytest.mark.long
@pytest.mark.parametrize(("build", "name", "change", "measure"), BROKEN)
async def test_a_broken_build_trips_the_measure_that_names_it(
    place: tuple[str, str, Path], build: str, name: str, change: dict[str, Any], measure: str
) -> None:
    scenario = load(FILES / f"{name}.yaml", quick=True)
    scenario = Scenario.model_validate(
        scenario.model_dump(mode="json", exclude={"faults"}) | {"faults": []} | change
    )
    faults: Faults = "listed" if scenario.faults else "none"
    outcome, _ = await tried(place, scenario, build=build, faults=faults)
    tripped = {name for name, most in metrics.GATES.items() if outcome.metrics[name] > most}
    assert tripped == {measure}
    assert not outcome.passed
