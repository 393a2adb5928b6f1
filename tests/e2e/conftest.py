"""Fixtures: a browser and a server a module, windows a test; what is left behind by a failure."""

import re
from collections.abc import Generator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.e2e.browser import RESULTS, Person, chromium
from tests.e2e.product import Atelier

_failed = pytest.StashKey[bool]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.when == "call":
        item.stash[_failed] = report.failed
    return report


@pytest.fixture(scope="module")
def browser() -> Generator[Browser]:
    """The browser; of a module, as its event loop must be gone before other modules run theirs."""
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> Generator[Atelier]:
    """A server that the tests of a module share: a workspace with a past."""
    yield from _running(tmp_path_factory.mktemp("used"))


@pytest.fixture
def fresh(tmp_path: Path) -> Generator[Atelier]:
    """A server that nobody has used."""
    yield from _running(tmp_path)


def _running(folder: Path) -> Generator[Atelier]:
    atelier = Atelier(folder)
    try:
        atelier.start()
        yield atelier
    finally:
        atelier.stop()


@pytest.fixture
def person(browser: Browser, request: pytest.FixtureRequest) -> Generator[Person]:
    """Somebody at the shared server; after a failure the pages and the log are kept."""
    yield from _at(browser, "used", request)


@pytest.fixture
def newcomer(browser: Browser, request: pytest.FixtureRequest) -> Generator[Person]:
    """Somebody at the fresh server."""
    yield from _at(browser, "fresh", request)


def _at(browser: Browser, server: str, request: pytest.FixtureRequest) -> Generator[Person]:
    atelier: Atelier = request.getfixturevalue(server)
    visitor = Person(browser, atelier.address)
    try:
        yield visitor
        if request.node.stash.get(_failed, False):
            _keep(re.sub(r"\W+", "-", request.node.name), visitor, atelier)
    finally:
        visitor.leave()


def _keep(name: str, visitor: Person, atelier: Atelier) -> None:
    for number, tab in enumerate(visitor.tabs, start=1):
        tab.keep(f"{name}-{number}")
    (RESULTS / f"{name}.log").write_text(atelier.tail(), encoding="utf-8")
