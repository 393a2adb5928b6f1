"""From our description of a picture to the one text that a vendor's model takes."""

from typing import Any


def described(payload: dict[str, Any]) -> str:
    """Return the prompt with what else is said about the look."""
    parts = [str(payload["prompt"]).strip()]
    for name, label in (("style", "Style"), ("mood", "Mood")):
        if said := str(payload.get(name) or "").strip():
            parts.append(f"{label}: {said}")
    if palette := payload.get("palette"):
        parts.append(f"Colours: {', '.join(map(str, palette))}")
    words = [str(payload.get(name) or "").strip() for name in ("title", "subtitle")]
    if any(words):
        parts.append("Lettering: " + " / ".join(f"“{word}”" for word in words if word))
    return ". ".join(part.rstrip(".") for part in parts) + "."
