"""Task: call → stop_check → act | call | deliver | wait; wait is the only interrupt."""

from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import START, StateGraph
from langgraph.graph.state import CompiledStateGraph

from graphs.binding import Binder, bind
from infra.deps import Deps
from nodes.state import RunContext, TaskState
from nodes.task.act import act
from nodes.task.call import call
from nodes.task.deliver import deliver
from nodes.task.stop_check import stop_check
from nodes.task.wait import wait

type TaskGraph = CompiledStateGraph[TaskState, RunContext, TaskState, TaskState]


def build_task_graph(
    deps: Deps,
    checkpointer: BaseCheckpointSaver[Any] | None = None,
    *,
    binder: Binder = bind,
) -> TaskGraph:
    """Compile a task's graph."""
    graph = StateGraph(TaskState, context_schema=RunContext)
    graph.add_node("call", binder(call, deps))
    graph.add_node("stop_check", binder(stop_check, deps))
    graph.add_node("act", binder(act, deps))
    graph.add_node("deliver", binder(deliver, deps))
    graph.add_node("wait", binder(wait, deps))
    graph.add_edge(START, "call")
    return graph.compile(checkpointer=checkpointer, name="task")
