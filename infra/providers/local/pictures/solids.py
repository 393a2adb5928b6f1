"""Round bodies with light on them: pots, mugs, candles, balls and how they stand on a table.

Owns the shading of bodies turned about an upright axis, seen a little from above. Light comes from
where the stage has it; the shadow falls on the table to the other side.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, circle, points, profile
from infra.providers.local.pictures.layer import Layer, toned
from infra.providers.local.pictures.noise import Field
from infra.providers.local.pictures.raster import Patch
from infra.providers.local.pictures.scene import Scene


@dataclass(frozen=True, slots=True, kw_only=True)
class Turned:
    """A turned body: its foot at (x, y), heights and radii in pixels along a smooth profile.

    `squash` is how open its circles look from the eye's height.
    """

    x: float
    y: float
    heights: np.ndarray
    radii: np.ndarray
    squash: float

    @property
    def tall(self) -> float:
        """The height of the rim over the foot."""
        return float(self.heights[-1])

    @property
    def mouth(self) -> float:
        """The radius of the rim."""
        return float(self.radii[-1])

    @property
    def belly(self) -> float:
        """The largest radius."""
        return float(self.radii.max())

    def radius_at(self, height: float) -> float:
        """Return the radius at a height over the foot."""
        return float(np.interp(height, self.heights, self.radii))

    def outline(self) -> Points:
        """Return the silhouette without the opening."""
        ys = self.y - self.heights
        angles = np.linspace(0, np.pi, 30)
        foot, rim = self.radii[0], self.radii[-1]
        bottom = np.stack(
            [self.x + np.cos(angles) * foot, self.y + np.sin(angles) * foot * self.squash], axis=1
        )
        top = np.stack(
            [
                self.x - np.cos(angles) * rim,
                self.y - self.tall - np.sin(angles) * rim * self.squash,
            ],
            axis=1,
        )
        left = np.stack([self.x - self.radii, ys], axis=1)
        right = np.stack([self.x + self.radii, ys], axis=1)
        return np.concatenate([left, top, right[::-1], bottom])


def turned(
    x: float,
    y: float,
    *,
    tall: float,
    wide: float,
    shape: list[tuple[float, float]],
    squash: float = 0.2,
) -> Turned:
    """Return a body from (height, radius) pairs between 0 and 1."""
    line = profile([height for height, _ in shape], [radius for _, radius in shape])
    heights = np.maximum.accumulate(line[:, 0]) * tall
    return Turned(
        x=x, y=y, heights=heights, radii=np.maximum(line[:, 1], 0.01) * wide, squash=squash
    )


def lay_turned(
    scene: Scene,
    layer: Layer,
    body: Turned,
    colour: Colour,
    *,
    gloss: float = 0.35,
    rings: float = 0.0,
    tone: Callable[[Field, Field], Field] | None = None,
) -> Patch:
    """Paint the body with light, a soft gleam and, for thrown clay, rings; return its mask.

    `tone` may add to the light, e.g. to darken a band; its values are shares of the full range.
    """
    palette = scene.palette
    mask = scene.frame.shape_of(body.outline())
    shade = mix(relight(colour, lift=-0.27, chroma=1.05), palette.deep, 0.35)
    light = relight(mix(colour, palette.glow, 0.40), lift=0.09)
    layer.fill(
        mask, toned(_lit(scene, body, gloss=gloss, rings=rings, tone=tone), shade, colour, light)
    )
    return mask


def _lit(
    scene: Scene,
    body: Turned,
    *,
    gloss: float,
    rings: float,
    tone: Callable[[Field, Field], Field] | None,
) -> Callable[[Field, Field], Field]:
    side, _ = scene.stage.toward_light(body.x, body.y - body.tall / 2)
    lx, ly, lz = (0.78 if side > 0 else -0.78), 0.42, 0.50
    slope = np.gradient(body.radii, np.maximum(np.gradient(body.heights).cumsum(), 1e-3))
    slope = np.clip(slope, -2.5, 2.5)

    def light(xs: Field, ys: Field) -> Field:
        height = np.clip(body.y - ys, 0, body.tall)
        radius = np.interp(height, body.heights, body.radii).astype(np.float32)
        lean = -np.interp(height, body.heights, slope).astype(np.float32)
        across = np.clip((xs - np.float32(body.x)) / np.maximum(radius, 1), -1, 1)
        front = np.sqrt(1 - across**2)
        size = np.sqrt(1 + lean**2)
        facing = (across * lx + lean * ly + front * lz) / size
        level = 0.30 + 0.50 * np.clip(facing, -0.35, 1)
        # Light comes back from the table and the wall on the shaded side.
        level = level + 0.14 * np.clip(-across * np.sign(lx) - 0.55, 0, 1)
        gleam = np.clip((across * lx * 0.9 + lean * 0.30 + front * 0.62) / size, 0, 1)
        level = level + gloss * 0.55 * gleam**16
        if rings:
            level = level + rings * 0.045 * np.sin(height / max(body.tall, 1) * rings * 42)
        if tone is not None:
            level = level + tone(xs, ys)
        return level

    return light


def lay_opening(
    scene: Scene, layer: Layer, body: Turned, colour: Colour, *, inside: Colour | None = None
) -> None:
    """Paint the rim and the hollow of a body seen from above."""
    frame, unit = scene.frame, scene.unit
    top = body.y - body.tall
    hollow = inside or mix(relight(colour, lift=-0.24), scene.palette.deep, 0.4)
    side, _ = scene.stage.toward_light(body.x, top)
    outer = frame.shape_of(circle(body.x, top, body.mouth, squash=body.squash))
    lip = max(body.mouth * 0.055, 0.0022 * unit)
    inner = frame.shape_of(
        circle(body.x, top + lip * 0.15, body.mouth - lip, squash=body.squash * 0.94)
    )
    layer.fill(outer, relight(mix(colour, scene.palette.glow, 0.38), lift=0.05))
    far = relight(hollow, lift=0.13)

    def depth(xs: Field, ys: Field) -> Field:
        place = (xs - body.x) / max(body.mouth, 1) * (-1 if side > 0 else 1)
        return 0.5 + 0.42 * place + 0.25 * (ys - top) / max(body.mouth * body.squash, 1)

    layer.fill(inner, toned(depth, hollow, far))


def lay_shadow(
    scene: Scene,
    layer: Layer,
    *,
    x: float,
    y: float,
    wide: float,
    tall: float,
    strength: float = 0.5,
) -> None:
    """Paint the shadow of a body that stands at (x, y) on a table."""
    frame, stage = scene.frame, scene.stage
    side, _ = stage.toward_light(x, y - tall)
    away = -1 if side > 0 else 1
    dark = mix(scene.palette.deep, scene.palette.near, 0.2)
    reach = max(0.75 * tall, wide)
    cast = points(
        (x - wide * 0.95, y),
        (x + wide * 0.95, y + wide * 0.12),
        (x + away * reach + wide * 0.7, y + wide * 0.24),
        (x + away * reach - wide * 0.5, y - wide * 0.06),
    )
    long = frame.blurred(frame.shape_of(cast), 0.05 * wide + 0.006 * stage.unit)
    layer.shadow(
        long.faded(lambda xs, _ys: np.clip(1.1 - np.abs(xs - x) / (reach + wide), 0, 1)),
        dark,
        strength * 0.65,
    )
    contact = frame.disc(x + away * wide * 0.06, y + wide * 0.05, wide * 1.08, squash=0.2)
    layer.shadow(frame.blurred(contact, 0.06 * wide + 1), dark, strength * 1.25)
