"""What a broken exchange means depends on when it broke, told by servers that break it."""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from infra.media.verify import UnusableMediaError
from infra.providers.http.files import fetch
from infra.providers.http.places import Places
from infra.providers.http.transport import Limits, Transport
from infra.providers.ports import NotDeliveredError, OutcomeUnknownError, QuotaError

type Act = Callable[[asyncio.StreamWriter], Awaitable[None]]

PNG = b"\x89PNG\r\n\x1a\nrest"
SHORT = Limits(connect_s=0.5, silence_s=0.3, answer_s=2.0, answer_bytes=1000, file_bytes=1000)


class Wire:
    """A server on a socket that answers each request as the next act says, and counts them."""

    def __init__(self, *acts: Act) -> None:
        self._acts = list(acts)
        self.requests: list[bytes] = []
        self.address = ""
        self._open: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def open(self) -> AsyncGenerator["Wire"]:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        try:
            yield self
        finally:
            server.close()
            for task in self._open:
                task.cancel()
            await server.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task: asyncio.Task[None] | None = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        try:
            await self._answer(reader, writer)
        except (asyncio.CancelledError, ConnectionError, EOFError):
            writer.transport.abort()
        finally:
            self._open.discard(task)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        length = [
            int(line.split(b":")[1])
            for line in head.lower().split(b"\r\n")
            if line.startswith(b"content-length")
        ]
        body = await reader.readexactly(length[0]) if length else b""
        self.requests.append(head + body)
        await self._acts[len(self.requests) - 1](writer)
        writer.close()


def answering(status: int, body: bytes = b"{}", **headers: str) -> Act:
    async def act(writer: asyncio.StreamWriter) -> None:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        named = {"content-length": str(len(body)), "content-type": "application/json", **given}
        lines = "".join(f"{name}: {value}\r\n" for name, value in named.items())
        writer.write(f"HTTP/1.1 {status} Said\r\n{lines}\r\n".encode() + body)
        await writer.drain()

    return act


async def hang(writer: asyncio.StreamWriter) -> None:
    await writer.drain()
    await asyncio.get_running_loop().create_future()


async def drop(writer: asyncio.StreamWriter) -> None:
    writer.transport.abort()


async def nonsense(writer: asyncio.StreamWriter) -> None:
    writer.write(b"this is no HTTP\r\n\r\n")
    await writer.drain()


async def drip(writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n")
    while not writer.is_closing():
        writer.write(b" ")
        await writer.drain()
        await asyncio.sleep(0.05)


def transport(limits: Limits = SHORT) -> Transport:
    return Transport("the vendor", limits)


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


async def test_a_closed_port_means_that_nothing_was_delivered() -> None:
    with pytest.raises(NotDeliveredError, match="could not be reached"):
        await transport().ask("POST", f"http://127.0.0.1:{free_port()}/", body={})


async def test_a_name_that_does_not_exist_means_that_nothing_was_delivered() -> None:
    with pytest.raises(NotDeliveredError):
        await transport().ask("POST", "https://vendor.invalid/", body={})


async def test_a_failed_handshake_means_that_nothing_was_delivered() -> None:
    async with Wire().open() as wire:
        address = wire.address.replace("http://", "https://")
        with pytest.raises(NotDeliveredError):
            await transport().ask("POST", address, body={})
        assert wire.requests == []


@pytest.mark.parametrize(
    "act",
    [
        hang,
        drop,
        nonsense,
        drip,
        answering(200, b"{", content_length="50"),
        answering(200, b" " * 2000),
        answering(200, b"not compressed", content_encoding="gzip"),
    ],
    ids=["hang", "drop", "nonsense", "drip", "half", "too_large", "undecodable"],
)
async def test_whatever_breaks_after_the_request_leaves_its_outcome_unknown(act: Act) -> None:
    async with Wire(act).open() as wire:
        with pytest.raises(OutcomeUnknownError):
            await transport().ask("POST", wire.address, body={"a": 1})
        assert len(wire.requests) == 1


@pytest.mark.parametrize("status", [200, 302, 408, 429, 500, 503])
async def test_an_answer_is_an_answer_and_is_asked_for_once(status: int) -> None:
    async with Wire(answering(status, location="/elsewhere")).open() as wire:
        answer = await transport().ask("POST", wire.address, body={"a": "ü"})
        assert answer.status == status
        assert answer.is_success == (status == 200)
        assert answer.is_refusal == (status == 429)
        assert len(wire.requests) == 1
        assert json.loads(wire.requests[0].partition(b"\r\n\r\n")[2]) == {"a": "ü"}


async def test_what_is_answered_can_be_stored_anywhere() -> None:
    said = b'{"a": "x\\u0000y", "b": NaN, "c": 123456789012345678901234567890}'
    async with Wire(answering(200, said)).open() as wire:
        answer = await transport().ask("GET", wire.address)
    assert answer.json == {"a": "xy", "b": None, "c": "123456789012345678901234567890"}


async def test_a_nest_without_end_is_no_answer() -> None:
    deep = Limits(answer_bytes=1 << 20)
    async with Wire(answering(200, b"[" * 500_000)).open() as wire:
        answer = await transport(deep).ask("GET", wire.address)
    assert (answer.body, answer.json) == (None, {})


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("7", 7.0),
        ("999999", 3600.0),
        ("soon", None),
        ("-3", None),
        ("", None),
        ("Wed, 21 Oct 2015 07:28:00 GMT", 0.0),
    ],
)
async def test_the_time_to_come_back_is_read_in_both_forms(
    said: str, seconds: float | None
) -> None:
    async with Wire(answering(429, retry_after=said)).open() as wire:
        answer = await transport().ask("GET", wire.address)
    assert answer.retry_after_s == seconds


async def test_a_time_to_come_back_without_a_zone_is_no_time() -> None:
    async with Wire(answering(429, retry_after="Sun, 29 Nov 2026 10:00:00 -0000")).open() as wire:
        answer = await transport().ask("GET", wire.address)
    assert answer.retry_after_s is None


async def read(address: str, *names: str, headers: dict[str, str] | None = None) -> bytes:
    chunks = fetch(
        transport(), address, media_type="image/png", places=Places(names), headers=headers
    )
    return b"".join([chunk async for chunk in chunks])


async def test_a_result_is_fetched_from_where_the_adapter_allows() -> None:
    async with Wire(answering(200, PNG, content_type="image/png")).open() as wire:
        assert await read(f"{wire.address}/a.png", wire.address) == PNG


@pytest.mark.parametrize(
    "address",
    [
        "http://169.254.169.254/latest",
        "https://fal.media.evil.example/a.png",
        "https://fal.media@evil.example/a.png",
        "https://fal.media:8443/a.png",
        "http://fal.media/a.png",
        "file:///etc/passwd",
        "ftp://fal.media/a",
        "https://evil.example/?fal.media",
        "not an address",
        "https://[broken/",
    ],
)
async def test_a_result_from_elsewhere_is_refused_unasked(address: str) -> None:
    with pytest.raises(UnusableMediaError, match="not its own"):
        await read(address, "fal.media", "*.fal.media", "http://127.0.0.1:1")


def test_a_name_allows_itself_and_a_star_what_is_below() -> None:
    places = Places(("fal.media", "*.fal.media"))
    assert places.allow("https://fal.media/a")
    assert places.allow("https://v3.fal.media/a?x=1")
    assert not Places(("fal.media",)).allow("https://v3.fal.media/a")
    assert not Places(("*.fal.media",)).allow("https://notfal.media/a")
    assert not Places(("http://example.com",)).allow("http://example.com/a")


async def test_a_redirect_elsewhere_is_not_followed() -> None:
    async with (
        Wire(answering(200, PNG)).open() as elsewhere,
        Wire(answering(302, location=f"{elsewhere.address}/a")).open() as wire,
    ):
        with pytest.raises(UnusableMediaError, match="not its own"):
            await read(wire.address, wire.address)
        assert elsewhere.requests == []


async def test_a_key_is_not_carried_to_the_place_of_a_redirect() -> None:
    async with (
        Wire(answering(200, PNG, content_type="image/png")).open() as second,
        Wire(answering(302, location=f"{second.address}/a")).open() as first,
    ):
        key = {"Authorization": "Bearer secret"}
        assert await read(first.address, first.address, second.address, headers=key) == PNG
        assert b"secret" in first.requests[0]
        assert b"secret" not in second.requests[0]


async def test_a_redirect_without_end_is_given_up() -> None:
    round_trip = answering(302, location="/again")
    async with Wire(*[round_trip] * 9).open() as wire:
        with pytest.raises(UnusableMediaError, match="place to place"):
            await read(wire.address, wire.address)
        assert len(wire.requests) == 4


@pytest.mark.parametrize(
    ("act", "error"),
    [
        (answering(404), UnusableMediaError),
        (answering(410), UnusableMediaError),
        (answering(403), UnusableMediaError),
        (answering(200, b"<html>", content_type="text/html"), UnusableMediaError),
        (answering(200, b"x" * 5000, content_type="image/png"), UnusableMediaError),
        (answering(429), QuotaError),
        (answering(500), OutcomeUnknownError),
        (answering(200, PNG, content_type="image/png", content_length="90"), OutcomeUnknownError),
        (hang, NotDeliveredError),
    ],
    ids=["404", "410", "403", "html", "large", "429", "500", "half", "hang"],
)
async def test_a_result_that_cannot_be_had_says_whether_it_ever_can(
    act: Act, error: type[Exception]
) -> None:
    async with Wire(act).open() as wire:
        with pytest.raises(error):
            await read(wire.address, wire.address)
