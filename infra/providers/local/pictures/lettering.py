"""The sheet that carries the words: colour, veil and rule, laid over one picture or a whole clip.

Owns the choice between dark and light letters and how strong the veil behind them must be. All
frames that the words will stand on are measured together, so a move cannot make them illegible.
"""

from dataclasses import dataclass

import numpy as np
from PIL import Image, ImageDraw

from infra.providers.local.pictures.colour import Colour, luminance, mix, relight, to_hex
from infra.providers.local.pictures.composition import Stage
from infra.providers.local.pictures.noise import Field
from infra.providers.local.pictures.palette import Palette
from infra.providers.local.pictures.typography import (
    LEAST_CONTRAST,
    Setting,
    luminances,
    worst_contrast,
)

_AIM = LEAST_CONTRAST * 1.08
_STEPS = 40
_AGAINST_THE_HOUR = 0.30
_LOW = 0.72


@dataclass(frozen=True, slots=True, kw_only=True)
class Lettering:
    """Words with their colour and the veil under them."""

    setting: Setting
    colour: Colour
    rule_colour: Colour
    veil_colour: Colour
    veil: Field
    contrast: float

    def lay(self, image: Image.Image) -> None:
        """Draw veil, rule and words onto an RGB picture."""
        overlay = self.overlay(image.size)
        image.paste(overlay.convert("RGB"), (0, 0), overlay.getchannel("A"))

    def overlay(self, size: tuple[int, int]) -> Image.Image:
        """Return everything as one RGBA sheet of the picture's size."""
        veil = np.clip(self.veil * 255 + 0.5, 0, 255).astype(np.uint8)
        sheet = Image.new("RGBA", size, (*_bytes(self.veil_colour), 0))
        sheet.putalpha(Image.fromarray(veil, "L"))
        if self.setting.rule is not None:
            bar = Image.new("L", size, 0)
            ImageDraw.Draw(bar).rectangle(self.setting.rule, fill=255)
            _over(sheet, bar, self.rule_colour)
        _over(sheet, self.setting.mask(size), self.colour)
        return sheet

    def measured(self) -> dict[str, object]:
        """Return plain facts about the words."""
        return {
            "contrast_ratio": round(self.contrast, 2),
            "text_colour": to_hex(self.colour),
            "text_boxes": [list(line.box) for line in self.setting.lines],
            "text_lines": [line.text for line in self.setting.lines],
            "dropped_characters": self.setting.dropped,
        }


def letter(
    setting: Setting, *, stage: Stage, palette: Palette, backgrounds: list[Field]
) -> Lettering:
    """Return the lettering that is legible on every one of the backgrounds (three planes each)."""
    shape = _veil_shape(setting, stage)
    grounds = [
        (background[:, y0:y1, x0:x1], shape[y0:y1, x0:x1])
        for background in backgrounds
        for x0, y0, x1, y1 in (_padded(line.box, stage) for line in setting.lines)
    ]
    light = mix(palette.paper, (1.0, 1.0, 1.0), 0.35)
    dark = palette.ink
    choices: list[tuple[float, Colour, Colour, float]] = []
    for colour, veil in (
        (light, relight(palette.deep, lightness=0.13)),
        (dark, relight(palette.paper, lightness=0.95)),
    ):
        opacity, contrast = _least_veil(colour, veil, grounds)
        choices.append((opacity, colour, veil, contrast))
    opacity, colour, veil, contrast = min(choices, key=lambda choice: _cost(choice, light, stage))
    rule = relight(palette.accent, lightness=0.72 if colour == light else 0.52)
    return Lettering(
        setting=setting,
        colour=colour,
        rule_colour=rule,
        veil_colour=veil,
        veil=(shape * np.float32(opacity)).astype(np.float32),
        contrast=contrast,
    )


def _cost(
    choice: tuple[float, Colour, Colour, float], light: Colour, stage: Stage
) -> tuple[float, float]:
    """Return what speaks against letters: the veil they need, and not to suit the hour."""
    opacity, colour, _veil, contrast = choice
    suits = (colour == light) == stage.is_dark
    return opacity + (0.0 if suits else _AGAINST_THE_HOUR), -contrast


def _least_veil(
    colour: Colour, veil: Colour, grounds: list[tuple[Field, Field]]
) -> tuple[float, float]:
    """Return the weakest veil that makes every line legible, and the least contrast it gives.

    Each ground is what lies behind one line, with the shape of the veil there: measured together,
    a short line on a bright spot would be lost in a long one on a dark field.
    """
    own = luminance(colour)
    under = np.asarray(veil, dtype=np.float32).reshape(3, 1, 1)
    contrast = 0.0
    for step in range(_STEPS + 1):
        opacity = step / _STEPS
        contrast = min(
            worst_contrast(own, luminances(behind + (under - behind) * (shape * opacity)))
            for behind, shape in grounds
        )
        if contrast >= _AIM:
            return opacity, contrast
    return 1.0, contrast


def _padded(box: tuple[int, int, int, int], stage: Stage) -> tuple[int, int, int, int]:
    pad = round(0.008 * stage.unit)
    x0, y0, x1, y1 = box
    return (
        max(x0 - pad, 0),
        max(y0 - pad, 0),
        min(x1 + pad, stage.width),
        min(y1 + pad, stage.height),
    )


def _veil_shape(setting: Setting, stage: Stage) -> Field:
    """Return 1 behind the words, fading softly away from them and not toward their own edge."""
    x0, y0, x1, y1 = (float(side) for side in _padded(setting.box, stage))
    match stage.side:
        case "left" | "right":
            x0, x1 = (0.0, x1) if stage.side == "left" else (x0, float(stage.width))
            y1 = float(stage.height) if y1 > _LOW * stage.height else y1
        case "top":
            x0, y0, x1 = 0.0, 0.0, float(stage.width)
        case _:
            x0, y1 = 0.0, float(stage.height)
            x1 = float(stage.width)
    feather = 0.46 * stage.unit
    xs = np.arange(stage.width, dtype=np.float32)[None, :] + 0.5
    ys = np.arange(stage.height, dtype=np.float32)[:, None] + 0.5
    beside = np.maximum(np.maximum(x0 - xs, xs - x1), 0) / feather
    beyond = np.maximum(np.maximum(y0 - ys, ys - y1), 0) / feather
    away = np.clip(1 - np.hypot(beside, beyond), 0, 1)
    return (away * away * (3 - 2 * away)).astype(np.float32)


def _over(sheet: Image.Image, mask: Image.Image, colour: Colour) -> None:
    ink = Image.new("RGBA", sheet.size, (*_bytes(colour), 0))
    ink.putalpha(mask)
    sheet.alpha_composite(ink)


def _bytes(colour: Colour) -> tuple[int, int, int]:
    red, green, blue = (round(part * 255) for part in colour)
    return red, green, blue
