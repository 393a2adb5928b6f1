"""The system prompts, read once when the process starts; their wording stands in `prompts/*.md`."""

from pathlib import Path
from typing import Literal

type PromptName = Literal["route", "reply", "act"]

_FOLDER = Path(__file__).parent / "prompts"
_PROMPTS = {path.stem: path.read_text(encoding="utf-8").strip() for path in _FOLDER.glob("*.md")}


def load_prompt(name: PromptName) -> str:
    """Return a system prompt; it has no placeholders, so the prefix stays stable byte for byte."""
    return _PROMPTS[name]
