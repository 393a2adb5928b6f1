"""The product as a person starts it: `python -m server all`, its own data folder, a free port."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from server.everything import ADDRESS_FILE

ROOT = Path(__file__).parents[2]
START_SECONDS = 180
STOP_SECONDS = 60
_LOOK_SECONDS = 0.2
_TAIL_LINES = 60


@dataclass
class Atelier:
    """A server with its worker and database, ended by its own pid."""

    folder: Path
    address: str = ""
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    @property
    def log(self) -> Path:
        """What the processes printed."""
        return self.folder / "server.log"

    def start(self) -> None:
        """Start it, and wait until it answers; started again, it listens where it did."""
        port = self.address.rpartition(":")[2] or "0"
        command = [sys.executable, "-m", "server", "all", "--port", port]
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=self._environment(),
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._answers():
            assert self._process.poll() is None, f"The server ended.\n{self.tail()}"
            assert time.monotonic() < deadline, f"The server did not start.\n{self.tail()}"
            time.sleep(_LOOK_SECONDS)

    def stop(self) -> None:
        """End it as Ctrl-C does; what does not end in time is killed."""
        if self._process is None:
            return
        self._process.send_signal(signal.SIGTERM)
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise
        finally:
            self._process = None

    def get(self, path: str) -> Any:
        """Return what a route answers."""
        with urllib.request.urlopen(self.address + path, timeout=30) as answer:  # noqa: S310
            return json.load(answer)

    def tail(self) -> str:
        """Return the end of the log."""
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(lines[-_TAIL_LINES:])

    def _environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()  # noqa: TID251 - a child gets what we have
            if name != "DATABASE_URL" and not name.startswith("ATELIER_")
        }
        return {
            **kept,
            "ATELIER_DATA_DIR": str(self.folder / "data"),
            "ATELIER_LOG_LEVEL": "info",
            "PYTHONUNBUFFERED": "1",
        }

    def _answers(self) -> bool:
        try:
            told = (self.folder / "data" / ADDRESS_FILE).read_text(encoding="utf-8")
            self.address = json.loads(told)["address"]
            self.get("/readyz")
        except (OSError, ValueError):
            return False
        return True
