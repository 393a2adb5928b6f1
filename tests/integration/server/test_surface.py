"""The surface as a whole: who may ask, what every answer carries, and no input that breaks it."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from infra.ids import new_id
from server.app import create_app
from server.routes import page, tasks
from tests.integration.server.conftest import Live, assert_problem, make_task

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(name="live")
def _live(shared: Live) -> Live:
    return shared


MESSAGE = {"text": "x", "client_id": "a"}


async def test_a_post_from_another_origin_is_refused(live: Live) -> None:
    host = live.address.removeprefix("http://")
    for headers in (
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site", "Origin": f"http://{host}"},
    ):
        for path in ("/v1/messages", "/v1/chat", f"/v1/tasks/{new_id()}/stop"):
            body = {**MESSAGE, "client_id": "refused"}
            answer = await live.http.post(path, json=body, headers=headers)
            assert_problem(answer, 403, "cross_origin")
    answer = await live.http.put("/v1/settings", json={}, headers={"Sec-Fetch-Site": "cross-site"})
    assert_problem(answer, 403, "cross_origin")
    assert "refused" not in await client_ids(live)


async def client_ids(live: Live) -> list[str]:
    snapshot = (await live.http.get("/v1/snapshot")).json()
    return [message["client_id"] for message in snapshot["messages"]]


async def test_our_own_page_and_programs_may_post(live: Live) -> None:
    host = live.address.removeprefix("http://")
    for headers in (
        {},
        {"Origin": f"http://{host}"},
        {"Sec-Fetch-Site": "same-origin", "Origin": f"http://{host}"},
        {"Sec-Fetch-Site": "none"},
    ):
        answer = await live.http.post("/v1/messages", json=MESSAGE, headers=headers)
        assert answer.status_code == 202
    read = await live.http.get("/v1/tasks", headers={"Sec-Fetch-Site": "cross-site"})
    assert read.status_code == 200


async def test_a_foreign_host_name_is_refused_everywhere(live: Live) -> None:
    for host in ("evil.example", "evil.example:8321", "127.0.0.1.evil.example", "", "[::2]"):
        for path in (
            "/",
            "/v1/snapshot",
            "/v1/events",
            "/healthz",
            f"/v1/objects/{new_id()}/content",
        ):
            answer = await live.http.get(path, headers={"Host": host})
            assert_problem(answer, 400, "unknown_host")
    for host in ("localhost:1", "127.0.0.1", "LOCALHOST", "[::1]:5"):
        assert (await live.http.get("/healthz", headers={"Host": host})).status_code == 200


async def test_every_answer_carries_the_security_headers(live: Live) -> None:
    for path in ("/v1/snapshot", "/v1/nothing", "/healthz", "/"):
        headers = (await live.http.get(path)).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert "default-src 'none'" in headers["content-security-policy"]
        assert "access-control-allow-origin" not in headers
        assert "server" not in headers


async def test_a_body_above_one_megabyte_is_a_problem(live: Live) -> None:
    body = json.dumps({"text": "x" * 1_000_000, "client_id": "large"}).encode()
    answer = await live.http.post("/v1/messages", content=body)
    assert_problem(answer, 413, "body_too_large")

    async def unmeasured() -> AsyncIterator[bytes]:
        for _ in range(40):
            yield b"x" * 50_000

    answer = await live.http.post("/v1/messages", content=unmeasured())
    assert_problem(answer, 413, "body_too_large")
    assert "large" not in await client_ids(live)


async def test_unknown_addresses_and_methods_are_problems(live: Live) -> None:
    for path in ("/v1", "/v1/", "/v1/nothing", "/v2/tasks", "/docs", "/openapi.json", "/v1/tasks/"):
        assert_problem(await live.http.get(path), 404, "not_found")
    for method, path in (("DELETE", "/v1/tasks"), ("PUT", "/v1/messages"), ("PATCH", "/healthz")):
        answer = await live.http.request(method, path)
        assert_problem(answer, 405, "method_not_allowed")
        assert answer.headers["allow"]


async def test_an_error_that_nobody_foresaw_tells_nothing(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("secret of the inside")  # noqa: EM101

    monkeypatch.setattr(tasks, "listed", fails)
    try:
        answer = await live.http.get("/v1/tasks")
    finally:
        monkeypatch.undo()
    problem = assert_problem(answer, 500, "internal_error")
    assert "secret" not in json.dumps(problem)


async def test_a_database_that_is_away_full_or_busy_is_told_as_that(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kind, status, code in (
        (psycopg.errors.DiskFull, 507, "disk_full"),
        (psycopg.errors.AdminShutdown, 503, "database_unavailable"),
        (psycopg.errors.IdleInTransactionSessionTimeout, 503, "database_unavailable"),
        (psycopg.InterfaceError, 503, "database_unavailable"),
        (psycopg.errors.LockNotAvailable, 503, "held"),
        (psycopg.errors.DeadlockDetected, 503, "held"),
        (psycopg.errors.UndefinedColumn, 500, "internal_error"),
    ):

        async def fails(*_: Any, raised: type[psycopg.Error] = kind, **__: Any) -> None:
            raise raised("secret of the inside")  # noqa: EM101

        monkeypatch.setattr(tasks, "listed", fails)
        try:
            answer = await live.http.get("/v1/tasks")
        finally:
            monkeypatch.undo()
        assert "secret" not in json.dumps(assert_problem(answer, status, code))
        assert ("retry-after" in answer.headers) == (status != 500)


async def test_the_account_shows_money_and_tokens(live: Live) -> None:
    account = (await live.http.get("/v1/account")).json()
    assert set(account) == {"budget", "model_usage"}
    assert account["budget"]["currency"] == account["model_usage"]["currency"] == "USD"
    assert account["model_usage"]["calls"] == sum(
        model["calls"] for model in account["model_usage"]["models"]
    )


async def test_settings_are_read_and_replaced(live: Live) -> None:
    before = (await live.http.get("/v1/settings")).json()
    assert before["autonomy"] == "balanced"
    wanted = {
        "autonomy": "cautious",
        "per_call_allowance_micros": 0,
        "daily_allowance_micros": 10**15,
        "review_points": ["script", "keyframes"],
        "accepts_deliveries": True,
    }
    assert (await live.http.put("/v1/settings", json=wanted)).json() == wanted
    assert (await live.http.get("/v1/settings")).json() == wanted
    for wrong in (
        {"autonomy": "reckless"},
        {"per_call_allowance_micros": -1},
        {"per_call_allowance_micros": 1.5},
        {"per_call_allowance_micros": "1"},
        {"daily_allowance_micros": 10**30},
        {"daily_allowance_micros": True},
        {"review_points": "script"},
        {"review_points": ["x" * 101]},
        {"review_points": ["x"] * 51},
        {"review_points": ["script", ""]},
        {"review_points": ["script", "sculptures"]},
        {"review_points": ["scr\x00ipt"]},
        {"more": 1},
    ):
        answer = await live.http.put("/v1/settings", json=wanted | wrong)
        assert_problem(answer, 422, "invalid_request")
    body = json.dumps(wanted | {"review_points": ["script", "a\ud800"]})
    headers = {"content-type": "application/json"}
    answer = await live.http.put("/v1/settings", content=body, headers=headers)
    assert "review_points" in assert_problem(answer, 422, "invalid_request")["detail"]
    assert_problem(await live.http.put("/v1/settings", json={}), 422, "invalid_request")
    assert (await live.http.get("/v1/settings")).json() == wanted


async def test_health_and_readiness_are_told(live: Live) -> None:
    assert (await live.http.get("/healthz")).json() == {"status": "ok"}
    ready = (await live.http.get("/readyz")).json()
    assert ready["status"] == "ready"


@pytest.fixture
def built(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "app"
    folder.mkdir()
    (folder / "index.html").write_text("<!doctype html><title>Atelier</title>")
    (folder / "app.js").write_text("1")
    (tmp_path / "secret.txt").write_text("secret")
    monkeypatch.setattr(page, "FOLDER", folder)
    return folder


async def test_the_page_is_served_and_checked_for_news(live: Live, built: Path) -> None:
    index = await live.http.get("/")
    assert index.headers["content-type"].startswith("text/html")
    assert index.headers["cache-control"] == "no-cache"
    assert "script-src 'self'" in index.headers["content-security-policy"]
    script = await live.http.get("/app.js")
    assert script.headers["content-type"].startswith("text/javascript")
    known = {"If-None-Match": index.headers["etag"]}
    assert (await live.http.get("/", headers=known)).status_code == 304
    (built / "index.html").write_text("<!doctype html><title>Changed</title>")
    assert (await live.http.get("/", headers=known)).status_code == 200


async def test_nothing_outside_of_the_page_is_served(live: Live, built: Path) -> None:
    (built / "link").symlink_to(built.parent / "secret.txt")
    for path in (
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/link",
        "/%00",
        "/app.js/",
    ):
        answer = await live.http.get(path)
        assert_problem(answer, 404, "not_found")


async def test_a_missing_page_is_a_sentence(live: Live, built: Path) -> None:
    (built / "index.html").unlink()
    answer = await live.http.get("/")
    assert answer.status_code == 503
    assert "make web" in answer.text


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(allow_nan=False),
    st.text(max_size=40),
    st.sampled_from(["\x00", "\u202e", "ü", "-1", str(2**64), "1e9", "null", "' or 1=1--"]),
    st.lists(st.integers(), max_size=3),
    st.dictionaries(st.text(max_size=5), st.integers(), max_size=3),
)
FIELDS = st.sampled_from(
    [
        "text",
        "client_id",
        "task_id",
        "decision",
        "args_hash",
        "choice",
        "autonomy",
        "x",
        "review_points",
    ]
)
BODIES = st.one_of(VALUES, st.dictionaries(FIELDS, VALUES, max_size=5))


async def test_no_input_breaks_any_route(live: Live) -> None:
    task_id = str(await make_task(live.deps))
    described: dict[str, dict[str, Any]] = create_app(live.deps.settings, "").openapi()["paths"]
    routes = [
        (path, method)
        for path, methods in described.items()
        for method in methods
        if path not in ("/v1/events", "/v1/chat")
    ]

    def sweep(http: httpx.Client) -> None:
        @seed(1)
        @settings(
            max_examples=100,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=[HealthCheck.too_slow],
        )
        @given(
            st.sampled_from(routes),
            st.one_of(st.just(task_id), st.text(min_size=1, max_size=20)),
            st.dictionaries(
                st.sampled_from(["limit", "version", "after", "download", "x"]),
                st.text(max_size=20),
                max_size=3,
            ),
            BODIES,
        )
        def one(route: tuple[str, str], identity: str, query: dict[str, str], body: Any) -> None:
            path, method = route
            quoted = "".join(f"%{byte:02x}" for byte in identity.encode("utf-8", "replace"))
            answer = http.request(
                method.upper(),
                re.sub(r"\{\w+\}", quoted, path),
                params={key: value.encode("utf-8", "replace") for key, value in query.items()},
                content=json.dumps(body).encode() if method != "get" else None,
                headers={"content-type": "application/json"},
            )
            assert answer.status_code < 500, (route, answer.text)
            if answer.status_code >= 400:
                assert_problem(answer, answer.status_code, answer.json()["code"])

        one()

    with httpx.Client(base_url=live.address, timeout=20, trust_env=False) as http:
        await asyncio.to_thread(sweep, http)


async def test_an_address_that_no_file_can_have_is_not_found(live: Live) -> None:
    for address in ("/v1/" + 20_000 * "a", "/" + 300 * "a", "/a/" + 5_000 * "b/"):
        assert_problem(await live.http.get(address), 404, "not_found")
