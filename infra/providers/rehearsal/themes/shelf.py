"""All themes by key."""

from infra.providers.rehearsal.themes import (
    animals,
    celebration,
    city,
    craft,
    explaining,
    food,
    garden,
    harbour,
    history,
    mystery,
    nature,
    people,
    sea,
    space,
    technology,
    universal,
)
from infra.providers.rehearsal.themes.beats import Theme

_MODULES = (
    *(animals, city, craft, food, garden, harbour, history, nature, people, sea, space, technology),
    *(celebration, explaining, mystery, universal),
)
THEMES: dict[str, Theme] = {module.THEME.key: module.THEME for module in _MODULES}
