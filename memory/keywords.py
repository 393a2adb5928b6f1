"""The keyword search: which tasks have a message's words, each word by how rare it is.

No word makes it read everything: a rare one brings in its tasks, of common ones two together do
or the only one a few, and the rest only add to the score of what was brought in. A word that no
task has is taken for a slip of the finger: words one slip away count too. Words of grammar and of
asking say next to nothing, however rare they are among the tasks.
"""

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from infra.db.query import Conn
from infra.ids import WorkspaceId
from memory import task_index
from memory.filler import is_filler
from memory.lexemes import words
from memory.slips import one_slip_away
from memory.task_index import Match, Size, any_of, scoped

MOST_WORDS = 40
EACH = 250
"""So many tasks of a word are looked at; a word that more tasks have is a common one."""
_PAIRED = 6
_OF_A_PAIR = 60
_BEST = 100
_SLIPPED = 8
"""So many unknown words are looked for in other spellings."""
_RARITY = 3
"""How much more a rare word says: the power of its weight (measured, ADR 0012)."""
_FILLER = 0.1
_NEARLY = 0.4
"""What a word of grammar, and what one that is a slip away, says of what it would say else."""


@dataclass(slots=True)
class _Said:
    """A word of the message: its lexemes as in the index, with how much each says."""

    lexemes: dict[str, float]
    spelled: str
    is_filler: bool
    nearly: list[str] = field(default_factory=list[str])
    """What tasks have one slip away from it, if none has the word."""

    @property
    def strict(self) -> list[str]:
        """The word and its stem, or what it was meant to be."""
        return self.nearly or list(self.lexemes)[:2]


@dataclass(slots=True)
class _Counts:
    """How many tasks have a lexeme, as far as it is known; the common ones by the statistics."""

    size: Size
    of: dict[str, float] = field(default_factory=dict[str, float])
    common: set[str] = field(default_factory=set[str])

    async def add_common(self, conn: Conn, lexemes: Sequence[str]) -> None:
        for lexeme, share in (await task_index.shares(conn, lexemes)).items():
            self.of[lexeme] = share * self.size.every
            if self.of[lexeme] > EACH:
                self.common.add(lexeme)

    def add_found(self, found: Sequence[Match]) -> None:
        self.of.update(Counter(lexeme for match in found for lexeme in set(match.lexemes)))

    def add_cut_off(self, found: Sequence[Match], asked: Sequence[Sequence[str]]) -> None:
        """Note the words that more tasks have than were looked at: they are common too.

        The statistics list only so many; a word beyond them may still be one of very many tasks.
        """
        each = [set(match.lexemes) for match in found]
        for lexemes in asked:
            if sum(not has.isdisjoint(lexemes) for has in each) >= EACH:
                self.common.update(lexemes)
                self.of.update({one: max(self.of.get(one, 0), EACH) for one in lexemes})

    def rarity(self, lexeme: str) -> float:
        """Return what it says that a task has this lexeme; among few tasks nothing is common."""
        tasks = max(self.size.own, EACH)
        return math.log(1 + tasks / max(self.of.get(lexeme, 0), 1)) ** _RARITY


async def fitting(
    conn: Conn,
    workspace_id: WorkspaceId,
    text: str,
    size: Size,
    *,
    also: Sequence[UUID],
    limit: int,
) -> dict[UUID, float]:
    """Return the tasks that fit best and those of `also`, with a fit from 0 to 1."""
    said = [
        _Said(
            lexemes={scoped(workspace_id, lexeme): part for lexeme, part in word.lexemes},
            spelled=word.lexemes[0][0],
            is_filler=is_filler(word.lexemes[0][0]),
        )
        for word in words(text, most=MOST_WORDS)
    ]
    if not said:
        return {}
    counts = _Counts(size)
    await counts.add_common(conn, [lexeme for word in said for lexeme in word.lexemes])
    rare = [[lexeme for lexeme in word.lexemes if lexeme not in counts.common] for word in said]
    found = await task_index.with_any(conn, workspace_id, [one for one in rare if one], each=EACH)
    counts.add_found(found)
    counts.add_cut_off(found, rare)
    nearly = await _nearly(conn, workspace_id, said, counts)
    weights, whole = _weights(said, counts)
    has: defaultdict[UUID, set[str]] = defaultdict(set)
    _add(has, [*found, *nearly])
    if counts.common:
        best = _fits(has, weights)
        more = await task_index.with_which(
            conn,
            workspace_id,
            sorted(counts.common),
            task_ids=[*sorted(best, key=lambda task_id: -best[task_id])[:_BEST], *also],
            queries=_together(said, counts),
            each=_OF_A_PAIR,
        )
        _add(has, more)
    fits = _fits(has, weights)
    kept = sorted(fits, key=lambda task_id: (-fits[task_id], task_id))[:limit]
    return {task_id: fits[task_id] / whole for task_id in {*kept, *also} if task_id in fits}


async def _nearly(
    conn: Conn, workspace_id: WorkspaceId, said: Sequence[_Said], counts: _Counts
) -> list[Match]:
    """Return the tasks that have a word one slip away from an unknown one; note which these are."""
    unknown = [
        (word, slips)
        for word in said
        if not word.is_filler
        and not counts.of.get(word.strict[0])
        and (slips := one_slip_away(word.spelled))
    ]
    as_said = {lexeme for word in said for lexeme in word.lexemes}
    near = [
        (word, {scoped(workspace_id, other) for other in slips} - as_said)
        for word, slips in unknown[:_SLIPPED]
    ]
    lexemes = sorted({other for _, others in near for other in others})
    if not lexemes:
        return []
    await counts.add_common(conn, lexemes)
    rare = [sorted(others - counts.common) for _, others in near]
    found = await task_index.with_near(conn, workspace_id, [one for one in rare if one], each=EACH)
    counts.add_found(found)
    counts.add_cut_off(found, rare)
    for word, others in near:
        word.nearly = sorted(other for other in others if counts.of.get(other))
    return found


def _weights(said: Sequence[_Said], counts: _Counts) -> tuple[dict[str, float], float]:
    """Return what each lexeme says, and what all that was said says together."""
    weights: defaultdict[str, float] = defaultdict(float)
    for word in said:
        part_of_all = _FILLER if word.is_filler else 1.0
        for lexeme, part in word.lexemes.items():
            weights[lexeme] += part_of_all * part * counts.rarity(lexeme)
    whole = sum(weights.values())
    for word in said:
        for lexeme in word.nearly:
            weights[lexeme] = max(weights[lexeme], _NEARLY * counts.rarity(lexeme))
    return weights, whole


def _add(has: defaultdict[UUID, set[str]], found: Sequence[Match]) -> None:
    for match in found:
        has[match.task_id].update(match.lexemes)


def _fits(has: Mapping[UUID, set[str]], weights: Mapping[str, float]) -> dict[UUID, float]:
    return {task_id: math.fsum(weights[one] for one in lexemes) for task_id, lexemes in has.items()}


def _together(said: Sequence[_Said], counts: _Counts) -> list[str]:
    """Return queries for each two of the rarest common words, or for the only one."""
    common: list[tuple[bool, float, str]] = []
    for word in said:
        strict = [lexeme for lexeme in word.strict if lexeme in counts.common]
        shared = strict or [lexeme for lexeme in word.lexemes if lexeme in counts.common]
        if shared:
            often = max(counts.of[lexeme] for lexeme in shared)
            common.append((word.is_filler, often, any_of(shared)))
    rarest = [query for *_, query in sorted(common)[:_PAIRED]]
    pairs = [f"({one}) & ({other})" for one, other in itertools.combinations(rarest, 2)]
    return pairs or rarest
