"""Objects in space are judged by what their files show."""

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from infra.media.meshes import Faults
from workspace.delivery.bodies import Body, audit_bodies, judge_mesh
from workspace.delivery.findings import Severity

SOUND = Faults(triangles=100, flat_triangles=0, edges=150, open_edges=0, flatness=0.4)


def test_a_closed_body_with_depth_is_without_findings() -> None:
    assert list(judge_mesh("cup", SOUND)) == []


@pytest.mark.parametrize(
    ("faults", "check", "severity"),
    [
        (replace(SOUND, flat_triangles=40), "degenerate_mesh", Severity.ERROR),
        (replace(SOUND, triangles=3), "degenerate_mesh", Severity.ERROR),
        (replace(SOUND, flatness=0.0), "flat_body", Severity.ERROR),
        (replace(SOUND, open_edges=6), "open_mesh", Severity.WARNING),
    ],
)
def test_what_is_no_body_is_refused_and_a_hole_is_told(
    faults: Faults, check: str, severity: Severity
) -> None:
    (found,) = judge_mesh("cup", faults)
    assert (found.check, found.severity, found.shot) == (check, severity, "cup")


def test_a_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "cup.glb"
    path.write_bytes(b"glTF")
    (found,) = asyncio.run(audit_bodies([Body(name="cup", path=path)]))
    assert (found.check, found.severity) == ("unmeasured_body", Severity.ERROR)
