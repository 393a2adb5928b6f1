"""Which function draws what the lexicon names."""

from collections.abc import Callable

from infra.providers.local.pictures.motifs import (
    abstracts,
    buildings,
    craft,
    creatures,
    kitchen,
    lands,
    plants,
    things,
    travel,
    ways,
)
from infra.providers.local.pictures.scene import Scene

type Motif = Callable[[Scene], None]

LANDS: dict[str, Motif] = {
    "sea": lands.draw_sea,
    "mountains": lands.draw_mountains,
    "forest": lands.draw_forest,
    "desert": lands.draw_desert,
    "hills": lands.draw_hills,
    "river": ways.draw_river,
    "lake": ways.draw_lake,
    "road": ways.draw_road,
    "city": ways.draw_city,
}

SUBJECTS: dict[str, Motif] = {
    "vessel": craft.draw_vessel,
    "mug": craft.draw_mug,
    "wheel": craft.draw_wheel,
    "hands": craft.draw_hands,
    "bread": kitchen.draw_bread,
    "candle": kitchen.draw_candle,
    "fire": kitchen.draw_fire,
    "book": things.draw_book,
    "paper": things.draw_paper,
    "gears": things.draw_gears,
    "fabric": things.draw_fabric,
    "lighthouse": buildings.draw_lighthouse,
    "bridge": buildings.draw_bridge,
    "house": buildings.draw_house,
    "window": buildings.draw_window,
    "train": travel.draw_train,
    "boat": travel.draw_boat,
    "balloon": travel.draw_balloon,
    "bird": creatures.draw_bird,
    "cat": creatures.draw_cat,
    "fish": creatures.draw_fish,
    "figure": creatures.draw_figure,
    "tree": plants.draw_tree,
    "leaf": plants.draw_leaf,
    "flower": plants.draw_flower,
    "planet": abstracts.draw_planet,
    "sound": abstracts.draw_sound,
    "network": abstracts.draw_network,
    "geometry": abstracts.draw_geometry,
}
