"""Fixtures for every test, limits by marker, and quiet logs."""

import logging
import os
import signal
from collections.abc import Generator

import pytest
import structlog

from infra.libraries import tell_libraries
from infra.telemetry import configure_logging
from tests.processes import BROKEN_BUILD

pytest_plugins = ("tests.database",)
PATIENCE_S = 90
"""A broken build that has not finished by then never will; a sound one needs a quarter of it."""
LONG = {"media": 180, "e2e": 300, "faults": 300}
ALONE = ("e2e", "faults")
"""Tests with processes and time limits of their own run one after another, beside all others."""
tell_libraries()
configure_logging("warning")
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:  # so a shell starts what runs beside it
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _restored_logging() -> Generator[None]:
    """Log as all tests do after a test that logs otherwise, often to a stream of its own.

    Left to itself structlog would render every error with the values of all variables, for seconds.
    """
    root = logging.getLogger()
    handlers = root.handlers[:]
    yield
    if not structlog.is_configured() or any(each not in handlers for each in root.handlers):
        configure_logging("warning")
        root.handlers[:] = handlers


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if BROKEN_BUILD in os.environ:  # noqa: TID251 - set by the test that starts this pytest
            item.add_marker(pytest.mark.timeout(PATIENCE_S), append=False)
        if any(item.get_closest_marker(name) for name in ALONE):
            item.add_marker(pytest.mark.xdist_group("processes"))
        limits = [seconds for name, seconds in LONG.items() if item.get_closest_marker(name)]
        if limits and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(max(limits)))
