"""Speech from ElevenLabs: kept until collected, timed by words, found again in its history."""

import asyncio
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infra.ids import new_id
from infra.media.verify import UnusableMediaError
from infra.providers.elevenlabs.models import MODELS
from infra.providers.elevenlabs.provider import ElevenLabsProvider, open_provider
from infra.providers.elevenlabs.timings import Heard, heard_in, words_of
from infra.providers.http.spool import Spool
from infra.providers.ports import (
    Attempt,
    Charge,
    ContentPolicyError,
    Found,
    Lookup,
    OutcomeUnknownError,
    Provider,
    QuotaError,
    RejectedError,
    Snapshot,
)
from tests.integration.infra.providers.test_vendor_details import Saying
from tests.integration.infra.providers.vendors import (
    KEY,
    SPEECH,
    Pair,
    open_elevenlabs,
    order,
    transport_to,
)


def again(pair: Pair, folder: Path) -> ElevenLabsProvider:
    """Return the provider of a process that was started anew."""
    transport = transport_to(pair.vendor, "elevenlabs")
    url = f"{pair.vendor.address}/v1"
    return ElevenLabsProvider(KEY, url=url, folder=folder / "spool", transport=transport)


async def spoken(provider: Provider, attempt: Attempt) -> Snapshot:
    answered = await provider.submit(attempt, lambda _: None)
    assert isinstance(answered, Snapshot)
    return answered


async def timings(provider: Provider, snapshot: Snapshot) -> dict[str, Any]:
    chunks = [chunk async for chunk in provider.fetch(snapshot.artifacts[1])]
    return json.loads(b"".join(chunks))


async def test_what_was_spoken_survives_its_process_and_is_not_ordered_twice(
    tmp_path: Path,
) -> None:
    async with open_elevenlabs(tmp_path) as pair:
        attempt = pair.order()
        first = await spoken(pair.provider, attempt)
        restarted = again(pair, tmp_path)
        found = await restarted.find(attempt)
        assert isinstance(found, Found)
        assert await restarted.read(found.ref) == first
        assert await spoken(restarted, attempt) == first
        assert pair.books.submissions == 1
        await restarted.discard(attempt.attempt_id)
        assert (await restarted.read(found.ref)).phase == "unknown"
        with pytest.raises(UnusableMediaError):
            await timings(restarted, first)


ORDER = """
import asyncio, json, sys
from dataclasses import replace
from pathlib import Path
from uuid import UUID
from infra.providers.elevenlabs.provider import ElevenLabsProvider
from tests.integration.infra.providers.vendors import KEY, SPEECH, order

async def main(url, folder, attempt_id):
    attempt = replace(order(SPEECH, operation="narration"), attempt_id=UUID(attempt_id))
    provider = ElevenLabsProvider(KEY, url=url, folder=Path(folder))
    await provider.submit(attempt, print)
    print("answered", flush=True)
    await asyncio.Event().wait()

asyncio.run(main(*sys.argv[1:]))
"""


@pytest.mark.faults
async def test_a_process_killed_before_it_collects_has_not_lost_what_was_paid(
    tmp_path: Path,
) -> None:
    async with open_elevenlabs(tmp_path) as pair:
        pair.dialect.shows_settings = False  # nothing but what was kept can tell
        attempt = pair.order()
        given = [f"{pair.vendor.address}/v1", str(tmp_path / "spool"), str(attempt.attempt_id)]
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", ORDER, *given, stdout=asyncio.subprocess.PIPE
        )
        assert process.stdout is not None
        assert await process.stdout.readline() == b"answered\n"
        process.kill()
        await process.wait()
        restarted = again(pair, tmp_path)
        found = await restarted.find(attempt)
        assert isinstance(found, Found)
        snapshot = await restarted.read(found.ref)
        assert snapshot.outcome == "succeeded"
        assert pair.books.submissions == 1


async def test_words_are_timed_as_captions_need_them(tmp_path: Path) -> None:
    async with open_elevenlabs(tmp_path) as pair:
        snapshot = await spoken(pair.provider, pair.order())
        told = await timings(pair.provider, snapshot)
    assert [artifact.role for artifact in snapshot.artifacts] == ["narration", "timings"]
    assert snapshot.measured["timed"] == "by the vendor"
    words = told["words"]
    assert " ".join(word["text"] for word in words) == SPEECH["text"]
    assert [word["start_s"] for word in words] == sorted(word["start_s"] for word in words)
    assert all(0 <= word["start_s"] <= word["end_s"] <= told["duration_s"] for word in words)
    assert told["duration_s"] == snapshot.measured["duration_s"] == pytest.approx(2.0, abs=0.1)


async def test_a_speech_without_times_or_a_price_still_has_both(tmp_path: Path) -> None:
    async with open_elevenlabs(tmp_path) as pair:
        pair.dialect.times = pair.dialect.counts = False
        snapshot = await spoken(pair.provider, pair.order())
        told = await timings(pair.provider, snapshot)
    assert snapshot.measured["timed"] == "by length"
    assert told["words"][-1]["end_s"] == pytest.approx(told["duration_s"], abs=0.001)
    assert snapshot.charge == Charge(amount_micros=len(str(SPEECH["text"])) * 80, basis="derived")


async def test_only_the_lost_speech_itself_is_fetched_from_the_history(tmp_path: Path) -> None:
    """Three orders of the same text: two were answered, one was lost."""
    async with open_elevenlabs(tmp_path) as pair:
        pair.vendor.switches.by_number = {2: "lost"}
        attempts = [pair.order() for _ in range(3)]
        await spoken(pair.provider, attempts[0])
        with pytest.raises(OutcomeUnknownError):
            await spoken(pair.provider, attempts[1])
        await spoken(pair.provider, attempts[2])
        found = await pair.provider.find(attempts[1])
        assert isinstance(found, Found)
        fetched = [job.attempt for job in pair.vendor.jobs.values() if job.facts.get("fetched")]
        assert fetched == [attempts[1].attempt_id]
        snapshot = await pair.provider.read(found.ref)
        assert snapshot.measured["timed"] == "by the vendor"
        assert snapshot.charge == Charge(
            amount_micros=pair.books.billed[attempts[1].attempt_id], basis="units_price"
        )


async def test_a_speech_whose_sound_is_gone_from_the_history_cannot_be_told(
    tmp_path: Path,
) -> None:
    async with open_elevenlabs(tmp_path) as pair:
        pair.vendor.switches.default = "expired"
        attempt = pair.order()
        await spoken(pair.provider, attempt)
        await pair.provider.discard(attempt.attempt_id)
        assert await pair.provider.find(attempt) is Lookup.CANNOT_TELL


async def test_a_vendor_in_trouble_is_left_alone_for_longer(tmp_path: Path) -> None:
    async with open_elevenlabs(tmp_path) as pair:
        pair.vendor.switches.default = "busy"
        with pytest.raises(QuotaError, match="busy") as raised:
            await spoken(pair.provider, pair.order())
    assert raised.value.retry_after_s == 60.0


async def test_a_history_that_does_not_show_the_setting_gives_nobody_s_speech(
    tmp_path: Path,
) -> None:
    async with open_elevenlabs(tmp_path) as pair:
        pair.dialect.shows_settings = False
        pair.vendor.switches.default = "lost"
        attempt = pair.order()
        with pytest.raises(OutcomeUnknownError):
            await spoken(pair.provider, attempt)
        assert await pair.provider.find(attempt) is Lookup.NOT_FOUND_YET


async def test_a_long_history_is_followed_and_not_for_ever(tmp_path: Path) -> None:
    async with open_elevenlabs(tmp_path) as pair:
        pair.vendor.switches.by_number = {1: "lost"}
        attempt = pair.order()
        with pytest.raises(OutcomeUnknownError):
            await spoken(pair.provider, attempt)
        (job,) = pair.vendor.jobs.values()
        others = {str(new_id()): replace(job, job_id=str(new_id())) for _ in range(150)}
        for other in others.values():
            other.given = {**job.given, "text": "Another."}
            pair.vendor.jobs[other.job_id] = other
        assert isinstance(await pair.provider.find(attempt), Found)
        await pair.provider.discard(attempt.attempt_id)
        for number in range(400):
            other = replace(job, job_id=f"other-{number}", given={**job.given, "text": "Another."})
            pair.vendor.jobs[other.job_id] = other
        assert await pair.provider.find(attempt) is Lookup.CANNOT_TELL


@pytest.mark.parametrize(
    ("payload", "said"),
    [
        ({"language": "tlh"}, "does not speak"),
        ({"text": "x" * 10_001}, "at most 10000"),
    ],
)
async def test_what_the_model_cannot_do_is_refused_unsent(
    tmp_path: Path, payload: dict[str, Any], said: str
) -> None:
    async with open_elevenlabs(tmp_path) as pair:
        attempt = order({**SPEECH, **payload}, operation="narration")
        with pytest.raises(RejectedError, match=said):
            await pair.submit(attempt)
        assert pair.books.submissions == 0


@pytest.mark.parametrize(
    ("status", "code", "error", "wait"),
    [
        (401, "quota_exceeded", QuotaError, 600.0),
        (402, "insufficient_credits", QuotaError, 600.0),
        (429, "too_many_concurrent_requests", QuotaError, 5.0),
        (429, "system_busy", QuotaError, 60.0),
        (401, "invalid_api_key", RejectedError, None),
        (400, "content_policy_violation", ContentPolicyError, None),
    ],
)
async def test_a_refusal_is_read_by_its_code_before_its_status(
    tmp_path: Path, status: int, code: str, error: type[Exception], wait: float | None
) -> None:
    said = {"detail": {"status": code, "message": "No."}}
    async with Saying((status, said)).serve() as address:
        provider = ElevenLabsProvider(KEY, url=address, folder=tmp_path)
        with pytest.raises(error) as raised:
            await provider.submit(order(SPEECH, operation="narration"), lambda _: None)
    assert type(raised.value) is error
    assert getattr(raised.value, "retry_after_s", None) == wait


async def test_an_answer_without_speech_in_it_leaves_the_outcome_unknown(tmp_path: Path) -> None:
    for wrong in ("", "no base64!", 7, None):
        async with Saying({"audio_base64": wrong}).serve() as address:
            provider = ElevenLabsProvider(KEY, url=address, folder=tmp_path)
            with pytest.raises(OutcomeUnknownError):
                await provider.submit(order(SPEECH, operation="narration"), lambda _: None)


def test_a_text_is_said_faster_for_its_room_and_only_so_much() -> None:
    def speed(**facts: Any) -> float:
        sent = MODELS[0].inputs({"text": "x" * 140, "language": "en", **facts})
        return sent["voice_settings"]["speed"]

    assert [speed(), speed(max_duration_s=20), speed(max_duration_s=9)] == [1.0, 1.0, 1.11]
    assert speed(max_duration_s=1) == 1.2
    assert speed(max_duration_s=20, language="ja-JP") == 1.2


def test_without_a_folder_there_is_no_elevenlabs(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="folder"):
        open_provider(KEY)
    assert open_provider(KEY, folder=tmp_path).name == "elevenlabs"


def even(text: str) -> list[Heard]:
    return [Heard(text=each, start_s=at / 10, end_s=(at + 1) / 10) for at, each in enumerate(text)]


@pytest.mark.parametrize(
    ("text", "language", "wanted"),
    [
        ("Well — hello, you!", "en", ["Well —", "hello,", "you!"]),
        ("今日は、いい天気です。", "ja", ["今日は、", "いい", "天気です。"]),
        ("今天开始。", "zh", ["今", "天", "开", "始。"]),
        ("Ahoj světe.", "cs", ["Ahoj", "světe."]),
    ],
)
def test_words_are_cut_as_our_own_narration_cuts_them(
    text: str, language: str, wanted: list[str]
) -> None:
    told = words_of(text, language, even(text), len(text) / 10)
    assert [word["text"] for word in told["words"]] == wanted
    assert told["words"][0]["start_s"] == 0.0
    assert told["words"][-1]["end_s"] == pytest.approx(len(text) / 10)


def test_times_of_another_text_give_the_words_that_were_timed() -> None:
    told = words_of("It is 5 pm.", "en", even("It is five."), 1.1)
    assert [word["text"] for word in told["words"]] == ["It", "is", "five."]


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        {"characters": ["a"], "character_start_times_seconds": []},
        {
            "characters": [1],
            "character_start_times_seconds": [0.0],
            "character_end_times_seconds": [0.1],
        },
    ],
)
def test_times_that_are_not_whole_are_none(wrong: Any) -> None:
    assert heard_in(wrong) == []


def test_times_never_run_backwards() -> None:
    heard = heard_in(
        {
            "characters": ["a", "b"],
            "character_start_times_seconds": [0.5, 0.2],
            "character_end_times_seconds": [0.4, 0.3],
        }
    )
    assert [(each.start_s, each.end_s) for each in heard] == [(0.5, 0.5), (0.5, 0.5)]


def test_what_is_kept_is_there_whole_or_not_at_all(tmp_path: Path) -> None:
    spool, attempt_id = Spool(tmp_path), new_id()
    with pytest.raises(TypeError):
        spool.keep(attempt_id, {}, {"sound": b"1", "words": None})  # pyright: ignore[reportArgumentType]
    assert spool.told(attempt_id) is None
    assert len(list(tmp_path.iterdir())) == 1
    spool.keep(attempt_id, {"first": True}, {"sound": b"1"})
    spool.keep(attempt_id, {"first": False}, {"sound": b"2"})
    assert spool.told(attempt_id) == {"first": True}
    assert spool.path(attempt_id, "sound").read_bytes() == b"1"
    spool.discard(attempt_id)
    assert list(tmp_path.iterdir()) == []
