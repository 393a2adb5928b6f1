"""Tells libraries how to behave, where they read it from the environment when first imported.

LangGraph reads what checkpoints may bring to life, and mem0 whether to call home. Each entry point
calls this before it imports them; `langgraph.json` says the same to LangGraph Studio, which imports
LangGraph before us.
"""

import os

LIBRARIES = {
    "LANGGRAPH_STRICT_MSGPACK": "true",
    "MEM0_TELEMETRY": "false",
}


def tell_libraries() -> None:
    """Set what is not set yet; whoever set it knows why."""
    for name, value in LIBRARIES.items():
        os.environ.setdefault(name, value)  # noqa: TID251 - written for others, read by none of us
