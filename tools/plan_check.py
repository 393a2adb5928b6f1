"""Can a plan be carried out here? Asked before anyone sees it, of what the services declare.

Each step is held against real capabilities: an operation that exists, a length, a size and a
language within some service's limits. What cannot be is refused with the category capability, every
such step at once, each with the nearest that is possible. What is possible gets a time: per step,
and for the whole along its dependencies with what may run at once.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Literal

from pydantic import ValidationError

from execution import effects
from execution.durations import Measured
from execution.effects import Offer
from execution.errors import CapabilityError, InvalidCallError
from infra.deps import Deps
from infra.providers.ports import Lane
from tools.orders import STEP_KINDS

if TYPE_CHECKING:
    from tools.plan import PlannedStep, ProposePlan

type Known = Mapping[tuple[str, str], Measured]
type Basis = Literal["measured", "declared", "none"]

_OPERATION = {kind: operation for operation, kinds in STEP_KINDS.items() for kind in kinds}
WHOLE_FILM = frozenset({"music", "master"})
_SIZED = frozenset({"image", "clip"})
_TOLERANCE_S = 0.5
_SHOWN = ("shots", "captions", "master")
"""Kinds that take moving pictures or pictures, and so nothing of a GLB file."""
_NEAREST = {
    "matting": "an `image` made anew on a plain background",
    "background_removal": "an `image` made anew on a plain background",
    "upscale": "an `image` ordered at the size that is needed",
    "restyle": "an `image` made anew in the other style",
    "inpainting": "an `image` made anew with the change in its prompt",
    "outpainting": "an `image` made anew in the wider frame",
    "animation": "`shots` made from `keyframes`",
    "video": "`shots`, put together as a `master`",
    "lip_sync": "`narration` over `shots`",
    "sound_effects": "`music`",
    "song": "`music` without words",
    "voice": "`narration`",
    "subtitles": "`captions`",
    "translation": "another `narration` and its `captions`",
    "storyboard": "`keyframes`",
    "print": "an `image` file for a printer",
}
"""What is nearest to things that people want and no kind of step is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepTime:
    """How long a step takes, and how that is known."""

    key: str
    seconds: float
    basis: Basis
    samples: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """How long a plan takes: its steps, and the whole with what runs at the same time."""

    steps: tuple[StepTime, ...]
    seconds: float

    def view(self) -> dict[str, Any]:
        """Return it as plain JSON, for a card."""
        return {
            "seconds": round(self.seconds),
            "steps": [
                {
                    "key": step.key,
                    "seconds": round(step.seconds),
                    "basis": step.basis,
                    "samples": step.samples,
                }
                for step in self.steps
            ],
        }


def impossible(error: ValidationError) -> CapabilityError | None:
    """Return that a plan wants what no plan here can have, if that is all that is wrong with it."""
    told = [_beyond(problem) for problem in error.errors(include_url=False)]
    if any(each is None for each in told):
        return None
    return CapabilityError(" ".join(each for each in told if each))


def _beyond(problem: Mapping[str, Any]) -> str | None:
    """Say what is nearest to a value that is beyond the possible ones; None of other faults."""
    place = [str(part) for part in problem["loc"]]
    limits: Mapping[str, Any] = problem.get("ctx", {})
    given = problem["input"]
    if problem["type"] == "literal_error" and place[-1] == "kind":
        return _no_such_kind(str(given))
    if problem["type"] == "less_than_equal" and place[-1] in _MOST:
        where = f"Step {int(place[1]) + 1}: " if place[0] == "steps" else ""
        return f"{where}{_MOST[place[-1]].format(given=given, most=limits['le'])}"
    return None


_MOST = {
    "count": "{given} results of one step; at most {most} are possible, more need a second step.",
    "width": "A width of {given} pixels; at most {most} are possible.",
    "height": "A height of {given} pixels; at most {most} are possible.",
    "fps": "{given} frames a second; at most {most} are possible.",
    "seconds": "{given} s in one step; at most {most} are possible.",
}


def _no_such_kind(wanted: str) -> str:
    name = wanted.lower().replace(" ", "_").replace("-", "_")
    kinds = ["script", "document", *_OPERATION]
    close = get_close_matches(name, [*_NEAREST, *kinds], n=1, cutoff=0.6)
    nearest = next((_NEAREST.get(each, f"`{each}`") for each in close), "")
    there = ", ".join(kinds)
    message = f"Nothing here can do '{wanted}'. Kinds of steps are: {there}."
    return f"{message} Nearest is {nearest}." if nearest else message


def check(deps: Deps, plan: "ProposePlan", made: Mapping[str, int], known: Known) -> Estimate:
    """Return how long a plan takes; `made` says how many results of a step stay as they are.

    `known` are the times that were measured here; without one the declared time counts.

    Raises:
        CapabilityError: steps that nobody here can carry out, each with the nearest that is
            possible.
        InvalidCallError: lengths that contradict each other.
    """
    offers = effects.offers(deps)
    faults = [fault for step in plan.steps for fault in _faults(plan, step, offers)]
    if faults:
        raise CapabilityError(" ".join(faults))
    _check_lengths(plan)
    return _estimate(_Here(deps=deps, offers=offers, known=known), plan, made)


def _faults(plan: "ProposePlan", step: "PlannedStep", offers: Iterable[Offer]) -> list[str]:
    operation = _OPERATION.get(step.kind)
    if operation is None:
        return []
    able = [offer for offer in offers if offer.operation == operation]
    if not able:
        there = ", ".join(dict.fromkeys(offer.operation for offer in offers))
        needs = f"The step '{step.key}' ({step.kind}) needs it."
        return [f"Nothing here can do '{operation}'. Possible are: {there}. {needs}"]
    return [
        f"The step '{step.key}' ({step.kind}): {fault}."
        for fault in (_size_fault(plan, step, able), _voice_fault(plan, step, able))
        if fault
    ] + _shape_faults(plan, step)


def _size_fault(plan: "ProposePlan", step: "PlannedStep", able: list[Offer]) -> str | None:
    """Say by what a step is beyond every service, in the words of the one that goes furthest."""
    seconds = seconds_of(plan, step) / step.count
    is_sized = _OPERATION[step.kind] in _SIZED
    width, height = (plan.width, plan.height) if is_sized else (0, 0)
    refusals = [
        (offer, offer.limits.refusal(seconds=seconds, width=width, height=height)) for offer in able
    ]
    if any(refusal is None for _, refusal in refusals):
        return None
    offer, refusal = max(refusals, key=lambda each: _reach(each[0]))
    return f"{refusal} ({offer.provider})"


def _reach(offer: Offer) -> float:
    return offer.limits.seconds[1] if offer.limits.seconds else 0


def _voice_fault(plan: "ProposePlan", step: "PlannedStep", able: list[Offer]) -> str | None:
    if step.kind != "narration" or any(offer.speaks(plan.language) for offer in able):
        return None
    voices = sorted({tag for offer in able for tag in offer.languages})
    return f"there is no voice for '{plan.language}'. Voices are: {', '.join(voices)}"


def _shape_faults(plan: "ProposePlan", step: "PlannedStep") -> list[str]:
    """Name what goes into a step that has no use for it, where no other step could have any."""
    kinds = {each.key: each.kind for each in plan.steps}
    bodies = [key for key in step.depends_on if kinds.get(key) == "model3d"]
    if step.kind not in _SHOWN or not bodies:
        return []
    named = ", ".join(bodies)
    message = (
        f"The step '{step.key}' ({step.kind}) cannot show the 3D objects of {named}. Nearest is an "
        "`image` or `keyframes` of the same thing."
    )
    return [message]


def _check_lengths(plan: "ProposePlan") -> None:
    """Refuse a film whose shots together are another length than the film."""
    shots = [step for step in plan.steps if step.kind == "shots"]
    has_master = any(step.kind == "master" for step in plan.steps)
    total = sum(step.seconds for step in shots)
    if not has_master or not plan.duration_s or not all(step.seconds for step in shots):
        return
    if abs(total - plan.duration_s) > _TOLERANCE_S:
        message = (
            f"The shots are {total:g} s long together and the film is {plan.duration_s:g} s: make "
            "`seconds` of the shots and `duration_s` the same."
        )
        raise InvalidCallError(message)


def seconds_of(plan: "ProposePlan", step: "PlannedStep") -> float:
    """Return the seconds of media in all results of a step together.

    A film is as long as is said, or else as its shots: so it is never priced as one without length.
    """
    if step.seconds or step.kind not in WHOLE_FILM:
        return step.seconds
    return plan.duration_s or sum(each.seconds for each in plan.steps if each.kind == "shots")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Here:
    """What this installation offers, and what is known of how long that takes."""

    deps: Deps
    offers: list[Offer]
    known: Known

    def chosen(self, operation: str, payload: dict[str, Any]) -> Offer:
        """Return the offer of the service that would do it."""
        name = effects.quote(self.deps, operation, payload).provider
        return next(
            each for each in self.offers if (each.operation, each.provider) == (operation, name)
        )


def _estimate(here: _Here, plan: "ProposePlan", made: Mapping[str, int]) -> Estimate:
    times: list[StepTime] = []
    ends: dict[str, float] = {}
    here_s = 0.0
    for step in plan.steps:
        time, lane = _step_time(here, plan, step, made.get(step.key, 0))
        begins = max((ends[key] for key in step.depends_on), default=0.0)
        ends[step.key] = begins + time.seconds
        here_s += time.seconds if lane is Lane.HERE else 0
        times.append(time)
    # Steps side by side on this machine share its places: together they take their sum.
    return Estimate(steps=tuple(times), seconds=max([here_s, *ends.values()]))


def _step_time(
    here: _Here, plan: "ProposePlan", step: "PlannedStep", made: int
) -> tuple[StepTime, Lane]:
    operation = _OPERATION.get(step.kind)
    if operation is None:
        return StepTime(key=step.key, seconds=0, basis="none"), Lane.AWAY
    seconds = seconds_of(plan, step) / step.count
    offer = here.chosen(operation, {"duration_s": seconds, "language": plan.language})
    settings = here.deps.settings
    places = settings.executor_slots if offer.lane is Lane.HERE else settings.away_slots
    rounds = -(-max(step.count - made, 0) // places)
    measured = here.known.get((operation, offer.provider))
    if measured is None:
        each = offer.limits.expected_s(seconds)
        return StepTime(key=step.key, seconds=rounds * each, basis="declared"), offer.lane
    each, samples = measured.expected_s(seconds), measured.samples
    time = StepTime(key=step.key, seconds=rounds * each, basis="measured", samples=samples)
    return time, offer.lane
