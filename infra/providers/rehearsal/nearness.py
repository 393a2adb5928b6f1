"""How near the texts of each task are to a message in meaning, one kind of text at a time."""

from collections.abc import Callable, Mapping, Sequence

from infra.providers.rehearsal.meaning import meaning_of
from infra.providers.rehearsal.state import Candidate

_TEXTS: Mapping[str, Callable[[Candidate], str]] = {
    "title": lambda task: task.title,
    "goal": lambda task: task.goal,
    "summary": lambda task: task.summary,
    "objects": lambda task: ", ".join(task.objects),
    "asks": lambda task: task.asks,
}


def of_tasks(message: str, tasks: Sequence[Candidate]) -> dict[str, list[float]]:
    """Return the figures of each task: how near, and how much nearer than the others."""
    said = meaning_of(message)
    found: dict[str, list[float]] = {}
    for name, text in _TEXTS.items():
        near = [float(meaning_of(text(one)) @ said) for one in tasks]
        middle, best = sum(near) / len(near), max(near)
        found[f"near_{name}"] = near
        found[f"near_{name}_above"] = [one - middle for one in near]
        found[f"near_{name}_behind"] = [best - one for one in near]
    return found
