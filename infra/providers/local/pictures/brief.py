"""What a request asks for, read from its words.

Owns the reading of inputs into a `Brief`: size, subjects, land, sky, hour, view, look, colours and
the text to draw. Words of the prompt come first; style and mood add what it leaves open.
"""

from dataclasses import dataclass

from infra.providers.local.pictures.colour import Colour, from_hex
from infra.providers.local.pictures.words import Topic, meanings
from infra.providers.local.request import InvalidInputError, LocalRequest

SMALLEST_SIDE = 256
LARGEST_SIDE = 4096
_MOST_COLOURS = 12
_LONGEST_TITLE = 200
_LONGEST_SUBTITLE = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """One picture as it was asked for; empty lists and strings are left to the seed."""

    seed: int
    width: int
    height: int
    prompt: str
    title: str
    subtitle: str
    language: str
    subjects: list[str]
    lands: list[str]
    skies: list[str]
    hour: str
    view: str
    look: str
    moods: list[str]
    colours: list[str]
    palette: list[Colour]
    caption_room: bool = False
    """Whether captions will lie over the picture's lower part, so that no words may stand there."""


def read_brief(request: LocalRequest) -> Brief:
    """Read a picture or clip request.

    Raises:
        InvalidInputError: A size, a colour or a text is not usable.
    """
    prompt = request.text("prompt", "")
    style = request.text("style", "")
    mood = request.text("mood", "")
    title = request.text("title", "")
    language = request.text("language", "en")
    if not (prompt or title or style or mood):
        msg = "The picture needs a prompt, a title, a style or a mood."
        raise InvalidInputError(msg)
    around = f"{style} . {mood}"

    def words(topic: Topic, *texts: str) -> list[str]:
        return [word for text in texts for word in meanings(text, topic, language)]

    hours = words(Topic.HOURS, prompt, around)
    return Brief(
        seed=request.seed,
        width=request.integer("width", low=SMALLEST_SIDE, high=LARGEST_SIDE),
        height=request.integer("height", low=SMALLEST_SIDE, high=LARGEST_SIDE),
        prompt=prompt,
        title=_short("title", title, _LONGEST_TITLE),
        subtitle=_short("subtitle", request.text("subtitle", ""), _LONGEST_SUBTITLE),
        language=language,
        subjects=words(Topic.SUBJECTS, prompt) or words(Topic.SUBJECTS, title, around),
        lands=words(Topic.LANDS, prompt) or words(Topic.LANDS, title, around),
        skies=words(Topic.SKIES, prompt) or words(Topic.SKIES, title),
        hour=_first(hours),
        view=_first(words(Topic.VIEWS, prompt, style)),
        look=_first(words(Topic.LOOKS, style, prompt)),
        moods=words(Topic.MOODS, mood, prompt, style),
        colours=words(Topic.COLOURS, style, prompt, mood),
        palette=_palette(request),
        caption_room=request.inputs.get("caption_room") is True,
    )


def _palette(request: LocalRequest) -> list[Colour]:
    colours: list[Colour] = []
    for item in request.items("palette")[:_MOST_COLOURS]:
        colour = from_hex(item) if isinstance(item, str) else None
        if colour is None:
            msg = f"The palette must hold colours such as '#c8553d', not {item!r}."
            raise InvalidInputError(msg)
        colours.append(colour)
    return colours


def _short(name: str, text: str, most: int) -> str:
    if len(text) > most:
        msg = f"The {name} must have at most {most} characters, it has {len(text)}."
        raise InvalidInputError(msg)
    return text


def _first(words: list[str]) -> str:
    return words[0] if words else ""
