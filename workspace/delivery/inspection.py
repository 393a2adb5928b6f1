"""Runs the checks that fit the kind of work, over the exact results that the plan's slots hold."""

from pathlib import Path
from typing import Any

from execution.checklist import Plan, Slot
from infra.blobs import BlobStore
from workspace.delivery.audit import audit_film, audit_images
from workspace.delivery.film import FilmPlan
from workspace.delivery.findings import Finding, blocks
from workspace.delivery.validate import validate_film, validate_plan

_INTERNAL_ROLES = frozenset({"timings", "captions_ass"})


async def inspect(plan: Plan, blobs: BlobStore) -> list[Finding]:
    """Return every finding about the work; incomplete works are not measured further."""
    findings = validate_plan(plan)
    if blocks(findings):
        return findings
    for item in plan.items:
        if item.item.kind == "master":
            film = await _film(plan, item.slots[0], blobs)
            findings += await validate_film(film)
            findings += await audit_film(film)
        if item.item.kind in ("image", "keyframes"):
            paths = [
                await blobs.open(output["sha256"])
                for slot in item.slots
                for output in _outputs(slot)
            ]
            findings += await audit_images(paths)
    return findings


def files(plan: Plan) -> list[dict[str, Any]]:
    """Return what is handed over: the final results first, then what they were made from."""
    final = ("master", "captions", "image", "document", "script", "music", "narration", "shots")
    ranked = sorted(
        plan.items,
        key=lambda item: final.index(item.item.kind) if item.item.kind in final else len(final),
    )
    return [
        output
        for item in ranked
        for slot in item.slots
        for output in _outputs(slot)
        if output["role"] not in _INTERNAL_ROLES
    ]


def _outputs(slot: Slot) -> list[dict[str, Any]]:
    return ((slot.entry.result if slot.entry else None) or {}).get("outputs", [])


async def _film(plan: Plan, master: Slot, blobs: BlobStore) -> FilmPlan:
    assert master.entry is not None  # noqa: S101 - the slot is done
    request = master.entry.request or {}
    inputs: dict[str, dict[str, Any]] = request["inputs"]
    sources: dict[str, Path] = {
        name: await blobs.open(item["sha256"]) for name, item in inputs.items()
    }
    by_role = {output["role"]: output for output in _outputs(master)}
    timeline: dict[str, Any] = request["payload"]["timeline"]
    return FilmPlan(
        master=await blobs.open(by_role["master"]["sha256"]),
        timeline=timeline,
        sources=sources,
        captions=sources.get("captions"),
        planned_duration_s=float(plan.checklist.format.get("duration_s") or 0),
        script_lines=[str(line["text"]) for line in timeline["narration"]],
    )
