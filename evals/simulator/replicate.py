"""Replicate's predictions: create, read, list, cancel, and its signed webhooks."""

import json
import uuid
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.simulator import media
from evals.simulator.jobs import Job, Price, Vendor, attempt_of, picture
from evals.simulator.switches import Hook, Told
from evals.simulator.wire import Refusals, Wires
from infra import clock
from infra.providers.http.webhooks import sign

PAGE = 100


def _problem(status: int, title: str, detail: str) -> tuple[int, Any]:
    return status, {"status": status, "title": title, "detail": detail}


_REFUSALS: Refusals = {
    "refused_503": _problem(503, "Service unavailable", "Try again later."),
    "rejected": _problem(422, "Input validation failed", "- input: prompt is required"),
    "unauthorized": _problem(401, "Unauthenticated", "You did not pass a valid token"),
    "policy": _problem(422, "Input validation failed", "The prompt was flagged as sensitive."),
    "quota": _problem(402, "Insufficient credit", "You have insufficient credit."),
    "rate_limited": _problem(
        429, "Too many requests", "Request was throttled. Your rate limit resets in ~7s."
    ),
}
_ERRORS: dict[Told, str] = {
    "failed": "CUDA out of memory",
    "failed_charged": "CUDA out of memory",
    "policy_after": "NSFW content detected. Try running it again.",
    "policy_billed": "NSFW content detected. Try running it again.",
}


class ReplicateDialect:
    """Speaks as Replicate does; signs its webhooks with `secret`.

    What is ordered with a duration is a clip of so many whole seconds, anything else a picture.
    """

    def __init__(self, vendor: Vendor, wires: Wires, price: Price, secret: str) -> None:
        self.vendor = vendor
        self._wires = wires
        self._price = price
        self._secret = secret
        self.echoes_webhook = True

    @property
    def routes(self) -> list[Route]:
        """What it answers to."""
        return [
            Route("/v1/predictions", self.listed),
            Route("/v1/predictions", self.submit, methods=["POST"]),
            Route("/v1/models/{owner}/{name}/predictions", self.submit, methods=["POST"]),
            Route("/v1/predictions/{job_id}", self.read),
            Route("/v1/predictions/{job_id}/cancel", self.cancel, methods=["POST"]),
            Route("/files/{job_id}.png", self.file),
            Route("/files/{job_id}.mp4", self.clip),
        ]

    async def submit(self, request: Request) -> Response:
        """Make a prediction, unless it is told to end otherwise."""
        body = await request.json()
        told = await self.vendor.submission()
        if (refusal := await self._wires.refuse(request, told, _REFUSALS)) is not None:
            return refusal
        webhook = body.get("webhook")
        made = uuid.uuid4()
        owner, name = request.path_params.get("owner"), request.path_params.get("name")
        job = await self.vendor.make(
            Job(
                job_id=made.hex[:26],
                attempt=attempt_of(request, webhook, made),
                model=f"{owner}/{name}" if owner else str(body["version"]),
                given=body["input"],
                told=told,
                micros=self._price(body["input"]),
                webhook=webhook,
                facts={"created_at": clock.utc_now().isoformat()},
            )
        )
        if self.vendor.switches.hook == "early":
            await self._tell(job)
        return await self._wires.answer(request, told, JSONResponse(self._described(job), 201))

    async def read(self, request: Request) -> Response:
        """Describe a prediction."""
        job = self.vendor.jobs.get(request.path_params["job_id"])
        if job is None:
            return JSONResponse(_problem(404, "Not found", "Prediction not found")[1], 404)
        was_over = job.is_over
        await self.vendor.look(job)
        if not was_over and job.is_over and self.vendor.switches.hook != "early":
            await self._tell(job)
        return JSONResponse(self._described(job))

    async def listed(self, request: Request) -> Response:
        """List the newest predictions, a page at a time."""
        page = int(request.query_params.get("cursor") or 0)
        jobs = self.vendor.listed(ended=False)
        more = len(jobs) > (page + 1) * PAGE
        following = f"{self.vendor.address}/v1/predictions?cursor={page + 1}"
        return JSONResponse(
            {
                "previous": None,
                "next": following if more else None,
                "results": [self._described(job) for job in jobs[page * PAGE : (page + 1) * PAGE]],
            }
        )

    async def cancel(self, request: Request) -> Response:
        """Cancel a prediction; one that has ended stays as it is."""
        job = self.vendor.jobs.get(request.path_params["job_id"])
        if job is None:
            return JSONResponse(_problem(404, "Not found", "Prediction not found")[1], 404)
        if not job.is_over:
            await self.vendor.cancel(job)
        return JSONResponse(self._described(job))

    async def file(self, request: Request) -> Response:
        """Give the picture of a prediction."""
        job = self.vendor.jobs[request.path_params["job_id"]]
        return await self._wires.file(request, job.told, await picture(job.job_id))

    async def clip(self, request: Request) -> Response:
        """Give the clip of a prediction."""
        job = self.vendor.jobs[request.path_params["job_id"]]
        made = await media.clip(int(job.given["duration"]), "1280:720", job.attempt.int)
        return await self._wires.file(request, job.told, made, "video/mp4")

    def _described(self, job: Job) -> dict[str, Any]:
        ending = "mp4" if "duration" in job.given else "png"
        base = f"{self.vendor.address}/v1/predictions/{job.job_id}"
        host = "https://elsewhere.example" if job.told == "elsewhere" else self.vendor.address
        error = _ERRORS.get(job.told) if job.state == "done" else None
        gone = job.told == "expired" and job.is_over
        made = job.state == "done" and error is None and not gone
        return {
            "id": job.job_id,
            "model": job.model,
            "version": "hidden",
            "input": {} if gone else {**job.given, "go_fast": True},
            "output": [f"{host}/files/{job.job_id}.{ending}"] if made else None,
            "error": error,
            "logs": "",
            "status": self._status(job, error),
            "created_at": job.facts["created_at"],
            "data_removed": gone,
            "metrics": {"predict_time": 0.5} if job.is_over else {},
            "urls": {"get": base, "cancel": f"{base}/cancel"},
            **({"webhook": job.webhook} if self.echoes_webhook and job.webhook else {}),
        }

    def _status(self, job: Job, error: str | None) -> str:
        match job.state:
            case "queued":
                return "starting"
            case "running":
                return "processing"
            case "cancelled":
                return "canceled"
            case "done":
                return "failed" if error else "succeeded"

    async def _tell(self, job: Job) -> None:
        await self.vendor.tell(job, ["start", "completed"], self.signed)

    async def signed(self, job: Job, event: str, hook: Hook) -> tuple[dict[str, str], bytes]:
        """Return a webhook with its signature, the right one unless told otherwise."""
        body = json.dumps(self._described(job)).encode()
        sent_id, sent_at = f"msg_{job.job_id}_{event}", str(clock.unix_ms() // 1000)
        made = sign(self._secret, f"{sent_id}.{sent_at}.".encode() + body) or b""
        signature = "v1," + ("AAAA" if hook == "wrong_signature" else made.decode())
        headers = {
            "webhook-id": sent_id,
            "webhook-timestamp": sent_at,
            "webhook-signature": signature,
            "Content-Type": "application/json",
        }
        return headers, body
