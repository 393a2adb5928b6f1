"""Which beats make one film, in which order: opening, development, detail, turn, close.

Promises a beat for every shot, none twice, as near to the brief as the themes allow. The middle of a
film keeps the order in which its theme tells things, so that dough is kneaded before it is baked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from infra.providers.rehearsal.themes import universal
from infra.providers.rehearsal.themes.beats import Beat, Role, Theme
from infra.providers.rehearsal.themes.chance import draw
from infra.providers.rehearsal.themes.choice import Topic
from infra.providers.rehearsal.themes.hours import plays_at

_OWN = 6.0
"""How near lines of the brief's own words are: before all others that are true of anything."""
_FEW = 4
_MANY = 12
_VERY_MANY = 20
_MIDDLE: tuple[Role, ...] = ("development", "detail")


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A beat that may be told: where in the story it belongs and how well it suits the brief."""

    beat: Beat
    place: float
    worth: float
    is_general: bool = False
    """Whether its line is true of anything at all."""
    is_own: bool = False
    """Whether it is made of the brief's words, which are not to be said twice in one breath."""


def roles_of(count: int) -> list[Role]:
    """Return the part of every shot in the arc; the middle is all "development" here."""
    if count == 1:
        return ["opening"]
    turns = 0 if count < _FEW else 1 if count < _MANY else 2 if count < _VERY_MANY else 3
    closes = 1 if count < _MANY else 2
    middle = count - 1 - turns - closes
    roles: list[Role] = ["opening"]
    parts: tuple[tuple[Role, int], ...] = (
        ("development", middle),
        ("turn", turns),
        ("close", closes),
    )
    for role, many in parts:
        again: list[Role] = [role] * many
        roles += again
    return roles


def candidates(
    topic: Topic, moods: Sequence[str], seed: str, *, own: Sequence[Beat], hour: str | None
) -> list[Candidate]:
    """Return every beat that is true of the topic, the most fitting first.

    Args:
        topic: what the film is about.
        moods: of the brief.
        seed: of the brief.
        own: lines made of the brief's own words; they lead where no theme knows the subject.
        hour: the hour at which all of it plays, if the brief says so.
    """
    found: dict[int, Candidate] = {}
    sources: list[tuple[Theme, float]] = [(topic.primary, 3.0)]
    sources += [(theme, 1.4) for theme in topic.others]
    sources.append((universal.THEME, 0.0))
    listed = [(theme.key, theme.beats, nearness) for theme, nearness in sources]
    listed.append(("own", tuple(own), _OWN if topic.primary is universal.THEME else 0.6))
    for key, beats, nearness in listed:
        for index, beat in enumerate(beats):
            if hour is not None and not plays_at(beat, hour):
                continue
            only = set(beat.only.split())
            if (only and not only & topic.tags) or set(beat.never.split()) & topic.tags:
                continue
            worth = nearness + 1.5 * bool(only) + 0.8 * bool(set(beat.mood.split()) & set(moods))
            worth += 1.6 * draw(seed, key, index)
            place = index / len(beats)
            is_general = key == universal.THEME.key
            found.setdefault(
                id(beat),
                Candidate(
                    beat=beat,
                    place=place,
                    worth=worth,
                    is_general=is_general,
                    is_own=key == "own",
                ),
            )
    return sorted(found.values(), key=lambda candidate: -candidate.worth)


def choose(pool: Sequence[Candidate], count: int) -> list[Candidate]:
    """Return the candidates of a film of so many shots, in the order of the story."""
    roles = roles_of(count)
    chosen: list[Candidate] = []
    chosen += _best(pool, ("opening",), 1, chosen)
    middle = roles.count("development")
    details = list(_best(pool, ("detail",), middle // 2, chosen))
    rest = _best(pool, ("development",), middle - len(details), [*chosen, *details])
    centre = sorted([*details, *rest], key=lambda candidate: candidate.place)
    chosen += centre
    for role in ("turn", "close"):
        chosen += _in_order(_best(pool, (role,), roles.count(role), chosen))
    missing = count - len(chosen)
    spare = _best(pool, ("development", "detail", "turn", "close"), missing, chosen)
    chosen = [*chosen[:1], *spare, *chosen[1:]]
    # A film of more shots than there are ideas shows some again; the teller leaves those silent.
    again = [pool[number % len(pool)] for number in range(count - len(chosen))]
    return [*chosen[:-1], *again, *chosen[-1:]]


def _best(
    pool: Sequence[Candidate], roles: Sequence[Role], count: int, taken: Sequence[Candidate]
) -> list[Candidate]:
    free = [one for one in pool if one.beat.role in roles and one not in taken]
    return free[: max(count, 0)]


def _in_order(some: Sequence[Candidate]) -> list[Candidate]:
    return sorted(some, key=lambda candidate: candidate.place)
