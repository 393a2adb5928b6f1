"""infra: the outside world. Importing any part of it first tells libraries how to behave.

LangGraph reads what checkpoints may bring to life, and mem0 whether to call home, when they are
first imported; so this stands where nothing of ours comes before it. `langgraph.json` says the same
to LangGraph Studio, which imports LangGraph before us.
"""

import os

LIBRARIES = {
    "LANGGRAPH_STRICT_MSGPACK": "true",
    "MEM0_TELEMETRY": "false",
}
for _name, _value in LIBRARIES.items():
    os.environ.setdefault(_name, _value)  # noqa: TID251 - written before a library reads it
