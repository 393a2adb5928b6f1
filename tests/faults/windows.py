"""The named windows at which fault tests kill and freeze workers."""

from collections.abc import Collection
from typing import Any

import pytest

from infra.crash_points import CrashPoint

SHORT = frozenset({CrashPoint.JOB_SUBMITTING})
"""These run with every `make test`; all of them with `make test-faults`."""
_TIMES = {CrashPoint.COMMITTING: range(1, 13), CrashPoint.CHECKPOINT_WRITING: range(1, 4)}
"""These are reached again and again; each time something else is being written."""
_ELSEWHERE = frozenset({CrashPoint.ROUTER_READ})
"""The rehearsal model decides without looking into tasks: `test_recovery` dies there."""


def windows(*, without: Collection[CrashPoint] = ()) -> list[Any]:
    """Return each window with the number of the time it is reached, as a test's parameters."""
    return [
        pytest.param(
            point,
            count,
            marks=[] if point in SHORT else [pytest.mark.long],
            id=f"{point.value}-{count}",
        )
        for point in CrashPoint
        if point not in _ELSEWHERE and point not in without
        for count in _TIMES.get(point, [1])
    ]
