"""The drawn topology of both graphs; `python -m graphs.topology` writes it to `docs/topology/`."""

import sys
from pathlib import Path
from typing import Any, cast

from graphs.main import build_main_graph
from graphs.task import build_task_graph

FOLDER = Path(__file__).parent.parent / "docs" / "topology"


def draw() -> dict[str, str]:
    """Return the Mermaid picture of each graph, by its name."""
    no_deps = cast("Any", None)  # drawing calls no node
    return {
        "main": build_main_graph(no_deps).get_graph().draw_mermaid(),
        "task": build_task_graph(no_deps).get_graph().draw_mermaid(),
    }


def write() -> None:
    """Write the pictures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, picture in draw().items():
        (FOLDER / f"{name}.mmd").write_text(picture, encoding="utf-8")


if __name__ == "__main__":
    write()
    sys.stdout.write(f"Written to {FOLDER}\n")
