"""The colours of a picture, by the part they play.

Owns how a palette comes about: given colours first, then colours named in the words, then moods,
then what suits the subject. Every palette is a ramp from its darkest to its lightest colour plus
an accent; the hour of the day decides how light each part of the picture is.
"""

import math
from dataclasses import dataclass, replace

import numpy as np

from infra.providers.local.pictures.colour import (
    Colour,
    from_hex,
    from_lch,
    mix,
    ramp,
    relight,
    to_lch,
)

_RAMPS = {
    "ember": "#1d1210 #5a261b #b4492c #e3904e #f7dcae",
    "clay": "#231613 #63372a #a9603f #d9a27c #f3e4d0 #3c6b6e",
    "linen": "#2b241f #6b5a4a #a99278 #d8c6ab #f4ecdd #b5532f",
    "tide": "#0b1c2b #1b4a68 #3f88a5 #9ccad0 #f3ead8 #f0a35c",
    "lagoon": "#06222a #0f5257 #2f8f86 #9fd3b9 #f4edd0 #f2785c",
    "moss": "#121d18 #2c4733 #64895a #b6c797 #f3ebd3 #dd7a40",
    "pine": "#0d1a1c #1d3d3d #4b746a #a5bfa8 #ecefdf #d9a441",
    "dusk": "#191432 #402b64 #8c4a86 #e37c79 #fad3a2",
    "rosewood": "#22121c #5d2740 #a84f62 #e39a8b #f8dfcb #37516b",
    "night": "#070d1f #14244a #31528a #7ea2c6 #e6e6da #f5c65b",
    "northern": "#07141f #123a4a #1f7a74 #6fcf9f #e4f2d8 #8d6bd0",
    "dune": "#2a1a1a #7a3f31 #c67b4b #ecbf84 #faebcd #4c6a86",
    "wheat": "#2a2014 #6e5528 #b8923f #e5cd86 #f9f1d8 #8f3f2b",
    "citrus": "#1c2b2a #2f6f65 #f0a030 #f7cf5e #fdf4da #e4572e",
    "candy": "#2a1b3d #7a3b77 #ef6f8f #ffb59e #fff0e0 #2aa6a1",
    "lavender": "#1f1a33 #4e4576 #8d82b8 #c8bfe0 #f4eff5 #e9a178",
    "frost": "#14212e #3d5a73 #7f9db3 #c2d5df #f3f7f8 #d8694a",
    "slate": "#15181c #3a434d #748290 #b6c0c6 #eff0ec #e0793c",
    "noir": "#0c0c0e #2c2d31 #6d6f74 #b4b4b0 #f1efe9 #c9a15a",
    "neon": "#0b0720 #2a1266 #7a1fa2 #ff3d9a #ffd1e8 #2fe6de",
    "copper": "#14100f #43291f #8c5334 #d79b5f #f6e3bd #2f6f6a",
    "autumn": "#21130f #6b2a18 #bf5a22 #e8a33d #f7e3b5 #4b5a34",
    "spring": "#1f2f2a #4c7a57 #8fbb74 #f3c9c4 #fcf5e8 #e4637c",
    "tropic": "#08242f #0c6b74 #2fb39a #ffd27a #fff4dc #ff6f52",
    "signal": "#111c33 #1f3f7a #3f78d8 #a9c8f2 #f4f6fa #ff8a4c",
    "ivory": "#231f1c #57504a #968c80 #d3c9bb #f7f2ea #a8843f",
}
_BY_MOOD = {
    "warm": "ember clay wheat linen",
    "earth": "clay linen copper wheat",
    "calm": "frost linen pine lavender tide",
    "dramatic": "ember dusk night copper",
    "melancholy": "slate lavender night rosewood",
    "joyful": "citrus candy tropic spring",
    "romantic": "rosewood dusk candy lavender",
    "mysterious": "northern night dusk pine",
    "fresh": "spring lagoon moss frost",
    "autumn": "autumn ember wheat",
    "summer": "tropic citrus lagoon",
    "cold": "frost slate night northern",
    "modern": "signal slate lagoon neon",
    "neon": "neon",
    "luxury": "noir ivory copper",
}
_BY_SUBJECT = {
    "wheel": "clay linen copper ember",
    "hands": "clay linen rosewood",
    "vessel": "clay linen lagoon ivory",
    "mug": "linen clay pine rosewood",
    "bread": "wheat linen autumn",
    "candle": "ember copper night",
    "fire": "ember copper dusk",
    "book": "rosewood pine linen copper",
    "paper": "linen signal rosewood candy",
    "gears": "copper slate signal",
    "fabric": "rosewood linen lagoon dusk",
    "sound": "neon dusk signal candy",
    "planet": "night dusk northern neon",
    "lighthouse": "tide night dusk",
    "bridge": "slate dusk tide",
    "house": "pine dune dusk moss",
    "window": "linen frost pine",
    "train": "moss dusk rosewood",
    "boat": "tide lagoon dusk",
    "bird": "frost tide dusk lavender",
    "gulls": "frost tide dusk slate",
    "ship": "tide slate dusk frost",
    "tug": "tide slate dune frost",
    "crane": "slate tide dusk frost",
    "bollard": "slate tide linen frost",
    "footprints": "dune tide linen dusk",
    "cat": "rosewood dusk linen",
    "door": "linen pine dune rosewood",
    "stairs": "slate linen dusk pine",
    "chair": "linen rosewood pine dusk",
    "table": "linen clay pine",
    "dog": "dune moss wheat dusk",
    "horse": "dune dusk wheat moss",
    "castle": "dusk frost pine autumn",
    "stones": "frost slate tide linen",
    "eye": "clay linen lagoon tide",
    "tree": "moss autumn pine dusk",
    "leaf": "moss lagoon pine spring",
    "flower": "spring candy rosewood lavender",
    "people": "dusk dune frost wheat",
    "figure": "dusk dune frost pine",
    "balloon": "citrus tropic dusk",
    "fish": "lagoon tide tropic",
    "network": "signal neon northern",
    "geometry": "citrus signal candy ember lagoon",
    "sea": "tide lagoon dusk",
    "beach": "tide lagoon frost",
    "harbour": "slate tide dusk frost",
    "storm": "slate tide night",
    "mountains": "frost dusk pine tide",
    "forest": "pine moss northern",
    "desert": "dune ember autumn",
    "river": "pine tide moss",
    "lake": "tide pine lavender",
    "road": "dune dusk wheat moss",
    "city": "night neon dusk slate",
    "hills": "moss spring wheat",
    "snow": "frost slate lavender",
    "rain": "slate tide night",
    "aurora": "northern",
    "stars": "night dusk",
}
_AIR_AND_LAND = ("zenith", "horizon", "far", "middle")
_RAMP_LENGTH = 5
_DARKEST_FROM = 0.35
_LIGHTEST_FROM = 0.8
_FEWEST = 4
_ANY = "clay tide moss dusk dune rosewood citrus lagoon night lavender signal autumn"


@dataclass(frozen=True, slots=True)
class Tones:
    """How light the parts of a picture are at an hour of the day, in OKLab lightness.

    `air` is the hue the sky leans to and `blush` how much the horizon reddens.
    """

    zenith: float
    horizon: float
    far: float
    middle: float
    near: float
    deep: float
    glow: float
    air: float
    blush: float


HOURS = {
    "day": Tones(0.70, 0.93, 0.74, 0.57, 0.41, 0.24, 0.97, 0.66, 0.0),
    "dawn": Tones(0.66, 0.92, 0.70, 0.50, 0.34, 0.21, 0.97, 0.78, 0.22),
    "dusk": Tones(0.38, 0.82, 0.54, 0.36, 0.24, 0.15, 0.95, 0.79, 0.38),
    "night": Tones(0.16, 0.38, 0.27, 0.21, 0.15, 0.09, 0.94, 0.73, 0.0),
    "grey": Tones(0.72, 0.87, 0.69, 0.53, 0.38, 0.25, 0.93, 0.70, 0.0),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Palette:
    """Colours by role; `base` is the ramp they were made from, dark to light."""

    base: tuple[Colour, ...]
    zenith: Colour
    horizon: Colour
    far: Colour
    middle: Colour
    near: Colour
    deep: Colour
    glow: Colour
    accent: Colour
    second: Colour
    paper: Colour
    ink: Colour

    def tone(self, place: float) -> Colour:
        """Return a colour of the ramp, 0 the darkest and 1 the lightest."""
        return ramp(list(self.base), place)

    def stuff(self, colour: Colour, share: float = 0.45) -> Colour:
        """Return the colour of a material, drawn towards this palette so that it belongs."""
        lightness, chroma, _ = to_lch(colour)
        pulled = mix(colour, self.tone(lightness), share)
        return relight(pulled, lightness=lightness, chroma=max(chroma, 0.02) / max(chroma, 0.021))


def choose(
    *,
    given: list[Colour],
    named: list[str],
    moods: list[str],
    subjects: list[str],
    hour: str,
    rng: np.random.Generator,
) -> Palette:
    """Return the palette for what is given, named, felt and shown, in this order."""
    turn = float(rng.random())
    names = _candidates(moods, subjects)
    base, accent = _read(_RAMPS[names[int(turn * len(names)) % len(names)]])
    if given:
        base, accent = _from_given(given)
    elif named:
        colours = [colour for name in named[:3] if (colour := from_hex(name)) is not None]
        base, accent = _from_named(colours, base)
    return build(base, accent, HOURS[hour])


def build(base: list[Colour], accent: Colour, tones: Tones) -> Palette:
    """Return all roles from a ramp and an accent."""
    base = sorted(base, key=lambda colour: to_lch(colour)[0])
    cool = min(base[:-1] or base, key=_warmth)
    warm = max(base, key=_warmth)
    light = base[-1]
    second = max(base, key=lambda colour: _distance(colour, accent) * to_lch(colour)[1])
    air = from_lch(0.6, 0.11, tones.air)
    sky = mix(mix(cool, base[len(base) // 2], 0.3), air, 0.34)
    blush = mix(mix(light, warm, 0.45), from_lch(0.75, 0.14, 0.12), tones.blush)
    return Palette(
        base=tuple(base),
        zenith=relight(sky, lightness=tones.zenith, chroma=1.15),
        horizon=relight(blush, lightness=tones.horizon, chroma=1.15),
        far=relight(mix(sky, warm, 0.25), lightness=tones.far, chroma=0.75),
        middle=relight(mix(base[len(base) // 2], sky, 0.4), lightness=tones.middle, chroma=0.9),
        near=relight(mix(base[1], cool, 0.4), lightness=tones.near),
        deep=relight(base[0], lightness=tones.deep, chroma=1.1),
        glow=relight(mix(light, max((accent, warm), key=_warmth), 0.2), lightness=tones.glow),
        accent=_visible(accent),
        second=_visible(second),
        paper=relight(light, lightness=0.965, chroma=0.55),
        ink=relight(base[0], lightness=0.17, chroma=0.9),
    )


def weathered(palette: Palette, *, hour: str, skies: tuple[str, ...]) -> Palette:
    """Return the palette under a covered sky: paler when grey, dark and heavy in a storm."""
    if hour != "grey" and "storm" not in skies:
        return palette
    if "storm" not in skies:
        changes = {name: relight(getattr(palette, name), chroma=0.55) for name in _AIR_AND_LAND}
        return replace(palette, **changes)
    drop = {
        "zenith": 0.62,
        "horizon": 0.80,
        "far": 0.76,
        "middle": 0.74,
        "near": 0.76,
        "glow": 0.93,
    }
    changes = {}
    for name, share in drop.items():
        colour: Colour = getattr(palette, name)
        lightness = to_lch(colour)[0] * (1.0 if hour == "night" else share)
        changes[name] = relight(colour, lightness=lightness, chroma=0.5)
    return replace(palette, **changes)


def _candidates(moods: list[str], subjects: list[str]) -> list[str]:
    felt: list[str] = [name for mood in moods[:2] for name in _BY_MOOD.get(mood, "").split()]
    shown: list[str] = [
        name for subject in subjects[:2] for name in _BY_SUBJECT.get(subject, "").split()
    ]
    both = [name for name in felt if name in shown]
    anything: list[str] = [*_ANY.split()]
    return both or felt or shown or anything


def _read(text: str) -> tuple[list[Colour], Colour]:
    colours = [colour for part in text.split() if (colour := from_hex(part)) is not None]
    base = colours[:_RAMP_LENGTH]
    accent = (
        colours[_RAMP_LENGTH]
        if len(colours) > _RAMP_LENGTH
        else max(base, key=lambda one: to_lch(one)[1])
    )
    return base, accent


def _from_given(given: list[Colour]) -> tuple[list[Colour], Colour]:
    ordered = sorted(given, key=lambda colour: to_lch(colour)[0])
    accent = max(ordered, key=lambda colour: to_lch(colour)[1])
    dark, light = ordered[0], ordered[-1]
    base = list(ordered)
    if to_lch(dark)[0] > _DARKEST_FROM:
        base.insert(0, relight(dark, lightness=0.2, chroma=0.8))
    if to_lch(light)[0] < _LIGHTEST_FROM:
        base.append(relight(light, lightness=0.93, chroma=0.4))
    if len(base) < _FEWEST:
        base.insert(1, mix(base[0], base[-1], 0.4))
    return base, accent


def _from_named(colours: list[Colour], around: list[Colour]) -> tuple[list[Colour], Colour]:
    if not colours:
        return around, max(around, key=lambda one: to_lch(one)[1])
    lead = colours[0]
    base = [
        relight(lead, lightness=0.18, chroma=0.6),
        relight(lead, lightness=0.38, chroma=0.85),
        relight(colours[1], lightness=0.6) if len(colours) > 1 else relight(lead, lightness=0.6),
        relight(lead, lightness=0.8, chroma=0.6),
        relight(lead, lightness=0.95, chroma=0.22),
    ]
    accent = colours[1] if len(colours) > 1 else relight(lead, lightness=0.68, turn=0.42)
    return base, accent


def _warmth(colour: Colour) -> float:
    lightness, chroma, hue = to_lch(colour)
    return float(np.cos((hue - 0.15) * math.tau)) * (chroma + 0.02) + lightness * 0.01


def _distance(one: Colour, other: Colour) -> float:
    apart = abs(to_lch(one)[2] - to_lch(other)[2])
    return min(apart, 1 - apart) + 0.05


def _visible(colour: Colour) -> Colour:
    lightness = to_lch(colour)[0]
    return relight(colour, lightness=min(max(lightness, 0.5), 0.82))
