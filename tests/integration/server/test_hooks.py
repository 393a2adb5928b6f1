"""`/hooks`: whoever calls, only a true call of a provider about its own attempt has a job read."""

import base64
import json
from collections.abc import AsyncGenerator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from execution import jobs, ledger
from execution.transactions import work
from infra import clock
from infra.db.pool import transaction
from infra.ids import JobId, new_id
from infra.providers.http.webhooks import sign
from infra.providers.ports import Lane
from server.auth import LOCAL_WORKSPACE
from tests.integration.server.conftest import (
    Live,
    assert_problem,
    live_server,
    make_step,
    make_task,
)

SECRET = "whsec_" + base64.b64encode(b"what only the two of us know").decode()
OUTSIDE = "https://hooks.example.org"


@pytest.fixture
async def reachable(database_url: str, tmp_path: Path) -> AsyncGenerator[Live]:
    """A server that providers reach, with Replicate set up."""
    given: dict[str, Any] = {
        "public_url": OUTSIDE,
        "replicate_token": SecretStr("token-of-a-test"),
        "replicate_webhook_secret": SecretStr(SECRET),
    }
    async with live_server(database_url, tmp_path, **given) as live:
        yield live


def path_of(live: Live, provider: str, job_id: JobId) -> str:
    callbacks = live.deps.callbacks
    assert callbacks is not None
    return callbacks.of(provider)(job_id).removeprefix(OUTSIDE)


def signed(body: bytes, *, age_s: int = 0) -> dict[str, str]:
    sent_at = str(clock.unix_ms() // 1000 - age_s)
    made = sign(SECRET, f"msg_1.{sent_at}.".encode() + body) or b""
    return {
        "webhook-id": "msg_1",
        "webhook-timestamp": sent_at,
        "webhook-signature": "v1," + made.decode(),
    }


async def waiting_job(live: Live, provider: str = "replicate") -> JobId:
    """A job that was sent to its provider and is to be read again in an hour."""
    deps = live.deps
    task_id = await make_task(deps)
    step_id = await make_step(deps, task_id)
    call_key = f"{step_id}/1"
    async with work(deps, LOCAL_WORKSPACE) as tx:
        await ledger.record(
            tx,
            call_key=call_key,
            task_id=task_id,
            step_id=step_id,
            seq=1,
            tool="generate_image",
            risk="paid",
            arguments={},
            args_hash="hash",
            tool_call_id="c1",
            tool_message="pending",
            status="accepted",
            verdict="allow",
        )
        job_id = await jobs.create(
            tx,
            task_id=task_id,
            call_key=call_key,
            provider=provider,
            operation="image",
            title="Harbour",
            step_key=None,
            slot=None,
            request={},
            request_sha256="hash",
            deadline=timedelta(hours=2),
            lane=Lane.AWAY,
        )
    async with work(deps, LOCAL_WORKSPACE) as tx:
        job = await jobs.claim(tx.conn, job_id, lease_seconds=30)
        assert job is not None
        await jobs.put_off(tx, job, delay_seconds=3600)
    return job_id


async def read_soon(live: Live, job_id: JobId) -> tuple[bool, str | None]:
    """Whether the job is due now, and what its provider calls it."""
    async with transaction(live.context.pool) as conn:
        job = await jobs.get(conn, job_id)
        is_due = job_id in await jobs.due(conn)
    assert job is not None
    return is_due, job.hinted_job_id


BODY = json.dumps({"id": "prediction-1", "status": "succeeded"}).encode()


async def test_a_signed_call_has_its_job_read_now_and_known_by_its_name(reachable: Live) -> None:
    job_id = await waiting_job(reachable)
    path = path_of(reachable, "replicate", job_id)
    for _ in range(2):
        answer = await reachable.http.post(path, content=BODY, headers=signed(BODY))
        assert (answer.status_code, answer.content) == (204, b"")
    assert await read_soon(reachable, job_id) == (True, "prediction-1")


async def test_a_call_of_another_name_does_not_rename_a_job(reachable: Live) -> None:
    job_id = await waiting_job(reachable)
    path = path_of(reachable, "replicate", job_id)
    await reachable.http.post(path, content=BODY, headers=signed(BODY))
    other = BODY.replace(b"prediction-1", b"prediction-2")
    await reachable.http.post(path, content=other, headers=signed(other))
    assert (await read_soon(reachable, job_id))[1] == "prediction-1"


@pytest.mark.parametrize("wrong", ["unsigned", "changed", "old", "no_json"])
async def test_a_call_that_its_provider_has_not_signed_changes_nothing(
    reachable: Live, wrong: str
) -> None:
    job_id = await waiting_job(reachable)
    headers = {
        "unsigned": {},
        "changed": signed(BODY + b" "),
        "old": signed(BODY, age_s=400),
        "no_json": signed(b"nothing"),
    }[wrong]
    body = b"nothing" if wrong == "no_json" else BODY
    answer = await reachable.http.post(
        path_of(reachable, "replicate", job_id), content=body, headers=headers
    )
    assert_problem(answer, 401, "invalid_signature")
    assert await read_soon(reachable, job_id) == (False, None)


async def test_an_address_that_we_did_not_make_is_none(reachable: Live) -> None:
    job_id = await waiting_job(reachable)
    path = path_of(reachable, "replicate", job_id)
    forged = [
        path[:-1] + ("0" if path[-1] != "0" else "1"),
        path.partition(".")[0],
        path.partition(".")[0] + ".",
        path.replace("/replicate/", "/fal/"),
        path.replace(str(job_id), str(job_id).upper()),
        path.replace(str(job_id), str(new_id())),
        path.replace(str(job_id), "%00"),
        path_of(reachable, "fal", job_id).replace("/fal/", "/replicate/"),
    ]
    for each in forged:
        answer = await reachable.http.post(each, content=BODY, headers=signed(BODY))
        assert_problem(answer, 404, "not_found")
    assert await read_soon(reachable, job_id) == (False, None)


async def test_news_of_a_job_that_has_ended_is_taken_and_changes_nothing(reachable: Live) -> None:
    job_id = await waiting_job(reachable)
    async with work(reachable.deps, LOCAL_WORKSPACE) as tx:
        job = await jobs.get(tx.conn, job_id)
        assert job is not None
        await jobs.close(tx, job)
    answer = await reachable.http.post(
        path_of(reachable, "replicate", job_id), content=BODY, headers=signed(BODY)
    )
    assert answer.status_code == 204
    assert await read_soon(reachable, job_id) == (False, None)


async def test_from_outside_the_server_is_known_for_these_calls_alone(reachable: Live) -> None:
    job_id = await waiting_job(reachable)
    outside = {"host": "hooks.example.org"}
    answer = await reachable.http.post(
        path_of(reachable, "replicate", job_id), content=BODY, headers=outside | signed(BODY)
    )
    assert answer.status_code == 204
    for path in ("/v1/tasks", "/", "/hooksy", "/hooks", "/healthz"):
        assert_problem(await reachable.http.get(path, headers=outside), 400, "unknown_host")


async def test_without_a_public_address_there_are_no_such_calls(live: Live) -> None:
    answer = await live.http.post(f"/hooks/fal/{new_id()}.{'0' * 32}", content=b"{}")
    assert_problem(answer, 404, "not_found")
