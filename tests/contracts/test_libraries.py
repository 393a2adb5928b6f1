"""Libraries are told how to behave before they are imported, in every entry point."""

import json
import re
import subprocess
import sys
from pathlib import Path

from langgraph.checkpoint.serde import _msgpack  # pyright: ignore[reportPrivateUsage]

from infra.libraries import LIBRARIES

ROOT = Path(__file__).parents[2]
ASK = """
import os, sys
from server.__main__ import main
main(["openapi"])
import graphs.invoke
from langgraph.checkpoint.serde import _msgpack
print(_msgpack.STRICT_MSGPACK_ENABLED, os.environ["MEM0_TELEMETRY"], file=sys.stderr)
"""


def test_checkpoints_bring_only_known_types_to_life_and_nobody_calls_home() -> None:
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.split() == ["True", "false"]


def test_a_process_that_imports_the_commands_has_not_imported_the_libraries() -> None:
    ask = "import sys, server.__main__; print([m for m in sys.modules if m == 'langgraph'])"
    done = subprocess.run(
        [sys.executable, "-c", ask], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


def test_the_tests_run_under_the_same_rule() -> None:
    assert _msgpack.STRICT_MSGPACK_ENABLED is True


def test_studio_is_told_the_same() -> None:
    told = json.loads((ROOT / "langgraph.json").read_text(encoding="utf-8"))["env"]
    assert told.items() >= LIBRARIES.items()


def test_nothing_that_runs_in_transactions_uses_a_pipeline() -> None:
    """After one, the database no longer ends a transaction that stands idle (ADR 0009)."""
    folders = ("execution", "workspace", "memory", "tools", "nodes", "graphs", "server")
    found = [
        str(path.relative_to(ROOT))
        for folder in folders
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"\.executemany\(|\.pipeline\(", path.read_text(encoding="utf-8"))
    ]
    assert found == []
