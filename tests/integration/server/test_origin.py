"""Whose words come in over HTTP: those of a key are marked, however they are corrected later."""

from typing import Any

from fastapi import FastAPI

from infra.ids import new_id
from server.auth import LOCAL_WORKSPACE, Principal, authenticate
from tests.integration.server.conftest import Live, make_task

KEY = Principal(workspace_id=LOCAL_WORKSPACE, name="a key", confirms_each_call=True)


def come_as(live: Live, principal: Principal | None) -> None:
    """Let the next requests come from this principal, or from the owner again."""
    app = live.server.config.app
    assert isinstance(app, FastAPI)
    app.dependency_overrides.pop(authenticate, None)
    if principal is not None:
        app.dependency_overrides[authenticate] = lambda: principal


async def message(live: Live, posted: dict[str, Any]) -> dict[str, Any]:
    return (await live.http.get(f"/v1/messages/{posted['message_id']}")).json()


async def test_words_of_the_owner_come_from_the_page(live: Live) -> None:
    assert (await message(live, await live.say()))["origin"] == "page"


async def test_words_of_a_key_are_marked_for_good(live: Live) -> None:
    task_id = await make_task(live.deps)
    come_as(live, KEY)
    posted = await live.say("by a key", task_id=str(task_id))
    assert (await message(live, posted))["origin"] == "api_key"
    come_as(live, None)
    replacement = {"text": "by the owner", "client_id": str(new_id())}
    path = f"/v1/messages/{posted['message_id']}"
    answer = (await live.http.put(path, json=replacement)).json()
    assert (answer["text"], answer["origin"]) == ("by the owner", "api_key")


async def test_an_owners_words_that_a_key_replaces_are_the_keys(live: Live) -> None:
    task_id = await make_task(live.deps)
    posted = await live.say("by the owner", task_id=str(task_id))
    come_as(live, KEY)
    replacement = {"text": "by a key", "client_id": str(new_id())}
    path = f"/v1/messages/{posted['message_id']}"
    assert (await live.http.put(path, json=replacement)).json()["origin"] == "api_key"
