"""A ComfyUI server as a provider: the attempt's id is the server's own id of the job.

Measured on a running ComfyUI 0.3.64 (generation.md 3.3 and 3.4, 2026-11); `/api/jobs/{id}` and its
`/cancel` from the source of the newest (server.py at 002c3fb9). The server forgets everything when
it restarts, and a job that was deleted while it waited leaves no trace: absent means that it does
not run and gave nothing. A second job under the same id would overwrite the first, which costs
nobody money.
"""

from collections.abc import AsyncIterator, Sequence
from typing import Any, cast
from uuid import UUID

from infra.providers.comfyui import answers
from infra.providers.comfyui.answers import FREE, NAME, Place
from infra.providers.comfyui.progress import Progress
from infra.providers.comfyui.uploads import upload
from infra.providers.comfyui.workflows import WORKFLOWS, Workflow
from infra.providers.http.files import fetch
from infra.providers.http.places import Places, origin_of
from infra.providers.http.refusals import accepted
from infra.providers.http.transport import Answer, Transport
from infra.providers.ports import (
    Artifact,
    Attempt,
    CancelResult,
    Capabilities,
    Correlation,
    Found,
    JobFailedError,
    JobRef,
    Lookup,
    OutcomeUnknownError,
    ProviderError,
    RejectedError,
    ReportProgress,
    Snapshot,
)

_NO_ROUTE = frozenset({404, 405})
"""What a server answers that knows no `/api/jobs`, or no such job."""


class ComfyProvider:
    """Runs workflows on the server at `base_url`; its files are fetched from there alone.

    Whoever owns it may run `listen` beside it: then a read says how far a job is.
    """

    def __init__(
        self,
        base_url: str,
        *,
        workflows: Sequence[Workflow] = WORKFLOWS,
        transport: Transport | None = None,
    ) -> None:
        self._base_url = base_url.rstrip("/")
        self._places = Places((origin_of(self._base_url),))
        self._workflows = {workflow.operation: workflow for workflow in workflows}
        self._transport = transport or Transport(NAME)
        self._progress = Progress(self._base_url)

    async def listen(self) -> None:
        """Hear how far this process's jobs are, until it is cancelled.

        One connection, open only while there are jobs; without it everything else works the same.
        """
        await self._progress.listen()

    @property
    def name(self) -> str:
        """The provider's name in jobs and prices."""
        return NAME

    @property
    def capabilities(self) -> Capabilities:
        """What it can do: every attempt is found by its own id, as long as the server runs."""
        return Capabilities(
            operations=frozenset(self._workflows),
            shape="job",
            correlation=frozenset({Correlation.CLIENT_ID}),
            webhook="none",
            cancel="best_effort",
            policy_block_billed="no",
            quote="exact",
            charge="derived",
            min_poll_s=1.0,
            max_poll_s=30.0,
            result_ttl_s=None,
        )

    def quote_micros(self, operation: str, payload: dict[str, Any]) -> int:
        """Return nothing: the machine is the installation's own."""
        del operation, payload
        return 0

    def unit(self, operation: str) -> str:
        """Return what the price is for."""
        del operation
        return "call"

    async def submit(self, attempt: Attempt, report: ReportProgress) -> JobRef | Snapshot:
        """Queue exactly one workflow under the attempt's id, after handing over its files."""
        del report
        workflow = self._workflow(attempt.operation)
        for name in attempt.files:
            if name not in workflow.takes:
                message = f"This workflow takes no '{name}'."
                raise RejectedError(message)
        files = {
            name: await upload(self._transport, self._base_url, attempt, name)
            for name in attempt.files
        }
        graph, job_id = workflow.graph(attempt, files), str(attempt.attempt_id)
        body = {"prompt": graph, "prompt_id": job_id, "client_id": self._progress.client_id}
        self._progress.expect(job_id, nodes=len(graph))
        try:
            answer = await self._ask("POST", "/prompt", body)
            taken = accepted(NAME, answer, must_have="prompt_id", refusal=answers.refusal)
        except OutcomeUnknownError:
            raise
        except ProviderError:
            self._progress.forget(job_id)
            raise
        return self._ref(attempt.operation, taken["prompt_id"])

    async def find(self, attempt: Attempt) -> Found | Lookup:
        """Look for the attempt's id among what runs, waits and has ended."""
        if attempt.operation not in self._workflows:
            return Lookup.CANNOT_TELL
        ref = self._ref(attempt.operation, str(attempt.attempt_id))
        match (await self._look(ref.provider_job_id)).state:
            case "absent":
                return Lookup.PROVABLY_ABSENT
            case "unclear":
                return Lookup.NOT_FOUND_YET
            case _:
                return Found(ref=ref)

    def ref_of(self, attempt: Attempt, provider_job_id: str) -> JobRef:
        """Return the job that a signed call of the provider names."""
        return self._ref(attempt.operation, provider_job_id)

    async def read(self, ref: JobRef) -> Snapshot:
        """Read the job now; one that the server no longer knows was lost in a restart."""
        workflow = self._workflow(str(ref.raw["operation"]))
        job_id = ref.provider_job_id
        place = await self._look(job_id)
        if place.state in ("ended", "absent"):
            self._progress.forget(job_id)
        match place.state:
            case "ended":
                return answers.ended(workflow, self._base_url, place.told)
            case "absent":
                error = JobFailedError("The server forgot it; it was restarted or the job deleted.")
                return Snapshot(phase="terminal", outcome="expired", error=error, charge=FREE)
            case "unclear":
                return Snapshot(phase="unknown")
            case "queued" | "running":
                return Snapshot(phase=place.state, progress=self._progress.of(job_id))

    async def cancel(self, ref: JobRef) -> CancelResult:
        """Ask for this job alone to be stopped; never for whatever runs."""
        job_id = ref.provider_job_id
        answer = await self._ask("POST", f"/api/jobs/{job_id}/cancel")
        if answer.is_success and answer.json.get("cancelled") is True:
            return CancelResult.REQUESTED
        if not answer.is_success and answer.status not in _NO_ROUTE:
            raise _unclear(answer)
        match (await self._look(job_id)).state:
            case "absent":
                return CancelResult.NOT_FOUND
            case "ended":
                return CancelResult.ALREADY_TERMINAL
            case "queued" | "running":
                await self._ask("POST", "/queue", {"delete": [job_id]})
                await self._ask("POST", "/interrupt", {"prompt_id": job_id})
                return CancelResult.REQUESTED
            case "unclear":
                raise _unclear(answer)

    def fetch(self, artifact: Artifact) -> AsyncIterator[bytes]:
        """Stream a file from the server."""
        return fetch(
            self._transport,
            artifact.location,
            media_type=artifact.media_type,
            places=self._places,
        )

    async def discard(self, attempt_id: UUID) -> None:
        """Do nothing: the files on the server are its owner's."""
        del attempt_id

    async def _look(self, job_id: str) -> Place:
        """Return where a job is; absent only if everything that could show it was read.

        The newest servers tell it in one answer. For all others, and before a job is called absent,
        the history is read before and after the queue: a job moves from the one to the other.
        """
        job = await self._ask("GET", f"/api/jobs/{job_id}")
        if job.is_success and job.json.get("id") == job_id:
            return answers.place_of(job.json)
        if not job.is_success and job.status not in _NO_ROUTE:
            return Place(state="unclear")
        for path in (f"/history/{job_id}", "/queue", f"/history/{job_id}"):
            answer = await self._ask("GET", path)
            if not answer.is_success or not isinstance(answer.body, dict):
                return Place(state="unclear")
            if path == "/queue":
                if (place := answers.place_in_queue(answer.json, job_id)) is not None:
                    return place
            elif isinstance(entry := answer.json.get(job_id), dict):
                return Place(state="ended", told=cast("dict[str, Any]", entry))
        return Place(state="absent")

    async def _ask(self, method: str, path: str, body: Any = None) -> Answer:
        return await self._transport.ask(method, f"{self._base_url}{path}", body=body)

    def _workflow(self, operation: str) -> Workflow:
        if operation not in self._workflows:
            message = f"ComfyUI has no model for '{operation}': no workflow is set up."
            raise RejectedError(message)
        return self._workflows[operation]

    def _ref(self, operation: str, job_id: str) -> JobRef:
        return JobRef(provider=NAME, provider_job_id=job_id, raw={"operation": operation})


def _unclear(answer: Answer) -> OutcomeUnknownError:
    return OutcomeUnknownError(f"ComfyUI answered {answer.status}; whether it stops is not known.")
