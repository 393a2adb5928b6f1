"""The judge of rules: what the delivery audit has measured, and how pictures keep to their plan.

Each finding becomes at most one proposal about the result that it is about. Of pictures it also
measures what refuses no delivery: another shape than planned, and next to no contrast.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Mapping

import numpy as np
from PIL import Image

from execution.judgements import Advice, NewJudgement, Proposal
from execution.progress import Plan
from workspace.delivery.findings import Finding, Severity
from workspace.judging.ports import Shown, Work

NAME = "rules"
VERSION = "1"
_LEAST_CONTRAST = 12.0
"""Standard deviation of grey levels, of 255; a foggy morning has 20 and more."""
_SHAPE_TOLERANCE = 0.02
_FRAMED = frozenset({"image", "keyframes", "characters"})
"""Kinds of steps whose pictures have the plan's frame; a preview of a body has its own."""
_ADVICE: Mapping[str, tuple[Advice, str]] = {
    "empty_picture": (Advice.REGENERATE, "picture"),
    "unreadable_picture": (Advice.REGENERATE, "picture"),
    "same_picture": (Advice.ADJUST, "variety"),
    "black": (Advice.REGENERATE, "motion"),
    "frozen": (Advice.REGENERATE, "motion"),
    "wrong_shot": (Advice.REGENERATE, "continuity"),
    "narration_missing": (Advice.REGENERATE, "sync"),
    "ends_apart": (Advice.ADJUST, "sync"),
    "silence": (Advice.ADJUST, "sound"),
    "loudness": (Advice.REGENERATE, "sound"),
    "true_peak": (Advice.REGENERATE, "sound"),
    "mute": (Advice.REGENERATE, "sound"),
    "script_missing": (Advice.REGENERATE, "captions"),
    "script_added": (Advice.ADJUST, "captions"),
    "captions_coverage": (Advice.ADJUST, "captions"),
    "planned_duration": (Advice.REGENERATE, "format"),
    "complete": (Advice.REGENERATE, "completeness"),
    "abstract_form": (Advice.ASK, "brief"),
    "count_changed": (Advice.ASK, "completeness"),
}
"""By what was measured; anything else is advised by its weight."""
_BY_WEIGHT: Mapping[Severity, tuple[Advice, str]] = {
    Severity.ERROR: (Advice.REGENERATE, "format"),
    Severity.WARNING: (Advice.ADJUST, "quality"),
}
_AGREED = frozenset({"left_out"})
"""What a person has agreed to is no fault of the work."""
_STEP_OF_ASPECT = {"captions": ("captions",), "sound": ("master",), "sync": ("master",)}


class RulesJudge:
    """Judges by what can be measured; costs nothing and asks nobody."""

    async def judge(self, work: Work) -> NewJudgement:
        """Return what the measurements propose."""
        pictures = [each for each in work.shown if not each.is_moving]
        measured = await asyncio.to_thread(lambda: list(_measured(work.plan, pictures)))
        return NewJudgement(
            judge=NAME,
            model=NAME,
            version=VERSION,
            proposals=[*_of_findings(work), *measured],
            looked_at=[each.sha256 for each in work.shown],
        )


def _of_findings(work: Work) -> Iterator[Proposal]:
    for finding in work.findings:
        if finding.check in _AGREED:
            continue
        advised = _ADVICE.get(finding.check) or _BY_WEIGHT.get(finding.severity)
        if advised is None:
            continue
        advice, aspect = advised
        step, slot = _place(work, finding, aspect)
        yield Proposal(
            advice=advice,
            aspect=aspect,
            reason=finding.message,
            step=step,
            slot=slot,
            check=finding.check,
        )


def _place(work: Work, finding: Finding, aspect: str) -> tuple[str | None, int | None]:
    """Return the step and the slot that a finding is about, as far as it says."""
    named = finding.shot or ""
    for shown in work.shown:
        if named in (f"{shown.name} ({shown.slot})", shown.name):
            return shown.step, shown.slot
    keys = {item.item.key: item.item.kind for item in work.plan.items}
    if (found := re.fullmatch(r"(.+)\.(\d+)", named)) is not None:
        prefix, slot = found[1], int(found[2])
        kind = {"shot": "shots", "narration": "narration"}.get(prefix)
        step = prefix if prefix in keys else _step_of(keys, (kind,))
        return step, slot if step else None
    step = _step_of(keys, _STEP_OF_ASPECT.get(aspect, ("master",)))
    return step, 1 if step else None


def _step_of(kinds: Mapping[str, str], wanted: Iterable[str | None]) -> str | None:
    return next((key for key, kind in kinds.items() if kind in wanted), None)


def _measured(plan: Plan, pictures: Iterable[Shown]) -> Iterator[Proposal]:
    """Measure of each picture what the audit leaves to taste."""
    width, height = plan.checklist.format.get("width"), plan.checklist.format.get("height")
    for shown in pictures:
        try:
            with Image.open(shown.path) as image:
                size, grey = image.size, np.asarray(image.convert("L"), np.float64)
        except OSError:
            continue  # the audit says so
        is_framed = (item := plan.find(shown.step)) is not None and item.item.kind in _FRAMED
        if is_framed and width and height and _is_another_shape(size, (width, height)):
            yield Proposal(
                advice=Advice.ADJUST,
                aspect="format",
                reason=f"'{shown.name}' is {size[0]} x {size[1]}, planned were {width} x {height}.",
                step=shown.step,
                slot=shown.slot,
                check="picture_shape",
            )
        if (contrast := float(grey.std())) < _LEAST_CONTRAST:
            yield Proposal(
                advice=Advice.REGENERATE,
                aspect="contrast",
                reason=f"'{shown.name}' has next to no contrast ({contrast:.1f} of 255).",
                step=shown.step,
                slot=shown.slot,
                check="contrast",
            )


def _is_another_shape(size: tuple[int, int], wanted: tuple[int, int]) -> bool:
    return abs(size[0] / size[1] / (wanted[0] / wanted[1]) - 1) > _SHAPE_TOLERANCE
