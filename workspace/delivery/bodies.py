"""Audit of objects in space: a body with surface and depth, and a picture that shows it.

Measured anew from the files; only what it was meant to be (an abstract form instead of what was
asked for) is taken from the job's own account.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from infra.media.gltf import GltfError, read_glb
from infra.media.meshes import Faults, faults_of
from workspace.delivery.findings import Finding, Severity

_MOST_FLAT = 0.1
_LEAST_DEPTH = 1e-3
_LEAST_TRIANGLES = 4
_TOOL = "mesh edges and areas of the GLB"


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """An object as it is to be handed over."""

    name: str
    path: Path
    is_abstract: bool = False
    """Whether it is a form that stands in for what nobody here can build."""


async def audit_bodies(bodies: list[Body]) -> list[Finding]:
    """Return what speaks against these objects, and what has to be said of them."""
    return [finding for body in bodies for finding in await asyncio.to_thread(_audit, body)]


def _audit(body: Body) -> list[Finding]:
    try:
        faults = faults_of(read_glb(body.path))
    except GltfError as error:
        message = f"'{body.name}' cannot be checked: {error}"
        return [Finding(check="unmeasured_body", severity=Severity.ERROR, message=message)]
    findings = [*judge_mesh(body.name, faults)]
    if body.is_abstract:
        message = (
            f"'{body.name}' is an abstract form: what was asked for is none of the things that can "
            "be built here."
        )
        findings.append(
            Finding(
                check="abstract_form", severity=Severity.WARNING, message=message, shot=body.name
            )
        )
    return findings


def judge_mesh(name: str, faults: Faults) -> Iterator[Finding]:
    """Report a mesh that shows no body, and one with holes."""
    share = faults.flat_triangles / max(faults.triangles, 1)
    if faults.triangles - faults.flat_triangles < _LEAST_TRIANGLES or share > _MOST_FLAT:
        yield _of(
            name,
            "degenerate_mesh",
            Severity.ERROR,
            f"'{name}' consists of triangles without area.",
            measured=f"{share:.0%} of {faults.triangles}",
            limit=f"{_MOST_FLAT:.0%}",
        )
    if faults.flatness < _LEAST_DEPTH:
        yield _of(
            name,
            "flat_body",
            Severity.ERROR,
            f"'{name}' has no depth.",
            measured=f"{faults.flatness:.5f} of its length",
            limit=f"{_LEAST_DEPTH}",
        )
    if faults.open_edges:
        yield _of(
            name,
            "open_mesh",
            Severity.WARNING,
            f"'{name}' has holes in its surface; it may not be printable.",
            measured=f"{faults.open_edges} of {faults.edges} edges",
            limit="0",
        )


def _of(
    name: str, check: str, severity: Severity, message: str, *, measured: str, limit: str
) -> Finding:
    return Finding(
        check=check,
        severity=severity,
        message=message,
        tool=_TOOL,
        measured=measured,
        limit=limit,
        shot=name,
    )
