"""A link to what is here names it; one that leads nowhere, or to several tasks, is asked about."""

from typing import Any

import pytest
from psycopg.types.json import Jsonb

from execution import messages
from infra.db.pool import transaction
from infra.ids import MessageId, TaskId, new_id
from server.auth import LOCAL_WORKSPACE
from tests.integration.server.conftest import (
    FOREIGN,
    Live,
    make_object,
    make_question,
    make_task,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(name="live")
def _live(shared: Live) -> Live:
    return shared


def link(live: Live, kind: str, identity: object) -> str:
    return f"{live.address}/#{kind}={identity}"


async def route_of(live: Live, posted: dict[str, Any]) -> messages.Route | None:
    async with transaction(live.context.pool) as conn:
        message_id = MessageId(posted["message_id"])
        return await messages.get_route(conn, LOCAL_WORKSPACE, message_id)


async def told(live: Live, posted: dict[str, Any]) -> dict[str, Any]:
    return (await live.http.get(f"/v1/messages/{posted['message_id']}")).json()


async def test_a_link_to_a_task_an_object_or_a_question_goes_to_its_task(live: Live) -> None:
    task_id = await make_task(live.deps)
    made = await make_object(live.deps, b"data", task_id=task_id)
    question = await make_question(live.deps, task_id)
    content = f"{live.address}/v1/objects/{made.object_id}/content?version=1"
    for address in (
        link(live, "task", task_id),
        link(live, "approval", question),
        link(live, "object", made.object_id),
        content,
    ):
        posted = await live.say(f"a bit warmer please: {address}.")
        assert (posted["task_id"], posted["status"]) == (str(task_id), "delivered")
        message = await told(live, posted)
        assert (message["route"]["layer"], message["route"]["reason"]) == (
            1,
            "A link in it leads to this task.",
        )
        of_object = str(made.object_id) in address
        assert message["object_ids"] == ([str(made.object_id)] if of_object else [])


async def test_what_the_client_names_counts_before_what_the_words_link_to(live: Live) -> None:
    named, linked = await make_task(live.deps), await make_task(live.deps)
    posted = await live.say(f"like {link(live, 'task', linked)}", task_id=str(named))
    assert posted["task_id"] == str(named)
    posted = await live.say(f"as {link(live, 'task', new_id())}", task_id=str(named))
    assert (posted["task_id"], posted["status"]) == (str(named), "delivered")


@pytest.mark.parametrize("named", ["foreign", "nobody's", "no id"])
@pytest.mark.parametrize("kind", ["task", "object", "approval"])
async def test_a_link_that_leads_to_nothing_here_waits_to_be_asked_about(
    live: Live, kind: str, named: str
) -> None:
    theirs = await make_task(live.deps, FOREIGN)
    foreign = {
        "task": theirs,
        "object": (await make_object(live.deps, b"data", FOREIGN)).object_id,
        "approval": await make_question(live.deps, theirs, FOREIGN),
    }
    identity = {"foreign": foreign[kind], "nobody's": new_id(), "no id": "01a2"}[named]
    posted = await live.say(f"bluer {link(live, kind, identity)}")
    assert (posted["task_id"], posted["status"]) == (None, "routed")
    route = await route_of(live, posted)
    assert route is not None
    assert (route.layer, route.outcome, route.task_id, route.reason) == (
        1,
        "existing",
        None,
        "It links to something that is not here.",
    )
    assert (await told(live, posted))["object_ids"] == []


async def test_links_to_several_tasks_wait_to_be_asked_about(live: Live) -> None:
    one, other = await make_task(live.deps), await make_task(live.deps, title="Another")
    both = f"{link(live, 'task', one)} {link(live, 'task', other)}"
    posted = await live.say(f"bluer {both}")
    assert (posted["task_id"], posted["status"]) == (None, "routed")
    route = await route_of(live, posted)
    assert route is not None
    assert (route.layer, route.outcome) == (1, "ask")
    offered = [(item["task_id"], item["title"]) for item in route.candidates]
    assert offered == [(str(one), "A film"), (str(other), "Another")]


async def test_an_address_of_another_place_is_only_a_word(live: Live) -> None:
    task_id = await make_task(live.deps)
    for text in (f"https://example.com/#/tasks/{task_id}", f"{live.address}/#/settings"):
        posted = await live.say(text)
        assert (posted["task_id"], posted["status"]) == (None, "received")


async def test_an_object_that_several_open_tasks_use_is_pointed_at_and_left_to_main(
    live: Live,
) -> None:
    one, other = await make_task(live.deps), await make_task(live.deps)
    made = await make_object(live.deps, b"data", task_id=one)
    more = await make_object(live.deps, b"more", task_id=other)
    async with transaction(live.context.pool) as conn:
        await conn.execute(
            "update object_versions set inputs = %s where object_id = %s",
            [Jsonb([{"object_id": str(made.object_id), "version": 1}]), more.object_id],
        )
    posted = await live.say(f"bluer {link(live, 'object', made.object_id)}")
    assert (posted["task_id"], posted["status"]) == (None, "received")
    assert (await told(live, posted))["object_ids"] == [str(made.object_id)]


async def test_a_chat_follows_links_as_well(live: Live) -> None:
    task_id = await make_task(live.deps)
    body = {"text": f"bluer {link(live, 'task', task_id)}", "client_id": str(new_id())}
    async with live.http.stream("POST", "/v1/chat", json=body) as answer:
        assert answer.status_code == 200
    async with transaction(live.context.pool) as conn:
        recent = await messages.recent(conn, LOCAL_WORKSPACE, limit=1)
    assert recent[0].task_id == TaskId(task_id)
