"""Fixtures for every test, limits by marker, and quiet logs."""

import pytest

from infra.libraries import tell_libraries
from infra.telemetry import configure_logging

pytest_plugins = ("tests.database",)
LONG = {"media": 180, "e2e": 300, "faults": 300}
tell_libraries()
configure_logging("warning")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        limits = [seconds for name, seconds in LONG.items() if item.get_closest_marker(name)]
        if limits and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(max(limits)))
