"""Each test with real processes fails with a build that lacks what it is there to see.

The test runs in a pytest of its own, whose worker processes are started as the broken build.
"""

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, STDOUT

import pytest

from tests.faults.builds import BUILDS
from tests.processes import BROKEN_BUILD, ROOT

pytestmark = pytest.mark.faults

_KILLED = "test_killed_worker.py::test_a_killed_worker_loses_and_repeats_nothing"
_FROZEN = "test_frozen_worker.py::test_a_thawed_worker_changes_nothing_and_works_on"
_CUT = "test_cut_network.py"
_CLOCK = "test_skewed_clock.py"
PAIRS = [
    (f"{_KILLED}[decision.committed-1]", "never_takes_over"),
    (f"{_KILLED}[job.answered-1]", "gives_up_what_was_sent"),
    (f"{_FROZEN}[stop_check.committed-1]", "fence_off"),
    (
        f"{_CUT}::test_a_worker_without_its_database_ends_its_paid_call_before_its_lease",
        "never_stops_itself",
    ),
    ("test_emptied_queue.py::test_an_emptied_queue_loses_nothing[2]", "looks_for_nothing"),
    (
        "test_restarted_database.py::test_restarts_of_the_database_lose_nothing[3-2]",
        "fails_at_the_first_outage",
    ),
    (
        f"{_CLOCK}::test_the_latest_state_is_what_was_committed_last_whatever_the_clocks_say",
        "reads_the_largest_id",
    ),
    (
        "test_two_replicas.py::test_every_client_receives_every_event_once_and_in_order[1-6]",
        "leaves_out_what_was_missed",
    ),
]


@pytest.mark.long
@pytest.mark.timeout(300)
@pytest.mark.parametrize(("test", "build"), PAIRS)
async def test_a_broken_build_fails_the_test(test: str, build: str) -> None:
    assert build in BUILDS
    environment = {**os.environ, BROKEN_BUILD: build}  # noqa: TID251 - a child gets what we have
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "pytest", f"tests/faults/{test}", "-q", "-p", "no:cacheprovider"),
        cwd=ROOT,
        env=environment,
        stdout=PIPE,
        stderr=STDOUT,
    )
    said, _ = await process.communicate()
    assert process.returncode == 1, said.decode()[-3000:]
    assert b"1 failed" in said, said.decode()[-3000:]
