"""What a ComfyUI server's answers mean.

Measured on a running ComfyUI 0.3.64 (generation.md 1.5, 3.3 and 3.4, 2026-11): an interrupted job
is an `error` whose last message says so; a failed job has no outputs even if files were saved; a
video arrives among the images.
"""

from collections.abc import Iterator
from typing import Any, cast
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
    """Yield the saved files; previews are `temp` and nobody's result."""
    nodes = cast("dict[str, Any]", outputs) if isinstance(outputs, dict) else {}
    for node in nodes.values():
        for kind in _KINDS:
            files = cast("dict[str, Any]", node).get(kind) if isinstance(node, dict) else None
            for file in cast("list[Any]", files) if isinstance(files, list) else []:
                if isinstance(file, dict) and cast("dict[str, Any]", file).get("type") == "output":
                    named = cast("dict[str, Any]", file)
                    query = {key: str(named.get(key, "")) for key in ("filename", "subfolder")}
                    yield Artifact(
                        role=workflow.role,
                        location=f"{base_url}/view?{urlencode({**query, 'type': 'output'})}",
                        media_type=workflow.media_type,
                    )
