"""Every subject by its name; what has none is abstract."""

from collections.abc import Callable

from infra.providers.local.sculpture.sculptor import Sculptor
from infra.providers.local.sculpture.subjects import (
    abstract,
    buildings,
    creatures,
    furniture,
    machines,
    nature,
    ships,
    vessels,
)

ABSTRACT = "abstract"

SUBJECTS: dict[str, Callable[[Sculptor], None]] = {
    "balloon": machines.balloon,
    "bird": creatures.bird,
    "boat": ships.boat,
    "book": furniture.book,
    "bottle": vessels.bottle,
    "bowl": vessels.bowl,
    "bridge": buildings.bridge,
    "candle": vessels.candle,
    "car": machines.car,
    "castle": buildings.castle,
    "cat": creatures.cat,
    "chair": furniture.chair,
    "clock": furniture.clock,
    "crane": machines.crane,
    "cup": vessels.cup,
    "fir": nature.conifer,
    "fish": creatures.fish,
    "flower": nature.flower,
    "house": buildings.house,
    "lamp": furniture.lamp,
    "lantern": vessels.glass_jar,
    "lighthouse": buildings.lighthouse,
    "mountain": nature.mountain,
    "mushroom": nature.mushroom,
    "planet": nature.planet,
    "rocket": machines.rocket,
    "ship": ships.ship,
    "snowman": creatures.snowman,
    "table": furniture.table,
    "teapot": vessels.teapot,
    "tree": nature.tree,
    "vase": vessels.vase,
    ABSTRACT: abstract.abstract,
}
