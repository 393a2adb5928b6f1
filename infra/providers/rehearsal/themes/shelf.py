"""All themes by key."""

from infra.providers.rehearsal.themes import (
    animals,
    city,
    craft,
    food,
    garden,
    history,
    nature,
    people,
    sea,
    space,
    technology,
    universal,
)
from infra.providers.rehearsal.themes.beats import Theme

_MODULES = (
    *(animals, city, craft, food, garden, history, nature, people, sea, space, technology),
    universal,
)
THEMES: dict[str, Theme] = {module.THEME.key: module.THEME for module in _MODULES}
