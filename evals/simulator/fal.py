"""fal's queue, its signed webhooks and the parts of its platform API that the adapter uses."""

import base64
import hashlib
import json
from datetime import timedelta
from typing import Any
from uuid import uuid4

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.simulator.jobs import Job, Price, Vendor, attempt_of, picture
from evals.simulator.switches import Hook
from evals.simulator.wire import Refusals, Wires
from infra import clock

_POLICY: Any = {
    "detail": [
        {
            "loc": ["body", "prompt"],
            "msg": "The content could not be processed because it was flagged.",
            "type": "content_policy_violation",
            "input": "a harbour",
        }
    ]
}
_NO_FACE: Any = {"detail": [{"loc": ["body"], "msg": "No face found", "type": "no_face"}]}
_CRASH: Any = {"detail": "Internal Server Error"}
_REFUSALS: Refusals = {
    "refused_503": (503, {"detail": "No room"}),
    "rejected": (
        422,
        {"detail": [{"loc": ["body", "prompt"], "msg": "Field required", "type": "missing"}]},
    ),
    "unauthorized": (401, {"detail": "Cannot access application"}),
    "policy": (422, _POLICY),
    "quota": (403, {"detail": "User is locked. Reason: Exhausted balance."}),
    "rate_limited": (429, {"detail": "Too many requests"}),
}
_UNITS = "X-Fal-Billable-Units"


class FalDialect:
    """Speaks as fal does; `price` gives micro-units and `units` the billable units of an input."""

    def __init__(self, vendor: Vendor, wires: Wires, price: Price, units: Price) -> None:
        self.vendor = vendor
        self._wires = wires
        self._price = price
        self._units = units
        self.keys = [Ed25519PrivateKey.generate()]
        """What webhooks may be signed with: the last one is in use, all are published."""

    @property
    def routes(self) -> list[Route]:
        """What it answers to."""
        base = "/{owner}/{app}/requests/{job_id}"
        return [
            Route("/v1/models/requests/by-endpoint", self.listed),
            Route("/files/{job_id}.png", self.file),
            Route("/.well-known/jwks.json", self.published),
            Route(f"{base}/status", self.status),
            Route(f"{base}/cancel", self.cancel, methods=["PUT"]),
            Route(base, self.result),
            Route("/{owner}/{app}/{path:path}", self.submit, methods=["POST"]),
        ]

    async def submit(self, request: Request) -> Response:
        """Queue a request, unless it is told to end otherwise."""
        given = await request.json()
        told = await self.vendor.submission()
        if (refusal := await self._wires.refuse(request, told, _REFUSALS)) is not None:
            return refusal
        webhook = request.query_params.get("fal_webhook")
        made = uuid4()
        job = await self.vendor.make(
            Job(
                job_id=str(made),
                attempt=attempt_of(request, webhook, made),
                model="/".join(request.path_params[name] for name in ("owner", "app", "path")),
                given=given,
                told=told,
                micros=self._price(given),
                webhook=webhook,
                facts={"sent_at": clock.utc_now()},
            )
        )
        if self.vendor.switches.hook == "early":
            await self._tell(job)
        return await self._wires.answer(request, told, JSONResponse(self._queued(job)))

    async def status(self, request: Request) -> Response:
        """Say how far a request is."""
        job = self.vendor.jobs.get(request.path_params["job_id"])
        if job is None:
            return JSONResponse({"detail": "Request not found"}, 404)
        was_over = job.is_over
        await self.vendor.look(job)
        body: dict[str, Any] = {"request_id": job.job_id, **self._addresses(job)}
        if job.state == "running":
            return JSONResponse({**body, "status": "IN_PROGRESS", "logs": []}, 202)
        if job.state == "cancelled":
            body |= {"error": "Request was cancelled", "error_type": "client_cancelled"}
        elif job.told in ("failed", "failed_charged"):
            body |= {"error": "Runner crashed", "error_type": "runner_server_error"}
        if not was_over and self.vendor.switches.hook != "early":
            await self._tell(job)
        return JSONResponse({**body, "status": "COMPLETED", "metrics": {"inference_time": 0.1}})

    async def result(self, request: Request) -> Response:
        """Give a result in the model's own words and with its own status."""
        job = self.vendor.jobs.get(request.path_params["job_id"])
        if job is None or job.told == "expired":
            return JSONResponse({"detail": "Request not found"}, 404)
        if job.state != "done":
            return JSONResponse({"detail": "Request is still in progress"}, 400)
        counted = {_UNITS: str(self._units(job.given))}
        status, body, headers = {
            "failed": (500, _CRASH, {"X-Fal-Error-Type": "runner_server_error"}),
            "failed_charged": (422, _NO_FACE, counted),
            "policy_after": (422, _POLICY, {_UNITS: "0"}),
            "policy_billed": (422, _POLICY, counted),
        }.get(job.told, (200, self._output(job), counted))
        return JSONResponse(body, status, headers)

    async def cancel(self, request: Request) -> Response:
        """Take a request out of the queue, or ask its runner to stop."""
        job = self.vendor.jobs.get(request.path_params["job_id"])
        if job is None:
            return JSONResponse({"status": "NOT_FOUND"}, 404)
        if job.is_over:
            return JSONResponse({"status": "ALREADY_COMPLETED"}, 400)
        await self.vendor.cancel(job)
        return JSONResponse({"status": "CANCELLATION_REQUESTED"}, 202)

    async def listed(self, request: Request) -> Response:
        """List the ended requests of an endpoint, newest first."""
        endpoint = request.query_params["endpoint_id"]
        items = [
            {
                "request_id": job.job_id,
                "endpoint_id": job.model,
                "sent_at": job.facts["sent_at"].isoformat(),
                "ended_at": (job.facts["sent_at"] + timedelta(seconds=1)).isoformat(),
                "status_code": 200,
                "json_input": {**job.given, "num_inference_steps": 28},
            }
            for job in [await self.vendor.look(job) for job in self.vendor.listed(ended=False)]
            if job.model == endpoint and job.is_over
        ]
        page = int(request.query_params.get("cursor") or 0)
        size = int(request.query_params.get("limit") or 50)
        more = len(items) > (page + 1) * size
        return JSONResponse(
            {
                "items": items[page * size : (page + 1) * size],
                "next_cursor": str(page + 1) if more else None,
                "has_more": more,
            }
        )

    async def file(self, request: Request) -> Response:
        """Give the picture of a job."""
        job = self.vendor.jobs[request.path_params["job_id"]]
        return await self._wires.file(request, job.told, await picture(job.job_id))

    def _addresses(self, job: Job) -> dict[str, str]:
        owner, app = job.model.split("/")[:2]
        base = f"{self.vendor.address}/{owner}/{app}/requests/{job.job_id}"
        return {
            "response_url": base,
            "status_url": f"{base}/status",
            "cancel_url": f"{base}/cancel",
        }

    def _queued(self, job: Job) -> dict[str, Any]:
        return {
            "status": "IN_QUEUE",
            "request_id": job.job_id,
            "queue_position": 0,
            **self._addresses(job),
        }

    def _output(self, job: Job) -> dict[str, Any]:
        host = "https://elsewhere.example" if job.told == "elsewhere" else self.vendor.address
        url = f"{host}/files/{job.job_id}.png"
        return {
            "images": [{"url": url, "width": 64, "height": 64, "content_type": "image/png"}],
            "seed": job.given.get("seed"),
            "prompt": job.given.get("prompt"),
        }

    async def _tell(self, job: Job) -> None:
        await self.vendor.tell(job, ["completed"], self.signed)

    async def signed(self, job: Job, event: str, hook: Hook) -> tuple[dict[str, str], bytes]:
        """Return a webhook with its signature, the right one unless told otherwise."""
        del event
        told = {"request_id": job.job_id, "gateway_request_id": job.job_id, "status": "OK"}
        body = json.dumps({**told, "payload": self._output(job)}).encode()
        key = Ed25519PrivateKey.generate() if hook == "wrong_signature" else self.keys[-1]
        return signed_by(key, job.job_id, body, at=clock.unix_ms() // 1000), body

    async def published(self, request: Request) -> Response:
        """Publish the keys that webhooks are signed with."""
        del request
        return JSONResponse({"keys": [published(key) for key in self.keys]})


def signed_by(key: Ed25519PrivateKey, request_id: str, body: bytes, *, at: int) -> dict[str, str]:
    """Return the headers of a webhook."""
    lines = [request_id, "user-of-a-test", str(at), hashlib.sha256(body).hexdigest()]
    return {
        "Content-Type": "application/json",
        "X-Fal-Webhook-Request-Id": lines[0],
        "X-Fal-Webhook-User-Id": lines[1],
        "X-Fal-Webhook-Timestamp": lines[2],
        "X-Fal-Webhook-Signature": key.sign("\n".join(lines).encode()).hex(),
    }


def published(key: Ed25519PrivateKey) -> dict[str, str]:
    """Return a key as it is published."""
    said = base64.urlsafe_b64encode(key.public_key().public_bytes_raw()).rstrip(b"=").decode()
    return {"kty": "OKP", "crv": "Ed25519", "use": "sig", "x": said}
