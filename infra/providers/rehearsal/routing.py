"""The router's rules: where does a message belong?"""

from typing import Any

from infra.providers.rehearsal.brief import kind_of, read_wish
from infra.providers.rehearsal.state import MainView


def route(view: MainView) -> dict[str, Any]:
    """Return the arguments of the tool `route`."""
    kind = kind_of(view.message)
    wish = read_wish([view.message], view.language or "en")
    outcome = "answer" if kind is None else "lightweight" if kind == "image" else "new"
    return {
        "outcome": outcome,
        "task_id": None,
        "title": wish.brief.subject[:60],
        "goal": view.message,
        "language": view.language or "en",
        "acknowledgement": "" if outcome == "answer" else _acknowledge(view.language),
        "question": None,
        "options": [],
        "reason": f"asks for: {kind or 'nothing to make'}",
    }


def _acknowledge(language: str) -> str:
    if language == "de":
        return "Ich entwerfe einen Plan; nichts beginnt ohne Ihre Zustimmung."
    return "I am drawing up a plan; nothing starts before you agree."
