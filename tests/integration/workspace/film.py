"""A film's rows in the tables: characters, keyframes that show them, shots, the master.

Only what propagation reads: objects with what they rest on, and the calls whose results they are.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID, uuid4

import psycopg
from psycopg.types.json import Jsonb

from execution import changes
from execution.tx import Tx
from infra.blobs import Blob
from infra.db.query import Conn
from infra.ids import ObjectId, TaskId, WorkspaceId
from workspace import objects, propagation
from workspace.objects import NewObject, ObjectVersion

type Step = tuple[str, str, int, list[str]]
type Used = tuple[ObjectVersion, dict[str, Any]]

CAST, FRAMES, SHOTS, FILM = "cast", "frames", "shots", "film"
STEPS: list[Step] = [
    (CAST, "characters", 2, []),
    (FRAMES, "keyframes", 3, [CAST]),
    (SHOTS, "shots", 3, [FRAMES]),
    (FILM, "master", 1, [SHOTS]),
]


def blob(content: str) -> Blob:
    return Blob(sha256=content.rjust(64, "0"), size=1, media_type="image/png")


@dataclass(kw_only=True)
class Books:
    """One open transaction in which rows are written as workers, executors and people do."""

    conn: Conn
    workspace_id: WorkspaceId
    made: int = 0

    @property
    def tx(self) -> Tx:
        return Tx(conn=self.conn, workspace_id=self.workspace_id, cause="test")

    async def task(self, steps: Sequence[Step] = STEPS) -> TaskId:
        """A task with an approved plan."""
        task_id, turn_id, step_id = TaskId(uuid4()), uuid4(), uuid4()
        given = {"task": task_id, "ws": self.workspace_id, "turn": turn_id, "step": step_id}
        given |= {"holder": uuid4(), "source": uuid4()}
        for statement in (
            "insert into threads (thread_id, workspace_id, kind) values (%(task)s, %(ws)s, 'task')",
            """
            insert into tasks (task_id, workspace_id, kind, title, goal, language,
                               source_message_id)
            values (%(task)s, %(ws)s, 'persistent', 'T', 'g', 'en', %(source)s)
            """,
            """
            insert into turns (turn_id, thread_id, workspace_id, number, generation, holder,
                               lease_expires_at, graph_version)
            values (%(turn)s, %(task)s, %(ws)s, 1, 1, %(holder)s, app_now(), '1')
            """,
            """
            insert into steps (step_id, workspace_id, thread_id, turn_id, number, model, content,
                               prompt_sha256, read_wake_seq)
            values (%(step)s, %(ws)s, %(task)s, %(turn)s, 1, 'm', '', '', 0)
            """,
        ):
            await self.conn.execute(statement, given)
        await self.version(task_id, 1, {}, steps=steps)
        return task_id

    async def version(
        self,
        task_id: TaskId,
        version: int,
        again: dict[str, list[int]],
        *,
        steps: Sequence[Step] = STEPS,
        kept: list[dict[str, Any]] | None = None,
    ) -> None:
        """An approved version of the plan that keeps all steps and makes some slots again."""
        await self.conn.execute(
            "update checklists set status = 'superseded' where task_id = %s", [task_id]
        )
        await self.conn.execute(
            """
            insert into checklists (task_id, version, workspace_id, title, summary, format, status,
                                    call_key, quote_micros, maximum_micros, revision)
            values (%s, %s, %s, 'T', '', '{}', 'approved', %s, 0, 0, %s)
            """,
            [task_id, version, self.workspace_id, f"p{version}", Jsonb({"kept": kept or []})],
        )
        for place, (key, kind, count, needs) in enumerate(steps):
            since = {str(number): version for number in again.get(key, [])}
            await self.conn.execute(
                """
                insert into checklist_items (task_id, version, key, workspace_id, position, title,
                                             kind, depends_on, expected_count, from_version,
                                             slot_versions)
                values (%s, %s, %s, %s, %s, %s, %s, %s, %s, 1, %s)
                """,
                [task_id, version, key, self.workspace_id, place, key, kind, needs, count,
                 Jsonb(since)],
            )  # fmt: skip

    async def result(
        self, task_id: TaskId, step: str, slot: int, *used: Used, version: int = 1, **meta: Any
    ) -> ObjectVersion:
        """A job's result that fills a slot, as an executor keeps it."""
        self.made += 1
        key = f"{task_id}/{uuid4()}"
        ((step_id,),) = await (
            await self.conn.execute("select step_id from steps where thread_id = %s", [task_id])
        ).fetchall()
        stored = await objects.create(
            self.tx,
            NewObject(
                kind="image",
                role=step,
                name=f"{step} {slot}",
                blob=blob(f"{self.made}{uuid4().hex}"),
                media_type="image/png",
                author="job",
                cause=key,
                task_id=task_id,
                step_key=step,
                slot=slot,
                meta=meta,
                inputs=[
                    {
                        "object_id": str(each.object_id),
                        "version": each.version,
                        "sha256": each.blob_sha256,
                        **part,
                    }
                    for each, part in used
                ],
            ),
        )
        await self.conn.execute(
            """
            insert into ledger (workspace_id, call_key, task_id, step_id, seq, tool, risk,
                                arguments, args_hash, tool_call_id, tool_message, plan_version,
                                step_key, slot, status, verdict, result, outcome)
            values (%s, %s, %s, %s, %s, 'make', 'paid', '{}', '', '', 'm', %s, %s, %s, 'settled',
                    'allow', %s, 'succeeded')
            """,
            [self.workspace_id, key, task_id, step_id, self.made, version, step, slot,
             Jsonb({"outputs": [objects.reference(stored)]})],
        )  # fmt: skip
        await propagation.slot_filled(self.tx, task_id, step, slot)
        return stored

    async def edit(self, stored: ObjectVersion, content: str) -> ObjectVersion:
        """A person puts something else in an object's place."""
        object_id = ObjectId(stored.object_id)
        head = await objects.get(self.conn, self.workspace_id, object_id)
        return await objects.put_version(
            self.tx,
            object_id,
            base_version=head.version,
            blob=blob(content),
            media_type="image/png",
            author="user",
            cause=f"edit {head.version}",
        )

    async def marked(self, task_id: TaskId, status: str = "pending") -> list[tuple[str, int]]:
        rows = await changes.of_task(self.conn, task_id)
        return [(row.step_key, row.slot) for row in rows if row.status == status]


@dataclass(frozen=True, kw_only=True)
class Made:
    """A finished film: the first and third keyframes show Anna, the second shows Ben."""

    task_id: TaskId
    anna: ObjectVersion
    ben: ObjectVersion
    frames: list[ObjectVersion]
    shots: list[ObjectVersion]
    film: ObjectVersion


async def make(books: Books) -> Made:
    task_id = await books.task()
    anna, ben = [await books.result(task_id, CAST, slot) for slot in (1, 2)]
    frames = [
        await books.result(task_id, FRAMES, slot, (who, {}))
        for slot, who in ((1, anna), (2, ben), (3, anna))
    ]
    shots = [
        await books.result(task_id, SHOTS, slot, (frame, {}), duration_s=2.0)
        for slot, frame in enumerate(frames, start=1)
    ]
    film = await books.result(task_id, FILM, 1, *[(shot, {}) for shot in shots])
    return Made(task_id=task_id, anna=anna, ben=ben, frames=frames, shots=shots, film=film)


@asynccontextmanager
async def open_books(database_url: str, workspace_id: UUID | None = None) -> AsyncGenerator[Books]:
    """Open a transaction, in a workspace of its own unless one is given; it commits at the end."""
    async with await psycopg.AsyncConnection.connect(database_url) as conn:
        found = WorkspaceId(workspace_id or uuid4())
        if workspace_id is None:
            await conn.execute(
                "insert into workspaces (workspace_id, name, currency) values (%s, 't', 'USD')",
                [found],
            )
        yield Books(conn=conn, workspace_id=found)
