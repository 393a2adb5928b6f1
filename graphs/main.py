"""Main: receive → candidates → route → check → reply | start | steer; check ⇄ clarify (asks)."""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graphs.binding import Binder, bind
from infra.deps import Deps
from nodes.main.candidates import candidates
from nodes.main.check import check
from nodes.main.clarify import clarify
from nodes.main.receive import receive
from nodes.main.reply import reply
from nodes.main.route import route
from nodes.main.start import start
from nodes.main.steer import steer
from nodes.state import MainState, RunContext

type MainGraph = CompiledStateGraph[MainState, RunContext, MainState, MainState]


def build_main_graph(
    deps: Deps,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    *,
    binder: Binder = bind,
) -> MainGraph:
    """Compile Main."""
    graph = StateGraph(MainState, context_schema=RunContext)
    graph.add_node("receive", binder(receive, deps))
    graph.add_node("candidates", binder(candidates, deps))
    graph.add_node("route", binder(route, deps))
    graph.add_node("check", binder(check, deps))
    graph.add_node("clarify", binder(clarify, deps))
    graph.add_node("reply", binder(reply, deps))
    graph.add_node("start", binder(start, deps))
    graph.add_node("steer", binder(steer, deps))
    graph.add_edge(START, "receive")
    return graph.compile(checkpointer=checkpointer, name="main")
