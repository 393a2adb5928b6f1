"""Binds live handles to a node, keeping its name and annotations.

LangGraph reads a node's destinations from its return annotation. `functools.partial` loses it, and
an edge with it, silently; `functools.wraps` keeps both.
"""

import functools
from collections.abc import Awaitable, Callable
from typing import Any, Protocol

from langgraph.runtime import Runtime

from infra.deps import Deps
from nodes.state import RunContext

type Binder = Callable[[Callable[..., Awaitable[Any]], Deps], Callable[..., Awaitable[Any]]]


class Node[State, Result](Protocol):
    """A node of ours: state, runtime and handles in, an update or a command out."""

    def __call__(
        self, state: State, runtime: Runtime[RunContext], *, deps: Deps
    ) -> Awaitable[Result]: ...


class BoundNode[State, Result](Protocol):
    """A node as LangGraph calls it."""

    def __call__(self, state: State, runtime: Runtime[RunContext]) -> Awaitable[Result]: ...


def bind[State, Result](node: Node[State, Result], deps: Deps) -> BoundNode[State, Result]:
    """Return the node with its handles bound."""

    @functools.wraps(node)
    async def bound(state: State, runtime: Runtime[RunContext]) -> Result:
        return await node(state, runtime, deps=deps)

    return bound
