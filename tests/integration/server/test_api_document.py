"""`docs/api.md` names what there is: each field of a message and each route, and no others."""

import re
from typing import Any

import pytest

from infra.settings import Settings
from server.app import create_app
from tests.contracts.sources import ROOT
from tests.integration.server.conftest import Live, make_task

pytestmark = pytest.mark.asyncio(loop_scope="module")

DOCUMENT = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")


@pytest.fixture(name="live")
def _live(shared: Live) -> Live:
    return shared


def part(title: str) -> str:
    return DOCUMENT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def fields(title: str) -> set[str]:
    rows = re.findall(r"^\| (`.*?) \|", part(title), re.MULTILINE)
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def routes(settings: Settings) -> set[str]:
    described: dict[str, dict[str, Any]] = create_app(settings, "").openapi()["paths"]
    return {
        f"{method.upper()} {re.sub(r'{[^}]+}', '{id}', path)}"
        for path, methods in described.items()
        for method in methods
    }


async def test_a_message_has_exactly_the_fields_that_are_documented(live: Live) -> None:
    task_id = await make_task(live.deps)
    posted = await live.say("bluer", task_id=str(task_id))
    message = (await live.http.get(f"/v1/messages/{posted['message_id']}")).json()
    assert fields("A message") == set(message)
    told = part("A message")
    assert all(f"`{name}`" in told for name in message["route"])


async def test_what_is_documented_of_a_task_is_there(live: Live) -> None:
    task_id = await make_task(live.deps)
    task = (await live.http.get(f"/v1/tasks/{task_id}")).json()
    assert fields("A task") <= set(task)
    assert {"merged_into", "draws_on", "archived_at"} <= fields("A task")


async def test_every_route_that_is_named_is_served(live: Live) -> None:
    named = set(re.findall(r"`((?:GET|POST|PUT|PATCH|DELETE) /v1/[^`?]+)`", DOCUMENT))
    assert len(named) >= 10
    assert named <= routes(live.deps.settings)
