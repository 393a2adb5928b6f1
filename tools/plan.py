"""`propose_plan`: the model lays out the work, code checks and prices it, a person approves it.

A plan is checked against what this installation can do before anyone sees it: a step that nobody
can execute is refused with the category capability, and a step whose inputs no earlier step makes
is refused as invalid. Nothing of a plan runs before its approval.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal, assert_never

from pydantic import BaseModel, Field

from execution import budget, checklist, delegations, durations, effects, words, workspaces
from execution.authorization import Authorization, PlanFacts, Risk, authorize_plan
from execution.errors import CapabilityError, InvalidCallError, PermissionDeniedError
from execution.progress import ChecklistItem, ItemProgress, ItemStatus, Plan, ranges
from execution.workspaces import AutonomyLevel, Workspace
from infra.deps import Deps
from tools import plan_check, reviews, revision
from tools.plan_reasons import why
from tools.revision import KeptResults, LeftOutStep, Proposal, RevisedStep, Revision
from tools.revision_words import words_of
from tools.tool import Question, Tool, ToolContext

type StepKind = Literal[
    "script",
    "document",
    "image",
    "characters",
    "keyframes",
    "shots",
    "narration",
    "music",
    "captions",
    "master",
    "model3d",
]

MAX_FILM_SECONDS = 600
DEFAULT_SIZE = (1280, 720)
_RESERVE_SHARE = 4


class PlannedStep(BaseModel):
    """One step of the plan."""

    key: Annotated[str, Field(pattern=r"^[a-z0-9_-]{1,40}$", description="short unique name")]
    title: Annotated[str, Field(min_length=1, max_length=120)]
    kind: StepKind
    count: Annotated[int, Field(ge=1, le=60, description="how many results it must bring")] = 1
    depends_on: list[str] = Field(default_factory=list)
    seconds: Annotated[
        float, Field(ge=0, le=3600, description="seconds of media in all results together")
    ] = 0
    review: Annotated[
        bool, Field(description="the person has asked to look at the results before work goes on")
    ] = False
    remake: Annotated[
        list[revision.Number],
        Field(max_length=60, description="of a step in keep: the slots that are made again"),
    ] = []


class ProposePlan(BaseModel):
    """Arguments of `propose_plan`."""

    title: Annotated[str, Field(min_length=1, max_length=200)]
    summary: Annotated[str, Field(max_length=4000, description="for the person, in their language")]
    language: Annotated[str, Field(max_length=20, description="of the work, BCP 47")]
    width: Annotated[int, Field(ge=256, le=3840, multiple_of=2)] = DEFAULT_SIZE[0]
    height: Annotated[int, Field(ge=256, le=3840, multiple_of=2)] = DEFAULT_SIZE[1]
    fps: Annotated[int, Field(ge=12, le=60)] = 24
    duration_s: Annotated[float, Field(ge=0, description="0 where the work has no length")] = 0
    steps: Annotated[list[PlannedStep], Field(min_length=1, max_length=40)]
    keep: list[str] = Field(
        default_factory=list,
        description="keys of steps of the previous plan whose results stay valid",
    )
    kept_results: list[KeptResults] = Field(
        default_factory=list[KeptResults],
        max_length=40,
        description="results that stay though something has changed that they were made from",
    )
    left_out: list[LeftOutStep] = Field(
        default_factory=list[LeftOutStep],
        max_length=40,
        description="steps with results that the work does without from now on, and why",
    )


@dataclass(frozen=True, slots=True)
class _Line:
    label: str
    detail: str
    each_micros: int
    micros: int
    whole_micros: int
    """What the whole step costs, of which a part may be there."""


async def propose_plan(context: ToolContext, arguments: ProposePlan) -> Question:
    """Check, price and store a plan as a proposal, and ask the person."""
    _check_structure(arguments)
    await _check_kept(context, arguments)
    workspace = await workspaces.get(context.tx.conn, context.tx.workspace_id)
    revised = await revision.checked(context, _proposal(arguments, workspace))
    made = {step.key: _made(context.plan, arguments, step) for step in arguments.steps}
    estimate = plan_check.check(
        context.deps, arguments, made, await durations.measured(context.tx.conn)
    )
    lines = [_price(context, arguments, step) for step in arguments.steps]
    quote = sum(line.micros for line in lines)
    number = await checklist.next_version(context.tx.conn, context.task_id)
    decided = await _authorize(context, workspace, lines, is_rework=revised.is_rework)
    items = [
        replace(item, price_micros=line.micros)
        for item, line in zip(
            _items(arguments, context.plan, workspace.review_points, number),
            lines,
            strict=True,
        )
    ]
    version = await checklist.propose(
        context.tx,
        context.task_id,
        title=arguments.title,
        summary=arguments.summary,
        format_=_format(arguments),
        items=items,
        call_key=context.call_key,
        quote_micros=quote,
        maximum_micros=_maximum(lines),
        within_allowance=decided.verdict == "allow",
        revision=revised.as_json() | {"why": await why(context)},
    )
    return Question(
        kind="plan",
        title=arguments.title,
        body=arguments.summary,
        request={"version": version, "plan": arguments.model_dump()},
        actions=["approve", "reject"],
        lines=[
            {
                "label": line.label,
                "detail": line.detail,
                "amount_micros": line.micros,
                "review": item.review,
            }
            for line, item in zip(lines, items, strict=True)
        ]
        + _told(context, arguments, revised),
        price_micros=quote,
        maximum_micros=_maximum(lines),
        decided=decided,
        estimate=estimate.view(),
        saw={
            step.key: {"done": made[step.key], "expected": step.count} for step in arguments.steps
        },
    )


async def is_covered(context: ToolContext, arguments: ProposePlan, maximum_micros: int) -> bool:
    """Tell whether a proposed plan that was asked about only for its price would begin by now.

    It is the first, or something has still changed under all that it makes again.

    Raises:
        ToolRefusedError: a step of it can no longer be made, or has no price any more; or it leaves
            results undecided by now.
    """
    lines = [_price(context, arguments, step) for step in arguments.steps]
    workspace = await workspaces.get(context.tx.conn, context.tx.workspace_id)
    revised = await revision.checked(context, _proposal(arguments, workspace))
    decided = await _authorize(context, workspace, lines, is_rework=revised.is_rework)
    return decided.verdict == "allow" and _maximum(lines) == maximum_micros


def with_reserve(quote_micros: int) -> int:
    """Return the most that work may cost: a quarter more, so that failed work can be repeated."""
    return quote_micros + _reserve(quote_micros)


def _reserve(quote_micros: int) -> int:
    return -(-quote_micros // _RESERVE_SHARE)


def _maximum(lines: list[_Line]) -> int:
    """Return the most that a plan may cost.

    A step's price is an average, and what is left of one may be the dearest of it. So the reserve
    for it is at least what one more result costs, as far as it was that of the whole step.
    """
    reserves = (
        min(line.each_micros, _reserve(line.whole_micros)) - _reserve(line.micros)
        for line in lines
        if line.micros
    )
    return with_reserve(sum(line.micros for line in lines)) + sum(max(each, 0) for each in reserves)


def _proposal(arguments: ProposePlan, workspace: Workspace) -> Proposal:
    return Proposal(
        steps=[
            RevisedStep(
                key=step.key,
                kind=step.kind,
                count=step.count,
                depends_on=step.depends_on,
                remake=step.remake,
                seconds=step.seconds,
                is_looked_at=_is_looked_at(step, workspace.review_points),
            )
            for step in arguments.steps
        ],
        keep=arguments.keep,
        kept=arguments.kept_results,
        left_out=arguments.left_out,
        format=_format(arguments),
    )


def _format(arguments: ProposePlan) -> dict[str, Any]:
    return {
        "width": arguments.width,
        "height": arguments.height,
        "fps": arguments.fps,
        "duration_s": arguments.duration_s,
        "language": arguments.language,
    }


def _is_looked_at(step: PlannedStep, review_points: Collection[str]) -> bool:
    return step.review or step.kind in review_points


def _told(context: ToolContext, arguments: ProposePlan, revised: Revision) -> list[dict[str, Any]]:
    """Return what the person is shown of results that are there: left out, and kept anyway."""
    words = words_of(context.task.language)
    titles = {step.key: step.title for step in arguments.steps}
    told = [(f"{words.left_out}: {gone['title']}", gone["reason"]) for gone in revised.left_out]
    told += [
        (f"{words.kept}: {titles[kept['step']]} {ranges(kept['slots'])}", kept["reason"])
        for kept in revised.kept
    ]
    return [
        {"label": label, "detail": reason, "amount_micros": 0, "review": False}
        for label, reason in told
    ]


async def _authorize(
    context: ToolContext,
    workspace: Workspace,
    lines: list[_Line],
    *,
    is_rework: bool,
) -> Authorization:
    conn = context.tx.conn
    return authorize_plan(
        PlanFacts(
            is_first=not await checklist.is_decided(conn, context.task_id),
            maximum_micros=_maximum(lines),
            dearest_call_micros=max(line.each_micros for line in lines),
            autonomy=AutonomyLevel(workspace.autonomy),
            per_call_allowance_micros=workspace.per_call_allowance_micros,
            daily_allowance_micros=workspace.daily_allowance_micros,
            spent_today_micros=await budget.spent_today(conn, context.tx.workspace_id),
            confirms_each_call=await words.confirms_each_call(conn, context.task_id),
            carved_micros=await delegations.carved_for(conn, context.task_id),
            is_rework=is_rework,
            added_micros=await _added(context),
        )
    )


async def _added(context: ToolContext) -> int:
    """Return what is free on the task's account, if a person has added to that for this plan."""
    conn, plan = context.tx.conn, context.plan
    since = plan.checklist.created_at if plan is not None and plan.is_approved else None
    if not await budget.added(conn, context.task_id, since):
        return 0
    return (await budget.get(conn, context.task_id)).free_micros


def _check_structure(arguments: ProposePlan) -> None:
    seen: set[str] = set()
    if arguments.duration_s > MAX_FILM_SECONDS:
        message = f"A film may be at most {MAX_FILM_SECONDS} seconds long here."
        raise CapabilityError(message)
    for step in arguments.steps:
        if step.key in seen:
            message = f"Two steps have the key '{step.key}'."
            raise InvalidCallError(message)
        unknown = [key for key in step.depends_on if key not in seen]
        if unknown:
            message = (
                f"The step '{step.key}' depends on {', '.join(unknown)}, which no earlier step is. "
                "List steps in the order in which they can run."
            )
            raise InvalidCallError(message)
        seen.add(step.key)
    kinds = {step.key: step.kind for step in arguments.steps}
    for step in arguments.steps:
        _check_inputs(step, {kinds[key] for key in step.depends_on})


async def _check_kept(context: ToolContext, arguments: ProposePlan) -> None:
    """Refuse to keep results that the person has refused, unless they have said something since."""
    for step in arguments.steps:
        kept = _kept(context.plan, arguments, step)
        if kept is None or kept.status is not ItemStatus.REJECTED:
            continue
        if not await reviews.has_spoken_since(context.tx.conn, context.task_id, kept):
            message = (
                f"The person has refused the results of '{step.key}'. Leave it out of keep, so "
                "that it is made again by their words."
            )
            raise PermissionDeniedError(message)


def _check_inputs(step: PlannedStep, upstream: set[str]) -> None:
    needed = {"captions": {"shots", "narration"}, "master": {"shots"}}.get(step.kind, set())
    if missing := sorted(needed - upstream):
        message = (
            f"The step '{step.key}' ({step.kind}) needs results of {', '.join(missing)}; "
            "name such steps in its depends_on."
        )
        raise InvalidCallError(message)
    if step.kind in ("music", "captions", "master") and step.count != 1:
        message = f"The step '{step.key}' ({step.kind}) brings exactly one result."
        raise InvalidCallError(message)


def _price(context: ToolContext, arguments: ProposePlan, step: PlannedStep) -> _Line:
    if _operation(step.kind) is None:
        return _Line(step.title, "", 0, 0, 0)
    seconds = plan_check.seconds_of(arguments, step)
    size = (arguments.width, arguments.height)
    each = quote_micros(context.deps, step.kind, seconds=seconds / step.count, size=size)
    count = step.count - _made(context.plan, arguments, step)
    count -= _done_without(context.plan, arguments, step)
    timed = bool(seconds) and step.kind in {"shots", *plan_check.WHOLE_FILM}
    parts = [f"{count} ×"] if step.count > 1 else []
    parts += [f"{seconds / step.count:.3g} s"] if timed else []
    parts += [f"({ranges(step.remake)})"] if step.remake else []
    detail = " ".join(parts)
    return _Line(step.title, detail, each, each * count, each * step.count)


def quote_micros(deps: Deps, kind: StepKind, *, seconds: float, size: tuple[int, int]) -> int:
    """Return what one result of a kind costs, of so many seconds and of this size in pixels.

    Raises:
        CapabilityError: nothing here can make it.
    """
    operation = _operation(kind)
    if operation is None:
        return 0
    payload: dict[str, Any] = {"duration_s": seconds}
    if operation in ("image", "clip"):  # some services charge by the size of what they make
        payload |= {"width": size[0], "height": size[1]}
    return effects.quote(deps, operation, payload).micros


def _made(previous: Plan | None, arguments: ProposePlan, step: PlannedStep) -> int:
    """Return how many of the step's results stay from the previous plan and cost nothing again."""
    kept = _kept(previous, arguments, step)
    if kept is None:
        return 0
    return sum(
        slot.state in ("done", "running", "asked") and slot.number not in step.remake
        for slot in kept.slots[: step.count]
    )


def _done_without(previous: Plan | None, arguments: ProposePlan, step: PlannedStep) -> int:
    """Return how many of the step's results nobody makes: a person does without, of this number."""
    kept = _kept(previous, arguments, step)
    if kept is None or kept.item.expected_count != step.count:
        return 0
    return len(set(kept.in_state("left_out")) - set(step.remake))


def _kept(previous: Plan | None, arguments: ProposePlan, step: PlannedStep) -> ItemProgress | None:
    """Return the previous plan's step whose results stay: named in `keep`, of the same kind."""
    found = previous.find(step.key) if previous and step.key in arguments.keep else None
    return found if found is not None and found.item.kind == step.kind else None


def _operation(kind: StepKind) -> str | None:
    match kind:
        case "script" | "document":
            return None
        case "image" | "characters" | "keyframes":
            return "image"
        case "shots":
            return "clip"
        case "narration" | "music" | "captions":
            return kind
        case "master":
            return "render"
        case "model3d":
            return "model3d"
    assert_never(kind)


def _items(
    arguments: ProposePlan,
    previous: Plan | None,
    review_points: Collection[str] = (),
    version: int | None = None,
) -> list[ChecklistItem]:
    """Return the plan's steps; where a person will look is settled here, and shown to them.

    Their review points of now hold for this version, whatever becomes of the settings: so the work
    stops exactly where the approved plan says, and a change of the settings is in the next plan.
    """
    version = version or (previous.checklist.version + 1 if previous else 1)
    items: list[ChecklistItem] = []
    for position, step in enumerate(arguments.steps):
        kept = _kept(previous, arguments, step)
        items.append(
            ChecklistItem(
                key=step.key,
                position=position,
                title=step.title,
                kind=step.kind,
                depends_on=step.depends_on,
                expected_count=step.count,
                seconds=step.seconds,
                review=_is_looked_at(step, review_points),
                from_version=kept.item.from_version if kept else version,
                slot_versions=_slot_versions(kept, step, version),
            )
        )
    return items


def _slot_versions(kept: ItemProgress | None, step: PlannedStep, version: int) -> dict[str, int]:
    """Return from which version on results of single slots count: from now, of what is made anew.

    That is what is remade, what has failed (its price is in the plan again, so it is tried again),
    and what a person did without while another number was planned.
    """
    if kept is None:
        return {}
    anew = {*step.remake, *kept.in_state("failed")}
    if kept.item.expected_count != step.count:
        anew.update(kept.in_state("left_out"))
    return kept.item.slot_versions | {str(number): version for number in sorted(anew)}


PROPOSE_PLAN = Tool(
    name="propose_plan",
    description=(
        "Propose the plan of the work as steps with counts and dependencies. Code prices it and "
        "the person approves plan and budget; nothing runs before. Propose again to revise it."
    ),
    arguments=ProposePlan,
    risk=Risk.WRITE,
    call=propose_plan,
    impossible=plan_check.impossible,
)
