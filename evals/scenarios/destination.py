"""Where the records of a run go: a folder that has none yet, and is not left behind empty."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from infra.errors import ConfigurationError

_RECORDS = "*.jsonl"


@contextmanager
def destination(folder: Path) -> Generator[None]:
    """Keep a folder for records; those that were made for it go again while they are empty.

    Raises:
        ConfigurationError: it cannot be made, or has records already.
    """
    new = [each for each in (folder, *folder.parents) if not each.exists()]
    try:
        if any(folder.rglob(_RECORDS)):
            message = f"{folder} has records of an earlier run: name another folder."
            raise ConfigurationError(message)
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        message = f"The records cannot go to {folder}: {error.strerror or error}."
        raise ConfigurationError(message) from None
    try:
        yield
    finally:
        for each in new:
            if any(each.iterdir()):
                break
            each.rmdir()


def stopped(folder: Path, planned: int) -> str:
    """Return what is told of a run that was stopped before its end."""
    kept = sum(1 for _ in folder.rglob(_RECORDS))
    if not kept:
        return f"Stopped: none of {planned} trials had ended, and nothing is kept."
    return (
        f"Stopped: the records of {kept} of {planned} trials are kept in {folder}. Their report:"
        f" .venv/bin/python -m evals report {folder}"
    )
