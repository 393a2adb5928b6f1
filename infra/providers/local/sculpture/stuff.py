"""What an object is made of: materials, and the colours that a request gives them."""

from dataclasses import dataclass

import numpy as np

from infra.providers.local.pictures.colour import Colour, from_hex, mix, relight, to_lch


@dataclass(frozen=True, slots=True)
class Material:
    """A surface of the metal-and-roughness model; the colour is sRGB, `glow` is its own light."""

    name: str
    colour: Colour
    rough: float = 0.6
    metal: float = 0.0
    glow: float = 0.0

    def toned(self, *, lift: float, name: str = "") -> "Material":
        """Return the material lighter, or darker where `lift` is negative."""
        return Material(
            name or f"{self.name} {'light' if lift > 0 else 'dark'}",
            relight(self.colour, lift=lift),
            self.rough,
            self.metal,
            self.glow,
        )


def colour(text: str) -> Colour:
    """Return the colour of `#rrggbb`."""
    found = from_hex(text)
    assert found is not None, text  # noqa: S101 - written in this package
    return found


def stuff(
    name: str, text: str, *, rough: float = 0.6, metal: float = 0.0, glow: float = 0.0
) -> Material:
    """Return a material of a colour written as `#rrggbb`."""
    return Material(name, colour(text), rough, metal, glow)


WOOD = stuff("wood", "#8f5f37", rough=0.62)
DARK_WOOD = stuff("dark wood", "#553620", rough=0.55)
STONE = stuff("stone", "#8f8b83", rough=0.9)
DARK_STONE = stuff("dark stone", "#5d5a58", rough=0.92)
PLASTER = stuff("plaster", "#efe7d8", rough=0.85)
STEEL = stuff("steel", "#b9bdc3", rough=0.34, metal=1.0)
IRON = stuff("iron", "#3b3d42", rough=0.5, metal=0.8)
BRASS = stuff("brass", "#d0a04c", rough=0.3, metal=1.0)
GLASS = stuff("glass", "#b8d4e0", rough=0.08, metal=0.1)
DARK_GLASS = stuff("dark glass", "#243440", rough=0.1, metal=0.2)
LEAVES = stuff("leaves", "#5b8a43", rough=0.85)
GRASS = stuff("grass", "#7d9a4e", rough=0.95)
EARTH = stuff("earth", "#6d5440", rough=0.95)
WATER = stuff("water", "#2f6f8f", rough=0.15, metal=0.1)
SNOW = stuff("snow", "#f4f7fa", rough=0.8)
BLACK = stuff("black", "#222327", rough=0.45)
WHITE = stuff("white", "#f4f1ea", rough=0.5)
PAPER = stuff("paper", "#f1e9d6", rough=0.9)
LIGHT = stuff("light", "#ffe3a3", rough=0.4, glow=1.6)


class Paint:
    """The colours of an object: those that were asked for, in their order, else its own."""

    def __init__(self, asked: list[Colour], rng: np.random.Generator) -> None:
        self._asked = asked
        self._turn = int(rng.integers(1 << 16))

    def main(self, *schemes: str) -> Colour:
        """Return the colour of most of it: the first that was asked for, or one of its own."""
        return self._asked[0] if self._asked else self._own(schemes, 0)

    def accent(self, *schemes: str) -> Colour:
        """Return the colour beside the main one; of one that was asked for, a relative."""
        if len(self._asked) > 1:
            return self._asked[1]
        if not self._asked:
            return self._own(schemes, 1)
        main = self._asked[0]
        light = to_lch(main)[0] > _MIDDLE
        return mix(relight(main, lift=-0.28 if light else 0.3), colour("#f2ead9"), 0.2)

    def natural(self, material: Material) -> Material:
        """Return a natural stuff, drawn a little towards what was asked for."""
        if len(self._asked) <= _ENOUGH:
            return material
        nearest = min(self._asked, key=lambda one: abs(to_lch(one)[0] - to_lch(material.colour)[0]))
        return Material(
            material.name,
            mix(material.colour, nearest, 0.45),
            material.rough,
            material.metal,
            material.glow,
        )

    def _own(self, schemes: tuple[str, ...], place: int) -> Colour:
        """Return a colour of the scheme that the seed chose: `main accent` each."""
        return colour(schemes[self._turn % len(schemes)].split()[place])


_MIDDLE = 0.6
_ENOUGH = 2
