"""What the processes of the service are forked from: it has imported all that they need.

Nothing is run and no thread is started here: a fork takes along only the thread that forks.
"""

import asyncio
import gc
import importlib
import os

from infra.language import detect_language
from infra.libraries import tell_libraries
from infra.providers.embedding import InlineEmbedder

tell_libraries()
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # noqa: TID251 - else numpy starts threads

for _module in ("server.__main__", "server.app", "server.serving", "server.workers.run"):
    importlib.import_module(_module)
detect_language("Reads its model, which takes a second.")
asyncio.run(InlineEmbedder().embed(["Reads its weights, which takes two."]))
gc.freeze()
