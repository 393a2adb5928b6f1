"""Files that a person brings, and texts that they change, over HTTP."""

import struct
from io import BytesIO
from typing import Any

import httpx
import pytest
from PIL import Image

from server.protection import MAX_BODY_BYTES, MAX_UPLOAD_BYTES
from tests.integration.server.conftest import (
    FOREIGN,
    Live,
    assert_problem,
    make_object,
    make_task,
    take,
)

pytestmark = pytest.mark.asyncio(loop_scope="module")

SCRIPT = "## Scene 1\nA harbour.\n\n## Scene 2\nRain on the roofs.\n"


@pytest.fixture(name="live")
def _live(shared: Live) -> Live:
    return shared


def picture(width: int = 40, height: int = 30) -> bytes:
    made = BytesIO()
    Image.effect_noise((width, height), 64).save(made, "PNG")
    return made.getvalue()


async def bring(live: Live, data: bytes, *, key: str | None = None, **query: str) -> httpx.Response:
    headers = {"Idempotency-Key": key} if key else {}
    asked = {"name": "Brought", **query}
    return await live.http.post("/v1/objects", content=data, params=asked, headers=headers)


async def document(live: Live, text: str = SCRIPT) -> dict[str, Any]:
    answer = await bring(live, text.encode(), name="Script")
    assert answer.status_code == 201, answer.text
    return answer.json()


async def edit(live: Live, made: dict[str, Any], *edits: tuple[str, str]) -> httpx.Response:
    body = {"edits": [{"find": find, "replace": replace} for find, replace in edits]}
    headers = {"If-Match": f'"{made["version"]}"'}
    return await live.http.patch(f"/v1/objects/{made['id']}", json=body, headers=headers)


async def text_of(live: Live, made: dict[str, Any]) -> str:
    return (await live.http.get(f"/v1/objects/{made['id']}/content")).text


async def test_a_picture_that_is_brought_is_measured_and_kept_whole(live: Live) -> None:
    data = picture() + b"\0" * MAX_BODY_BYTES  # what follows the picture belongs to the file
    answer = await bring(live, data, name="My owl")
    assert answer.status_code == 201
    made = answer.json()
    assert (made["kind"], made["role"], made["author"]) == ("image", "upload", "user")
    assert (made["name"], made["version"], made["media_type"]) == ("My owl", 1, "image/png")
    assert (made["meta"]["width"], made["meta"]["height"]) == (40, 30)
    assert (await live.http.get(made["url"])).content == data
    after = (await live.http.get("/v1/snapshot")).json()["seq"] - 1
    async with live.events(after) as stream:
        _hello, event = await take(stream, 2)
    assert (event.type, event.data["data"]["id"]) == ("object.created", made["id"])


async def test_a_file_may_be_brought_for_a_task_of_this_workspace(live: Live) -> None:
    task_id = str(await make_task(live.deps))
    made = (await bring(live, picture(), task_id=task_id)).json()
    assert made["task_id"] == task_id
    foreign = str(await make_task(live.deps, FOREIGN))
    assert_problem(await bring(live, picture(), task_id=foreign), 404, "not_found")


async def test_sent_again_it_is_brought_once(live: Live) -> None:
    data = picture()
    first, second = [await bring(live, data, key="upload-1") for _ in range(2)]
    assert first.json() == second.json()
    other = await bring(live, picture(8, 8), key="upload-1")
    assert_problem(other, 422, "idempotency_key_reused")
    assert (await bring(live, data)).json()["id"] != first.json()["id"]


def bomb() -> bytes:
    made = bytearray(picture())
    made[16:24] = struct.pack(">II", 60_000, 60_000)
    return bytes(made)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "empty"),
        (picture()[:60], "cannot be read as image/png"),
        (bomb(), "cannot"),
        (b"PK\x03\x04 a zip", "application/zip cannot be used here"),
        (b"%PDF-1.7", "application/pdf cannot be used here"),
        (bytes(range(256)), "application/octet-stream cannot be used here"),
        (b'{"a": 1}', "application/json cannot be used here"),
        (b"x" * 200_001, "more than 200,000 characters"),
    ],
)
async def test_what_nobody_could_use_is_refused_with_a_sentence(
    live: Live, data: bytes, told: str
) -> None:
    answer = await bring(live, data)
    assert answer.status_code == 422, answer.text
    assert told in answer.json()["detail"]
    assert str(live.deps.blobs.root) not in answer.text


async def test_a_page_that_is_brought_is_a_text(live: Live) -> None:
    made = await document(live, "<html><script>alert(1)</script></html>")
    assert (made["kind"], made["media_type"]) == ("document", "text/markdown")
    answer = await live.http.get(f"/v1/objects/{made['id']}/content")
    assert answer.headers["content-type"].startswith("text/markdown")
    assert "sandbox" in answer.headers["content-security-policy"]


async def test_more_bytes_than_a_file_may_have_are_refused(live: Live) -> None:
    async def pieces() -> Any:
        for _ in range(MAX_UPLOAD_BYTES // 1_000_000 + 1):
            yield b"\x00" * 1_000_000

    answer = await live.http.post("/v1/objects", content=pieces(), params={"name": "Too much"})
    assert_problem(answer, 413, "body_too_large")
    assert list((live.deps.blobs.root / "incoming").iterdir()) == []


async def test_an_edit_is_the_next_version_of_the_person(live: Live) -> None:
    made = await document(live)
    read = await live.http.get(f"/v1/objects/{made['id']}")
    assert read.headers["etag"] == '"1"'
    answer = await edit(live, made, ("Rain", "Snow"), ("A harbour", "An old harbour"))
    assert answer.status_code == 200, answer.text
    changed = answer.json()
    assert (changed["version"], changed["author"], changed["task_id"]) == (2, "user", None)
    assert await text_of(live, made) == SCRIPT.replace("Rain", "Snow").replace("A h", "An old h")
    before, now = made["meta"]["scenes"], changed["meta"]["scenes"]
    assert before.keys() == now.keys() == {"1", "2"}
    assert before["2"] != now["2"]


async def test_of_two_edits_of_one_version_the_second_is_told_of_the_first(live: Live) -> None:
    made = await document(live)
    assert (await edit(live, made, ("Rain", "Snow"))).status_code == 200
    body = assert_problem(await edit(live, made, ("Rain", "Wind")), 409, "version_conflict")
    assert body["current_version"] == 2
    assert "Snow" in await text_of(live, made)


@pytest.mark.parametrize(
    ("edits", "told"),
    [
        ([("Rain", "Snow"), ("Sun", "Moon")], "“Sun” is not in the text"),
        ([("Scene", "Act")], "“Scene” stands 2 times in the text"),
        ([("Rain on", "Snow on"), ("on the roofs", "in the streets")], "overlaps"),
    ],
)
async def test_edits_are_made_all_or_none(
    live: Live, edits: list[tuple[str, str]], told: str
) -> None:
    made = await document(live)
    answer = await edit(live, made, *edits)
    assert told in assert_problem(answer, 422, "invalid_request")["detail"]
    assert await text_of(live, made) == SCRIPT


async def test_a_text_is_written_anew_over_the_version_that_was_read(live: Live) -> None:
    made = await document(live)
    path = f"/v1/objects/{made['id']}"
    blank = await live.http.put(path, json={"text": "Only fog."})
    assert "If-Match" in assert_problem(blank, 422, "invalid_request")["detail"]
    answer = await live.http.put(path, json={"text": "Only fog."}, headers={"If-Match": '"1"'})
    assert answer.json()["version"] == 2
    assert "scenes" not in answer.json()["meta"]
    assert await text_of(live, made) == "Only fog."


async def test_only_texts_of_this_workspace_are_changed(live: Live) -> None:
    image = (await bring(live, picture())).json()
    answer = await edit(live, image, ("a", "b"))
    assert answer.status_code == 422
    assert answer.json()["refusal"] == "capability"
    foreign = await make_object(live.deps, b"secret", FOREIGN)
    made = {"id": str(foreign.object_id), "version": 1}
    assert_problem(await edit(live, made, ("secret", "known")), 404, "not_found")
