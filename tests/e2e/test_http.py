"""The commands as a person starts them: real processes, killed and stopped, and what they leave."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from infra.db.cluster import socket_folder

pytestmark = pytest.mark.e2e
ROOT = Path(__file__).resolve().parents[2]
STOP_SECONDS = 20  # ten are promised, where nothing else wants the processor


def environment(data_dir: Path, **values: str) -> dict[str, str]:
    inherited = {
        name: value
        for name, value in os.environ.items()  # noqa: TID251 - for a process of its own
        if not name.startswith("ATELIER_") and name != "DATABASE_URL"
    }
    return {**inherited, "ATELIER_DATA_DIR": str(data_dir), "COLUMNS": "120", **values}


def run(data_dir: Path, *arguments: str, **values: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "server", *arguments],
        cwd=ROOT,
        env=environment(data_dir, **values),
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [shutil.which("make") or "make", *arguments]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def assert_sentence(done: subprocess.CompletedProcess[str], said: str) -> None:
    """The process told one sentence and nothing else went wrong."""
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    last = done.stderr.strip().splitlines()[-1]
    assert said in last
    assert last.endswith((".", "?"))


def eventually(holds: Callable[[], Any], *, seconds: float = 60) -> Any:
    give_up = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < give_up, "it did not happen in time"
        time.sleep(0.05)
    return found


def children_of(parent: int) -> dict[int, str]:
    """The live children of a process and their command lines."""
    found: dict[int, str] = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit():
            continue
        try:
            status = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
        except OSError:
            continue
        if int(status[1]) == parent and status[0] != "Z":
            found[int(folder.name)] = command
    return found


def is_alive(pid: int) -> bool:
    try:
        return (Path(f"/proc/{pid}") / "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@dataclass(frozen=True)
class Everything:
    """A running `all`."""

    process: subprocess.Popen[bytes]
    data_dir: Path
    address: str

    def worker(self) -> int | None:
        children = children_of(self.process.pid)
        return next((pid for pid, command in children.items() if "server work" in command), None)

    def say(self, text: str, client_id: str) -> list[str]:
        """Post a message and return the types of what came of it."""
        body = {"text": text, "client_id": client_id}
        with httpx.stream(
            "POST", f"{self.address}/v1/chat", json=body, timeout=60, trust_env=False
        ) as answer:
            lines = [line for line in answer.iter_lines() if line.startswith("event: ")]
        return [line.removeprefix("event: ") for line in lines]


@contextmanager
def everything(data_dir: Path) -> Generator[Everything]:
    with (data_dir.parent / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "server", "all", "--port", "0"],
            cwd=ROOT,
            env=environment(data_dir),
            stdout=log,
            stderr=log,
        )
    told = data_dir / "address.json"
    try:
        eventually(lambda: told.exists() or process.poll() is not None)
        address: str = json.loads(told.read_text())["address"]
        yield Everything(process=process, data_dir=data_dir, address=address)
    finally:
        process.kill()
        process.wait()


def test_a_killed_worker_comes_back_and_sigterm_ends_everything(tmp_path: Path) -> None:
    with everything(tmp_path / "data") as running:
        first = eventually(running.worker)
        assert running.say("What can you do?", "one")[-1] == "done"
        os.kill(first, signal.SIGKILL)
        second = eventually(lambda: (running.worker() or first) != first and running.worker())
        assert running.say("And what else?", "two")[-1] == "done"
        family = [running.process.pid, *children_of(running.process.pid)]
        assert second in family
        with httpx.stream("GET", f"{running.address}/v1/events", trust_env=False) as stream:
            next(stream.iter_bytes())
            started = time.monotonic()
            running.process.terminate()
            assert running.process.wait(timeout=30) == 0
            assert time.monotonic() - started < STOP_SECONDS
        assert [pid for pid in family if is_alive(pid)] == []
        assert not (running.data_dir / "address.json").exists()
    assert "Traceback" not in (tmp_path / "log").read_text()


def test_a_killed_parent_leaves_nothing_behind(tmp_path: Path) -> None:
    with everything(tmp_path / "data") as running:
        eventually(running.worker)
        family = [*children_of(running.process.pid)]
        assert len(family) == 2  # the worker and Postgres
        running.process.kill()
        running.process.wait()
        eventually(lambda: not any(is_alive(pid) for pid in family), seconds=20)


def test_a_port_that_is_taken_is_told_in_a_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
        for command in ("all", "serve"):
            done = run(tmp_path / "data", command, "--port", str(port))
            assert_sentence(done, f"Port {port} of 127.0.0.1 is in use")
    assert not (tmp_path / "data").exists()


def test_a_second_start_says_where_the_first_one_runs(tmp_path: Path) -> None:
    with everything(tmp_path / "data") as running:
        port = running.address.rpartition(":")[2]
        for command in ("all", "serve"):
            again = run(running.data_dir, command, "--port", port)
            assert_sentence(again, f"Atelier already runs at {running.address} on this")
        other = run(tmp_path / "other", "all", "--port", port)
        assert_sentence(other, f"Port {port} of 127.0.0.1 is in use")
        running.process.kill()
        running.process.wait()
        with socket.create_server(("127.0.0.1", int(port))):
            gone = run(running.data_dir, "all", "--port", port)
        assert_sentence(gone, f"Port {port} of 127.0.0.1 is in use")


def test_a_python_that_is_none_is_told_before_anything_is_made(tmp_path: Path) -> None:
    old = tmp_path / "python"
    old.write_text("#!/bin/sh\necho False\n")
    old.chmod(0o755)
    for python in ("nonsense", str(tmp_path / "no such"), str(old)):
        done = make("-n", "run", f"PYTHON={python}")
        assert done.returncode == 2
        assert f"PYTHON={python} is no Python 3.12 or 3.13" in done.stderr
    assert make("-n", "run", f"PYTHON={sys.executable}").returncode == 0


def test_a_wrong_setup_is_told_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    nowhere = "postgresql://nobody@127.0.0.1:1/nothing"
    for command, values, said in (
        ("all", {"ATELIER_LEASE_SECONDS": "soon"}, "ATELIER_LEASE_SECONDS"),
        ("all", {"ATELIER_PORT": "abc"}, "ATELIER_PORT: it must be a whole number, not 'abc'."),
        ("work", {"DATABASE_URL": nowhere}, "does not answer"),
        ("all", {"ATELIER_LEESE_SECONDS": "5"}, "Did you mean ATELIER_LEASE_SECONDS?"),
        ("all", {"ATELIER_HOST": "0.0.0.0"}, "0.0.0.0 is refused"),  # noqa: S104 - refused
        ("serve", {"ATELIER_DATA_DIR": str(file), "ATELIER_PORT": "0"}, "cannot be used"),
        ("serve", {"DATABASE_URL": nowhere, "ATELIER_PORT": "0"}, "does not answer"),
        ("migrate", {"DATABASE_URL": nowhere}, "does not answer"),
        ("all", {"ATELIER_MODEL": "nonsense", "ATELIER_PORT": "0"}, "names no chat model"),
        ("serve", {"ATELIER_MODEL": "anthropic:", "ATELIER_PORT": "0"}, "names no chat model"),
        ("work", {"ATELIER_MODEL": "openai:some-model", "OPENAI_API_KEY": ""}, "cannot be used"),
    ):
        assert_sentence(run(tmp_path / "data", command, **values), said)


def test_the_small_commands_do_what_they_say(tmp_path: Path, empty_database_url: str) -> None:
    values = {"DATABASE_URL": empty_database_url}
    migrated = run(tmp_path, "migrate", **values)
    assert "0004_idempotency.sql" in migrated.stdout
    again = run(tmp_path, "migrate", **values)
    assert again.stdout.strip() == "The database is up to date."
    orphans = run(tmp_path, "orphans", **values)
    assert (orphans.returncode, orphans.stdout.strip()) == (
        0,
        "Nothing is left without an owner.",
    )
    described = json.loads(run(tmp_path, "openapi").stdout)
    assert "/v1/messages" in described["paths"]


def test_a_demonstration_makes_files_on_a_server_that_runs(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with everything(tmp_path / "data") as running:
        made = run(running.data_dir, "demo", "Draw a picture of a lighthouse", "--out", str(out))
        assert made.returncode == 0, made.stdout + made.stderr
        assert running.address in made.stdout
        assert "State: done" in made.stdout
        (picture,) = out.glob("*/*.png")
        assert picture.read_bytes().startswith(b"\x89PNG")
        waiting = run(running.data_dir, "demo", "Make a 10 second film about tea", "--no-approve")
        assert_sentence(waiting, "waits for your answer")
        assert running.process.poll() is None


def test_a_demonstration_starts_and_ends_a_server_of_its_own(tmp_path: Path) -> None:
    data_dir = tmp_path / "data"
    done = run(data_dir, "demo", "Print me a sculpture on a quantum printer")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "State: answered" in done.stdout
    assert not (data_dir / "address.json").exists()
    assert not (socket_folder(data_dir) / ".s.PGSQL.5432").exists()
