"""ElevenLabs' text to speech and the history that it keeps of it."""

import base64
import uuid
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from evals.simulator import media
from evals.simulator.jobs import Job, Price, Vendor, attempt_of
from evals.simulator.wire import BROKEN, Refusals, Wires
from infra import clock


def _detail(status: int, code: str, message: str) -> tuple[int, Any]:
    return status, {"detail": {"code": code, "status": code, "message": message}}


_POLICY = _detail(400, "content_policy_violation", "The text violates our policy.")
_REFUSALS: Refusals = {
    "refused_503": _detail(503, "service_unavailable", "Try again later."),
    "rejected": _detail(404, "voice_not_found", "A voice with that id was not found."),
    "unauthorized": _detail(401, "invalid_api_key", "Invalid API key"),
    "policy": _POLICY,
    "quota": _detail(401, "quota_exceeded", "This request exceeds your quota."),
    "rate_limited": _detail(429, "too_many_concurrent_requests", "Too many at once."),
    "busy": _detail(429, "system_busy", "The system is experiencing heavy traffic."),
}
_ENDS_BADLY: Refusals = {
    "failed": _detail(500, "internal_error", "The runner crashed."),
    "failed_charged": _detail(500, "internal_error", "The runner crashed."),
    "policy_after": _POLICY,
    "policy_billed": _POLICY,
}


class ElevenLabsDialect:
    """Speaks as ElevenLabs does; `counts` says what it charges in its header."""

    def __init__(self, vendor: Vendor, wires: Wires, price: Price) -> None:
        self.vendor = vendor
        self._wires = wires
        self._price = price
        self.counts = True
        self.times = True
        self.shows_settings = True

    @property
    def routes(self) -> list[Route]:
        """What it answers to."""
        return [
            Route("/v1/text-to-speech/{voice}/with-timestamps", self.submit, methods=["POST"]),
            Route("/v1/history", self.listed),
            Route("/v1/history/{job_id}/audio", self.sound),
        ]

    async def submit(self, request: Request) -> Response:
        """Speak a text, unless it is told to end otherwise."""
        given = await request.json()
        told = await self.vendor.submission()
        if (refusal := await self._wires.refuse(request, told, _REFUSALS)) is not None:
            return refusal
        made = uuid.uuid4()
        job = await self.vendor.make(
            Job(
                job_id=made.hex[:20],
                attempt=attempt_of(request, None, made),
                model=given["model_id"],
                given=given,
                told=told,
                micros=self._price(given),
                released=True,
                facts={"at": clock.unix_ms() // 1000, "voice": request.path_params["voice"]},
            )
        )
        await self.vendor.look(job)
        if told in _ENDS_BADLY:
            status, body = _ENDS_BADLY[told]
            return JSONResponse(body, status)
        if told == "never":
            return await self._wires.answer(request, "timeout", Response())
        told = "half" if told == "cut_file" else told
        return await self._wires.answer(request, told, await self._spoken(job))

    async def listed(self, request: Request) -> Response:
        """List what was spoken, newest first, a page at a time."""
        items = [
            self._item(job)
            for job in self.vendor.listed(ended=True)
            if job.told not in _ENDS_BADLY
            and job.facts["voice"] == request.query_params.get("voice_id", job.facts["voice"])
        ]
        after = request.query_params.get("start_after_history_item_id")
        ids = [item["history_item_id"] for item in items]
        first = ids.index(after) + 1 if after in ids else 0
        page = items[first : first + int(request.query_params.get("page_size") or 100)]
        return JSONResponse(
            {
                "history": page,
                "last_history_item_id": page[-1]["history_item_id"] if page else None,
                "has_more": first + len(page) < len(items),
            }
        )

    async def sound(self, request: Request) -> Response:
        """Give the bytes of what was spoken."""
        job = self.vendor.jobs.get(request.path_params["job_id"])
        if job is None:
            return JSONResponse(_detail(404, "history_item_not_found", "Not found")[1], 404)
        job.facts["fetched"] = True
        return await self._wires.file(request, job.told, await media.speech(), "audio/mpeg")

    async def _spoken(self, job: Job) -> JSONResponse:
        sound = BROKEN if job.told == "broken_file" else await media.speech()
        headers = {"request-id": job.job_id}
        if self.counts:
            headers["character-cost"] = str(len(job.given["text"]))
        timed = _alignment(job) if self.times else None
        body: dict[str, Any] = {"audio_base64": base64.b64encode(sound).decode()}
        return JSONResponse(
            {**body, "alignment": timed, "normalized_alignment": timed}, headers=headers
        )

    def _item(self, job: Job) -> dict[str, Any]:
        timed = _alignment(job)
        settings: Any = job.given["voice_settings"] if self.shows_settings else {}
        return {
            "history_item_id": job.job_id,
            "request_id": job.job_id,
            "voice_id": job.facts["voice"],
            "model_id": job.model,
            "text": job.given["text"],
            "date_unix": job.facts["at"],
            "character_count_change_from": 1000,
            "character_count_change_to": 1000 + len(job.given["text"]),
            "content_type": "audio/mpeg",
            "state": "created",
            "settings": settings,
            "source": "TTS",
            "alignments": {"alignment": timed, "normalized_alignment": timed},
        }


def _alignment(job: Job) -> dict[str, Any]:
    """Return the times of a text's characters, evenly over the sound."""
    text = str(job.given["text"])
    each = media.SPEECH_S / max(len(text), 1)
    return {
        "characters": list(text),
        "character_start_times_seconds": [round(at * each, 3) for at in range(len(text))],
        "character_end_times_seconds": [round((at + 1) * each, 3) for at in range(len(text))],
    }
