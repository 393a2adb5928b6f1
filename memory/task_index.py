"""The index in which tasks are found by what is said of them.

Owns `task_index`: for each task that is not archived the words and the meaning of its title, goal,
summary and the names of its objects. `refresh` is called by code in the transaction that ends a
turn of the task; the meaning follows in a sweep, and until then the words are enough. Everything
that is shown of a task is read from `tasks`, so this may be late but never wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import LiteralString
from uuid import UUID

from execution import tasks
from execution.errors import NotFoundError
from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all, fetch_value
from infra.ids import TaskId, WorkspaceId
from infra.providers.embedding import MOST_CHARACTERS, Vector
from memory.lexemes import lexemes
from workspace import objects

MOST_NAMES = 30
SMALL = 2000
"""So few tasks of a workspace are all compared with a meaning: that is exact, and as fast."""
_GOAL = 1000
_NAME = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Pending:
    """A row whose text has no embedding yet."""

    task_id: UUID
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Unindexed:
    """A task that has no row here yet."""

    task_id: UUID
    workspace_id: UUID


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A task that a search found, and how well."""

    task_id: UUID
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """How many rows there are, of all workspaces and of one's own."""

    every: int
    own: int

    @property
    def is_small(self) -> bool:
        """Tell whether all rows of the workspace can be looked at."""
        return self.own <= SMALL


@dataclass(frozen=True, slots=True)
class Entry:
    """What is searched in of one task: a text for the embedder, lexemes for the words."""

    text: str
    lexemes: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A task, and those of the lexemes asked for that it has."""

    task_id: UUID
    lexemes: list[str]


def describe(title: str, goal: str, summary: str, names: Sequence[str]) -> Entry:
    """Return what the index holds of a task so described, bounded in size."""
    named = " · ".join(dict.fromkeys(name[:_NAME] for name in names))
    parts = (title, goal[:_GOAL], summary[:_GOAL], named)
    return Entry(
        text="\n".join(part for part in parts if part.strip())[:MOST_CHARACTERS],
        lexemes=lexemes(title, named, goal[:_GOAL], summary[:_GOAL]),
    )


def scoped(workspace_id: WorkspaceId, lexeme: str) -> str:
    """Return the lexeme as it stands in the index: another workspace's is another lexeme."""
    return f"{workspace_id.hex[-6:]}{lexeme}"


async def refresh(tx: Tx, task_id: TaskId) -> None:
    """Bring the task's row up to date with its task and objects; an archived task has none."""
    try:
        task = await tasks.get(tx.conn, tx.workspace_id, task_id)
    except NotFoundError:
        return
    if task.archived_at is not None:
        await execute(
            tx.conn, "delete from task_index where task_id = %(task_id)s", {"task_id": task_id}
        )
        return
    made = await objects.names(tx.conn, tx.workspace_id, [task_id], limit=MOST_NAMES)
    entry = describe(task.title, task.goal, task.summary, [item.name for item in made])
    await execute(
        tx.conn,
        """
        insert into task_index (task_id, workspace_id, text, words)
        values (%(task_id)s, %(workspace_id)s, %(text)s, array_to_tsvector(%(words)s::text[]))
        on conflict (task_id) do update
        set text = excluded.text, words = excluded.words, changed_at = app_now(),
            is_embedded = task_index.is_embedded and task_index.text = excluded.text
        where (task_index.text, task_index.words) is distinct from (excluded.text, excluded.words)
        """,
        {
            "task_id": task_id,
            "workspace_id": tx.workspace_id,
            "text": entry.text,
            "words": [scoped(tx.workspace_id, lexeme) for lexeme in entry.lexemes],
        },
    )


async def texts(conn: Conn, workspace_id: WorkspaceId, task_ids: Sequence[UUID]) -> dict[UUID, str]:
    """Return the text of each of these tasks by which its meaning is compared."""
    found = await fetch_all(
        conn,
        Pending,
        """
        select task_id, text
        from task_index
        where workspace_id = %(workspace_id)s
          and task_id = any(%(task_ids)s)
        """,
        {"workspace_id": workspace_id, "task_ids": list(task_ids)},
    )
    return {one.task_id: one.text for one in found}


async def unindexed(conn: Conn, *, limit: int) -> list[Unindexed]:
    """Return tasks of any workspace that have no row yet: those from before the index."""
    return await fetch_all(
        conn,
        Unindexed,
        """
        select t.task_id, t.workspace_id
        from tasks as t
        where t.archived_at is null
          and not exists (select 1 from task_index as i where i.task_id = t.task_id)
        limit %(limit)s
        """,
        {"limit": limit},
    )


async def is_empty(conn: Conn) -> bool:
    """Tell whether there is no row, of any workspace."""
    return await fetch_value(conn, "select not exists (select 1 from task_index)", {})


async def to_embed(conn: Conn, *, limit: int) -> list[Pending]:
    """Return rows of any workspace whose text has no embedding yet, the newest first."""
    return await fetch_all(
        conn,
        Pending,
        """
        select task_id, text
        from task_index
        where not is_embedded
        order by changed_at desc
        limit %(limit)s
        """,
        {"limit": limit},
    )


async def set_embeddings(conn: Conn, found: Sequence[tuple[Pending, Vector]]) -> None:
    """Keep the embeddings of texts that are still the rows'."""
    await execute(
        conn,
        """
        with free as (
            select task_id
            from task_index
            where task_id = any(%(task_ids)s)
            order by task_id
            for no key update skip locked
        )
        update task_index as i
        set embedding = n.embedding::halfvec, is_embedded = true
        from free, unnest(%(task_ids)s::uuid[], %(texts)s::text[], %(embeddings)s::text[])
             as n (task_id, text, embedding)
        where i.task_id = free.task_id
          and n.task_id = free.task_id
          and i.text = n.text
        """,
        {
            "task_ids": [pending.task_id for pending, _ in found],
            "texts": [pending.text for pending, _ in found],
            "embeddings": [literal(vector) for _, vector in found],
        },
    )


def literal(vector: Vector) -> str:
    """Return the vector as pgvector reads it."""
    return "[" + ",".join(["%.4f"] * len(vector)) % tuple(vector.tolist()) + "]"


async def shares(conn: Conn, found: Sequence[str]) -> dict[str, float]:
    """Return which part of all rows has a lexeme, for those that are common; by the statistics."""
    cursor = await conn.execute(
        """
        select word, share
        from pg_stats as s,
             unnest(s.most_common_elems::text::text[],
                    s.most_common_elem_freqs[:cardinality(s.most_common_elems::text::text[])])
             as w (word, share)
        where s.schemaname = current_schema
          and s.tablename = 'task_index'
          and s.attname = 'words'
          and word = any(%(found)s)
        """,
        {"found": list(found)},
    )
    return dict(await cursor.fetchall())


async def size(conn: Conn, workspace_id: WorkspaceId) -> Size:
    """Return about how many rows there are; of a small workspace exactly."""
    cursor = await conn.execute(
        """
        select (select greatest(reltuples, 0)::int
                from pg_class
                where oid = 'task_index'::regclass) as every,
               (select count(*)
                from (select 1
                      from task_index
                      where workspace_id = %(workspace_id)s
                      limit %(limit)s) as counted) as counted,
               (select share
                from pg_stats as s,
                     unnest(s.most_common_vals::text::text[], s.most_common_freqs)
                     as w (workspace_id, share)
                where s.schemaname = current_schema
                  and s.tablename = 'task_index'
                  and s.attname = 'workspace_id'
                  and w.workspace_id = %(workspace_id)s::text) as share
        """,
        {"workspace_id": workspace_id, "limit": SMALL + 1},
    )
    (row,) = await cursor.fetchall()
    every, counted, share = row
    own = counted if counted <= SMALL else max(counted, round(every * (share or 0.0)))
    return Size(every=max(every, own), own=own)


async def with_any(
    conn: Conn, workspace_id: WorkspaceId, found: Sequence[Sequence[str]], *, each: int
) -> list[Match]:
    """Return the tasks that have any lexeme of any of the words, and which.

    Of each word at most `each` tasks are looked at, so no word makes it read everything.
    """
    return await fetch_all(
        conn,
        Match,
        """
        with found as materialized (
            select w.word, i.task_id, i.words
            from unnest(%(queries)s::text[]) with ordinality as w (query, word)
            cross join lateral (
                select task_id, words
                from task_index
                where words @@ w.query::tsquery
                  and workspace_id = %(workspace_id)s
                limit %(each)s
            ) as i
        )
        select i.task_id, array_agg(l.lexeme) as lexemes
        from found as i
        join unnest(%(lexemes)s::text[], %(exact)s::tsquery[], %(of)s::int[])
             as l (lexeme, exact, word)
             on l.word = i.word and i.words @@ l.exact
        group by i.task_id
        """,
        {
            "workspace_id": workspace_id,
            "queries": [any_of(word) for word in found],
            "lexemes": [lexeme for word in found for lexeme in word],
            "exact": [quoted(lexeme) for word in found for lexeme in word],
            "of": [number for number, word in enumerate(found, start=1) for _ in word],
            "each": each,
        },
    )


async def with_near(
    conn: Conn, workspace_id: WorkspaceId, found: Sequence[Sequence[str]], *, each: int
) -> list[Match]:
    """Return the same as `with_any`, for many lexemes of which tasks have very few."""
    return await fetch_all(
        conn,
        Match,
        """
        with found as materialized (
            select i.task_id, i.words
            from unnest(%(queries)s::text[]) as w (query)
            cross join lateral (
                select task_id, words
                from task_index
                where words @@ w.query::tsquery
                  and workspace_id = %(workspace_id)s
                limit %(each)s
            ) as i
        )
        select distinct on (i.task_id)
               i.task_id,
               array(
                   select l.lexeme from unnest(i.words) as l where l.lexeme = any(%(lexemes)s)
               ) as lexemes
        from found as i
        """,
        {
            "workspace_id": workspace_id,
            "queries": [any_of(word) for word in found],
            "lexemes": [lexeme for word in found for lexeme in word],
            "each": each,
        },
    )


async def with_which(
    conn: Conn,
    workspace_id: WorkspaceId,
    found: Sequence[str],
    *,
    task_ids: Sequence[UUID],
    queries: Sequence[str],
    each: int,
) -> list[Match]:
    """Return which of the lexemes these tasks have, and at most `each` tasks of each query."""
    return await fetch_all(
        conn,
        Match,
        """
        with among as materialized (
            select task_id, words
            from task_index
            where task_id = any(%(task_ids)s)
              and workspace_id = %(workspace_id)s
            union
            select i.task_id, i.words
            from unnest(%(queries)s::text[]) as w (query)
            cross join lateral (
                select task_id, words
                from task_index
                where words @@ w.query::tsquery
                  and workspace_id = %(workspace_id)s
                limit %(each)s
            ) as i
        )
        select a.task_id,
               array(
                   select l.lexeme
                   from unnest(%(lexemes)s::text[], %(exact)s::tsquery[]) as l (lexeme, exact)
                   where a.words @@ l.exact
               ) as lexemes
        from among as a
        """,
        {
            "workspace_id": workspace_id,
            "task_ids": list(task_ids),
            "queries": list(queries),
            "lexemes": list(found),
            "exact": [quoted(lexeme) for lexeme in found],
            "each": each,
        },
    )


def any_of(found: Sequence[str]) -> str:
    """Return the query of tasks that have any of the lexemes."""
    return " | ".join(quoted(lexeme) for lexeme in found)


def quoted(lexeme: str) -> str:
    """Return a lexeme as a query that is nothing but this lexeme."""
    return "'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'"


async def by_meaning(
    conn: Conn, workspace_id: WorkspaceId, vector: Vector, *, size: Size, limit: int
) -> list[Hit]:
    """Return the tasks whose meaning is nearest, with their similarity.

    Among very many tasks of others the graph of neighbours hardly meets those of a small
    workspace, so these are all compared.
    """
    said = {"workspace_id": workspace_id, "vector": literal(vector), "limit": limit}
    if size.is_small:
        return await fetch_all(conn, Hit, _NEAREST_OF_ALL, said)
    await conn.execute(
        """
        select set_config('hnsw.iterative_scan', 'relaxed_order', true),
               set_config('hnsw.ef_search', '100', true),
               set_config('hnsw.max_scan_tuples', '20000', true)
        """
    )
    return await fetch_all(conn, Hit, _NEAREST, said)


_NEAREST: LiteralString = """
select task_id, 1 - (embedding <=> %(vector)s::halfvec) as score
from task_index
where workspace_id = %(workspace_id)s
  and embedding is not null
order by embedding <=> %(vector)s::halfvec
limit %(limit)s
"""
_NEAREST_OF_ALL: LiteralString = """
select task_id, 1 - distance as score
from (select task_id, embedding <=> %(vector)s::halfvec as distance
      from task_index
      where workspace_id = %(workspace_id)s
        and embedding is not null
      offset 0) as compared
order by distance
limit %(limit)s
"""
"""`offset 0` keeps the graph out of it."""


async def similarities(
    conn: Conn, workspace_id: WorkspaceId, task_ids: Sequence[UUID], vector: Vector
) -> dict[UUID, float]:
    """Return how near in meaning each of these tasks is, as far as they have an embedding."""
    found = await fetch_all(
        conn,
        Hit,
        """
        select task_id, 1 - (embedding <=> %(vector)s::halfvec) as score
        from task_index
        where workspace_id = %(workspace_id)s
          and task_id = any(%(task_ids)s)
          and embedding is not null
        """,
        {
            "workspace_id": workspace_id,
            "task_ids": list(task_ids),
            "vector": literal(vector),
        },
    )
    return {hit.task_id: hit.score for hit in found}
