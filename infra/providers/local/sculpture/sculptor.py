"""Collects the parts of an object while its subject is being built."""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from infra.providers.local.pictures.colour import Colour
from infra.providers.local.sculpture.mesh import Mesh, Surface, joined, surface_of
from infra.providers.local.sculpture.stuff import Material, Paint

_CREASE = 38.0


class Detail(StrEnum):
    """How finely round things are divided."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


_SHARES = {Detail.LOW: 0.45, Detail.MEDIUM: 1.0, Detail.HIGH: 2.0}


@dataclass(frozen=True, slots=True)
class Part:
    """A named part of one material."""

    name: str
    material: Material
    surface: Surface


@dataclass(slots=True)
class Sculptor:
    """What a subject is built with: chance, colours, fineness, and the parts so far."""

    rng: np.random.Generator
    paint: Paint
    detail: Detail
    parts: list[tuple[str, Material, Mesh, float]] = field(
        default_factory=list[tuple[str, Material, Mesh, float]]
    )

    def segments(self, medium: int, *, least: int = 6) -> int:
        """Return how many pieces a round thing has that has `medium` of them at medium detail."""
        return max(round(medium * _SHARES[self.detail] / 2) * 2, least)

    def steps(self, medium: int) -> int:
        """Return how many pieces a bend has."""
        return max(round(medium * _SHARES[self.detail]), 2)

    def vary(self, low: float, high: float) -> float:
        """Return a number by chance."""
        return float(self.rng.uniform(low, high))

    def one_of(self, count: int) -> int:
        """Return one of `count` numbers from 0 by chance."""
        return int(self.rng.integers(count))

    def coloured(
        self, name: str, colour: Colour, *, rough: float = 0.5, metal: float = 0.0
    ) -> Material:
        """Return a material of a colour of the paint."""
        return Material(name, colour, rough, metal)

    def add(self, name: str, material: Material, *meshes: Mesh, crease: float = _CREASE) -> None:
        """Add a part of one or more closed meshes."""
        self.parts.append((name, material, joined(meshes), crease))

    def finished(self, height: float | None) -> list[Part]:
        """Return the parts on the ground and about the axis, `height` metres tall if given."""
        everything = np.concatenate([mesh.points for _, _, mesh, _ in self.parts])
        low, high = everything.min(axis=0), everything.max(axis=0)
        middle = np.array([(low[0] + high[0]) / 2, low[1], (low[2] + high[2]) / 2])
        scale = 1.0 if height is None else height / float(high[1] - low[1])
        return [
            Part(
                name,
                material,
                surface_of(Mesh((mesh.points - middle) * scale, mesh.faces), crease=crease),
            )
            for name, material, mesh, crease in self.parts
        ]
