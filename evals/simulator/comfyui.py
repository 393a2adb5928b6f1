"""A ComfyUI server: the classic routes, and `/api/jobs` of the newest ones.

It makes one job for one `prompt_id`; that a real one runs the same id twice is not repeated here,
as the books have one order for each job.
"""

import uuid
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.simulator.jobs import Job, Vendor, picture
from evals.simulator.switches import RETRY_AFTER_S, WITHOUT_A_JOB, Told
from evals.simulator.wire import Wires


def _error(kind: str, message: str) -> Any:
    said: Any = {"type": kind, "message": message, "details": "", "extra_info": {}}
    return {"error": said, "node_errors": {}}


_REFUSALS: dict[Told, tuple[int, Any]] = {
    "refused_503": (503, {"detail": "restarting"}),
    "rejected": (400, _error("prompt_outputs_failed_validation", "Prompt outputs failed")),
    "unauthorized": (401, {"detail": "Unauthorized"}),
    "policy": (400, _error("prompt_outputs_failed_validation", "Prompt outputs failed")),
    "quota": (429, {"detail": "Queue is full"}),
    "rate_limited": (429, {"detail": "Queue is full"}),
}
_FAILED = frozenset({"failed", "failed_charged", "policy_after", "policy_billed"})


class ComfyDialect:
    """Speaks as a ComfyUI server does; `is_newest` adds `/api/jobs`."""

    def __init__(self, vendor: Vendor, wires: Wires, *, is_newest: bool = False) -> None:
        self.vendor = vendor
        self._wires = wires
        self._is_newest = is_newest

    @property
    def routes(self) -> list[Route]:
        """What it answers to."""
        classic = [
            Route("/prompt", self.submit, methods=["POST"]),
            Route("/queue", self.queue),
            Route("/queue", self.drop_pending, methods=["POST"]),
            Route("/interrupt", self.interrupt, methods=["POST"]),
            Route("/history/{job_id}", self.history),
            Route("/view", self.view),
        ]
        newest = [
            Route("/api/jobs/{job_id}", self.job),
            Route("/api/jobs/{job_id}/cancel", self.cancel, methods=["POST"]),
        ]
        return [*classic, *(newest if self._is_newest else [])]

    async def submit(self, request: Request) -> Response:
        """Queue a workflow under the caller's id."""
        body = await request.json()
        told = await self.vendor.submission()
        if told == "lost_before":
            return await self._wires.drop(request)
        if told in WITHOUT_A_JOB:
            status, problem = _REFUSALS[told]
            headers = {"Retry-After": str(RETRY_AFTER_S)} if told == "rate_limited" else {}
            return JSONResponse(problem, status, headers)
        job_id = str(body.get("prompt_id") or uuid.uuid4())
        await self.vendor.make(
            Job(
                job_id=job_id,
                attempt=uuid.UUID(job_id),
                model="comfyui",
                given=body["prompt"],
                told=told,
                micros=0,
                facts={"extra_data": body.get("extra_data") or {}},
            )
        )
        taken = JSONResponse({"prompt_id": job_id, "number": 0, "node_errors": {}})
        return await self._wires.answer(request, told, taken)

    async def queue(self, request: Request) -> Response:
        """List what runs and what waits."""
        del request
        state: dict[str, list[Any]] = {"queue_running": [], "queue_pending": []}
        for job in self.vendor.jobs.values():
            await self.vendor.look(job)
            if job.state == "running":
                state["queue_running"].append([0, job.job_id, job.given, {}, ["9"]])
        return JSONResponse(state)

    async def history(self, request: Request) -> Response:
        """Tell how a finished job went; nothing of any other."""
        job = self.vendor.jobs.get(request.path_params["job_id"])
        if job is None:
            return JSONResponse({})
        await self.vendor.look(job)
        if not job.is_over:
            return JSONResponse({})
        return JSONResponse({job.job_id: self._finished(job)})

    async def view(self, request: Request) -> Response:
        """Give the picture of a job."""
        job_id = request.query_params["filename"].removesuffix("_00001_.png")
        job = self.vendor.jobs[job_id]
        return await self._wires.file(request, job.told, await picture(job_id))

    async def drop_pending(self, request: Request) -> Response:
        """Answer as a server that had none of these waiting: with nothing."""
        await request.json()
        return Response()

    async def interrupt(self, request: Request) -> Response:
        """Stop the job that runs, if it is the named one."""
        job = self.vendor.jobs.get(str((await request.json()).get("prompt_id")))
        if job is not None and job.state == "running":
            await self.vendor.cancel(job)
        return Response()

    async def job(self, request: Request) -> Response:
        """Describe a job as the newest servers do."""
        job = self.vendor.jobs.get(request.path_params["job_id"])
        if job is None:
            return JSONResponse({"error": "Job not found"}, 404)
        await self.vendor.look(job)
        status = {"queued": "pending", "running": "in_progress", "cancelled": "cancelled"}.get(
            job.state, "failed" if job.told in _FAILED else "completed"
        )
        return JSONResponse({"id": job.job_id, "status": status})

    async def cancel(self, request: Request) -> Response:
        """Cancel a job that has not ended."""
        job = self.vendor.jobs.get(request.path_params["job_id"])
        if job is None:
            return JSONResponse({"error": "Job not found"}, 404)
        can = not job.is_over
        if can:
            await self.vendor.cancel(job)
        return JSONResponse({"cancelled": can})

    def forget(self) -> None:
        """Restart: everything is forgotten but the files."""
        self.vendor.jobs.clear()

    def _finished(self, job: Job) -> dict[str, Any]:
        file = {"filename": f"{job.job_id}_00001_.png", "subfolder": "", "type": "output"}
        failed = job.told in _FAILED and job.state == "done"
        messages: list[Any] = [["execution_start", {"prompt_id": job.job_id}]]
        if job.state == "cancelled":
            messages.append(["execution_interrupted", {"prompt_id": job.job_id}])
        elif failed:
            facts = {"node_type": "KSampler", "exception_message": "out of memory"}
            messages.append(["execution_error", facts])
        else:
            messages.append(["execution_success", {"prompt_id": job.job_id}])
        went_well = job.state == "done" and not failed
        return {
            "prompt": [0, job.job_id, job.given, job.facts["extra_data"], ["9"]],
            "outputs": {"9": {"images": [file]}} if went_well else {},
            "status": {
                "status_str": "success" if went_well else "error",
                "completed": went_well,
                "messages": messages,
            },
            "meta": {},
        }
