"""A person's browser: requests to the public interface, and tabs that follow the event stream."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from datetime import datetime
from http import HTTPStatus
from typing import Any

import httpx

from evals.scenarios.view import Told
from infra.ids import new_id

type Json = dict[str, Any]

_SILENCE_S = 15.0
_AGAIN_S = 0.1
_MOST_AGAIN = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What the service said to a request."""

    status: int
    body: Json

    @property
    def is_success(self) -> bool:
        """Whether it did what was asked."""
        return self.status < HTTPStatus.BAD_REQUEST

    @property
    def told(self) -> str:
        """What it said, where it did not."""
        return "" if self.is_success else str(self.body.get("detail", self.status))


@dataclass
class Tab:
    """A page that is open: hears each event of the log from a position on, once, in order."""

    http: httpx.AsyncClient
    began: datetime
    after: int = 0
    heard: asyncio.Queue[Told] = field(default_factory=asyncio.Queue[Told])
    gaps: list[str] = field(default_factory=list[str])
    """What should not have been: an event left out, twice, or before another."""
    connections: int = 0
    _drop: asyncio.Event = field(default_factory=asyncio.Event)

    def drop(self) -> None:
        """Break the connection; the tab connects anew and goes on after the last event."""
        self._drop.set()

    async def follow(self) -> None:
        """Hear events for as long as the tab is open."""
        while True:
            self._drop.clear()
            try:
                async with aclosing(self._frames()) as frames:
                    async for seq, data in frames:
                        self._take(seq, data)
                        if self._drop.is_set():
                            break
            except httpx.HTTPError:
                pass  # the loop is the answer
            await asyncio.sleep(_AGAIN_S)

    def _take(self, seq: int, data: Json) -> None:
        if seq != self.after + 1:
            self.gaps.append(f"event {seq} came after {self.after}")
        self.after = max(seq, self.after)
        at = datetime.fromisoformat(data["ts"])
        self.heard.put_nowait(
            Told(
                seq=seq,
                at_s=(at - self.began).total_seconds(),
                type=data["type"],
                task_id=data["task"],
                data=data["data"],
            )
        )

    async def _frames(self) -> AsyncGenerator[tuple[int, Json]]:
        self.connections += 1
        async with self.http.stream(
            "GET",
            "/v1/events",
            headers={"Last-Event-ID": str(self.after)},
            timeout=httpx.Timeout(10.0, read=_SILENCE_S),
        ) as answer:
            answer.raise_for_status()
            fields: dict[str, str] = {}
            async for line in answer.aiter_lines():
                if line:
                    name, _, value = line.partition(":")
                    fields[name] = value.removeprefix(" ")
                    continue
                if "id" in fields and "data" in fields:
                    yield int(fields["id"]), json.loads(fields["data"])
                fields = {}


@dataclass
class Browser:
    """Sends what a person does."""

    http: httpx.AsyncClient

    async def get(self, path: str) -> Answer:
        """Read something."""
        return await self._send("GET", path)

    async def say(
        self, text: str, *, task_id: str | None, approval_id: str | None, times: int
    ) -> Answer:
        """Post a message; pressed twice it is the same message."""
        body = {
            "text": text,
            "client_id": f"eval-{new_id()}",
            "task_id": task_id,
            "approval_id": approval_id,
        }
        return await self._together("POST", "/v1/messages", body, times)

    async def post(self, path: str, body: Json | None = None, *, times: int = 1) -> Answer:
        """Press a button, perhaps twice: a page sends the same key with both."""
        return await self._together("POST", path, body, times)

    async def delete(self, path: str) -> Answer:
        """Take something back."""
        return await self._send("DELETE", path)

    async def text(self, path: str) -> str:
        """Read a text that was made or brought; empty where there is none."""
        answer = await self.http.get(path)
        return answer.text if answer.is_success else ""

    async def patch(self, path: str, body: Json, *, version: int) -> Answer:
        """Change something of what is shown at a version."""
        return await self._send("PATCH", path, body, {"If-Match": f'"{version}"'})

    async def upload(self, name: str, data: bytes, *, task_id: str | None) -> Answer:
        """Bring a file."""
        params = {"name": name} | ({"task_id": task_id} if task_id else {})
        return _read(await self.http.post("/v1/objects", params=params, content=data))

    async def put(self, path: str, body: Json) -> Answer:
        """Change a setting."""
        return await self._send("PUT", path, body)

    async def _together(self, method: str, path: str, body: Json | None, times: int) -> Answer:
        key = {"Idempotency-Key": f"eval-{new_id()}"}
        sent = [self._send(method, path, body, key) for _ in range(times)]
        answers = await asyncio.gather(*sent)
        return next((each for each in answers if each.is_success), answers[0])

    async def _send(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        headers: dict[str, str] | None = None,
    ) -> Answer:
        """Send a request, and again where the service asks for that: as every client does."""
        answer = await self.http.request(method, path, json=body, headers=headers)
        for _ in range(_MOST_AGAIN):
            if answer.status_code != HTTPStatus.SERVICE_UNAVAILABLE:
                break
            await asyncio.sleep(float(answer.headers.get("retry-after", _AGAIN_S)))
            answer = await self.http.request(method, path, json=body, headers=headers)
        return _read(answer)


def _read(answer: httpx.Response) -> Answer:
    try:
        told = answer.json()
    except ValueError:
        told = {"detail": answer.text}
    return Answer(status=answer.status_code, body=told)
