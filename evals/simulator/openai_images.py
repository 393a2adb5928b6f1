"""OpenAI's responses in the background with the picture tool: create, read, cancel, webhooks."""

import base64
import json
import uuid
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.simulator.jobs import Job, Vendor, attempt_in, picture
from evals.simulator.switches import Hook, Told
from evals.simulator.wire import BROKEN, Refusals, Wires
from infra import clock
from infra.providers.http.webhooks import sign
from infra.providers.openai_images.models import (
    MILLION,
    PICTURE_OUT,
    PROMPT_IN,
    TEXT_IN,
    TEXT_OUT,
)

TEXT_TOKENS, PROMPT_TOKENS, PICTURE_TOKENS = 200, 100, 1400
PRICE = (
    TEXT_TOKENS * (TEXT_IN.unit_micros + TEXT_OUT.unit_micros)
    + PROMPT_TOKENS * PROMPT_IN.unit_micros
    + PICTURE_TOKENS * PICTURE_OUT.unit_micros
) // MILLION
"""What a picture costs here."""


def _error(status: int, code: str, kind: str, message: str) -> tuple[int, Any]:
    return status, {"error": {"code": code, "type": kind, "message": message, "param": None}}


_REFUSALS: Refusals = {
    "refused_503": _error(503, "server_error", "server_error", "Overloaded."),
    "rejected": _error(400, "invalid_value", "invalid_request_error", "Invalid size."),
    "unauthorized": _error(401, "invalid_api_key", "invalid_request_error", "Incorrect API key."),
    "policy": _error(
        400, "image_content_policy_violation", "image_generation_user_error", "Not allowed."
    ),
    "quota": _error(429, "credit_balance_exhausted", "insufficient_quota", "No credits left."),
    "rate_limited": _error(429, "rate_limit_exceeded", "requests", "Rate limit reached."),
}
_CODES: dict[Told, tuple[str, str]] = {
    "failed": ("server_error", "The model crashed."),
    "failed_charged": ("server_error", "The model crashed."),
    "policy_after": ("image_content_policy_violation", "The picture was not allowed."),
}


class OpenAiImagesDialect:
    """Speaks as OpenAI does; its endpoint for webhooks is `endpoint`, signed with `secret`."""

    def __init__(
        self, vendor: Vendor, wires: Wires, secret: str, endpoint: str | None = None
    ) -> None:
        self.vendor = vendor
        self._wires = wires
        self._secret = secret
        self.endpoint = endpoint

    @property
    def routes(self) -> list[Route]:
        """What it answers to."""
        return [
            Route("/v1/responses", self.submit, methods=["POST"]),
            Route("/v1/responses/{job_id}", self.read),
            Route("/v1/responses/{job_id}/cancel", self.cancel, methods=["POST"]),
        ]

    async def submit(self, request: Request) -> Response:
        """Create a response, unless it is told to end otherwise."""
        given = await request.json()
        told = await self.vendor.submission()
        if (refusal := await self._wires.refuse(request, told, _REFUSALS)) is not None:
            return refusal
        made = uuid.uuid4()
        job = await self.vendor.make(
            Job(
                job_id=f"resp_{made.hex}",
                attempt=attempt_in(json.dumps(given.get("metadata")), made),
                model=given["model"],
                given=given,
                told=told,
                micros=PRICE,
                webhook=self.endpoint,
                facts={"created_at": clock.unix_ms() // 1000},
            )
        )
        if self.vendor.switches.hook == "early":
            await self._tell(job)
        taken = JSONResponse(await self._described(job))
        return await self._wires.answer(request, told, taken)

    async def read(self, request: Request) -> Response:
        """Describe a response, unless it has been deleted."""
        job = self.vendor.jobs.get(request.path_params["job_id"])
        if job is None or (job.told == "expired" and job.is_over):
            return JSONResponse(_error(404, "not_found", "invalid_request_error", "None.")[1], 404)
        was_over = job.is_over
        await self.vendor.look(job)
        if not was_over and job.is_over and self.vendor.switches.hook != "early":
            await self._tell(job)
        answer = JSONResponse(await self._described(job))
        is_cut = job.told == "cut_file" and job.is_over
        return await self._wires.answer(request, "half" if is_cut else "made", answer)

    async def cancel(self, request: Request) -> Response:
        """Cancel a response; one that has ended stays as it is."""
        job = self.vendor.jobs.get(request.path_params["job_id"])
        if job is None:
            return JSONResponse(_error(404, "not_found", "invalid_request_error", "None.")[1], 404)
        if not job.is_over:
            await self.vendor.cancel(job)
        return JSONResponse(await self._described(job))

    async def _described(self, job: Job) -> dict[str, Any]:
        body: dict[str, Any] = {
            "id": job.job_id,
            "object": "response",
            "background": True,
            "created_at": job.facts["created_at"],
            "metadata": job.given.get("metadata"),
            "error": None,
            "incomplete_details": None,
            "output": [],
            "usage": None,
        }
        if job.state != "done":
            status = {"queued": "queued", "running": "in_progress"}.get(job.state, "cancelled")
            return {**body, "status": status}
        if job.told in _CODES:
            code, said = _CODES[job.told]
            return {**body, "status": "failed", "error": {"code": code, "message": said}}
        return {**body, "status": "completed", "output": [await self._call(job)], **_used()}

    async def _call(self, job: Job) -> dict[str, Any]:
        call = {"type": "image_generation_call", "id": f"ig_{job.job_id}"}
        if job.told == "policy_billed":
            error = {"code": "moderation_blocked", "type": "user_error", "message": "Not allowed."}
            return {**call, "status": "failed", "result": None, "error": error}
        made = BROKEN if job.told == "broken_file" else await picture(job.job_id)
        result = base64.b64encode(made).decode()
        return {**call, "status": "completed", "result": result, "output_format": "png"}

    async def _tell(self, job: Job) -> None:
        await self.vendor.tell(job, ["completed"], self.signed)

    async def signed(self, job: Job, event: str, hook: Hook) -> tuple[dict[str, str], bytes]:
        """Return a webhook, which carries the response's id alone, with its signature."""
        sent_id, sent_at = f"evt_{job.job_id}", str(clock.unix_ms() // 1000)
        told = {"id": sent_id, "type": f"response.{event}", "data": {"id": job.job_id}}
        body = json.dumps(told).encode()
        made = sign(self._secret, f"{sent_id}.{sent_at}.".encode() + body) or b""
        signature = "v1," + ("AAAA" if hook == "wrong_signature" else made.decode())
        headers = {
            "webhook-id": sent_id,
            "webhook-timestamp": sent_at,
            "webhook-signature": signature,
            "Content-Type": "application/json",
        }
        return headers, body


def _used() -> dict[str, Any]:
    picture_used: dict[str, Any] = {
        "input_tokens": PROMPT_TOKENS,
        "input_tokens_details": {"text_tokens": PROMPT_TOKENS, "image_tokens": 0},
        "output_tokens": PICTURE_TOKENS,
        "total_tokens": PROMPT_TOKENS + PICTURE_TOKENS,
    }
    used = {"input_tokens": TEXT_TOKENS, "output_tokens": TEXT_TOKENS, "total_tokens": 400}
    return {"usage": used, "tool_usage": {"image_gen": picture_used}}
