"""What a ComfyUI server's answers mean.

Measured on a running ComfyUI 0.3.64 (generation.md 1.5, 3.3 and 3.4, 2026-11): an interrupted job
is an `error` whose last message says so; a failed job has no outputs even if files were saved; a
video arrives among the images. `/api/jobs` is from the source of later ones (03a7f1cf and 172be438
of comfy_execution/jobs.py): it holds what the history holds, under other names, and only the newest
call an interrupted job `cancelled`.
"""

import mimetypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast
from urllib.parse import urlencode

from infra.providers.comfyui.workflows import Workflow
from infra.providers.http.transport import Answer
from infra.providers.ports import (
    Artifact,
    Charge,
    JobFailedError,
    ProviderError,
    RejectedError,
    Snapshot,
)

NAME = "comfyui"
FREE = Charge(amount_micros=0, basis="derived")
"""The machine is the installation's own."""
_KINDS = ("images", "gifs", "audio", "video")
_SAID: dict[str, Any] = {
    "completed": {"status_str": "success"},
    "failed": {"status_str": "error"},
    "cancelled": {"status_str": "error", "messages": [["execution_interrupted", {}]]},
}
"""What the history says of a job that ended so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a job is at the server; `told` is how it ended, in the words of the history."""

    state: Literal["queued", "running", "ended", "absent", "unclear"]
    told: dict[str, Any] = field(default_factory=dict[str, Any])


def place_of(job: Mapping[str, Any]) -> Place:
    """Return where a job is that `/api/jobs` describes."""
    match job.get("status"):
        case "pending":
            return Place(state="queued")
        case "in_progress":
            return Place(state="running")
        case "completed" | "failed" | "cancelled" as status:
            told = {
                "status": job.get("execution_status") or _SAID[status],
                "outputs": job.get("outputs"),
            }
            return Place(state="ended", told=told)
        case _:
            return Place(state="unclear")


def place_in_queue(queue: Mapping[str, Any], job_id: str) -> Place | None:
    """Return where a job is in the queue, if it is there."""
    places = {"queue_running": Place(state="running"), "queue_pending": Place(state="queued")}
    for name, place in places.items():
        listed = queue.get(name)
        for item in cast("list[Any]", listed) if isinstance(listed, list) else []:
            if isinstance(item, list) and job_id in cast("list[Any]", item):
                return place
    return None


def refusal(answer: Answer) -> ProviderError | None:
    """Return what a refused workflow means, with what its nodes say."""
    error = answer.json.get("error")
    if not isinstance(error, dict):
        return None
    said = str(cast("dict[str, Any]", error).get("message") or "")
    problems = "; ".join(_node_problems(answer.json.get("node_errors")))
    return RejectedError(f"ComfyUI refused the workflow: {said} {problems}".strip()[:400])


def _node_problems(node_errors: Any) -> Iterator[str]:
    if not isinstance(node_errors, dict):
        return
    for node, told in cast("dict[str, Any]", node_errors).items():
        errors = cast("dict[str, Any]", told).get("errors") if isinstance(told, dict) else None
        for error in cast("list[Any]", errors) if isinstance(errors, list) else []:
            if isinstance(error, dict):
                facts = cast("dict[str, Any]", error)
                yield f"node {node}: {facts.get('message')} ({facts.get('details')})"


def ended(workflow: Workflow, base_url: str, entry: dict[str, Any]) -> Snapshot:
    """Return how a job ended that is in the history."""
    status = cast("dict[str, Any]", entry.get("status") or {})
    if status.get("status_str") != "success":
        return _unwell(status)
    artifacts = tuple(_artifacts(workflow, base_url, entry.get("outputs")))
    if not artifacts:
        error = JobFailedError("The workflow ended without a file.")
        return Snapshot(phase="terminal", outcome="failed", error=error, charge=FREE)
    return Snapshot(
        phase="terminal",
        outcome="succeeded",
        progress=1.0,
        artifacts=artifacts,
        measured={"model": "comfyui"},
        charge=FREE,
    )


def _unwell(status: dict[str, Any]) -> Snapshot:
    kind, facts = _last_message(status.get("messages"))
    if kind == "execution_interrupted":
        error = JobFailedError("It was interrupted at the server.")
        return Snapshot(phase="terminal", outcome="cancelled", error=error, charge=FREE)
    message = f"Node {facts.get('node_type')} failed: {facts.get('exception_message')}"
    error = JobFailedError(message[:400])
    return Snapshot(phase="terminal", outcome="failed", error=error, charge=FREE)


def _last_message(messages: Any) -> tuple[str, dict[str, Any]]:
    """Return the kind and the facts of the last thing that happened."""
    told = cast("list[Any]", messages) if isinstance(messages, list) else []
    last = cast("list[Any]", told[-1]) if told and isinstance(told[-1], list) else []
    kind = str(last[0]) if last else ""
    if len(last) > 1 and isinstance(last[1], dict):
        return kind, cast("dict[str, Any]", last[1])
    return kind, {}


def _artifacts(workflow: Workflow, base_url: str, outputs: Any) -> Iterator[Artifact]:
    """Yield the saved files of the workflow's kind; previews are `temp` and nobody's result."""
    nodes = cast("dict[str, Any]", outputs) if isinstance(outputs, dict) else {}
    for node in nodes.values():
        for kind in _KINDS:
            files = cast("dict[str, Any]", node).get(kind) if isinstance(node, dict) else None
            for file in cast("list[Any]", files) if isinstance(files, list) else []:
                named = cast("dict[str, Any]", file) if isinstance(file, dict) else {}
                if named.get("type") != "output" or not _is_of(workflow, named):
                    continue
                query = {key: str(named.get(key, "")) for key in ("filename", "subfolder")}
                yield Artifact(
                    role=workflow.role,
                    location=f"{base_url}/view?{urlencode({**query, 'type': 'output'})}",
                    media_type=workflow.media_type,
                )


def _is_of(workflow: Workflow, file: Mapping[str, Any]) -> bool:
    """Return whether a file may be the workflow's result, by the kind that its name says."""
    said = mimetypes.guess_type(str(file.get("filename")))[0]
    return said is None or said.partition("/")[0] == workflow.media_type.partition("/")[0]
