"""Task: call → stop_check → act | call | deliver | wait; wait is the only interrupt."""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph
from nodes.task.deliver import deliver

from graphs.binding import bind
from infra.deps import Deps
from nodes.state import RunContext, TaskState
from nodes.task.act import act
from nodes.task.call import call
from nodes.task.stop_check import stop_check
from nodes.task.wait import wait

type TaskGraph = CompiledStateGraph[TaskState, RunContext, TaskState, TaskState]


def build_task_graph(deps: Deps, checkpointer: BaseCheckpointSaver[Any] | None = None) -> TaskGraph:
    """Compile a task's graph."""
    graph = StateGraph(TaskState, context_schema=RunContext)
    graph.add_node("call", bind(call, deps))
    graph.add_node("stop_check", bind(stop_check, deps))
    graph.add_node("act", bind(act, deps))
    graph.add_node("deliver", bind(deliver, deps))
    graph.add_node("wait", bind(wait, deps))
    graph.add_edge(START, "call")
    return graph.compile(checkpointer=checkpointer, name="task")
