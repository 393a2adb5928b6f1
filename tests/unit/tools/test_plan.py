"""A plan is checked and priced before anyone sees it."""

from types import SimpleNamespace
from typing import Any, cast, get_args

import pytest
from pydantic import ValidationError

from execution.errors import CapabilityError, InvalidCallError
from execution.ledger import LedgerEntry
from execution.progress import Plan, derive
from infra.deps import Deps
from infra.providers.ports import UNKNOWN_LIMITS
from tests.unit.execution.entries import checklist, entry, item, running
from tools import plan as planning
from tools.plan import MAX_FILM_SECONDS, ProposePlan, StepKind
from tools.tool import ToolContext

PRICES = {"image": 4000, "narration": 1000, "captions": 500}
PER_SECOND = {"clip": 3000, "music": 200, "render": 2000}

FILM: list[dict[str, Any]] = [
    {"key": "script", "title": "Script", "kind": "script"},
    {"key": "frames", "title": "Frames", "kind": "keyframes", "count": 3, "depends_on": ["script"]},
    {
        "key": "shots",
        "title": "Shots",
        "kind": "shots",
        "count": 3,
        "depends_on": ["frames"],
        "seconds": 12,
    },
    {
        "key": "voice",
        "title": "Voice",
        "kind": "narration",
        "count": 3,
        "depends_on": ["script"],
    },
    {"key": "music", "title": "Music", "kind": "music", "depends_on": ["script"]},
    {"key": "subs", "title": "Captions", "kind": "captions", "depends_on": ["shots", "voice"]},
    {
        "key": "film",
        "title": "Film",
        "kind": "master",
        "depends_on": ["shots", "voice", "music", "subs"],
    },
]


class Priced:
    """A provider that only quotes."""

    name = "priced"

    def __init__(self, *operations: str) -> None:
        self.capabilities = SimpleNamespace(
            operations=frozenset(operations),
            languages=frozenset[str](),
            limits_of=lambda _: UNKNOWN_LIMITS,
        )

    def quote_micros(self, operation: str, payload: dict[str, Any]) -> int:
        return PRICES.get(operation) or int(PER_SECOND[operation] * payload["duration_s"])


def context(*operations: str, plan: Plan | None = None) -> ToolContext:
    offered = operations or (*PRICES, *PER_SECOND)
    deps = SimpleNamespace(providers={"priced": Priced(*offered)})
    return ToolContext(
        tx=cast("Any", None),
        deps=cast("Deps", deps),
        task=cast("Any", None),
        plan=plan,
        call_key="turn/1/1",
    )


def proposal(steps: list[dict[str, Any]] | None = None, **changes: Any) -> ProposePlan:
    given = {"title": "T", "summary": "S", "language": "en", "duration_s": 12}
    return ProposePlan.model_validate({**given, "steps": steps or FILM, **changes})


def without(key: str, *, of: str) -> list[dict[str, Any]]:
    return [
        {**step, "depends_on": [name for name in step["depends_on"] if name != key]}
        if step["key"] == of
        else step
        for step in FILM
    ]


def check(arguments: ProposePlan) -> None:
    planning._check_structure(arguments)


def prices(arguments: ProposePlan, **given: Any) -> dict[str, int]:
    return {
        step.key: planning._price(context(**given), arguments, step).micros
        for step in arguments.steps
    }


def test_a_whole_film_passes() -> None:
    check(proposal())


def test_two_steps_with_one_key_are_refused() -> None:
    with pytest.raises(InvalidCallError, match="Two steps have the key 'script'"):
        check(proposal([FILM[0], FILM[0]]))


def test_a_dependency_that_is_no_step_is_refused() -> None:
    with pytest.raises(InvalidCallError, match="'frames' depends on treatment"):
        check(proposal([{**FILM[1], "depends_on": ["treatment"]}]))


def test_a_dependency_on_a_later_step_is_refused() -> None:
    with pytest.raises(InvalidCallError, match="no earlier step"):
        check(proposal([FILM[1], FILM[0]]))


def test_a_step_that_depends_on_itself_is_refused() -> None:
    with pytest.raises(InvalidCallError, match="depends on script"):
        check(proposal([{**FILM[0], "depends_on": ["script"]}]))


@pytest.mark.parametrize(
    ("missing", "step"),
    [("shots", "subs"), ("voice", "subs"), ("shots", "film")],
)
def test_a_step_whose_inputs_nobody_makes_is_refused(missing: str, step: str) -> None:
    with pytest.raises(InvalidCallError, match=f"The step '{step}' .* needs results of"):
        check(proposal(without(missing, of=step)))


@pytest.mark.parametrize("kind", ["music", "captions", "master"])
def test_what_there_is_once_is_not_planned_twice(kind: str) -> None:
    steps = [{**step, "count": 2} if step["kind"] == kind else step for step in FILM]
    with pytest.raises(InvalidCallError, match="exactly one result"):
        check(proposal(steps))


def test_a_film_longer_than_possible_is_a_matter_of_capability() -> None:
    check(proposal(duration_s=MAX_FILM_SECONDS))
    with pytest.raises(CapabilityError, match="at most 600 seconds"):
        check(proposal(duration_s=MAX_FILM_SECONDS + 1))


@pytest.mark.parametrize(
    "changes",
    [
        {"duration_s": -1},
        {"width": 255},
        {"height": 721},
        {"fps": 0},
        {"title": ""},
    ],
)
def test_a_plan_out_of_bounds_is_no_plan(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        proposal(**changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"count": 0},
        {"count": 61},
        {"kind": "hologram"},
        {"key": "Not a key"},
        {"seconds": float("nan")},
        {"seconds": -1},
    ],
)
def test_a_step_out_of_bounds_is_no_plan(changes: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        proposal([{**FILM[0], **changes}])


def test_a_plan_has_between_one_and_forty_steps() -> None:
    steps = [{**FILM[0], "key": f"s{number}"} for number in range(41)]
    check(proposal(steps[:40]))
    for wrong in (steps, []):
        with pytest.raises(ValidationError):
            ProposePlan(title="T", summary="S", language="en", steps=cast("Any", wrong))


def test_a_step_that_nobody_here_can_execute_names_what_is_possible() -> None:
    arguments = proposal()
    with pytest.raises(CapabilityError, match=r"Nothing here can do 'clip'\. Possible are: image"):
        planning._price(context("image", "narration"), arguments, arguments.steps[2])


def test_a_price_is_exact_to_the_micro() -> None:
    assert prices(proposal()) == {
        "script": 0,
        "frames": 3 * 4000,
        "shots": 12 * 3000,
        "voice": 3 * 1000,
        "music": 12 * 200,
        "subs": 500,
        "film": 12 * 2000,
    }


def test_a_film_whose_length_is_not_said_is_priced_as_long_as_its_shots() -> None:
    found = prices(proposal(duration_s=0))
    assert (found["music"], found["film"]) == (12 * 200, 12 * 2000)


@pytest.mark.parametrize(
    ("each", "left", "whole", "most"),
    [
        (240, 3, 3, 720 + 180),  # a whole step: a quarter more
        (240, 1, 3, 240 + 180),  # its last result may be its dearest
        (50, 1, 50, 50 + 50),  # but one result more is enough
        (50, 40, 50, 2_000 + 500),
        (50, 0, 50, 0),
    ],
)
def test_what_is_left_of_a_step_may_cost_as_much_more_as_one_result(
    each: int, left: int, whole: int, most: int
) -> None:
    line = planning._Line("Shots", "", each, each * left, each * whole)
    assert planning._maximum([line]) == most


def test_the_seconds_of_a_step_are_those_of_all_its_results_together() -> None:
    steps = [FILM[0], FILM[1], {**FILM[2], "count": 5, "seconds": 20}]
    assert prices(proposal(steps))["shots"] == 20 * 3000


def previous(*entries: LedgerEntry, kind: str = "keyframes") -> Plan:
    return derive(checklist(), [item("frames", 3, kind=kind), item("voice", 3)], entries)


def test_results_that_stay_are_not_paid_for_again() -> None:
    plan = previous(entry(step_key="frames", slot=1), running(step_key="frames", slot=3))
    assert prices(proposal(keep=["frames"]), plan=plan)["frames"] == 4000
    assert prices(proposal(keep=[]), plan=plan)["frames"] == 3 * 4000


def test_a_kept_step_keeps_the_version_its_results_count_from() -> None:
    plan = derive(checklist(version=4), [item("frames", 3, kind="keyframes", from_version=2)], [])
    found = {each.key: each for each in planning._items(proposal(keep=["frames", "gone"]), plan)}
    assert found["frames"].from_version == 2
    assert found["shots"].from_version == 5


def test_a_step_of_another_kind_under_the_same_key_keeps_nothing() -> None:
    plan = previous(entry(step_key="frames", slot=1), kind="music")
    assert prices(proposal(keep=["frames"]), plan=plan)["frames"] == 3 * 4000
    assert planning._items(proposal(keep=["frames"]), plan)[1].from_version == 2


def test_a_first_plan_counts_from_its_first_version() -> None:
    assert {each.from_version for each in planning._items(proposal(), None)} == {1}


def test_every_kind_of_step_is_priced_or_written_by_the_model() -> None:
    kinds = get_args(StepKind.__value__)
    free = {kind for kind in kinds if planning._operation(kind) is None}
    assert free == {"script", "document"}
