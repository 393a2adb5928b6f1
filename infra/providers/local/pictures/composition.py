"""Where things stand: the place of the words, of the subject, of the light and of the horizon.

Owns the arrangement of a picture before anything is drawn. Promises that the words and the subject
get different parts of the picture, and that the arrangement changes with the seed and the prompt.
"""

import math
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from infra.providers.local.pictures.brief import Brief

_TABLE = frozenset({"table", "vessel", "wheel", "hands", "mug", "bread", "candle", "book", "paper"})
_PLAIN = {
    "leaf": "studio",
    "eye": "studio",
    "door": "studio",
    "stairs": "studio",
    "chair": "studio",
    "flower": "studio",
    "fish": "water",
    "planet": "space",
    "geometry": "abstract",
    "sound": "abstract",
    "network": "abstract",
    "gears": "abstract",
    "fabric": "abstract",
}
_BESIDE_ON_TABLE = frozenset({"vessel", "mug", "bread", "candle", "book"})
_BESIDE_IN_AIR = frozenset({"bird", "gulls", "balloon"})
_BESIDE_AFLOAT = frozenset({"boat", "ship", "tug"})
PERSONS = frozenset({"figure", "people"})
_BESIDE_ON_GROUND = PERSONS | {"footprints"}
HELD = frozenset({"vessel", "mug", "bread", "book", "paper", "candle"})
"""Things that hands are drawn about."""
_HOLDABLE = HELD | {"wheel", "bollard", "fabric"}
_INDOORS = frozenset(
    {"window", "table", "chair", "door", "candle", "book", "bread", "paper", "mug"}
)
IN_FRONT = PERSONS | {"footprints", "tug", "gulls"}
"""Second subjects that stand nearer to the eye than the first."""
_FILLS_THE_LAND = frozenset({"bridge", "train"})
_WATERS = frozenset({"sea", "lake", "harbour", "beach"})
_COMPOSED_LANDS = ("harbour", "beach", "lake", "river", "road")
_VIEWS_OUTSIDE = ["hills", "mountains", "lake", "city"]
_ROOM = frozenset({"window", "cat"})
_HOME_LANDS = {
    "lighthouse": "sea",
    "boat": "sea lake",
    "ship": "sea harbour",
    "tug": "harbour sea",
    "crane": "harbour",
    "bollard": "harbour",
    "gulls": "sea harbour",
    "footprints": "beach desert",
    "bridge": "river sea",
    "house": "hills mountains forest",
    "train": "hills mountains",
    "bird": "sea mountains lake hills",
    "tree": "hills lake desert",
    "dog": "hills road",
    "horse": "hills mountains",
    "castle": "mountains hills forest",
    "stones": "river beach hills",
    "figure": "hills mountains desert sea",
    "people": "hills road beach city",
    "balloon": "hills mountains lake",
    "fire": "forest mountains lake",
}
_EVEN_HOURS = ["day", "dawn", "dusk"]
_WIDE = 1.15
CAPTION_BAND = 0.26
"""Share of a wide frame's height that two lines of captions take, with air above them."""
_TALL = 0.87


class Setting(StrEnum):
    """What surrounds the subject."""

    LAND = "land"
    TABLE = "table"
    ROOM = "room"
    STUDIO = "studio"
    WATER = "water"
    SPACE = "space"
    ABSTRACT = "abstract"


@dataclass(frozen=True, slots=True)
class Zone:
    """A rectangle for words, with how they are set in it."""

    x: float
    y: float
    width: float
    height: float
    align: str
    anchor: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """The arrangement of one picture, in pixels; `unit` is its shorter side."""

    width: int
    height: int
    unit: float
    margin: float
    setting: Setting
    hour: str
    view: str
    subjects: tuple[str, ...]
    lands: tuple[str, ...]
    skies: tuple[str, ...]
    horizon: float
    light_x: float
    light_y: float
    hero_x: float
    hero_y: float
    hero_size: float
    words: Zone | None
    side: str

    def toward_light(self, x: float, y: float) -> tuple[float, float]:
        """Return the direction from a point to the light, of length 1."""
        dx, dy = self.light_x - x, self.light_y - y
        length = max(math.hypot(dx, dy), 1e-6)
        return dx / length, dy / length

    @property
    def is_dark(self) -> bool:
        """Whether the hour leaves the land in the dark."""
        return self.hour in {"night", "dusk"}


def arrange(brief: Brief, rng: np.random.Generator) -> Stage:
    """Return the arrangement for a brief."""
    unit = float(min(brief.width, brief.height))
    subjects = _ordered(brief.subjects)
    setting, lands = _setting(brief, subjects, rng)
    hour = brief.hour or _hour(brief, setting, rng)
    view = brief.view or str(rng.choice(["medium", "medium", "wide", "close"]))
    side = _side(brief, setting, view, rng)
    hero_x, hero_y, room = _hero_place(brief, side, setting, rng)
    size = {"close": 1.0, "medium": 0.66, "wide": 0.40}[view] * unit
    if setting is Setting.LAND:
        size *= 0.86
    elif setting in {Setting.TABLE, Setting.ROOM} and view == "wide":
        size *= 1.3
    horizon = _horizon(brief, side, view, rng)
    if view == "close" and lands[:1] == ("beach",) and not subjects and side == "none":
        horizon *= 0.34  # a close look at the foam looks down on it
    light_x, light_y = _light(brief, hour, hero_x, horizon, rng)
    return Stage(
        width=brief.width,
        height=brief.height,
        unit=unit,
        margin=0.085 * unit,
        setting=setting,
        hour=hour,
        view=view,
        subjects=subjects,
        lands=lands,
        skies=tuple(brief.skies),
        horizon=horizon,
        light_x=light_x,
        light_y=light_y,
        hero_x=hero_x,
        hero_y=hero_y,
        hero_size=min(size, room * (_closer(side) if view == "close" else 1.0)),
        words=_zone(brief, side, unit),
        side=side,
    )


def _closer(side: str) -> float:
    """Return how far a close view may outgrow the room: beside words it may not reach them."""
    return 1.25 if side == "none" else 1.06


def companion_of(stage: Stage) -> str | None:
    """Return the second subject that can stand beside the first, if the words name one."""
    if stage.subjects[:1] == ("hands",):
        return None
    if not stage.subjects or stage.view == "close":
        return None
    lead, water = stage.subjects[0], bool(_WATERS & set(stage.lands))
    for other in stage.subjects[1:]:
        if (
            stage.setting is Setting.TABLE
            and other in _BESIDE_ON_TABLE
            and lead in _BESIDE_ON_TABLE
        ):
            return other
        fits = (
            other in _BESIDE_IN_AIR
            or (other in _BESIDE_AFLOAT and water)
            or (other in _BESIDE_ON_GROUND and not {lead, other} <= PERSONS)
        )
        if stage.setting is Setting.LAND and lead not in _FILLS_THE_LAND and fits:
            return other
    return None


def drawn_subjects(stage: Stage) -> tuple[str, ...]:
    """Return the subjects that are to be seen in the picture: the first, and one beside it."""
    if stage.subjects[:1] == ("hands",):
        return ("hands", *(other for other in stage.subjects[1:] if other in _HOLDABLE))[:2]
    second = companion_of(stage)
    return stage.subjects[:1] if second is None else (stage.subjects[0], second)


def beside(stage: Stage) -> Stage:
    """Return the stage for a companion: smaller, further back, on the side that has more room."""
    away = 1 if stage.hero_x < stage.width / 2 else -1
    if stage.side in {"left", "right"}:
        away = 1 if stage.side == "left" else -1
        away = -away if abs(stage.hero_x - stage.width / 2) > 0.2 * stage.width else away
    x = stage.hero_x + away * 0.52 * stage.hero_size
    x = min(max(x, 0.1 * stage.width), 0.9 * stage.width)
    lift = 0.05 if stage.setting is Setting.TABLE else 0.0
    return replace(
        stage,
        view="medium",
        hero_x=x,
        hero_y=stage.hero_y - lift * stage.hero_size,
        hero_size=stage.hero_size * (0.62 if stage.setting is Setting.TABLE else 0.42),
    )


def _ordered(subjects: list[str]) -> tuple[str, ...]:
    """Return the subjects to draw; a thing by a window is the subject, and the window its place."""
    things = [subject for subject in subjects if subject in _TABLE - {"table"}]
    if subjects[:1] == ["window"] and things:
        return (*things[:2], "window")
    if "hands" in subjects and subjects[0] in HELD:
        # Hands that are named are drawn, with what they are about between them.
        rest = [subject for subject in subjects[1:] if subject != "hands"]
        return ("hands", subjects[0], *rest[:1])
    if subjects[:1] == ["window"] and "chair" in subjects:
        return ("chair", "window")
    if subjects[:1] == ["table"] and things:
        subjects = [subject for subject in subjects if subject != "table"]
    return tuple(subjects[:3])


def _setting(
    brief: Brief, subjects: tuple[str, ...], rng: np.random.Generator
) -> tuple[Setting, tuple[str, ...]]:
    lands = _leading_land(brief.lands, subjects)
    if not subjects:
        if lands or not brief.skies:
            return (Setting.LAND if lands else Setting.ABSTRACT), lands
        return Setting.LAND, (str(rng.choice(["hills", "mountains", "lake"])),)
    hero = subjects[0]
    if hero in _TABLE:
        by_window = "window" in subjects and not lands
        return Setting.TABLE, (str(rng.choice(_VIEWS_OUTSIDE)),) if by_window else lands
    if hero in _ROOM:
        return Setting.ROOM, lands
    indoors = hero in PERSONS and not lands and bool(_INDOORS & set(brief.subjects))
    if indoors or hero in _PLAIN:
        return Setting(_PLAIN.get(hero, "studio")), lands
    return Setting.LAND, lands or (str(rng.choice(_HOME_LANDS[hero].split())),)


def _leading_land(lands: list[str], subjects: tuple[str, ...]) -> tuple[str, ...]:
    """Return the one land to draw: water and ways are drawn with the hills they run through."""
    if "desert" in lands and ("sea" in lands or _BESIDE_AFLOAT & set(subjects)):
        return ("beach",)  # sand by the sea, or under a boat, is no desert
    for land in () if lands[:1] == ["city"] else _COMPOSED_LANDS:
        if land in lands:
            return (land,)
    return tuple(lands[:1])


def _hour(brief: Brief, setting: Setting, rng: np.random.Generator) -> str:
    moods, skies, lead = set(brief.moods), set(brief.skies), set(brief.subjects[:1])
    if moods & {"neon", "mysterious"}:
        return "night"
    if skies & {"rain", "fog", "storm"}:
        return "grey"
    if "aurora" in skies or setting is Setting.SPACE or lead & {"fire", "candle"}:
        return "night"
    if "dramatic" in moods:
        return "dusk"
    hours = ["day", "dawn", "dusk", "dusk", "dawn"] if setting is Setting.LAND else _EVEN_HOURS
    return str(rng.choice(hours))


def _side(brief: Brief, setting: Setting, view: str, rng: np.random.Generator) -> str:
    if not brief.title and not brief.subtitle:
        return "none"
    aspect = brief.width / brief.height
    if brief.caption_room and aspect < _WIDE:
        return "top"
    if aspect >= _WIDE:
        options = ["left", "left", "right"]
        if not brief.caption_room:
            options.append("bottom")
        if setting is Setting.LAND and view == "wide":
            options += ["top", "top"]
        return str(rng.choice(options))
    return str(rng.choice(["top", "bottom", "bottom"] if aspect > _TALL else ["top", "bottom"]))


def _hero_place(
    brief: Brief, side: str, setting: Setting, rng: np.random.Generator
) -> tuple[float, float, float]:
    """Return the subject's middle, its foot and the room it has."""
    width, height = float(brief.width), float(brief.height)
    sway = float(rng.uniform(-0.025, 0.025))
    third = float(rng.choice([0.36, 0.5, 0.64]))
    foot = 0.82 if setting is not Setting.LAND else 0.80
    beside = side == "bottom" and width > height * _WIDE
    across, down, wide, tall = {
        "left": (0.71, foot, 0.50, 0.74),
        "right": (0.28, foot, 0.50, 0.74),
        "top": (0.5, 0.88, 0.85, 0.54),
        "bottom": (0.68, 0.66, 0.5, 0.58) if beside else (0.5, 0.60, 0.85, 0.52),
        "none": (third, foot, 0.8, 0.72),
    }[side]
    if _is_captioned_high(brief):
        down, tall = min(down, 0.67), min(tall, 0.40 if side == "top" else 0.55)
    return (across + sway) * width, down * height, min(wide * width, tall * height)


def _horizon(brief: Brief, side: str, view: str, rng: np.random.Generator) -> float:
    low, high = {"wide": (0.50, 0.72), "medium": (0.55, 0.70), "close": (0.58, 0.74)}[view]
    if side == "bottom":
        low, high = 0.42, 0.52
    elif side == "top":
        low, high = 0.60, 0.72
    if _is_captioned_high(brief):
        low, high = 0.48, 0.60
    return float(rng.uniform(low, high)) * brief.height


def _is_captioned_high(brief: Brief) -> bool:
    """Tell whether captions lie over the fourth fifth of the height, as they do on tall frames."""
    return brief.caption_room and brief.width < brief.height * _TALL


def _light(
    brief: Brief, hour: str, hero_x: float, horizon: float, rng: np.random.Generator
) -> tuple[float, float]:
    width = brief.width
    across = hero_x + float(rng.choice([-1, 1])) * float(rng.uniform(0.06, 0.22)) * width
    across = min(max(across, 0.08 * width), 0.92 * width)
    match hour:
        case "dusk" | "dawn":
            height = horizon * float(rng.uniform(0.62, 0.9))
        case "night":
            height = horizon * float(rng.uniform(0.25, 0.5))
        case _:
            height = horizon * float(rng.uniform(0.22, 0.45))
    return across, height


def _zone(brief: Brief, side: str, unit: float) -> Zone | None:
    width, height, margin = float(brief.width), float(brief.height), 0.085 * unit
    inner = width - 2 * margin
    tall = height - margin - (CAPTION_BAND * height if brief.caption_room else margin)
    match side:
        case "left":
            anchor = "bottom" if brief.seed % 2 else "middle"
            return Zone(margin, margin, 0.45 * width - margin, tall, "left", anchor)
        case "right":
            start = 0.55 * width
            anchor = "bottom" if brief.seed % 2 else "middle"
            room = width - margin - start
            return Zone(start, margin, room, tall, "left", anchor)
        case "top":
            share = 0.30 if width > height else 0.27
            return Zone(margin, margin, inner, share * height, "center", "top")
        case "bottom" if width > height * _WIDE:
            top = 0.66 * height
            return Zone(margin, top, 0.62 * width, height - margin - top, "left", "bottom")
        case "bottom":
            top = 0.68 * height
            return Zone(margin, top, inner, height - margin - top, "left", "bottom")
        case _:
            return None
