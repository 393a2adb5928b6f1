"""Runs `python -m server …` as a broken build: `python -m tests.faults.broken fence_off work`."""

import sys

from server.__main__ import main
from tests.faults.builds import BUILDS


class _Attributes:
    """Sets attributes for as long as the process lives."""

    def setattr(self, target: object, name: str, value: object) -> None:
        setattr(target, name, value)


def break_this_process(name: str) -> None:
    """Make this process one of the broken build, for as long as it lives."""
    BUILDS[name](_Attributes())


if __name__ == "__main__":
    break_this_process(sys.argv[1])
    sys.exit(main(sys.argv[2:]))
