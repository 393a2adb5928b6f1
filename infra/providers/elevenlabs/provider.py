"""ElevenLabs' text to speech as a provider: synchronous, with its speech kept until collected.

From its Python client 2.78.0 (text_to_speech/raw_client `convert_with_timestamps`, history/
raw_client `list`, the types of both) and its help pages, read 2026-11-30. One request makes the
speech and answers with it; there is no job, nothing to cancel, no webhook for speech. What was
answered is in `folder` before `submit` returns: a process that ends then finds it there again and
does not order twice.

An answer that was lost is looked for in the history. Its items have no id of ours, and two orders
may have the same text, so each is sent with a voice setting that only its attempt has: a stability
of 0.5 and at most 0.0022, which nobody hears. The history shows the settings of an item; that it
shows this number to its last digit is unverified. If it does not, nothing is found, and never the
speech of another. An order that the history does not show may still exist: an account can be kept
without a history.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any
from uuid import UUID

from infra.media.verify import UnusableMediaError, verify
from infra.providers.elevenlabs import answers
from infra.providers.elevenlabs.answers import NAME, Speech
from infra.providers.elevenlabs.models import LANGUAGES, LONGEST_TEXT, MODELS
from infra.providers.elevenlabs.timings import Heard, heard_in, words_of
from infra.providers.http.answers import object_of, objects_in, unlisted
from infra.providers.http.files import fetch
from infra.providers.http.models import Model, seed_of
from infra.providers.http.places import Places, origin_of
from infra.providers.http.refusals import accepted
from infra.providers.http.seller import CallbackUrl, Seller
from infra.providers.http.spool import Spool
from infra.providers.http.transport import Limits, Transport
from infra.providers.ports import (
    Artifact,
    Attempt,
    CancelResult,
    Capabilities,
    Charge,
    Correlation,
    Found,
    JobRef,
    Lookup,
    OutcomeUnknownError,
    RejectedError,
    ReportProgress,
    Snapshot,
)

API_URL = "https://api.elevenlabs.io/v1"
PLACES = Places(("api.elevenlabs.io",))
VOICE = "JBFqnCBsd6RMkjVDRZzb"
"""The voice of the vendor's own first example."""
LIMITS = Limits(silence_s=300.0, answer_s=330.0, answer_bytes=64 << 20)
"""Minutes of speech are made before the first byte of an answer, and arrive a third larger."""
_SOUND, _TIMINGS = "narration.mp3", "timings.json"
_FORMAT = "mp3_44100_128"
_PAGE = 100
_MOST_PAGES = 5
_CHUNK = 1 << 20


class ElevenLabsProvider(Seller):
    """Has texts spoken in one voice; `folder` keeps each speech until it is stored elsewhere."""

    vendor = NAME

    def __init__(
        self,
        key: str,
        *,
        folder: Path,
        url: str = API_URL,
        voice: str = VOICE,
        callback_url: CallbackUrl | None = None,
        models: Sequence[Model] = MODELS,
        places: Places = PLACES,
        transport: Transport | None = None,
    ) -> None:
        super().__init__(
            key,
            models=models,
            callback_url=callback_url,
            places=places,
            transport=transport or Transport(NAME, LIMITS),
        )
        self._url = url.rstrip("/")
        self._voice = voice
        self._spool = Spool(folder)

    @property
    def capabilities(self) -> Capabilities:
        """What it can do: speak, at once; what it kept is kept here."""
        return Capabilities(
            operations=frozenset(self._models),
            shape="sync",
            correlation=frozenset({Correlation.LIST_MATCH}),
            webhook="none",
            cancel="none",
            policy_block_billed="unknown",
            quote="maximum",
            charge="units_reported",
            min_poll_s=2.0,
            max_poll_s=60.0,
            result_ttl_s=None,
            languages=LANGUAGES,
            limits=self._limits,
        )

    async def submit(self, attempt: Attempt, report: ReportProgress) -> JobRef | Snapshot:
        """Have a text spoken by exactly one request, or give back what was spoken before."""
        del report
        model = self._model(attempt.operation)
        if (kept := await self._kept(attempt.attempt_id)) is not None:
            return kept
        _check(model, attempt)
        answer = await self._order(
            attempt,
            f"{self._url}/text-to-speech/{self._voice}/with-timestamps",
            params={"output_format": _FORMAT},
            body=_request(model, attempt),
        )
        accepted(NAME, answer, must_have="audio_base64", refusal=answers.refusal)
        speech = answers.speech_in(model, answer)
        if speech is None:
            message = "ElevenLabs answered with no speech; whether it was charged is not known."
            raise OutcomeUnknownError(message)
        return await self._keep(attempt, speech)

    async def find(self, attempt: Attempt) -> Found | Lookup:
        """Look for a speech here, then in the history; what is found there is kept here first."""
        model = self._models.get(attempt.operation)
        if model is None:
            return Lookup.CANNOT_TELL
        ref = self._ref(attempt.operation, str(attempt.attempt_id))
        if await self._kept(attempt.attempt_id) is not None:
            return Found(ref=ref)
        item = await self._item(model, attempt)
        if isinstance(item, Lookup):
            return item
        try:
            await self._rescue(model, attempt, item)
        except UnusableMediaError:  # it was made, and nobody can have it any more
            return Lookup.CANNOT_TELL
        return Found(ref=ref)

    async def read(self, ref: JobRef) -> Snapshot:
        """Return the kept speech."""
        return await self._kept(ref.provider_job_id) or Snapshot(phase="unknown")

    async def cancel(self, ref: JobRef) -> CancelResult:
        """Say that what was spoken cannot be cancelled."""
        del ref
        return CancelResult.UNSUPPORTED

    async def fetch(self, artifact: Artifact) -> AsyncIterator[bytes]:
        """Stream a kept file."""
        try:
            with Path(artifact.location).open("rb") as file:  # noqa: ASYNC230 - read in threads
                while chunk := await asyncio.to_thread(file.read, _CHUNK):
                    yield chunk
        except FileNotFoundError:
            message = "The speech is no longer kept here."
            raise UnusableMediaError(message) from None

    async def discard(self, attempt_id: UUID) -> None:
        """Forget a speech that is stored elsewhere."""
        await asyncio.to_thread(self._spool.discard, attempt_id)

    @property
    def _headers(self) -> dict[str, str]:
        return {"xi-api-key": self._key}

    async def _keep(self, attempt: Attempt, speech: Speech) -> Snapshot:
        """Put a speech and its words on the disk, then describe it."""
        told = {
            "operation": attempt.operation,
            "language": str(attempt.payload["language"]),
            "text": str(attempt.payload["text"]),
            "charge": None if speech.charge is None else speech.charge.amount_micros,
            "heard": [[each.text, each.start_s, each.end_s] for each in speech.heard],
        }
        files = {_SOUND: speech.sound}
        await asyncio.to_thread(self._spool.keep, attempt.attempt_id, told, files)
        kept = await self._kept(attempt.attempt_id)
        assert kept is not None  # noqa: S101 - it was kept just now
        return kept

    async def _kept(self, attempt_id: UUID | str) -> Snapshot | None:
        told = await asyncio.to_thread(self._spool.told, attempt_id)
        if told is None:
            return None
        model = self._model(str(told["operation"]))
        heard = [Heard(text=text, start_s=start, end_s=end) for text, start, end in told["heard"]]
        sound = self._spool.path(attempt_id, _SOUND)
        duration_s = await _duration_of(sound, heard)
        words = words_of(told["text"], told["language"], heard, duration_s)
        timings = self._spool.path(attempt_id, _TIMINGS)
        await asyncio.to_thread(timings.write_text, json.dumps(words, ensure_ascii=False), "utf-8")
        return self._described(model, told, sound, timings, words)

    def _described(
        self,
        model: Model,
        told: dict[str, Any],
        sound: Path,
        timings: Path,
        words: dict[str, Any],
    ) -> Snapshot:
        counted = told["charge"]
        charge = (
            Charge(amount_micros=counted, basis="units_price")
            if isinstance(counted, int)
            else Charge(amount_micros=model.quote_micros(told), basis="derived")
        )
        return Snapshot(
            phase="terminal",
            outcome="succeeded",
            progress=1.0,
            artifacts=(
                Artifact(role=model.role, location=str(sound), media_type=model.media_type),
                Artifact(
                    role="timings",
                    location=str(timings),
                    media_type="application/json",
                    name_suffix="timings",
                ),
            ),
            measured={
                "model": model.address,
                "voice": self._voice,
                "language": told["language"],
                "duration_s": words["duration_s"],
                "words": len(words["words"]),
                "timed": "by the vendor" if told["heard"] else "by length",
            },
            charge=charge,
        )

    async def _item(self, model: Model, attempt: Attempt) -> dict[str, Any] | Lookup:
        """Return the item of the history that has this attempt's text and its own setting."""
        sent = _request(model, attempt)
        after = ""
        for _ in range(_MOST_PAGES):
            params = {"page_size": str(_PAGE), "voice_id": self._voice, "source": "TTS"}
            if after:
                params["start_after_history_item_id"] = after
            answer = await self._ask("GET", f"{self._url}/history", params=params)
            if not answer.is_success:
                return unlisted(answer)
            for item in objects_in(answer.json.get("history")):
                if _is_of(sent, item):
                    return item
            after = str(answer.json.get("last_history_item_id") or "")
            if not after or not answer.json.get("has_more"):
                return Lookup.NOT_FOUND_YET
        return Lookup.CANNOT_TELL

    async def _rescue(self, model: Model, attempt: Attempt, item: dict[str, Any]) -> None:
        """Fetch the speech of an item of the history, and keep it as if it had been answered."""
        chunks = fetch(
            self._transport,
            f"{self._url}/history/{item['history_item_id']}/audio",
            media_type=model.media_type,
            places=self._places.and_at(origin_of(self._url)),
            headers=self._headers,
        )
        sound = b"".join([chunk async for chunk in chunks])
        heard = heard_in(object_of(item.get("alignments")).get("alignment"))
        charge = answers.charge_in(model, item)
        await self._keep(attempt, Speech(sound=sound, heard=heard, charge=charge))


def _check(model: Model, attempt: Attempt) -> None:
    """Refuse what the model cannot do before anything is sent.

    Raises:
        RejectedError: it takes no such file, does not speak the language, or not so much at once.
    """
    for name in attempt.files:
        message = f"{model.address} takes no '{name}'."
        raise RejectedError(message)
    language = str(attempt.payload["language"])
    if language.partition("-")[0].lower() not in LANGUAGES:
        message = f"{model.address} does not speak '{language}'."
        raise RejectedError(message)
    if len(attempt.payload["text"]) > LONGEST_TEXT:
        message = f"{model.address} speaks at most {LONGEST_TEXT} characters at once."
        raise RejectedError(message)


def _request(model: Model, attempt: Attempt) -> dict[str, Any]:
    sent = model.marked(attempt.attempt_id, attempt.payload)
    marked = {"stability": _stability(attempt.attempt_id), **sent["voice_settings"]}
    return {**sent, "voice_settings": marked}


def _stability(attempt_id: UUID) -> float:
    """Return the setting that an attempt is known by."""
    return round(0.5 + seed_of(attempt_id) * 1e-12, 12)


def _is_of(sent: dict[str, Any], item: dict[str, Any]) -> bool:
    settings = object_of(item.get("settings"))
    return (
        item.get("text") == sent["text"]
        and item.get("model_id") == sent["model_id"]
        and settings.get("stability") == sent["voice_settings"]["stability"]
        and isinstance(item.get("history_item_id"), str)
    )


async def _duration_of(sound: Path, heard: list[Heard]) -> float:
    """Return how long a speech is: as it decodes, or as it was timed."""
    try:
        return float((await verify(sound, "audio/mpeg"))["duration_s"])
    except UnusableMediaError:  # the collection will say so
        return heard[-1].end_s if heard else 0.0


def open_provider(
    key: str,
    *,
    url: str | None = None,
    callback_url: CallbackUrl | None = None,
    folder: Path | None = None,
) -> ElevenLabsProvider:
    """Return ElevenLabs at its own address or at `url`.

    Raises:
        ValueError: there is no folder to keep what was spoken in.
    """
    if folder is None:
        message = "ElevenLabs needs a folder: it answers with the speech itself"
        raise ValueError(message)
    return ElevenLabsProvider(
        key,
        folder=folder / NAME,
        url=url or API_URL,
        callback_url=callback_url,
        places=PLACES.and_at(url),
    )
