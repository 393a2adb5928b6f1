"""A database filled with the grammar's tasks, at once and past the owners: only a measurement may.

The rows are those that `tasks.create` and `task_index.refresh` would make, one transaction each.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

import numpy as np
from numpy.typing import NDArray
from psycopg import sql
from psycopg.types.json import Jsonb

from evals.candidates.corpus import Made
from execution import workspaces
from infra.db.pool import DomainPool, transaction
from infra.db.query import Conn
from infra.ids import WorkspaceId
from memory.task_index import describe, literal, scoped

WORKSPACE = WorkspaceId(UUID("00000000-0000-7000-8000-0000005ea2c4"))
OTHER = WorkspaceId(UUID("00000000-0000-7000-8000-0000005ea2c5"))
IN_PROGRESS = 30
_NEWEST = datetime(2026, 11, 1, tzinfo=UTC)
_APART = timedelta(minutes=3)
_COLUMNS = (
    "task_id", "workspace_id", "kind", "title", "goal", "language", "brief", "summary", "status",
    "source_message_id", "created_at", "updated_at",
)  # fmt: skip
_SLOW = ("task_index_embedding_idx", "task_index_words_idx")


async def fill(
    pool: DomainPool,
    tasks: Sequence[Made],
    vectors: NDArray[np.float16],
    *,
    workspace_id: WorkspaceId = WORKSPACE,
) -> None:
    """Put the tasks into the workspace, the last ones in progress, and take the statistics."""
    async with transaction(pool) as conn:
        await workspaces.ensure(conn, workspace_id, name="measured", currency="USD")
        await conn.execute("set local statement_timeout = 0")
        await conn.execute("set local transaction_timeout = 0")
        await conn.execute("set local maintenance_work_mem = '512MB'")
        # Built at once they are the same indexes, in a tenth of the time.
        cursor = await conn.execute(
            "select indexname, indexdef from pg_indexes where indexname = any(%s)", [list(_SLOW)]
        )
        indexes = await cursor.fetchall()
        for name, _ in indexes:
            await conn.execute(sql.SQL("drop index {}").format(sql.Identifier(name)))
        await _copy_all(conn, tasks, vectors, workspace_id)
        for _, definition in indexes:
            await conn.execute(definition)
    async with pool.connection() as conn:
        await conn.set_autocommit(True)
        await conn.execute("set statement_timeout = 0")
        for table in ("tasks", "task_index", "objects"):
            await conn.execute(sql.SQL("vacuum analyze {}").format(sql.Identifier(table)))
        await conn.execute("reset statement_timeout")
        await conn.set_autocommit(False)


async def _copy_all(
    conn: Conn, tasks: Sequence[Made], vectors: NDArray[np.float16], workspace_id: WorkspaceId
) -> None:
    count = len(tasks)
    await _copy(
        conn,
        "threads",
        ("thread_id", "workspace_id", "kind"),
        ((task.task_id, workspace_id, "task") for task in tasks),
    )
    await _copy(
        conn,
        "tasks",
        _COLUMNS,
        (_task(task, workspace_id, age=count - number) for number, task in enumerate(tasks)),
    )
    await _copy(
        conn,
        "objects",
        ("object_id", "workspace_id", "kind", "role", "name", "task_id", "head_version"),
        (
            (uuid5(task.task_id, name), workspace_id, "image", "picture", name, task.task_id, 1)
            for task in tasks
            for name in task.objects
        ),
    )
    await _copy(
        conn,
        "task_index",
        ("task_id", "workspace_id", "text", "words", "embedding", "is_embedded"),
        (_entry(task, vector, workspace_id) for task, vector in zip(tasks, vectors, strict=True)),
    )


def _task(task: Made, workspace_id: WorkspaceId, *, age: int) -> tuple[Any, ...]:
    """Return the row of the task that so many came after; the newest are in progress."""
    status, at = "active" if age <= IN_PROGRESS else "completed", _NEWEST - age * _APART
    told = (task.title, task.goal, task.language, Jsonb({}), task.summary, status)
    source = uuid5(workspace_id, str(task.task_id))
    return (task.task_id, workspace_id, "persistent", *told, source, at, at)


def _entry(task: Made, vector: NDArray[np.float16], workspace_id: WorkspaceId) -> tuple[Any, ...]:
    entry = describe(task.title, task.goal, task.summary, task.objects)
    words = " ".join(_quoted(scoped(workspace_id, lexeme)) for lexeme in entry.lexemes)
    number = vector.astype(np.float32)
    return (task.task_id, workspace_id, entry.text, words, literal(number), True)


def _quoted(lexeme: str) -> str:
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"


async def _copy(
    conn: Conn, table: str, columns: Sequence[str], rows: Iterable[tuple[Any, ...]]
) -> None:
    command = sql.SQL("copy {} ({}) from stdin").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    async with conn.cursor() as cursor, cursor.copy(command) as copy:
        for row in rows:
            await copy.write_row(row)
