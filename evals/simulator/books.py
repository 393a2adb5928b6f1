"""The vendor's own books: every request, order and bill, one JSON object a line, never changed.

A line is on the disk before the answer is. `orders` and `billed` are what `tests.invariants.check`
compares our tables with: one order for each job that was made, under the id of the attempt that it
was made for, and what it was charged.
"""

import asyncio
import json
import os
from pathlib import Path
from typing import Any
from uuid import UUID


class Books:
    """An append-only log and what follows from it; a new one goes on where the file ends."""

    def __init__(self, path: Path) -> None:
        self.lines: list[dict[str, Any]] = []
        """Everything that was written."""
        self.submissions = 0
        """How many requests for a job arrived, whatever became of them."""
        self.orders: list[UUID] = []
        """The attempt of each job that was made."""
        self.billed: dict[UUID, int] = {}
        """What was charged for each attempt, in micro-units."""
        self._path = path
        self._lock = asyncio.Lock()
        if path.exists():
            for line in path.read_text("utf-8").splitlines():
                self._enter(json.loads(line))

    async def write(self, event: str, **facts: Any) -> None:
        """Write one line down, for good."""
        line = json.dumps({"event": event, **facts}, default=str)
        async with self._lock:
            await asyncio.to_thread(_append, self._path, line)
            self._enter(json.loads(line))

    def _enter(self, line: dict[str, Any]) -> None:
        self.lines.append(line)
        match line["event"]:
            case "submission":
                self.submissions += 1
            case "order":
                self.orders.append(UUID(line["attempt"]))
            case "bill":
                attempt = UUID(line["attempt"])
                self.billed[attempt] = self.billed.get(attempt, 0) + int(line["micros"])
            case _:
                pass


def _append(path: Path, line: str) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.write(line + "\n")
        file.flush()
        os.fsync(file.fileno())
