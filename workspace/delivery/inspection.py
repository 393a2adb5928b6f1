"""Runs the checks that fit the kind of work, over the exact results that the plan's slots hold."""

from pathlib import Path
from typing import Any

from execution.progress import ItemProgress, Plan, Slot, ranges
from infra.blobs import BlobStore
from infra.media.timeline import read_timeline
from workspace.delivery.audit import audit
from workspace.delivery.bodies import Body, audit_bodies
from workspace.delivery.findings import Finding, Severity
from workspace.delivery.images import audit_images
from workspace.delivery.plan import FilmPlan, FilmSources, parts_of
from workspace.delivery.validate import validate

_INTERNAL_ROLES = frozenset({"timings", "captions_ass"})
_HANDED_OVER_FIRST = (
    "master",
    "model3d",
    "captions",
    "image",
    "document",
    "script",
    "music",
    "narration",
)
_PLAN_TOLERANCE_S = 0.5


async def inspect(plan: Plan, blobs: BlobStore) -> list[Finding]:
    """Return every finding about the work; an incomplete one is not measured further."""
    absent = [finding for item in plan.items for finding in _absent(item)]
    if absent:
        return absent
    findings = [finding for item in plan.items for finding in _left_out(item)]
    for item in plan.items:
        if item.item.kind == "master":
            findings += await _inspect_film(plan, item.slots[0], blobs)
        if item.item.kind in ("image", "characters", "keyframes"):
            findings += await audit_images(
                {
                    f"{output['name']} ({slot.number})": await blobs.open(output["sha256"])
                    for slot in item.slots
                    for output in slot.outputs
                }
            )
        if item.item.kind == "model3d":
            findings += await _inspect_bodies(item, blobs)
    return findings


async def _inspect_bodies(item: ItemProgress, blobs: BlobStore) -> list[Finding]:
    """Check objects in space, and that their pictures show something."""
    bodies: list[Body] = []
    pictures: dict[str, Path] = {}
    for output in (output for slot in item.slots for output in slot.outputs):
        path = await blobs.open(output["sha256"])
        if output["role"] == "model":
            measured: dict[str, Any] = output["meta"].get("measured", {})
            is_abstract = measured.get("is_abstract") is True
            bodies.append(Body(name=output["name"], path=path, is_abstract=is_abstract))
        elif output["kind"] == "image":
            pictures[output["name"]] = path
    return [*await audit_bodies(bodies), *await audit_images(pictures)]


def _absent(item: ItemProgress) -> list[Finding]:
    return [
        Finding(
            check="complete",
            severity=Severity.ERROR,
            message=f"Result {slot.number} of {item.item.expected_count} of "
            f"'{item.item.title}' is {slot.state}.",
            measured=str(item.count("done")),
            limit=str(item.item.expected_count),
            shot=f"{item.item.key}.{slot.number}",
        )
        for slot in item.slots
        if slot.number in item.absent_slots
    ]


def _left_out(item: ItemProgress) -> list[Finding]:
    """Say of a step what a person has agreed to do without."""
    slots = item.in_state("left_out")
    if not slots:
        return []
    return [
        Finding(
            check="left_out",
            severity=Severity.WARNING,
            message=f"'{item.item.title}' is without {ranges(slots)}, as you agreed.",
            measured=str(item.count("done")),
            limit=str(item.item.expected_count),
        )
    ]


def files(plan: Plan) -> list[dict[str, Any]]:
    """Return what is handed over: the final results first, then what they were made from."""

    def rank(item: ItemProgress) -> int:
        known = item.item.kind in _HANDED_OVER_FIRST
        return _HANDED_OVER_FIRST.index(item.item.kind) if known else len(_HANDED_OVER_FIRST)

    return [
        output
        for item in sorted(plan.items, key=rank)
        for slot in item.slots
        for output in slot.outputs
        if output["role"] not in _INTERNAL_ROLES
    ]


def _handed_over(plan: Plan, used: dict[str, Any]) -> dict[str, Any]:
    """Return what the delivery names of an object that went into the film, else what went in."""
    named = (each for each in files(plan) if each["object_id"] == used["object_id"])
    return next(named, used)


async def _inspect_film(plan: Plan, master: Slot, blobs: BlobStore) -> list[Finding]:
    assert master.entry is not None  # noqa: S101 - the slot is done
    request = master.entry.request or {}
    timeline = read_timeline(request["payload"]["timeline"])
    inputs: dict[str, dict[str, Any]] = request["inputs"]
    paths = {name: await blobs.open(item["sha256"]) for name, item in inputs.items()}
    if "captions" in inputs:  # the file that is handed over, also where it was kept beside the film
        paths["captions"] = await blobs.open(_handed_over(plan, inputs["captions"])["sha256"])
    by_role = {output["role"]: output for output in master.outputs}
    path = await blobs.open(by_role["master"]["sha256"])
    film = FilmPlan(
        timeline=timeline,
        parts=parts_of(timeline),
        script=tuple(line.text for line in timeline.narration),
    )
    sources = FilmSources(
        shots={shot.key: paths[shot.key] for shot in timeline.shots},
        narration={line.key: paths[line.key] for line in timeline.narration},
        captions=paths.get("captions"),
    )
    findings = [
        *await validate(path, film, sources),
        *await audit(path, film, sources),
    ]
    planned_s = float(plan.checklist.format.get("duration_s") or 0)
    too_long_s = timeline.duration_s - planned_s
    is_cut = any(item.item.kind == "shots" and item.in_state("left_out") for item in plan.items)
    # Without some of its shots a film may be shorter than planned, but never longer.
    if planned_s and (too_long_s if is_cut else abs(too_long_s)) > _PLAN_TOLERANCE_S:
        findings.append(
            Finding(
                check="planned_duration",
                severity=Severity.ERROR,
                message=f"The film is {timeline.duration_s:.1f} s long, the approved plan says "
                f"{planned_s:.1f} s.",
                measured=f"{timeline.duration_s:.3f} s",
                limit=f"{planned_s:.3f} s ± {_PLAN_TOLERANCE_S} s",
            )
        )
    return findings
