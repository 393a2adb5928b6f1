"""A plan is held against what the services declare: refused with the nearest, or given a time."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from execution.durations import Measured
from execution.errors import CapabilityError, InvalidCallError
from infra.deps import Deps
from infra.providers.ports import Capabilities, Lane, OperationLimits
from tools.orders import validated
from tools.plan import PROPOSE_PLAN, ProposePlan
from tools.plan_check import Estimate, check

SCRIPT = {"key": "script", "title": "Script", "kind": "script"}
FRAMES = {"key": "frames", "title": "F", "kind": "keyframes", "count": 3, "depends_on": ["script"]}
SHOTS: dict[str, Any] = {
    "key": "shots",
    "title": "Shots",
    "kind": "shots",
    "count": 3,
    "depends_on": ["frames"],
    "seconds": 12,
}
VOICE = {"key": "voice", "title": "V", "kind": "narration", "count": 3, "depends_on": ["script"]}
FILM = {"key": "film", "title": "Film", "kind": "master", "depends_on": ["shots", "voice"]}
STEPS = [SCRIPT, FRAMES, SHOTS, VOICE, FILM]

CAN = Capabilities(
    operations=frozenset({"image", "clip", "narration", "render"}),
    shape="job",
    correlation=frozenset(),
    webhook="none",
    cancel="none",
    policy_block_billed="unknown",
    quote="exact",
    charge="derived",
    min_poll_s=1,
    max_poll_s=1,
    result_ttl_s=None,
    languages=frozenset({"en", "de"}),
    lane=Lane.HERE,
    limits={
        "image": OperationLimits(sides=(256, 2000), typical_s=10),
        "clip": OperationLimits(seconds=(1, 8), typical_s=4, typical_per_second=2),
        "narration": OperationLimits(typical_s=3),
        "render": OperationLimits(typical_s=5, typical_per_second=1),
    },
)


class Service:
    """A provider that declares and quotes."""

    def __init__(self, name: str = "here", can: Capabilities = CAN) -> None:
        self.name, self.capabilities = name, can

    def quote_micros(self, operation: str, payload: dict[str, Any]) -> int:
        return 1

    def unit(self, operation: str) -> str:
        return "call"


def at(*services: Service, slots: int = 2, away: int = 8) -> Deps:
    settings = SimpleNamespace(executor_slots=slots, away_slots=away)
    providers = {each.name: each for each in services or (Service(),)}
    return cast("Deps", SimpleNamespace(providers=providers, settings=settings))


def plan(steps: list[dict[str, Any]] | None = None, **given: Any) -> ProposePlan:
    said = {"title": "T", "summary": "S", "language": "en", "duration_s": 12}
    return ProposePlan.model_validate({**said, "steps": steps or STEPS, **given})


def times(estimate: Estimate) -> dict[str, float]:
    return {step.key: step.seconds for step in estimate.steps}


def test_a_film_that_can_be_made_passes() -> None:
    assert {step.basis for step in check(at(), plan(), {}, {}).steps} == {"declared", "none"}


def test_a_clip_longer_than_any_service_makes_names_the_longest_there_is() -> None:
    longer = Service("longer", replace(CAN, limits={"clip": OperationLimits(seconds=(2, 20))}))
    wanted = plan([SCRIPT, FRAMES, {**SHOTS, "seconds": 90}, FILM_OF_SHOTS], duration_s=90)
    with pytest.raises(CapabilityError) as told:
        check(at(Service(), longer), wanted, {}, {})
    assert "'shots' (shots): 30 s at once, possible are 2 to 20 s (longer)" in told.value.message
    fits = plan([SCRIPT, FRAMES, {**SHOTS, "seconds": 45}, FILM_OF_SHOTS], duration_s=45)
    check(at(Service(), longer), fits, {}, {})
    with pytest.raises(CapabilityError, match="15 s at once, possible are 1 to 8 s"):
        check(at(), fits, {}, {})


FILM_OF_SHOTS = {**FILM, "depends_on": ["shots"]}


def test_a_picture_larger_than_any_service_makes_names_the_largest_there_is() -> None:
    with pytest.raises(CapabilityError, match=r"2400 x 720, possible are sides of 256 to 2000"):
        check(at(), plan(width=2400), {}, {})
    check(at(), plan(width=2000), {}, {})


def test_a_language_without_a_voice_names_the_voices() -> None:
    with pytest.raises(CapabilityError, match=r"no voice for 'fi'. Voices are: de, en"):
        check(at(), plan(language="fi"), {}, {})
    check(at(), plan(language="de-AT"), {}, {})
    silent = [SCRIPT, FRAMES, SHOTS, FILM_OF_SHOTS]
    check(at(), plan(silent, language="fi"), {}, {})
    finnish = Service("finnish", replace(CAN, languages=frozenset({"fi"})))
    check(at(Service(), finnish), plan(language="fi"), {}, {})


def test_every_impossible_step_is_named_at_once() -> None:
    with pytest.raises(CapabilityError) as told:
        check(at(Service(can=replace(CAN, operations=frozenset({"clip"})))), plan(), {}, {})
    for key in ("frames", "voice", "film"):
        assert f"The step '{key}' (" in told.value.message
    assert "Possible are: clip." in told.value.message


def test_a_body_in_space_cannot_be_filmed() -> None:
    body = {"key": "mug", "title": "Mug", "kind": "model3d"}
    shots = {**SHOTS, "depends_on": ["mug"]}
    both = replace(CAN, operations=CAN.operations | {"model3d"})
    with pytest.raises(CapabilityError, match="cannot show the 3D objects of mug"):
        check(at(Service(can=both)), plan([body, shots, FILM_OF_SHOTS]), {}, {})


def test_shots_of_another_length_than_their_film_are_refused() -> None:
    with pytest.raises(InvalidCallError, match="The shots are 12 s long together"):
        check(at(), plan(duration_s=24), {}, {})
    check(at(), plan(duration_s=12.4), {}, {})
    only_shots = plan([SCRIPT, FRAMES, SHOTS], duration_s=24)
    check(at(), only_shots, {}, {})


@pytest.mark.parametrize(
    ("kind", "nearest"),
    [
        ("matting", "an `image` made anew on a plain background"),
        ("Upscale", "an `image` ordered at the size that is needed"),
        ("keyframe", "`keyframes`"),
        ("lip-sync", "`narration` over `shots`"),
        ("hologram", None),
    ],
)
def test_a_kind_that_does_not_exist_is_a_matter_of_capability(
    kind: str, nearest: str | None
) -> None:
    arguments = plan().model_dump()
    arguments["steps"][1]["kind"] = kind
    with pytest.raises(CapabilityError) as told:
        validated(PROPOSE_PLAN, arguments)
    assert f"Nothing here can do '{kind}'. Kinds of steps are: script, document, image" in (
        told.value.message
    )
    assert ("Nearest is" in told.value.message) is (nearest is not None)
    assert nearest is None or told.value.message.endswith(f"Nearest is {nearest}.")


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"width": 8000}, "A width of 8000 pixels; at most 3840 are possible."),
        ({"fps": 120}, "120 frames a second; at most 60 are possible."),
        (
            {"steps": [SCRIPT, {**FRAMES, "count": 90}]},
            "Step 2: 90 results of one step; at most 60",
        ),
    ],
)
def test_more_than_a_plan_can_have_names_the_most(changes: dict[str, Any], told: str) -> None:
    with pytest.raises(CapabilityError) as refused:
        validated(PROPOSE_PLAN, {**plan().model_dump(), **changes})
    assert refused.value.message.startswith(told)


def test_arguments_that_are_wrong_besides_are_invalid() -> None:
    with pytest.raises(InvalidCallError, match="title"):
        validated(PROPOSE_PLAN, {**plan().model_dump(), "width": 8000, "title": ""})
    with pytest.raises(InvalidCallError, match="width"):
        validated(PROPOSE_PLAN, {**plan().model_dump(), "width": 100})


def test_a_step_takes_its_rounds_of_what_runs_at_once() -> None:
    found = times(check(at(slots=2), plan(), {}, {}))
    # three pictures in two rounds; clips of 4 s; narrations; a film of 12 s
    assert found == {"script": 0, "frames": 20, "shots": 24, "voice": 6, "film": 17}


def test_a_service_elsewhere_works_at_more_at_once() -> None:
    away = Service(can=replace(CAN, lane=Lane.AWAY))
    found = check(at(away, slots=1, away=3), plan(), {}, {})
    assert times(found) == {"script": 0, "frames": 10, "shots": 12, "voice": 3, "film": 17}
    assert found.seconds == 10 + 12 + 17, "the narration runs beside the pictures"


def test_what_shares_this_machine_takes_its_time_one_after_the_other() -> None:
    found = check(at(slots=2), plan(), {}, {})
    assert found.seconds == 20 + 24 + 6 + 17


def test_results_that_stay_take_no_time() -> None:
    found = times(check(at(slots=1), plan(), {"frames": 2, "shots": 3}, {}))
    assert (found["frames"], found["shots"]) == (10, 0)


def test_the_service_that_would_do_it_is_asked_for_its_time() -> None:
    slow = OperationLimits(seconds=(0, 60), typical_s=100)
    other = Service("other", replace(CAN, limits={"clip": slow}, lane=Lane.AWAY))
    long = plan([SCRIPT, FRAMES, {**SHOTS, "seconds": 45}, FILM_OF_SHOTS], duration_s=45)
    assert times(check(at(Service(), other), long, {}, {}))["shots"] == 100


def test_what_was_measured_here_counts_before_what_is_declared() -> None:
    known = {
        ("image", "here"): Measured(
            operation="image", provider="here", per_call_s=2, per_second_s=None, samples=7
        ),
        ("clip", "here"): Measured(
            operation="clip", provider="here", per_call_s=99, per_second_s=1.5, samples=5
        ),
        ("narration", "elsewhere"): Measured(
            operation="narration", provider="elsewhere", per_call_s=500, per_second_s=1, samples=9
        ),
    }
    found = {step.key: step for step in check(at(slots=3), plan(), {}, known).steps}
    assert (found["frames"].seconds, found["frames"].basis, found["frames"].samples) == (
        2,
        "measured",
        7,
    )
    assert found["shots"].seconds == 1.5 * 4
    assert (found["voice"].seconds, found["voice"].basis) == (3, "declared")
