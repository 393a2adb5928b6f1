"""Has every judge look at results that are to be delivered: the rules, then a model if one is set.

The model is not asked about a work that its measurements refuse: that is to be made again anyway.
"""

from collections.abc import Sequence

from execution import effects
from execution.judgements import NewJudgement
from execution.model_calls import Asker
from execution.progress import Plan
from infra.blobs import BlobStore
from infra.deps import Deps
from workspace.delivery.findings import Finding, refuses_delivery
from workspace.judging.model import ModelJudge
from workspace.judging.ports import Judge, Shown, Work
from workspace.judging.rules import RulesJudge

_SEEN = frozenset({"image", "video"})
_PUT_TOGETHER = "master"


async def judge(
    deps: Deps, asker: Asker, plan: Plan, findings: list[Finding], *, brief: Sequence[str]
) -> list[NewJudgement]:
    """Return what each judge proposes about these results."""
    work = Work(
        plan=plan, findings=findings, shown=await _shown(plan, deps.blobs), brief=tuple(brief)
    )
    judges: list[Judge] = [RulesJudge()]
    spec = effects.judge_spec(deps)
    if spec is not None and work.shown and not refuses_delivery(findings):
        judges.append(ModelJudge(deps, asker, spec=spec))
    return [await each.judge(work) for each in judges]


async def _shown(plan: Plan, blobs: BlobStore) -> list[Shown]:
    """Return every result that can be seen, but the film itself, which is its shots."""
    return [
        Shown(
            step=item.item.key,
            slot=slot.number,
            name=output["name"],
            path=await blobs.open(output["sha256"]),
            sha256=output["sha256"],
            is_moving=output["kind"] == "video",
        )
        for item in plan.items
        if item.item.kind != _PUT_TOGETHER
        for slot in item.slots
        for output in slot.outputs
        if output["kind"] in _SEEN
    ]
