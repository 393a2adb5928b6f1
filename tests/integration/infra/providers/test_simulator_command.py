"""One command that serves every vendor: its settings lead to it, and it can be steered."""

import asyncio
import json
import re
import signal
import sys
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

import httpx
import pytest

from evals.simulator.books import Books
from evals.simulator.control import KEY, Everything, open_everything
from evals.simulator.vendors import OFFERS
from infra.providers.comfyui.provider import ComfyProvider
from infra.providers.ports import (
    Attempt,
    Found,
    JobRef,
    OutcomeUnknownError,
    Provider,
    RejectedError,
    Snapshot,
)
from infra.providers.services import SERVICES
from tests.integration.infra.providers.vendors import CLIP, SPEECH, order

ORDERS: dict[str, dict[str, Any]] = {
    "runway": {"payload": CLIP, "operation": "clip"},
    "elevenlabs": {"payload": SPEECH, "operation": "narration"},
}


@pytest.fixture
async def everything(tmp_path: Path) -> AsyncGenerator[Everything]:
    async with open_everything(tmp_path) as opened:
        yield opened


def provider_at(name: str, settings: dict[str, str], folder: Path) -> Provider:
    offer = OFFERS[name]
    url = settings[offer.url_setting]
    if offer.key_setting is None:
        return ComfyProvider(url)
    return SERVICES[name].open(settings[offer.key_setting], url=url, folder=folder)


def order_at(name: str) -> Attempt:
    return order(**ORDERS.get(name, {}))


async def ended(provider: Provider, attempt: Attempt) -> Snapshot:
    answered = await provider.submit(attempt, lambda _: None)
    return await provider.read(answered) if isinstance(answered, JobRef) else answered


async def ask(method: str, url: str, **given: Any) -> httpx.Response:
    async with httpx.AsyncClient(trust_env=False, timeout=10.0) as client:
        return await client.request(method, url, **given)


@pytest.mark.parametrize("name", list(OFFERS))
async def test_the_settings_lead_to_every_vendor_and_its_files(
    everything: Everything, tmp_path: Path, name: str
) -> None:
    provider, attempt = provider_at(name, everything.settings, tmp_path), order_at(name)
    snapshot = await ended(provider, attempt)
    assert snapshot.outcome == "succeeded"
    assert b"".join([chunk async for chunk in provider.fetch(snapshot.artifacts[0])])
    answer = await ask("GET", f"{everything.address}/_control/{name}/books")
    told = answer.json()
    assert snapshot.charge is not None
    assert told["orders"] == [str(attempt.attempt_id)]
    assert told["billed"] == {str(attempt.attempt_id): snapshot.charge.amount_micros}
    assert Books(tmp_path / f"{name}.jsonl").orders == [attempt.attempt_id]


def test_every_paid_service_can_be_practised_on() -> None:
    assert set(SERVICES) == {name for name, offer in OFFERS.items() if offer.key_setting}


async def test_what_a_vendor_is_told_holds_for_it_alone(
    everything: Everything, tmp_path: Path
) -> None:
    control = f"{everything.address}/_control"
    fal = provider_at("fal", everything.settings, tmp_path)
    told = {"default": "rejected", "by_number": {"2": "lost"}}
    answer = await ask("POST", f"{control}/fal", json=told)
    assert answer.json() | {"submissions": None} == {
        **told,
        "hook": "on_time",
        "shows_late": False,
        "is_out": False,
        "turned_away": 0,
        "submissions": None,
    }
    with pytest.raises(RejectedError):
        await fal.submit(order(), lambda _: None)
    attempt = order()
    with pytest.raises(OutcomeUnknownError):
        await fal.submit(attempt, lambda _: None)
    assert isinstance(await fal.find(attempt), Found)
    other = provider_at("replicate", everything.settings, tmp_path)
    assert (await ended(other, order())).outcome == "succeeded"
    assert (await ask("POST", f"{control}/fal", json={"shows_late": True})).json()["by_number"] == {
        "2": "lost"
    }
    overview = (await ask("GET", control)).json()
    assert {name: each["submissions"] for name, each in overview.items() if name != "comfyui"} == {
        **dict.fromkeys(SERVICES, 0),
        "fal": 2,
        "replicate": 1,
    }


async def test_slow_jobs_end_when_they_are_released(everything: Everything, tmp_path: Path) -> None:
    control = f"{everything.address}/_control/runway"
    runway = provider_at("runway", everything.settings, tmp_path)
    await ask("POST", control, json={"default": "slow"})
    ref = await runway.submit(order_at("runway"), lambda _: None)
    assert isinstance(ref, JobRef)
    assert (await runway.read(ref)).phase == "running"
    assert (await ask("POST", f"{control}/release")).status_code == 200
    assert (await runway.read(ref)).outcome == "succeeded"


async def test_a_vendor_that_is_out_does_nothing_and_forgets_nothing(
    everything: Everything, tmp_path: Path
) -> None:
    control = f"{everything.address}/_control/runway"
    runway = provider_at("runway", everything.settings, tmp_path)
    ref = await runway.submit(order_at("runway"), lambda _: None)
    assert isinstance(ref, JobRef)
    await ask("POST", control, json={"is_out": True})
    assert (await runway.read(ref)).phase == "unknown"
    with pytest.raises(OutcomeUnknownError):
        await runway.submit(order_at("runway"), lambda _: None)
    told = (await ask("POST", control, json={"is_out": False})).json()
    assert (told["submissions"], told["turned_away"]) == (1, 2)
    assert (await runway.read(ref)).outcome == "succeeded"


@pytest.mark.parametrize(
    "body",
    ['{"default": "nonsense at all"}', '{"hock": "late"}', '{"by_number": {"x": "made"}}', "{"],
)
async def test_what_cannot_be_told_is_refused_and_changes_nothing(
    everything: Everything, body: str
) -> None:
    control = f"{everything.address}/_control"
    before = (await ask("GET", control)).json()
    assert (await ask("POST", f"{control}/fal", content=body)).status_code == 422
    assert (await ask("POST", f"{control}/sora", content="{}")).status_code == 404
    assert (await ask("GET", f"{control}/sora/books")).status_code == 404
    assert (await ask("GET", control)).json() == before


@pytest.mark.e2e
async def test_the_command_prints_the_settings_and_ends_when_asked(tmp_path: Path) -> None:
    command = ["-m", "evals.simulator", "--folder", str(tmp_path), "--default", "unauthorized"]
    process = await asyncio.create_subprocess_exec(
        sys.executable, *command, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    try:
        settings: dict[str, str] = {}
        while not (line := (await process.stdout.readline()).decode()).startswith("#   curl"):
            assert line, "it ended"
            if match := re.fullmatch(r"export (ATELIER_[A-Z_]+)=(\S+)\n", line):
                settings[match[1]] = match[2]
        wanted = {
            name
            for offer in OFFERS.values()
            for name in (offer.key_setting, offer.url_setting)
            if name
        }
        assert set(settings) == wanted
        assert settings["ATELIER_FAL_KEY"] == KEY
        with pytest.raises(RejectedError):
            await provider_at("fal", settings, tmp_path).submit(order(), lambda _: None)
    finally:
        process.send_signal(signal.SIGTERM)
    assert await process.wait() == 0
    lines = (tmp_path / "fal.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["event"] for line in lines] == ["submission"]
