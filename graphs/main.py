"""Main: receive → candidates → route → check → reply | start | steer; check ⇄ clarify (asks)."""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graphs.binding import bind
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


def build_main_graph(deps: Deps, checkpointer: BaseCheckpointSaver[Any] | None = None) -> MainGraph:
    """Compile Main."""
    graph = StateGraph(MainState, context_schema=RunContext)
    graph.add_node("receive", bind(receive, deps))
    graph.add_node("candidates", bind(candidates, deps))
    graph.add_node("route", bind(route, deps))
    graph.add_node("check", bind(check, deps))
    graph.add_node("clarify", bind(clarify, deps))
    graph.add_node("reply", bind(reply, deps))
    graph.add_node("start", bind(start, deps))
    graph.add_node("steer", bind(steer, deps))
    graph.add_edge(START, "receive")
    return graph.compile(checkpointer=checkpointer, name="main")
