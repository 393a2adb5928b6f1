"""A real server on a loopback port over this test's database, and rows made by execution."""

import asyncio
import contextlib
import json
import secrets
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
import pytest_asyncio

from execution import approvals, intake, leases, messages, steps, tasks, workspaces
from execution.transactions import work
from infra import clock
from infra.blobs import Blob
from infra.db.pool import transaction
from infra.deps import Deps, OpenDeps, open_deps
from infra.ids import ApprovalId, MessageId, StepId, TaskId, ThreadId, WorkspaceId, new_id
from infra.settings import Settings
from infra.signals import SilentSignals
from infra.supervision import Supervisor
from server.app import create_app
from server.auth import LOCAL_WORKSPACE
from server.context import Context
from server.serving import HttpServer, address_of, bind
from tests.database import database, with_database
from workspace import objects
from workspace.objects import NewObject, ObjectVersion

FOREIGN = WorkspaceId(new_id())


@dataclass(frozen=True)
class Event:
    """A message of a stream as a client reads it."""

    type: str
    data: dict[str, Any]
    id: int | None = None


async def read_stream(response: httpx.Response) -> AsyncIterator[Event]:
    """Read a stream by the letter of the standard; comments are left out."""
    fields: dict[str, str] = {}
    rest = b""
    async for chunk in response.aiter_bytes():
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            if line:
                name, _, value = line.decode().partition(": ")
                fields[name] = value
            elif "data" in fields:
                identity = int(fields["id"]) if "id" in fields else None
                yield Event(fields["event"], json.loads(fields["data"]), identity)
                fields = {}
            else:
                fields = {}


async def take(stream: AsyncIterator[Event], count: int) -> list[Event]:
    """Read so many messages of a stream."""
    found: list[Event] = []
    async with asyncio.timeout(15):
        async for event in stream:
            found.append(event)
            if len(found) == count:
                break
    return found


@dataclass(frozen=True)
class Live:
    """A running server, a client of it, and what it holds open."""

    address: str
    http: httpx.AsyncClient
    context: Context
    server: HttpServer

    @property
    def deps(self) -> Deps:
        return self.context.deps

    @contextlib.asynccontextmanager
    async def events(
        self, after: int = 0, *, last_event_id: str | None = None, **params: Any
    ) -> AsyncGenerator[AsyncIterator[Event]]:
        headers = {} if last_event_id is None else {"last-event-id": last_event_id}
        query = {"after": after, **params}
        async with self.http.stream("GET", "/v1/events", params=query, headers=headers) as answer:
            assert answer.status_code == 200
            yield read_stream(answer)

    async def say(self, text: str = "hello", **body: Any) -> dict[str, Any]:
        answer = await self.http.post(
            "/v1/messages", json={"text": text, "client_id": str(new_id()), **body}
        )
        assert answer.status_code == 202, answer.text
        return answer.json()

    async def emit(self, count: int, *, size: int = 10, task: TaskId | None = None) -> None:
        """Commit events, one transaction each."""
        for number in range(count):
            async with work(self.deps, LOCAL_WORKSPACE) as tx:
                tx.emit("notice", {"number": number, "text": "x" * size}, task_id=task)


@contextlib.asynccontextmanager
async def live_server(
    database_url: str,
    folder: Path,
    *,
    max_stream_bytes: int = 4 << 20,
    lossy: bool = False,
    **given: Any,
) -> AsyncGenerator[Live]:
    settings = Settings(data_dir=folder, port=0, **given)
    listener = bind(settings)
    opening = _mute if lossy else open_deps
    app = create_app(settings, database_url, opening=opening, max_stream_bytes=max_stream_bytes)
    async with app.router.lifespan_context(app), Supervisor("test") as supervisor:
        server = HttpServer(app)
        running = supervisor.start(server.serve(sockets=[listener]), name="server")
        while not server.started:  # noqa: ASYNC110 - uvicorn has no event
            await asyncio.sleep(0.005)
        address = address_of(listener)
        async with httpx.AsyncClient(base_url=address, timeout=20, trust_env=False) as http:
            try:
                yield Live(address, http, app.state.context, server)
            finally:
                server.stop()
                await running
                announcing = getattr(app.state.context.deps.signals, "_connection", None)
                if announcing is not None:  # its owner does not close it
                    await announcing.close()


@contextlib.asynccontextmanager
async def _mute(settings: Settings, dsn: str, supervisor: Supervisor) -> AsyncGenerator[OpenDeps]:
    """Open what a server needs, except that no commit is ever announced."""
    async with open_deps(settings, dsn, supervisor) as opened:
        yield replace(opened, deps=replace(opened.deps, signals=SilentSignals()))


@pytest.fixture
async def live(database_url: str, tmp_path: Path) -> AsyncGenerator[Live]:
    async with live_server(database_url, tmp_path) as running:
        yield running


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def shared(
    postgres_server: str, template_database: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[Live]:
    """One server for the tests of a module that bear each other's rows."""
    name = f"shared_{secrets.token_hex(4)}"
    with database(postgres_server, name, template_database) as made:
        url = with_database(postgres_server, made)
        async with live_server(url, tmp_path_factory.mktemp("shared")) as running:
            yield running


async def make_task(
    deps: Deps, workspace_id: WorkspaceId = LOCAL_WORKSPACE, *, title: str = "A film"
) -> TaskId:
    """A task of a workspace with one message that waits for its next step."""
    async with transaction(deps.pools.domain) as conn:
        await workspaces.ensure(conn, workspace_id, name="any", currency="USD")
    task_id, message_id = TaskId(new_id()), MessageId(new_id())
    async with work(deps, workspace_id) as tx:
        await messages.accept(
            tx, message_id=message_id, client_id=str(message_id), text=title, language="en"
        )
        await tasks.create(
            tx,
            task_id,
            kind="persistent",
            title=title,
            goal=title,
            language="en",
            brief={},
            source_message_id=message_id,
        )
        await intake.deliver(tx, task_id, message_id)
    return task_id


async def make_step(deps: Deps, task_id: TaskId) -> StepId:
    """An open step of a task, in a turn of its own."""
    step_id = StepId(new_id())
    async with work(deps, LOCAL_WORKSPACE) as tx:
        await leases.wake(tx.conn, ThreadId(task_id))
        lease = await leases.claim(
            tx.conn, ThreadId(task_id), lease_seconds=30, graph_version="test"
        )
        assert lease is not None
        await steps.record(
            tx,
            step_id,
            thread_id=ThreadId(task_id),
            turn_id=lease.turn_id,
            number=1,
            model="test",
            content="thinking",
            calls=[],
            usage={},
            prompt_sha256="",
            read_wake_seq=0,
            read_at=clock.utc_now(),
        )
    return step_id


async def make_question(
    deps: Deps,
    task_id: TaskId,
    workspace_id: WorkspaceId = LOCAL_WORKSPACE,
    *,
    kind: str = "plan",
    actions: tuple[str, ...] = ("approve", "reject"),
    **card: Any,
) -> ApprovalId:
    approval_id = ApprovalId(new_id())
    async with work(deps, workspace_id) as tx:
        await approvals.request(
            tx,
            approval_id,
            thread_id=ThreadId(task_id),
            task_id=task_id,
            kind=kind,
            title="May I?",
            body="It costs.",
            card=card,
            actions=list(actions),
            args_hash="hash",
            price_micros=1_500_000,
            maximum_micros=2_000_000,
        )
    return approval_id


async def make_object(
    deps: Deps,
    data: bytes,
    workspace_id: WorkspaceId = LOCAL_WORKSPACE,
    *,
    task_id: TaskId | None = None,
    name: str = "A picture",
    media_type: str | None = None,
) -> ObjectVersion:
    async with transaction(deps.pools.domain) as conn:
        await workspaces.ensure(conn, workspace_id, name="any", currency="USD")
    blob = await deps.blobs.put_bytes(data)
    async with work(deps, workspace_id) as tx:
        return await objects.create(
            tx,
            NewObject(
                kind="image",
                role="image",
                name=name,
                blob=blob,
                media_type=media_type or blob.media_type,
                author="user",
                cause=str(new_id()),
                task_id=task_id,
            ),
        )


async def add_version(deps: Deps, made: ObjectVersion, data: bytes) -> Blob:
    blob = await deps.blobs.put_bytes(data)
    async with work(deps, LOCAL_WORKSPACE) as tx:
        await objects.put_version(
            tx,
            objects.ObjectId(made.object_id),
            base_version=made.version,
            blob=blob,
            media_type=blob.media_type,
            author="user",
            cause=str(new_id()),
        )
    return blob


async def eventually(holds: Callable[[], Awaitable[bool]], *, seconds: float = 10) -> None:
    """Wait until something holds that another process or task brings about."""
    async with asyncio.timeout(seconds):
        while not await holds():  # noqa: ASYNC110 - what it waits for is elsewhere
            await asyncio.sleep(0.02)


def assert_problem(answer: httpx.Response, status: int, code: str) -> dict[str, Any]:
    """An answer that is a problem with a sentence for a person."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    body = answer.json()
    assert body["code"] == code
    assert body["status"] == status
    assert body["title"]
    assert body["type"].endswith(code)
    assert body["detail"][0].isupper() or body["detail"].split()[0].isascii()
    assert body["detail"].endswith(".")
    assert "Traceback" not in answer.text
    return body


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]
