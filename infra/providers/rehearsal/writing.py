"""Writes film scripts by rules, in nine languages, and reads them back after a person's hand.

`write_film` is pure and deterministic: the same brief gives the same script. Narration is in the
brief's language if it is one of nine, else in English (`narration_language` says which). Frames
always sum to `round(duration_s * fps)`; a film of fewer frames than shots has fewer shots.
"""

import itertools
import re
from dataclasses import dataclass, replace

from infra.providers.rehearsal.languages.headings import HEADINGS
from infra.providers.rehearsal.languages.openings import OPENINGS
from infra.providers.rehearsal.languages.pace import capacity, units
from infra.providers.rehearsal.languages.subject import (
    at_start,
    framed,
    subject_phrase,
    without_audience,
)
from infra.providers.rehearsal.script_types import Brief, FilmScript, ShotScript
from infra.providers.rehearsal.themes import arc, staging, universal
from infra.providers.rehearsal.themes.beats import LANGUAGES, Beat, Language, Theme
from infra.providers.rehearsal.themes.chance import draw, pick
from infra.providers.rehearsal.themes.choice import Topic, find_topic
from infra.providers.rehearsal.themes.hours import asked_hour
from infra.providers.rehearsal.themes.own import own_beats
from infra.providers.rehearsal.themes.telling import Teller
from infra.providers.rehearsal.titles import title_from

_SHORTEST_SHOT_S = 1.5
_SPREAD = 0.17
_ENDS_OF_A_FILM = 0.08
_CLOSING_TITLE_FROM_S = 15.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedShot:
    """A shot as it stands in a script document."""

    number: int
    narration: str
    picture: str
    is_silent: bool = False
    """Whether the script says that nothing is spoken here."""


def narration_language(tag: str) -> Language:
    """Return the language of this writer for a BCP 47 tag; English if it does not know it."""
    base = tag.partition("-")[0].lower()
    known: dict[str, Language] = {language: language for language in LANGUAGES}
    return known.get(base, "en")


def write_film(brief: Brief) -> FilmScript:
    """Return a script for any brief."""
    language = narration_language(brief.work_language)
    seed = f"{brief.subject}\n{brief.words}"
    brief = replace(brief, subject=without_audience(brief.subject))
    topic = find_topic(brief)
    frames = shot_frames(brief, seed)
    seconds = [count / brief.fps for count in frames]
    subject = subject_phrase(brief, language)
    own: list[Beat] = []
    if brief.subject_language == language:
        is_known = topic.primary is not universal.THEME
        own = own_beats(brief.subject, language, only_places=is_known)
    pool = arc.candidates(topic, brief.moods, seed, own=own, hour=asked_hour(brief))
    chosen = arc.choose(pool, len(frames))
    told = Teller(language=language, subject=subject, seed=seed, pool=pool).tell(chosen, seconds)
    beats = [one.candidate.beat for one in told]
    shot_sizes = staging.sizes(beats)
    moves = staging.cameras(shot_sizes, brief, seed)
    views = staging.pictures(beats, shot_sizes, topic.thing, brief, seed)
    title = _title(topic, language, brief, seed)
    last = _closing_title(topic.primary, language, brief, seed)
    return FilmScript(
        title=title,
        logline=_logline(topic, subject, language, seed),
        music_mood=_music(topic.primary, brief),
        shots=tuple(
            ShotScript(
                number=index + 1,
                frames=count,
                size=shot_sizes[index],
                camera=moves[index],
                picture=views[index],
                narration=told[index].words,
                title=title if index == 0 else last if index == len(frames) - 1 else "",
            )
            for index, count in enumerate(frames)
        ),
    )


def line_about(brief: Brief, what: str, seconds: float) -> str:
    """Return a line about something else than the film is about, empty if it cannot be named."""
    language = narration_language(brief.work_language)
    phrase = subject_phrase(replace(brief, subject=what), language)
    if not phrase:
        return ""
    frames = [framed(frame, phrase, language) for frame in OPENINGS[language]]
    frames.sort(key=lambda line: draw(brief.words, what, line))
    fits = [line for line in frames if units(line, language) <= capacity(seconds, language)]
    return next(iter(fits), framed(OPENINGS[language][0], phrase, language))


def shot_frames(brief: Brief, seed: str) -> list[int]:
    """Return the frames of every shot: about even, at least 1.5 s each where the count allows."""
    total = max(round(brief.duration_s * brief.fps), 1)
    count = max(1, min(brief.shot_count, total))
    even = total / count
    least = _SHORTEST_SHOT_S * brief.fps
    weights = [1 + _SPREAD * (2 * draw(seed, "length", index) - 1) for index in range(count)]
    weights[0] += _ENDS_OF_A_FILM
    weights[-1] += _ENDS_OF_A_FILM
    scale = count / sum(weights)
    lengths = [even * weight * scale for weight in weights]
    if even < least:
        lengths = [even] * count
    elif min(lengths) < least:
        # Draw all lengths toward the mean, just so far that the shortest is long enough.
        share = (even - least) / max(even - min(lengths), 1e-9)
        lengths = [even + (length - even) * share for length in lengths]
    edges = [round(sum(lengths[:index])) for index in range(count)] + [total]
    return [after - before for before, after in itertools.pairwise(edges)]


def _title(topic: Topic, language: Language, brief: Brief, seed: str) -> str:
    is_unknown = topic.primary is universal.THEME and brief.subject_language == language
    if is_unknown and (own := title_from(brief.subject, language)):
        return own
    special: list[str] = []
    general: list[str] = []
    for title in topic.primary.titles[language]:
        tag, mark, words = title.partition(": ")
        if mark and tag in topic.tags:
            special.append(words)
        elif not mark:
            general.append(title)
    return pick(special or general, seed, "title")


def _closing_title(theme: Theme, language: Language, brief: Brief, seed: str) -> str:
    if brief.duration_s < _CLOSING_TITLE_FROM_S or brief.shot_count == 1:
        return ""
    return pick(theme.closings[language], seed, "closing title")


def _logline(topic: Topic, subject: str, language: Language, seed: str) -> str:
    rest = pick(topic.primary.loglines[language], seed, "logline")
    if not subject:
        return at_start(rest, language)
    colon = {"zh": "：", "ja": "――", "fr": "\u00a0: "}.get(language, ": ")
    return f"{at_start(subject, language)}{colon}{rest}"


def _music(theme: Theme, brief: Brief) -> str:
    return ", ".join(brief.moods) if brief.moods else theme.music


def write_document_text(brief: Brief, script: FilmScript) -> str:
    """Return the script as Markdown that a person can read and edit."""
    words = HEADINGS[narration_language(brief.work_language)]
    total = sum(shot.frames for shot in script.shots) / brief.fps
    lines = [
        f"# {script.title}",
        "",
        f"*{script.logline}*",
        "",
        f"- **{words.length}:** {total:.1f} {words.seconds} · {len(script.shots)} {words.shots}",
        f"- **{words.music}:** {script.music_mood}",
    ]
    for shot in script.shots:
        lines += [
            "",
            f"## {words.shot} {shot.number} · {shot.frames / brief.fps:.1f} {words.seconds}",
            "",
            f"**{words.narration}:** {shot.narration or f'({words.silence})'}",
            "",
            f"**{words.picture}:** {shot.picture}",
        ]
        if shot.title:
            lines += ["", f"**{words.caption}:** {shot.title}"]
    return "\n".join(lines) + "\n"


_HEADING = re.compile(r"^\s*#{2,6}\s*\D{0,24}?(\d+)")
_LABEL = re.compile(r"^\s*(?:[-*>]\s+)?\**\s*([^\W\d_][^:：*]{0,30}?)\s*\**\s*[:：]\s*\**\s*(.*)$")


def read_document_text(text: str) -> list[ParsedShot]:
    """Return the shots of a script document, however a person has edited it."""
    shots: list[dict[str, str]] = []
    field = ""
    for line in text.splitlines():
        heading = _HEADING.match(line)
        if heading:
            shots.append({"number": heading.group(1)})
            field = ""
        elif shots and line.strip():
            labelled = _labelled(line)
            field, words = labelled or (field, line.strip())
            if field in {"narration", "picture"}:
                shots[-1][field] = f"{shots[-1].get(field, '')} {words}".strip()
    silences = {f"({words.silence})" for words in HEADINGS.values()}
    return [
        ParsedShot(
            number=int(shot["number"]),
            narration="" if shot.get("narration") in silences else shot.get("narration", ""),
            picture=shot.get("picture", ""),
            is_silent=shot.get("narration") in {"", *silences},
        )
        for shot in shots
    ]


def _labelled(line: str) -> tuple[str, str] | None:
    found = _LABEL.match(line)
    if not found:
        return None
    label = found.group(1).strip().casefold()
    for words in HEADINGS.values():
        for field, name in (
            ("narration", words.narration),
            ("picture", words.picture),
            ("title", words.caption),
        ):
            if label == name.casefold():
                return field, found.group(2).strip(" *")
    return None
