"""What the rehearsal model says to people."""

from infra.providers.rehearsal.state import MainView


def reply(view: MainView) -> str:
    """Return Main's own answer to a message."""
    names = [str(item.get("name")) for item in view.capabilities.get("operations", [])]
    if view.language == "de":
        return "Ich kann Bilder, Plakatserien und Filme machen. Was soll entstehen?"
    what = f" ({', '.join(names)})" if names else ""
    return f"I can make pictures, poster series and films{what}. What would you like to make?"
