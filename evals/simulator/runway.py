"""Runway's tasks: created from a text or a picture, read, and destroyed by whoever cancels them."""

from typing import Any
from uuid import uuid4

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.simulator import media
from evals.simulator.jobs import Job, Price, Vendor, attempt_of
from evals.simulator.switches import FREE
from evals.simulator.wire import Refusals, Wires
from infra import clock
from infra.providers.runway.models import CREDIT_MICROS

_REFUSALS: Refusals = {
    "refused_503": (503, {"error": "We are shedding load."}),
    "rejected": (400, {"error": "Validation of body failed", "issues": []}),
    "unauthorized": (401, {"error": "Unauthorized"}),
    "quota": (400, {"error": "You do not have enough credits to run this task."}),
    "rate_limited": (429, {"error": "You have reached your daily limit of tasks."}),
}
_FAILURES = {
    "failed": ("INTERNAL.BAD_OUTPUT.CODE01", "The task crashed."),
    "failed_charged": ("INTERNAL.BAD_OUTPUT.CODE01", "The task crashed."),
    "policy": ("SAFETY.INPUT.TEXT", "The text was moderated."),
    "policy_after": ("SAFETY.OUTPUT.VIDEO", "The result was moderated."),
    "policy_billed": ("SAFETY.OUTPUT.VIDEO", "The result was moderated."),
}
"""How tasks fail; Runway looks at content only once a task runs, so `policy` makes one too."""


class RunwayDialect:
    """Speaks as Runway does; a version that is not named is refused."""

    def __init__(self, vendor: Vendor, wires: Wires, price: Price) -> None:
        self.vendor = vendor
        self._wires = wires
        self._price = price

    @property
    def routes(self) -> list[Route]:
        """What it answers to."""
        return [
            Route("/v1/image_to_video", self.submit, methods=["POST"]),
            Route("/v1/text_to_video", self.submit, methods=["POST"]),
            Route("/v1/tasks/{job_id}", self.read),
            Route("/v1/tasks/{job_id}", self.destroy, methods=["DELETE"]),
            Route("/files/{job_id}.mp4", self.file),
        ]

    async def submit(self, request: Request) -> Response:
        """Create a task, unless it is told to end otherwise."""
        given = await request.json()
        told = await self.vendor.submission()
        if (refusal := await self._wires.refuse(request, told, _REFUSALS)) is not None:
            return refusal
        has_picture = "promptImage" in given
        if has_picture != request.url.path.endswith("image_to_video") or not request.headers.get(
            "x-runway-version"
        ):
            return JSONResponse({"error": "Validation of body failed"}, 400)
        made = uuid4()
        job = await self.vendor.make(
            Job(
                job_id=str(made),
                attempt=attempt_of(request, None, made),
                model=given["model"],
                given=given,
                told=told,
                micros=self._price(given),
                facts={"created_at": clock.utc_now().isoformat()},
            )
        )
        taken = JSONResponse({"id": job.job_id, "estimatedCost": self._credits(job.micros)})
        return await self._wires.answer(request, told, taken)

    async def read(self, request: Request) -> Response:
        """Describe a task, unless it was destroyed."""
        job = self._job(request)
        if job is None:
            return JSONResponse({"error": "Task not found"}, 404)
        await self.vendor.look(job)
        return JSONResponse(self._described(job))

    async def destroy(self, request: Request) -> Response:
        """Cancel a task that is under way; forget it in any case."""
        job = self._job(request)
        if job is None:
            return JSONResponse({"error": "Task not found"}, 404)
        if not job.is_over:
            await self.vendor.cancel(job)
        job.facts["is_gone"] = True
        return Response(status_code=204)

    async def file(self, request: Request) -> Response:
        """Give the clip of a task."""
        job = self.vendor.jobs[request.path_params["job_id"]]
        seconds, frame = int(job.given["duration"]), str(job.given["ratio"])
        made = await media.clip(seconds, frame, job.attempt.int)
        return await self._wires.file(request, job.told, made, "video/mp4")

    def _job(self, request: Request) -> Job | None:
        job = self.vendor.jobs.get(request.path_params["job_id"])
        return None if job is None or job.facts.get("is_gone") else job

    def _described(self, job: Job) -> dict[str, Any]:
        body: dict[str, Any] = {"id": job.job_id, "createdAt": job.facts["created_at"]}
        if not job.is_over:
            status = {"queued": "PENDING", "running": "RUNNING"}[job.state]
            progress = {"progress": 0.5} if job.state == "running" else {}
            estimate = {"estimatedCost": self._credits(job.micros)}
            return {**body, "status": status, **progress, **estimate}
        body["cost"] = self._credits(0 if job.told in FREE else job.micros)
        if job.told in _FAILURES:
            code, said = _FAILURES[job.told]
            return {**body, "status": "FAILED", "failure": said, "failureCode": code}
        host = "https://elsewhere.example" if job.told == "elsewhere" else self.vendor.address
        return {**body, "status": "SUCCEEDED", "output": [f"{host}/files/{job.job_id}.mp4?_jwt=x"]}

    def _credits(self, micros: int) -> dict[str, int]:
        return {"credits": micros // CREDIT_MICROS}
