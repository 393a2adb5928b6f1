"""Colours as sRGB triples between 0 and 1, mixed in OKLab so that ramps stay clean.

Owns conversions, mixing and the WCAG contrast ratio. A colour is a plain tuple of three floats.
"""

import math
import re

type Colour = tuple[float, float, float]

_HEX = re.compile(r"#?([0-9a-fA-F]{6}|[0-9a-fA-F]{3})")
_SHORT_HEX = 3
_LINEAR_BELOW = 0.04045
_GAMMA_BELOW = 0.0031308
_SLACK = 0.002


def from_hex(text: str) -> Colour | None:
    """Return the colour of `#rgb` or `#rrggbb`; None if the text is neither."""
    match = _HEX.fullmatch(text.strip())
    if match is None:
        return None
    digits = match.group(1)
    if len(digits) == _SHORT_HEX:
        digits = "".join(digit * 2 for digit in digits)
    return (int(digits[:2], 16) / 255, int(digits[2:4], 16) / 255, int(digits[4:], 16) / 255)


def to_hex(colour: Colour) -> str:
    """Return `#rrggbb`."""
    return "#" + "".join(f"{round(min(max(part, 0), 1) * 255):02x}" for part in colour)


def to_linear(part: float) -> float:
    """Return the light of one sRGB channel."""
    return part / 12.92 if part <= _LINEAR_BELOW else ((part + 0.055) / 1.055) ** 2.4


def luminance(colour: Colour) -> float:
    """Return the relative luminance as WCAG defines it."""
    red, green, blue = (to_linear(part) for part in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: float, other: float) -> float:
    """Return the WCAG contrast ratio of two luminances."""
    return (max(one, other) + 0.05) / (min(one, other) + 0.05)


def to_lch(colour: Colour) -> Colour:
    """Return lightness, chroma and hue (in turns) in OKLCH."""
    red, green, blue = (to_linear(part) for part in colour)
    long = math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    medium = math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    short = math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    lightness = 0.2104542553 * long + 0.7936177850 * medium - 0.0040720468 * short
    a = 1.9779984951 * long - 2.4285922050 * medium + 0.4505937099 * short
    b = 0.0259040371 * long + 0.7827717662 * medium - 0.8086757660 * short
    return (lightness, math.hypot(a, b), math.atan2(b, a) / math.tau % 1)


def from_lch(lightness: float, chroma: float, hue: float) -> Colour:
    """Return the sRGB colour; chroma gives way where the screen cannot show it."""
    lightness = min(max(lightness, 0.0), 1.0)
    for _ in range(12):
        colour = _unclipped(lightness, chroma, hue)
        if all(-_SLACK <= part <= 1 + _SLACK for part in colour):
            break
        chroma *= 0.88
    else:
        colour = _unclipped(lightness, 0.0, hue)
    return (_clip(colour[0]), _clip(colour[1]), _clip(colour[2]))


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """Return the colour `share` of the way from one to the other, through OKLab."""
    share = min(max(share, 0.0), 1.0)
    (l1, c1, h1), (l2, c2, h2) = to_lch(one), to_lch(other)
    a = _between(c1 * math.cos(h1 * math.tau), c2 * math.cos(h2 * math.tau), share)
    b = _between(c1 * math.sin(h1 * math.tau), c2 * math.sin(h2 * math.tau), share)
    return from_lch(_between(l1, l2, share), math.hypot(a, b), math.atan2(b, a) / math.tau % 1)


def relight(
    colour: Colour,
    *,
    lightness: float | None = None,
    lift: float = 0.0,
    chroma: float = 1.0,
    turn: float = 0.0,
) -> Colour:
    """Return the colour with another lightness, a lift of it, scaled chroma or a turned hue."""
    own, amount, hue = to_lch(colour)
    base = own if lightness is None else lightness
    return from_lch(base + lift, amount * chroma, (hue + turn) % 1)


def ramp(colours: list[Colour], place: float) -> Colour:
    """Return the colour at a place between 0 and 1 along evenly spaced colours."""
    if len(colours) == 1:
        return colours[0]
    position = min(max(place, 0.0), 1.0) * (len(colours) - 1)
    index = min(int(position), len(colours) - 2)
    return mix(colours[index], colours[index + 1], position - index)


def _unclipped(lightness: float, chroma: float, hue: float) -> Colour:
    a, b = chroma * math.cos(hue * math.tau), chroma * math.sin(hue * math.tau)
    long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    short = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        _gamma(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
        _gamma(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
        _gamma(-0.0041960863 * long - 0.7034186147 * medium + 1.7076147010 * short),
    )


def _gamma(part: float) -> float:
    if part <= _GAMMA_BELOW:
        return part * 12.92
    return 1.055 * part ** (1 / 2.4) - 0.055


def _between(one: float, other: float, share: float) -> float:
    return one + (other - one) * share


def _clip(part: float) -> float:
    return min(max(part, 0.0), 1.0)
