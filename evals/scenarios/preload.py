"""What the processes of the service are forked from: it has imported and read all that they need.

No thread is started here: a fork takes along only the thread that forks. So numpy is told to keep
to one before anything imports it, and the model is asked only what it answers without one.
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # noqa: TID251 - it is read when numpy is imported

import asyncio
import gc
import importlib
import json
from typing import Any

from langchain_core.messages import HumanMessage

from infra.language import detect_language
from infra.libraries import tell_libraries
from infra.providers.embedding import InlineEmbedder
from infra.providers.rehearsal.model import RehearsalModel

_BRIEF = "A series of posters"  # so short that it is not weighed by meaning, in a thread
_STATE = {"task": {"language": "en"}, "person_said": [_BRIEF], "plan": None}
_ASKED = {"route": _BRIEF, "propose_plan": f"<state>{json.dumps(_STATE)}</state>"}


def _ask(tool: str, said: str) -> None:
    named: dict[str, Any] = {"type": "function", "function": {"name": tool, "parameters": {}}}
    RehearsalModel().bind_tools([named]).invoke([HumanMessage(said)])


tell_libraries()
for _module in ("server.__main__", "server.app", "server.serving", "server.workers.run"):
    importlib.import_module(_module)
detect_language("Reads its model, which takes a second.")
asyncio.run(InlineEmbedder().embed(["Reads its weights, which takes two."]))
for _tool, _said in _ASKED.items():
    _ask(_tool, _said)
gc.freeze()
