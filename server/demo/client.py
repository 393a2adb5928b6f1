"""Speaks to a running Atelier over HTTP and follows its event stream through every interruption."""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any, Self

import httpx

from infra.errors import storage_error
from infra.ids import new_id
from server.errors import DemoError

_SILENCE_SECONDS = 15.0
"""The server says something every five seconds; after this the connection is taken for dead."""
_FIRST_PAUSE = 0.3
_LONGEST_PAUSE = 3.0
_TRIES = 8

type Json = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One message of the stream; `seq` only where it is an event of the log."""

    type: str
    data: Json
    seq: int | None = None


class AtelierClient:
    """A client of one server; `alive` is asked before a broken connection is tried again."""

    def __init__(self, address: str, alive: Callable[[], Awaitable[None]]) -> None:
        self.address = address
        self._alive = alive
        self._http = httpx.AsyncClient(
            base_url=address, timeout=httpx.Timeout(30.0), trust_env=False
        )

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_error: object) -> None:
        await self._http.aclose()

    async def is_ready(self) -> bool:
        """Tell whether the server answers and can do its work."""
        try:
            return (await self._http.get("/readyz", timeout=5.0)).is_success
        except httpx.HTTPError:
            return False

    async def say(self, text: str) -> Json:
        """Post a message; sent again after a lost answer, it is accepted once."""
        body = {"text": text, "client_id": f"demo-{new_id()}"}
        return await self._send("POST", "/v1/messages", body)

    async def decide(self, approval: Json, decision: str, *, choice: str | None = None) -> None:
        """Answer a question; one that somebody else has answered meanwhile is none any more."""
        body = {"decision": decision, "args_hash": approval["args_hash"], "choice": choice}
        key = {"Idempotency-Key": f"demo-{approval['id']}"}
        await self._send("POST", f"/v1/approvals/{approval['id']}", body, headers=key)

    async def get(self, path: str) -> Json:
        """Return the JSON at a path."""
        return await self._send("GET", path)

    async def download(self, url: str, path: Path) -> None:
        """Store the bytes behind an object's address."""
        part = path.with_name(f"{path.name}.part")
        try:
            async with self._http.stream("GET", url) as answer:
                if not answer.is_success:
                    message = f"{url} could not be fetched: {answer.status_code}."
                    raise DemoError(message)
                with part.open("wb") as file:
                    async for chunk in answer.aiter_bytes(1 << 20):
                        file.write(chunk)
            part.rename(path)
        except OSError as error:
            raise storage_error(error, path) from error
        except httpx.HTTPError as error:
            message = f"{url} could not be fetched: {error}."
            raise DemoError(message) from error

    async def _send(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        headers: dict[str, str] | None = None,
    ) -> Json:
        """Send a request that may be repeated, until it is answered."""
        pause = _FIRST_PAUSE
        reason = ""
        for tries in range(1, _TRIES + 1):
            try:
                answer = await self._http.request(method, path, json=body, headers=headers)
            except httpx.HTTPError as error:
                reason = str(error) or type(error).__name__
            else:
                if answer.status_code < HTTPStatus.INTERNAL_SERVER_ERROR:
                    return _understood(answer)
                reason = f"HTTP {answer.status_code}"
            await self._alive()
            if tries < _TRIES:
                await asyncio.sleep(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)
        message = f"The server at {self.address} does not answer: {reason}."
        raise DemoError(message)

    async def follow(self, after: int) -> AsyncGenerator[Told]:
        """Yield what the stream tells, for ever: a cut connection goes on after the last event."""
        pause = _FIRST_PAUSE
        position = after
        while True:
            try:
                async for told in self._read(position):
                    pause = _FIRST_PAUSE
                    position = told.seq or position
                    if told.type == "reset":
                        position = (await self.get("/v1/snapshot"))["seq"]
                    yield told
            except httpx.HTTPError:
                pass  # the loop is the answer
            await self._alive()
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)

    async def _read(self, after: int) -> AsyncIterator[Told]:
        async with self._http.stream(
            "GET",
            "/v1/events",
            headers={"Last-Event-ID": str(after)},
            timeout=httpx.Timeout(10.0, read=_SILENCE_SECONDS),
        ) as answer:
            if not answer.is_success:
                return
            fields: dict[str, str] = {}
            rest = b""
            async for chunk in answer.aiter_bytes():
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    if line:
                        name, _, value = line.decode().partition(":")
                        fields[name] = value.removeprefix(" ")
                        continue
                    if "data" in fields:
                        yield _told(fields)
                    fields = {}


def _told(fields: dict[str, str]) -> Told:
    data: Json = json.loads(fields["data"])
    seq = int(fields["id"]) if "id" in fields else None
    return Told(type=fields.get("event", ""), data=data["data"] if seq else data, seq=seq)


def _understood(answer: httpx.Response) -> Json:
    body: Json = answer.json()
    if answer.is_success or answer.status_code == HTTPStatus.CONFLICT:
        return body
    raise DemoError(str(body.get("detail", f"The server answered {answer.status_code}.")))
