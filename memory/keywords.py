"""The keyword search: which tasks have a message's words, each word by how rare it is.

No word makes it read everything: a rare one brings in its tasks, of common ones two together do,
and the rest only add to the score of what was brought in.
"""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from infra.db.query import Conn
from infra.ids import WorkspaceId
from memory import task_index
from memory.lexemes import words
from memory.task_index import Match, any_of, scoped

MOST_WORDS = 40
EACH = 250
"""So many tasks of a word are looked at; a word that more tasks have is a common one."""
_PAIRED = 6
_OF_A_PAIR = 60
_BEST = 100
_RARITY = 3
"""How much more a rare word says: the power of its weight (measured, ADR 0012)."""


async def fitting(
    conn: Conn, workspace_id: WorkspaceId, text: str, *, also: Sequence[UUID], limit: int
) -> dict[UUID, float]:
    """Return the tasks that fit best and those of `also`, with a fit from 0 to 1."""
    said = [
        {scoped(workspace_id, lexeme): part for lexeme, part in word.lexemes}
        for word in words(text, most=MOST_WORDS)
    ]
    if not said:
        return {}
    rows = max(await task_index.size(conn), EACH)
    shares = await task_index.shares(conn, [lexeme for word in said for lexeme in word])
    common = {lexeme for lexeme, share in shares.items() if share * rows > EACH}
    rare = [[lexeme for lexeme in word if lexeme not in common] for word in said]
    found = await task_index.with_any(conn, workspace_id, [one for one in rare if one], each=EACH)
    counts: dict[str, float] = {lexeme: share * rows for lexeme, share in shares.items()}
    counts.update(_counted(found))
    weights: defaultdict[str, float] = defaultdict(float)
    for word in said:
        for lexeme, part in word.items():
            weights[lexeme] += part * math.log(1 + rows / max(counts.get(lexeme, 0), 1)) ** _RARITY
    fits = _scored(found, weights)
    if common:
        best = sorted(fits, key=lambda task_id: -fits[task_id])[:_BEST]
        more = await task_index.with_which(
            conn,
            workspace_id,
            sorted(common),
            task_ids=[*best, *also],
            queries=_pairs(said, shares, common),
            each=_OF_A_PAIR,
        )
        fits.update(_scored(more, weights, beside=fits))
    whole = sum(weights.values())
    kept = sorted(fits, key=lambda task_id: (-fits[task_id], task_id))[:limit]
    return {task_id: fits[task_id] / whole for task_id in {*kept, *also} if task_id in fits}


def _counted(found: Sequence[Match]) -> Counter[str]:
    return Counter(lexeme for match in found for lexeme in set(match.lexemes))


def _scored(
    found: Sequence[Match], weights: Mapping[str, float], *, beside: dict[UUID, float] | None = None
) -> dict[UUID, float]:
    before = beside or {}
    return {
        match.task_id: before.get(match.task_id, 0.0)
        + sum(weights[lexeme] for lexeme in set(match.lexemes))
        for match in found
    }


def _pairs(
    said: Sequence[dict[str, float]], shares: dict[str, float], common: set[str]
) -> list[str]:
    """Return queries for each two of the rarest common words."""
    words_of = [
        (max(shares[lexeme] for lexeme in shared), any_of(shared))
        for word in said
        if (shared := [lexeme for lexeme in word if lexeme in common])
    ]
    rarest = [query for _, query in sorted(words_of)[:_PAIRED]]
    return [f"({one}) & ({other})" for one, other in itertools.combinations(rarest, 2)]
