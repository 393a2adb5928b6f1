"""The stack of sheets that makes a picture, and what moves in it.

Owns `Scene`: layers from back to front, with the small motions that a clip gives them. A motif asks
the scene for layers and for randomness of its own, and knows the palette and the stage.
"""

from dataclasses import dataclass, field

import numpy as np

from infra.providers.local.pictures.brief import Brief
from infra.providers.local.pictures.composition import Stage
from infra.providers.local.pictures.layer import Layer
from infra.providers.local.pictures.noise import Field, generator
from infra.providers.local.pictures.palette import Palette
from infra.providers.local.pictures.raster import Frame, Patch


@dataclass(frozen=True, slots=True, kw_only=True)
class Sway:
    """A slow swing of a whole layer: pixels to each side, seconds for one swing."""

    x: float = 0.0
    y: float = 0.0
    period_s: float = 5.0
    phase: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A finished layer at its depth, with how it swings and drifts (pixels a second)."""

    layer: Layer
    sway: Sway | None = None
    drift: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Stream:
    """A tile of specks or wisps that runs through the picture for ever.

    The tile repeats in both directions; `through` says where it shows; speeds in pixels a second.
    """

    tile: Field
    colour: tuple[float, float, float]
    opacity: float
    speed: tuple[float, float]
    depth: float
    through: Patch | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Pulse:
    """A light that swells and fades, as a flame's does."""

    patch: Patch
    colour: tuple[float, float, float]
    low: float
    high: float
    period_s: float
    depth: float


type Item = Sheet | Stream | Pulse


@dataclass(slots=True, kw_only=True)
class Scene:
    """A picture in the making."""

    frame: Frame
    brief: Brief
    stage: Stage
    palette: Palette
    items: list[Item] = field(default_factory=list[Item])

    @property
    def unit(self) -> float:
        """The shorter side of the picture in pixels; sizes are given in it."""
        return self.stage.unit

    def rng(self, *names: object) -> np.random.Generator:
        """Return randomness that belongs to the named thing only."""
        return generator(self.brief.seed, self.brief.prompt, self.brief.title, *names)

    def layer(self, depth: float, *, sway: Sway | None = None, drift: float = 0.0) -> Layer:
        """Return a new empty layer in front of all others."""
        layer = Layer(self.frame, depth)
        self.items.append(Sheet(layer=layer, sway=sway, drift=drift))
        return layer

    def flattened(self) -> Field:
        """Return the three planes of all layers so far."""
        planes = np.zeros((3, *self.frame.shape), dtype=np.float32)
        for item in self.items:
            if isinstance(item, Sheet):
                item.layer.over(planes)
        return planes

    def add(self, item: Stream | Pulse) -> None:
        """Put something moving in front of all layers so far."""
        self.items.append(item)
