"""All themes by key."""

from infra.providers.rehearsal.themes import universal
from infra.providers.rehearsal.themes.beats import Theme

THEMES: dict[str, Theme] = {theme.key: theme for theme in (universal.THEME,)}
