"""Reads what a person said about a work into a wish: what kind, about what, how long, how shown.

Later words override earlier ones; a wish is a pure function of what was said. What cannot be met is
cut to the most that is possible and noted, so that it can be said.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, assert_never

from infra.providers.rehearsal import changes, looks, utterance
from infra.providers.rehearsal.lexicon import (
    SPEAKS,
    base,
    clip,
    has,
    is_unspaced,
    language_of,
    pattern,
    speak_language,
)
from infra.providers.rehearsal.limits import Limit
from infra.providers.rehearsal.script_types import Brief
from infra.providers.rehearsal.titles import title_from
from infra.providers.rehearsal.utterance import Said, read

type WorkKind = Literal["film", "posters", "image", "narration", "music", "document", "model3d"]

DEFAULT_SECONDS = 24.0
LONGEST_SECONDS = 600.0
SHORTEST_SECONDS = 2.0
SECONDS_PER_SHOT = 4.5
MOST_RESULTS = 60
FEWEST_SHOTS, MOST_SHOTS = 3, 24
LONGEST_SHOT_SECONDS = 60.0
DEFAULT_SERIES = 4
FPS = 24
PORTRAIT = (960, 1280)
_MUSIC_SECONDS = 30.0
_FASTEST_SECONDS = 2.0
"""How long a shot is at least where the person names only their number."""
_MOODS = 3
_WRITTEN = frozenset({"lettering", "titles", "words"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A wish that could not be met: what was asked for and what there will be."""

    about: Literal["length", "count", "language", "resolution", "machine", "senses", "past"]
    asked: str
    given: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """A work as the person wants it."""

    kind: WorkKind
    brief: Brief
    count: int
    is_poster: bool
    title: str
    lettering: str
    """Words that are to stand in the picture."""
    text: str
    """Words that are to be spoken, if the person gave them."""
    absent: frozenset[str]
    """What is left out: narration, music, captions, and `lettering` in the pictures."""
    extras: tuple[str, ...]
    """Wishes in free words."""
    remake: int
    """How often it was to be done again."""
    notes: tuple[Note, ...]


@dataclass(slots=True, kw_only=True)
class _Draft:
    kind: WorkKind | None = None
    subject: str = ""
    subject_text: str = ""
    count: int | None = None
    is_poster: bool = False
    is_square: bool = False
    seconds: float | None = None
    shots: int | None = None
    shot_seconds: float | None = None
    size: tuple[int, int] | None = None
    fps: int = FPS
    language: str | None = None
    moods: tuple[str, ...] = ()
    style: str = ""
    palette: tuple[str, ...] = ()
    title: str = ""
    lettering: str = ""
    text: str = ""
    absent: frozenset[str] = frozenset()
    extras: tuple[str, ...] = ()
    remake: int = 0
    words: tuple[str, ...] = ()
    limits: tuple[Limit, ...] = ()


def read_wish(said: Sequence[str], language: str, *, goal: str = "") -> Wish:
    """Return the wish in a person's words.

    Args:
        said: everything the person said about the work, the newest last.
        language: of the conversation; the work's own unless another is asked for.
        goal: the task's goal, which says what the words leave open.
    """
    draft = _Draft()
    for text in changes.standing(said, lambda text: utterance.tone(text) is None):
        tone = utterance.tone(text)
        names_subject = not draft.subject and tone == "unclear"
        if tone is None or draft.kind is None or names_subject:
            _take(draft, read(text))
    if goal and (not draft.subject or draft.kind is None):
        _fill(draft, read(goal))
    return _wish(draft, language)


def kind_of(text: str) -> WorkKind | None:
    """Return what kind of work a text asks for, None if it names none."""
    return _kind(read(text))


def _kind(said: Said) -> WorkKind | None:
    if said.head is None:
        return None
    match said.head.kind:
        case "image":
            many = said.count is not None and said.count > 1
            return "posters" if many or (said.count is None and said.is_series) else "image"
        case "film" | "narration" | "music" | "document" | "model3d":
            return said.head.kind
    assert_never(said.head.kind)


def _fill(draft: _Draft, goal: Said) -> None:
    """Take from a goal only what the person's own words left open."""
    if draft.kind is None:
        _take(draft, goal)
    elif goal.subject:
        draft.subject, draft.subject_text = goal.subject, goal.text
        draft.words = (*draft.words, goal.text)


def _take(draft: _Draft, said: Said) -> None:
    is_first = draft.kind is None and not draft.subject
    becomes = False
    kind = _kind(said)
    if kind is not None and (
        draft.kind is None or (_is_other(said) and _may_become(draft, kind, said))
    ):
        becomes = draft.kind is not None
        draft.kind = kind
        draft.is_poster = said.is_poster
        draft.is_square = said.is_square
    _take_subject(draft, said, is_first=is_first)
    _take_time(draft, said)
    _take_look(draft, said)
    _take_rest(draft, said, is_first=is_first)
    if not is_first and not becomes:
        _take_remark(draft, said)


def _is_other(said: Said) -> bool:
    """Whether the kind is named as another one: `a film`, `three posters instead`."""
    return said.is_new or (said.count is not None and has("change.instead", said.folded))


def _may_become(draft: _Draft, kind: WorkKind, said: Said) -> bool:
    """A picture may grow into a film; a film becomes something else only if that is said.

    What is added to a work does not replace it, nor do music and narration replace the film that
    they belong to, unless it is named: `a song instead of the film`.
    """
    if said.adds or (draft.kind == "film" and kind in ("music", "narration") and not said.is_film):
        return False
    grows = draft.kind in ("image", "posters") and kind in ("film", "image", "posters")
    return kind != draft.kind and (grows or has("change.other", said.folded))


def _take_subject(draft: _Draft, said: Said, *, is_first: bool) -> None:
    if is_first or not draft.subject:
        draft.subject = said.subject
        draft.subject_text = said.text
        draft.words = (*draft.words, said.text)
    elif said.replaces_subject:
        draft.subject, draft.subject_text = said.subject, said.text
        draft.words = (*draft.words, said.text)


def _take_time(draft: _Draft, said: Said) -> None:
    now = draft.seconds or DEFAULT_SECONDS
    if said.seconds is not None:
        draft.seconds = said.seconds
    elif said.seconds_delta or said.factor != 1:
        draft.seconds = max(SHORTEST_SECONDS, round(now * said.factor + said.seconds_delta))
    if said.shots is not None:
        draft.shots = said.shots
    elif said.shots_factor != 1:
        shots = draft.shots or _default_shots(draft.seconds or DEFAULT_SECONDS)
        draft.shots = max(min(FEWEST_SHOTS, shots), round(shots * said.shots_factor))
    elif said.seconds is not None and not draft.words:
        draft.shots = None
    draft.shot_seconds = said.shot_seconds or draft.shot_seconds
    if said.is_cheaper and said.seconds is None:
        draft.seconds = max(SHORTEST_SECONDS, round(now * 0.75))
        shots = draft.shots or _default_shots(now)
        draft.shots = max(min(FEWEST_SHOTS, shots), round(shots * 0.6))
        draft.count = max(1, round((draft.count or DEFAULT_SERIES) * 0.6))


def _take_look(draft: _Draft, said: Said) -> None:
    if said.is_of_one_shot:
        return
    if said.moods.wanted or said.moods.unwanted:
        away = {*said.moods.unwanted, *map(looks.opposite, said.moods.wanted)}
        kept = [mood for mood in draft.moods if mood not in away]
        merged = list(dict.fromkeys([*said.moods.wanted, *kept]))
        draft.moods = tuple(merged[:_MOODS])
    draft.style = said.style or draft.style
    draft.palette = said.palette or draft.palette
    draft.size = said.size or draft.size
    draft.fps = said.fps or draft.fps


def _take_rest(draft: _Draft, said: Said, *, is_first: bool) -> None:
    draft.count = said.count if said.count is not None else draft.count
    draft.language = said.language or draft.language
    draft.title = said.title or draft.title
    draft.lettering = said.lettering or draft.lettering
    draft.limits = (*draft.limits, *said.limits)
    draft.absent = said.absent | (draft.absent - said.named)
    if said.lettering:
        draft.absent -= _WRITTEN
    elif said.absent & _WRITTEN:
        draft.lettering = ""
    if is_first:
        draft.text = said.quotation


def _take_remark(draft: _Draft, said: Said) -> None:
    draft.remake += said.is_again and not (said.remark or said.restores)
    if said.remark and draft.subject_text != said.text and not (said.title or said.lettering):
        draft.extras = (*draft.extras, _thing(said))[-3:]


def _thing(said: Said) -> str:
    """Return a free wish: `add a hat` becomes `a hat`, anything else stays as it was said."""
    match = pattern("change.with_thing").match(said.folded.lstrip())
    text = said.text.strip()
    if match is not None and not is_unspaced(said.folded):
        text = text[match.end() :]
    return " ".join(text.split()).strip(" .,!?。！？")[:100]


def _default_shots(seconds: float) -> int:
    shots = min(MOST_SHOTS, max(FEWEST_SHOTS, round(seconds / SECONDS_PER_SHOT)))
    return max(1, min(shots, int(seconds)))


def _wish(draft: _Draft, language: str) -> Wish:
    kind = draft.kind or "film"
    kind = _counted(draft, kind)
    notes: list[Note] = []
    seconds = _seconds(draft, kind, notes)
    shots = _shots(draft, seconds, notes)
    work_language = _language(draft, language, notes)
    spoken = language_of(draft.subject_text, language) if draft.subject_text else language
    width, height = draft.size or _size(draft, kind)
    notes += _limits(draft, f"{width} x {height}")
    return Wish(
        kind=kind,
        count=_number(draft, kind, notes),
        is_poster=draft.is_poster,
        title=draft.title,
        lettering=draft.lettering,
        text=draft.text,
        absent=_absent(draft.absent, kind),
        extras=draft.extras,
        remake=draft.remake,
        notes=tuple(notes),
        brief=Brief(
            words="\n".join(draft.words),
            subject=draft.subject,
            subject_language=base(spoken) or "en",
            work_language=work_language,
            moods=draft.moods,
            style=draft.style,
            palette=draft.palette,
            duration_s=seconds,
            fps=draft.fps,
            width=width,
            height=height,
            shot_count=shots,
        ),
    )


def _absent(said: frozenset[str], kind: WorkKind) -> frozenset[str]:
    """Say what is left out as a work of this kind has it.

    A film without words has no voice, one without text neither titles nor captions; nothing is
    written in a picture without any of them.
    """
    means = _IN_FILMS if kind == "film" else _IN_PICTURES
    return frozenset(meant for what in said for meant in means.get(what, (what,)))


_IN_FILMS = {
    "words": ("narration",),
    "lettering": ("lettering", "captions"),
    "titles": ("lettering",),
}
_IN_PICTURES = dict.fromkeys((*_WRITTEN, "captions"), ("lettering",))


def _limits(draft: _Draft, given: str) -> Iterator[Note]:
    """Yield what can never be, each once."""
    for what, asked in dict.fromkeys((one.what, one.asked) for one in draft.limits):
        match what:
            case "resolution":
                yield Note(about="resolution", asked=asked, given=given)
            case "machine" | "senses" | "past":
                yield Note(about=what, asked="", given="")
            case _:
                pass


def _counted(draft: _Draft, kind: WorkKind) -> WorkKind:
    """A picture of which more are wanted is a series, and a series of one is a picture."""
    if kind == "image" and (draft.count or 1) > 1:
        return "posters"
    return "image" if kind == "posters" and draft.count == 1 else kind


def _seconds(draft: _Draft, kind: WorkKind, notes: list[Note]) -> float:
    asked = draft.seconds
    if asked is None and draft.shot_seconds and draft.shots:
        asked = draft.shot_seconds * draft.shots
    if asked is None:
        least = _FASTEST_SECONDS * (draft.shots or 0)
        asked = _MUSIC_SECONDS if kind == "music" else max(DEFAULT_SECONDS, least)
        asked = min(LONGEST_SECONDS, asked)
    given = min(LONGEST_SECONDS, max(SHORTEST_SECONDS, asked))
    if asked > given:
        notes.append(Note(about="length", asked=f"{asked:g}", given=f"{given:g}"))
    return given


def _shots(draft: _Draft, seconds: float, notes: list[Note]) -> int:
    if draft.shots is None:
        shots = round(seconds / draft.shot_seconds) if draft.shot_seconds else 0
        return min(MOST_RESULTS, shots) or _default_shots(seconds)
    fewest = int(-(-seconds // LONGEST_SHOT_SECONDS))
    most = max(1, min(MOST_RESULTS, int(seconds)))
    given = max(fewest, min(most, draft.shots))
    if draft.shots > given:
        notes.append(Note(about="count", asked=str(draft.shots), given=str(given)))
    return given


def _number(draft: _Draft, kind: WorkKind, notes: list[Note]) -> int:
    if kind not in ("posters", "model3d"):
        return 1
    asked = draft.count or (DEFAULT_SERIES if kind == "posters" else 1)
    given = max(1, min(MOST_RESULTS, asked))
    if asked > given:
        notes.append(Note(about="count", asked=str(asked), given=str(given)))
    return given


def _size(draft: _Draft, kind: WorkKind) -> tuple[int, int]:
    match kind:
        case "film" | "narration" | "music" | "document" | "model3d":
            return looks.WIDE
        case "image" | "posters":
            if draft.is_square:
                return looks.SQUARE
            return PORTRAIT if draft.is_poster else looks.WIDE
    assert_never(kind)


def _language(draft: _Draft, language: str, notes: list[Note]) -> str:
    asked = draft.language or base(language) or "en"
    if asked in SPEAKS:
        return asked
    given = speak_language(language)
    if draft.language is not None:
        notes.append(Note(about="language", asked=asked, given=given))
    return given


def title_of(wish: Wish) -> str:
    """Return a short title, from the person's own words."""
    if wish.title:
        return wish.title[:60]
    return title_from(clip(wish.brief.subject or wish.text), wish.brief.subject_language)
