"""Serves every simulated vendor on this machine: `python -m evals.simulator`.

What it prints are the settings that lead an installation to it, a line each, and comments: kept
as a file, a shell reads them with `. file`. It ends on SIGINT or SIGTERM; its books stay.
"""

import argparse
import asyncio
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any, get_args

from evals.simulator.control import Everything, open_everything
from evals.simulator.switches import Hook, Switches, Told

_HELP = """\
# Steer it while it runs; {control} shows all vendors:
#   curl -X POST {control}/fal -d '{{"default": "made", "by_number": {{"3": "lost"}}}}'
#   curl -X POST {control}/fal/release
#   curl -X POST {control}/fal -d '{{"is_out": true}}'
#   curl {control}/fal/books
"""


def main() -> None:
    """Serve until somebody ends it."""
    asyncio.run(_serve(_arguments()))


async def _serve(given: argparse.Namespace) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, ended.set)
    folder: Path = given.folder or await asyncio.to_thread(_new_folder)
    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    switches = Switches(default=given.default, hook=given.hook)
    async with open_everything(folder, switches, port=given.port) as everything:
        sys.stdout.write(_told(everything, folder))
        sys.stdout.flush()
        await ended.wait()


def _told(everything: Everything, folder: Path) -> str:
    lines = [f"export {name}={value}" for name, value in everything.settings.items()]
    head = f"# Simulated vendors; their books are in {folder}\n"
    return head + "\n".join(lines) + "\n" + _HELP.format(control=f"{everything.address}/_control")


def _new_folder() -> Path:
    return Path(tempfile.mkdtemp(prefix="atelier-simulator-"))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m evals.simulator", description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="a free one unless named")
    parser.add_argument("--folder", type=Path, help="where the vendors keep their books")
    parser.add_argument(
        "--default", choices=_words(Told), default="made", help="how orders end unless told"
    )
    parser.add_argument(
        "--hook", choices=_words(Hook), default="on_time", help="how webhooks are delivered"
    )
    return parser.parse_args()


def _words(alias: Any) -> tuple[str, ...]:
    return get_args(alias.__value__)


if __name__ == "__main__":
    main()
