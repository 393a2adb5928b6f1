"""Measurements become proposals about the results that they are about, and nothing more."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from execution.judgements import Advice, Proposal
from execution.progress import derive
from tests.contracts.sources import ROOT
from tests.unit.execution.entries import checklist, entry, item
from workspace.delivery.findings import Finding, Severity
from workspace.judging import rules
from workspace.judging.ports import Shown, Work
from workspace.judging.rules import RulesJudge

STEPS = [
    item("frames", 2, kind="keyframes"),
    item("shots", 2, kind="shots"),
    item("voice", 2, kind="narration"),
    item("subs", kind="captions"),
    item("film", kind="master"),
    item("mug", kind="model3d"),
]
DONE = [
    entry(step_key=step.key, slot=slot)
    for step in STEPS
    for slot in range(1, step.expected_count + 1)
]
PLAN = derive(checklist(format={"width": 1280, "height": 720}), STEPS, DONE)


def found(check: str, shot: str | None = None, severity: Severity = Severity.ERROR) -> Finding:
    return Finding(check=check, severity=severity, message=f"{check} it is.", shot=shot)


def drawn(
    folder: Path, name: str, size: tuple[int, int] = (128, 72), *, spread: int = 200
) -> Shown:
    levels = np.tile(np.linspace(0, spread, size[0]), (size[1], 1)).astype(np.uint8)
    path = folder / f"{name}.png"
    Image.fromarray(levels).save(path)
    return Shown(step="frames", slot=2, name=name, path=path, sha256=name)


async def judged(*findings: Finding, shown: tuple[Shown, ...] = ()) -> list[Proposal]:
    work = Work(plan=PLAN, findings=findings, shown=shown, brief=("a film",))
    made = await RulesJudge().judge(work)
    assert (made.judge, made.model, made.version, made.failure) == ("rules", "rules", "1", None)
    assert list(made.looked_at) == [each.sha256 for each in shown]
    return list(made.proposals)


async def test_a_work_without_faults_gets_no_proposals(tmp_path: Path) -> None:
    assert await judged(shown=(drawn(tmp_path, "Harbour"),)) == []


@pytest.mark.parametrize(
    ("check", "shot", "advice", "aspect", "place"),
    [
        ("wrong_shot", "shot.2", Advice.REGENERATE, "continuity", ("shots", 2)),
        ("frozen", "shot.1", Advice.REGENERATE, "motion", ("shots", 1)),
        ("narration_missing", "narration.2", Advice.REGENERATE, "sync", ("voice", 2)),
        ("script_missing", None, Advice.REGENERATE, "captions", ("subs", 1)),
        ("loudness", None, Advice.REGENERATE, "sound", ("film", 1)),
        ("complete", "frames.1", Advice.REGENERATE, "completeness", ("frames", 1)),
        ("video_codec", None, Advice.REGENERATE, "format", ("film", 1)),
        ("abstract_form", "nothing.9", Advice.ASK, "brief", (None, None)),
    ],
)
async def test_a_finding_is_a_proposal_about_its_result(
    check: str,
    shot: str | None,
    advice: Advice,
    aspect: str,
    place: tuple[str | None, int | None],
) -> None:
    (made,) = await judged(found(check, shot))
    assert (made.advice, made.aspect, (made.step, made.slot)) == (advice, aspect, place)
    assert (made.reason, made.check) == (f"{check} it is.", check)


async def test_a_picture_is_found_by_its_name(tmp_path: Path) -> None:
    shown = drawn(tmp_path, "Harbour")
    (made,) = await judged(found("empty_picture", "Harbour (2)"), shown=(shown,))
    assert (made.step, made.slot) == ("frames", 2)


async def test_what_a_person_agreed_to_or_only_has_to_know_is_no_fault() -> None:
    assert await judged(found("left_out"), found("x", severity=Severity.INFO)) == []


async def test_pictures_are_measured_for_what_refuses_no_delivery(tmp_path: Path) -> None:
    square = drawn(tmp_path, "Square", (100, 100))
    fog = drawn(tmp_path, "Fog", spread=20)
    unread = replace(square, name="Unread", path=tmp_path / "unread.png")
    unread.path.write_bytes(b"no picture")
    shape, contrast = await judged(shown=(unread, square, fog))
    assert (shape.check, shape.advice) == ("picture_shape", Advice.ADJUST)
    assert shape.reason == "'Square' is 100 x 100, planned were 1280 x 720."
    assert (contrast.check, contrast.advice) == ("contrast", Advice.REGENERATE)
    moving = replace(fog, is_moving=True)
    assert await judged(shown=(moving,)) == []


async def test_a_preview_of_a_body_has_a_frame_of_its_own(tmp_path: Path) -> None:
    square = drawn(tmp_path, "Square", (100, 100))
    assert await judged(shown=(replace(square, step="mug"),)) == []


def test_every_rule_is_about_something_that_is_measured() -> None:
    measuring = "".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "workspace" / "delivery").glob("*.py")
    )
    assert [check for check in rules._ADVICE if f'"{check}"' not in measuring] == []
