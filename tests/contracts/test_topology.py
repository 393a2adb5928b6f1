"""The committed pictures are what the code draws, and the graphs have the edges that matter."""

from graphs.main import build_main_graph
from graphs.task import build_task_graph
from graphs.topology import FOLDER, draw


def test_committed_pictures_are_current() -> None:
    for name, picture in draw().items():
        committed = (FOLDER / f"{name}.mmd").read_text(encoding="utf-8")
        assert committed == picture, "run: .venv/bin/python -m graphs.topology"


def test_each_graph_has_exactly_one_interrupting_node() -> None:
    task = {(e.source, e.target) for e in build_task_graph(None).get_graph().edges}  # pyright: ignore[reportArgumentType]
    main = {(e.source, e.target) for e in build_main_graph(None).get_graph().edges}  # pyright: ignore[reportArgumentType]
    assert {source for source, target in task if source == "wait"} == {"wait"}
    assert {target for source, target in task if source == "wait"} == {"call"}
    assert {target for source, target in main if source == "clarify"} == {"check"}


def test_no_declared_destination_is_lost() -> None:
    edges = build_task_graph(None).get_graph().edges  # pyright: ignore[reportArgumentType]
    task = {(e.source, e.target) for e in edges}
    for target in ("act", "call", "deliver", "wait", "__end__"):
        assert ("stop_check", target) in task
