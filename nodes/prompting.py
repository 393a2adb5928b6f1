"""Loads the system prompts, once per process; their wording stands in `prompts/*.md`."""

from functools import cache
from pathlib import Path
from typing import Literal

_FOLDER = Path(__file__).parent / "prompts"


@cache
def load_prompt(name: Literal["route", "reply", "act"]) -> str:
    """Return a system prompt; it has no placeholders, so the prefix stays stable byte for byte."""
    return (_FOLDER / f"{name}.md").read_text(encoding="utf-8").strip()
