"""How long is too long, on a machine that may have much else to do."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field

from infra.clock import monotonic


def crowding() -> float:
    """Return how many processes share a processor at this moment, at least one."""
    return max(os.getloadavg()[0] / (os.cpu_count() or 1), 1.0)


@dataclass
class FairClock:
    """Counts the seconds that a process could have used: half of them where two share a processor.

    Limits on this clock are those of a machine that does nothing else, so that a busy one does not
    make a deadlock of what is only slow.
    """

    time: Callable[[], float] = monotonic
    crowding: Callable[[], float] = crowding
    _counted: float = 0.0
    _last: float = field(init=False)

    def __post_init__(self) -> None:
        self._last = self.time()

    def read(self) -> float:
        """Return the seconds since it was made."""
        now = self.time()
        self._counted += (now - self._last) / self.crowding()
        self._last = now
        return self._counted
