"""Which corrections are worth showing with a message: those that share its rarer words."""

import math
from collections import Counter
from collections.abc import Iterator

from execution import route_examples
from execution.route_examples import Example
from infra.db.query import Conn
from infra.ids import WorkspaceId
from memory.lexemes import lexemes, words

MAX_EXAMPLES = 5
WEIGHED = 200
"""So many of a workspace's newest corrections are compared with a message."""
_TEXT = 600


async def nearest(conn: Conn, workspace_id: WorkspaceId, text: str) -> list[Example]:
    """Return a few corrections of a workspace: the nearest to the text, then the newest."""
    newest = await route_examples.recent(conn, workspace_id, limit=WEIGHED)
    said = set(lexemes(text[:_TEXT]))
    had = [dict(_parts(item.words)) for item in newest]
    common = Counter(lexeme for parts in had for lexeme in parts)
    nearness = [
        sum(parts[lexeme] * math.log1p(len(had) / common[lexeme]) for lexeme in parts.keys() & said)
        for parts in had
    ]
    order = sorted(range(len(newest)), key=lambda place: -nearness[place])
    return [newest[place] for place in order[:MAX_EXAMPLES]]


def _parts(text: str) -> Iterator[tuple[str, float]]:
    for word in words(text):
        yield from word.lexemes
