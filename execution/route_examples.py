"""What people corrected about where their messages went, as examples for the router.

Owns `route_examples`. One row per message: its newest correction. They are data of one workspace
and are shown to its own router only, a handful at a time, each cut to a few words.
"""

from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from execution.tx import Tx
from infra.db.query import Conn, execute, fetch_all
from infra.ids import MessageId, WorkspaceId

type How = Literal["moved", "split_off", "merged", "chosen"]

_WORDS = 200
_TITLE = 80
SOMETHING_NEW = "something new"


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """A correction, in words."""

    message_id: UUID
    how: How
    words: str
    proposed: str
    belongs_to: str


async def remember(
    tx: Tx, message_id: MessageId, *, how: How, words: str, proposed: str, belongs_to: str
) -> None:
    """Keep a correction; the same message's earlier one gives way to it."""
    await execute(
        tx.conn,
        """
        insert into route_examples (message_id, workspace_id, how, words, proposed, belongs_to)
        values (%(message_id)s, %(workspace_id)s, %(how)s, %(words)s, %(proposed)s, %(belongs_to)s)
        on conflict (message_id) do update
        set how = excluded.how, words = excluded.words, proposed = excluded.proposed,
            belongs_to = excluded.belongs_to, created_at = excluded.created_at
        """,
        {
            "message_id": message_id,
            "workspace_id": tx.workspace_id,
            "how": how,
            "words": words[:_WORDS],
            "proposed": proposed[:_TITLE],
            "belongs_to": belongs_to[:_TITLE],
        },
    )


async def recent(conn: Conn, workspace_id: WorkspaceId, *, limit: int) -> list[Example]:
    """Return the newest corrections of a workspace, newest first."""
    return await fetch_all(
        conn,
        Example,
        """
        select message_id, how, words, proposed, belongs_to
        from route_examples
        where workspace_id = %(workspace_id)s
        order by created_at desc, message_id
        limit %(limit)s
        """,
        {"workspace_id": workspace_id, "limit": limit},
    )
