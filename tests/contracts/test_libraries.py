"""Libraries are told how to behave before they are imported, in every entry point."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from langgraph.checkpoint.serde import _msgpack

from infra import LIBRARIES

ROOT = Path(__file__).parents[2]
ASK = """
import importlib, os, sys
importlib.import_module(sys.argv[1])
importlib.import_module("graphs.invoke")
from langgraph.checkpoint.serde import _msgpack
print(_msgpack.STRICT_MSGPACK_ENABLED, os.environ["MEM0_TELEMETRY"])
"""


@pytest.mark.parametrize("entry", ["server.__main__", "server.app", "infra.db.schema"])
def test_checkpoints_bring_only_known_types_to_life_and_nobody_calls_home(entry: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASK, entry],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.split() == ["True", "false"]


def test_the_tests_run_under_the_same_rule() -> None:
    assert _msgpack.STRICT_MSGPACK_ENABLED is True


def test_studio_is_told_the_same() -> None:
    told = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["env"]
    assert told.items() >= LIBRARIES.items()
