"""From a provider's results to objects of the workspace: copied, verified, then kept."""

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from execution.jobs import Job
from execution.tx import Tx
from infra.blobs import Blob
from infra.deps import Deps
from infra.ids import TaskId
from infra.media.verify import UnusableMediaError, verify
from infra.providers.ports import Artifact, Attempt, Provider, Snapshot
from workspace import objects
from workspace.objects import NewObject

__all__ = ["UnusableMediaError", "attempt_of", "collect", "keep"]

_SHORTER_S = 0.25
"""By how much a result may be shorter than ordered: encoders end on whole frames and packets."""
_KINDS = {
    "image": "image",
    "clip": "video",
    "master": "video",
    "narration": "audio",
    "music": "audio",
    "timings": "timings",
    "timeline": "timeline",
    "captions": "captions",
    "captions_ass": "captions",
    "captions_vtt": "captions",
    "model": "model3d",
    "preview": "image",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Collected:
    """One result whose bytes are ours now."""

    artifact: Artifact
    blob: Blob
    facts: dict[str, Any]


def _seed_of(payload: dict[str, Any]) -> int:
    """Return the seed of a request: the same request gives the same picture."""
    text = json.dumps(payload, sort_keys=True, ensure_ascii=False)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4])


def attempt_of(job: Job, hold_micros: int, files: dict[str, Path]) -> Attempt:
    """Return the one attempt of a job, under the id by which its provider knows it."""
    payload = job.request["payload"]
    return Attempt(
        attempt_id=job.job_id,
        operation=job.operation,
        payload=payload,
        payload_sha256=job.request_sha256,
        seed=_seed_of(payload),
        hold_micros=hold_micros,
        deadline=job.deadline_at,
        files=files,
    )


async def collect(
    deps: Deps, provider: Provider, snapshot: Snapshot, payload: dict[str, Any]
) -> list[Collected]:
    """Copy every result into the blob store and verify it there, also that it is as long as asked.

    Raises:
        UnusableMediaError: a result is empty, too short or cannot be decoded; it is not made.
    """
    collected: list[Collected] = []
    for artifact in snapshot.artifacts:
        blob = await deps.blobs.put_stream(provider.fetch(artifact))
        facts = await verify(await deps.blobs.open(blob.sha256), artifact.media_type)
        _check_length(facts, payload)
        collected.append(Collected(artifact=artifact, blob=blob, facts=facts))
    if not collected:
        msg = "The job succeeded but gave no result."
        raise UnusableMediaError(msg)
    return collected


def _check_length(facts: dict[str, Any], payload: dict[str, Any]) -> None:
    wanted = payload.get("duration_s")
    if wanted is None or "duration_s" not in facts:
        return
    if facts["duration_s"] < float(wanted) - _SHORTER_S:
        message = (
            f"The result is {facts['duration_s']:.1f} s long; {float(wanted):.1f} s were ordered."
        )
        raise UnusableMediaError(message)


async def keep(
    tx: Tx, job: Job, snapshot: Snapshot, collected: list[Collected]
) -> list[dict[str, Any]]:
    """Create an object per result; a re-run finds them. Returns their references."""
    name = str(job.request["name"])
    inputs: list[dict[str, Any]] = list(job.request["inputs"].values())
    inputs += job.request.get("rests_on", [])
    outputs: list[dict[str, Any]] = []
    for position, item in enumerate(collected):
        meta = item.facts | ({"measured": snapshot.measured} if position == 0 else {})
        stored = await objects.create(
            tx,
            NewObject(
                kind=_KINDS[item.artifact.role],
                role=item.artifact.role,
                name=f"{name} {item.artifact.name_suffix.strip()}".strip(),
                blob=item.blob,
                media_type=item.artifact.media_type,
                author="job",
                cause=job.call_key,
                task_id=TaskId(job.task_id),
                step_key=job.step_key,
                slot=job.slot,
                meta=meta,
                inputs=inputs,
            ),
        )
        outputs.append(objects.reference(stored))
    return outputs
