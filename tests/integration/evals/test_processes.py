"""Processes that are forked instead of started anew: as real, as separate, as mortal."""

import asyncio
import fcntl
import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from evals.scenarios import processes

pytestmark = pytest.mark.e2e

ROOT = Path(__file__).parents[3]
SLEEPER = "tests.integration.evals.sleeper"
STARTER = """
import asyncio, os, sys
from pathlib import Path
from evals.scenarios import processes

async def main():
    _, module, lock, folder, log = sys.argv
    await processes.start(
        [module, lock], folder=Path(folder), environment=os.environ, log=Path(log)
    )
    await asyncio.Event().wait()

if __name__ == "__main__":
    asyncio.run(main())
"""


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(120):
        while not holds():  # noqa: ASYNC110 - another process's doing
            await asyncio.sleep(0.05)


def lives(lock: Path) -> bool:
    """Tell whether a sleeper lives; an id would be there until somebody asks how it ended."""
    with lock.open("ab") as held:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def words(log: Path) -> list[str]:
    text = log.read_text("utf-8") if log.exists() else ""
    return text.split() if text.endswith("\n") else []


async def printed(log: Path) -> list[str]:
    await until(lambda: bool(words(log)))
    return words(log)


async def test_a_process_has_its_own_arguments_environment_and_end(tmp_path: Path) -> None:
    locks = [tmp_path / "one", tmp_path / "other"]
    logs = [lock.with_suffix(".log") for lock in locks]
    one, other = [
        await processes.start(
            [SLEEPER, str(lock)], folder=ROOT, environment={"ATELIER_MODEL": lock.name}, log=log
        )
        for lock, log in zip(locks, logs, strict=True)
    ]
    assert await printed(logs[0]) == [str(one.pid), str(locks[0]), "one"]
    assert await printed(logs[1]) == [str(other.pid), str(locks[1]), "other"]
    one.kill()
    await one.wait()
    assert (one.has_ended, other.has_ended) == (True, False)
    assert [lives(lock) for lock in locks] == [False, True]
    other.kill()
    await other.wait()
    other.kill()
    assert not lives(locks[1])


async def test_a_process_ends_with_whoever_had_it_started(tmp_path: Path) -> None:
    script, log, lock = tmp_path / "starter.py", tmp_path / "log", tmp_path / "lock"
    script.write_text(STARTER, encoding="utf-8")
    starter = await asyncio.create_subprocess_exec(
        sys.executable,
        *(str(script), SLEEPER, str(lock), str(ROOT), str(log)),
        env={**os.environ, "PYTHONPATH": str(ROOT)},  # noqa: TID251 - a child gets what we have
    )
    await printed(log)
    assert lives(lock)
    starter.kill()
    await starter.wait()
    await until(lambda: not lives(lock))


@pytest.mark.long
async def test_what_processes_are_forked_from_has_one_thread() -> None:
    count = "len(list(Path('/proc/self/task').iterdir()))"
    script = f"import evals.scenarios.preload; from pathlib import Path; print({count})"
    asked = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", script), cwd=ROOT, stdout=asyncio.subprocess.PIPE
    )
    told, _ = await asked.communicate()
    assert told.split() == [b"1"]
