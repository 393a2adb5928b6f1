"""Objects over HTTP: their bytes, whole and in ranges, under names that cannot do harm."""

import httpx
import pytest

from infra.ids import new_id
from tests.integration.server.conftest import (
    FOREIGN,
    Live,
    add_version,
    assert_problem,
    make_object,
)

DATA = bytes(range(256)) * 40
PNG = b"\x89PNG\r\n\x1a\n" + DATA

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest.fixture(name="live")
def _live(shared: Live) -> Live:
    return shared


async def content(live: Live, object_id: object, query: str = "", **headers: str) -> httpx.Response:
    return await live.http.get(f"/v1/objects/{object_id}/content{query}", headers=headers)


async def test_an_object_and_its_versions_are_shown(live: Live) -> None:
    made = await make_object(live.deps, b"one")
    await add_version(live.deps, made, b"two!")
    shown = (await live.http.get(f"/v1/objects/{made.object_id}")).json()
    assert (shown["version"], shown["size"]) == (2, 4)
    first = (await live.http.get(f"/v1/objects/{made.object_id}", params={"version": 1})).json()
    assert first["version"] == 1
    versions = (await live.http.get(f"/v1/objects/{made.object_id}/versions")).json()["versions"]
    assert [item["version"] for item in versions] == [2, 1]
    assert (await live.http.get(shown["url"])).content == b"two!"
    assert (await live.http.get(first["url"])).content == b"one"


async def test_bytes_come_whole_with_type_and_hash(live: Live) -> None:
    made = await make_object(live.deps, PNG)
    answer = await content(live, made.object_id, "?version=1")
    assert answer.content == PNG
    assert answer.headers["content-type"] == "image/png"
    assert answer.headers["etag"] == f'"{made.blob_sha256}"'
    assert answer.headers["accept-ranges"] == "bytes"
    assert "immutable" in answer.headers["cache-control"]
    assert answer.headers["content-disposition"] == 'inline; filename="A picture.png"'
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in answer.headers["content-security-policy"]
    assert (await content(live, made.object_id)).headers["cache-control"] == "no-cache"
    head = await live.http.head(f"/v1/objects/{made.object_id}/content")
    assert head.headers["content-length"] == str(len(PNG))
    assert head.content == b""


async def test_ranges_are_honoured(live: Live) -> None:
    made = await make_object(live.deps, DATA)
    size = len(DATA)
    for asked, expected in (
        ("bytes=0-0", DATA[:1]),
        ("bytes=100-199", DATA[100:200]),
        (f"bytes={size - 5}-", DATA[-5:]),
        ("bytes=-7", DATA[-7:]),
        (f"bytes=10-{size * 2}", DATA[10:]),
    ):
        answer = await content(live, made.object_id, Range=asked)
        assert answer.status_code == 206
        assert answer.content == expected
        start = DATA.find(expected) if asked != "bytes=-7" else size - 7
        assert answer.headers["content-range"].startswith(
            f"bytes {size - 5 if asked.endswith('5-') else start}-"
        )
    several = await content(live, made.object_id, Range="bytes=0-1,5-6")
    assert several.status_code == 206
    assert several.headers["content-type"].startswith("multipart/byteranges")


async def test_a_range_outside_of_the_file_is_a_problem(live: Live) -> None:
    made = await make_object(live.deps, DATA)
    answer = await content(live, made.object_id, Range=f"bytes={len(DATA)}-")
    assert_problem(answer, 416, "range_not_satisfiable")
    assert answer.headers["content-range"] == f"bytes */{len(DATA)}"


async def test_a_range_that_nobody_can_read_is_ignored(live: Live) -> None:
    made = await make_object(live.deps, DATA)
    for asked in ("bytes", "lines=1-2", "bytes=", "bytes=x-y", "bytes=5-2", "bytes=--"):
        answer = await content(live, made.object_id, Range=asked)
        assert (answer.status_code, answer.content) == (200, DATA), asked


async def test_a_copy_that_is_still_right_is_not_sent_again(live: Live) -> None:
    made = await make_object(live.deps, DATA)
    etag = f'"{made.blob_sha256}"'
    for known in (etag, f"W/{etag}", f'"x", {etag}', "*"):
        answer = await content(live, made.object_id, **{"If-None-Match": known})
        assert (answer.status_code, answer.content) == (304, b"")
        assert answer.headers["etag"] == etag
    assert (await content(live, made.object_id, **{"If-None-Match": '"x"'})).status_code == 200


async def test_a_range_of_another_file_is_not_mixed_in(live: Live) -> None:
    made = await make_object(live.deps, DATA)
    same = {"Range": "bytes=0-9", "If-Range": f'"{made.blob_sha256}"'}
    assert (await content(live, made.object_id, **same)).status_code == 206
    other = {"Range": "bytes=0-9", "If-Range": '"another"'}
    assert (await content(live, made.object_id, **other)).status_code == 200


async def test_a_download_gets_a_name_that_is_safe_everywhere(live: Live) -> None:
    for name, shown in (
        ("Der Fluss", 'attachment; filename="Der Fluss.png"'),
        ('a"b\r\nSet-Cookie: x=1', 'attachment; filename="a b Set-Cookie x=1.png"'),
        ("../../etc/passwd", 'attachment; filename="etc passwd.png"'),
        ("picture.png", 'attachment; filename="picture.png"'),
        ("강", "attachment; filename=\"_.png\"; filename*=UTF-8''%EA%B0%95.png"),
        ("  ", 'attachment; filename="file.png"'),
    ):
        made = await make_object(live.deps, PNG, name=name)
        answer = await content(live, made.object_id, "?download=1")
        assert answer.headers["content-disposition"] == shown
        assert "set-cookie" not in answer.headers


async def test_what_a_browser_would_run_is_only_given_as_a_download(live: Live) -> None:
    for media_type in ("image/svg+xml", "text/html", "application/pdf", "application/javascript"):
        made = await make_object(live.deps, b"<svg/>", media_type=media_type)
        answer = await content(live, made.object_id)
        assert answer.headers["content-disposition"].startswith("attachment")


async def test_captions_and_documents_are_served_as_what_they_are(live: Live) -> None:
    for media_type, suffix in (
        ("application/x-subrip", ".srt"),
        ("application/json+otio", ".otio"),
        ("text/markdown", ".md"),
        ("video/mp4", ".mp4"),
    ):
        made = await make_object(live.deps, b"data", media_type=media_type)
        answer = await content(live, made.object_id)
        assert answer.headers["content-type"].partition(";")[0] == media_type
        assert answer.headers["content-disposition"] == f'inline; filename="A picture{suffix}"'


async def test_foreign_and_unknown_objects_are_not_found_on_every_route(live: Live) -> None:
    foreign = (await make_object(live.deps, b"secret", FOREIGN)).object_id
    for wrong in (str(foreign), str(new_id()), "x", "%00"):
        for part in ("", "/versions", "/content", "/content?version=1"):
            assert_problem(await live.http.get(f"/v1/objects/{wrong}{part}"), 404, "not_found")


async def test_versions_that_do_not_exist_are_not_found(live: Live) -> None:
    made = await make_object(live.deps, b"data")
    assert_problem(await content(live, made.object_id, "?version=2"), 404, "not_found")
    for wrong in ("0", "-1", "x", "9" * 30):
        answer = await content(live, made.object_id, f"?version={wrong}")
        assert_problem(answer, 422, "invalid_request")
    answer = await content(live, made.object_id, "?download=perhaps")
    assert_problem(answer, 422, "invalid_request")


async def test_bytes_that_have_gone_are_told(live: Live) -> None:
    made = await make_object(live.deps, b"data")
    live.deps.blobs.path(made.blob_sha256).unlink()
    assert_problem(await content(live, made.object_id), 500, "blob_missing")
