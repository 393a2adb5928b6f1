"""Where a waiting thread's checkpoint says it goes on, against the nodes that there are.

Owns no table. After a deployment a thread may stand before a node that was renamed or removed;
LangGraph then drops what it waited for without a word. Our questions are rows and survive that, so
such a thread is woken once and finds its place from the tables. The node is read from the channels
`branch:to:<node>` that the checkpoint holds (langgraph 1.2: what a node's `goto` writes and its run
consumes).
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from uuid import UUID

from infra.db.query import Conn, fetch_all


@dataclass(frozen=True, slots=True, kw_only=True)
class Stray:
    """A thread that stands before a node which its graph does not have."""

    thread_id: UUID
    workspace_id: UUID
    kind: str
    node: str


async def strays(conn: Conn, nodes: Mapping[str, Collection[str]]) -> list[Stray]:
    """Return the threads whose newest checkpoint goes on at none of their graph's nodes.

    `nodes` holds the node names of each kind of thread.
    """
    return await fetch_all(
        conn,
        Stray,
        """
        select t.thread_id, t.workspace_id, t.kind, substr(channel, 11) as node
        from threads as t
        join checkpoints as c
            on c.thread_id = t.thread_id::text
           and c.checkpoint_ns = ''
           and c.checkpoint_id = t.head_checkpoint_id
        cross join jsonb_object_keys(c.checkpoint -> 'channel_values') as channel
        where channel like 'branch:to:%%'
          and not (t.kind || '/' || substr(channel, 11)) = any(%(nodes)s)
        order by t.thread_id
        """,
        {"nodes": [f"{kind}/{node}" for kind, names in nodes.items() for node in names]},
    )
