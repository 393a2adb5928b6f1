"""Fixtures for every test, and limits by marker."""

import pytest

pytest_plugins = ("tests.database",)
LONG = {"media": 180, "e2e": 300, "faults": 300}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        limits = [seconds for name, seconds in LONG.items() if item.get_closest_marker(name)]
        if limits and not item.get_closest_marker("timeout"):
            item.add_marker(pytest.mark.timeout(max(limits)))
