"""Nine of forty shots: what the page says of them, and what an answer on it brings about.

The production of `tests/integration/graphs/production.py`, which a server of this process shows.
"""

import re
from collections.abc import Generator
from pathlib import Path

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from playwright.sync_api import Browser, expect

from infra.db.pool import open_pools
from tests.e2e.browser import PHONE, Person, Tab
from tests.integration.graphs.production import SHOTS, Production, leave_out, open_production
from tests.integration.server.conftest import live_server

pytestmark = [pytest.mark.e2e, pytest.mark.media, pytest.mark.timeout(300)]


@pytest.fixture
def portal() -> Generator[BlockingPortal]:
    """Another thread's loop: the browser has this one's."""
    with start_blocking_portal() as opened:
        yield opened


@pytest.fixture
def production(portal: BlockingPortal, database_url: str, tmp_path: Path) -> Generator[Production]:
    with (
        portal.wrap_async_context_manager(open_pools(database_url, name="test")) as pools,
        portal.wrap_async_context_manager(open_production(database_url, pools, tmp_path)) as opened,
    ):
        yield opened


@pytest.fixture
def person(
    portal: BlockingPortal,
    production: Production,
    browser: Browser,
    database_url: str,
    tmp_path: Path,
) -> Generator[Person]:
    """Somebody at a server that shows the production."""
    with portal.wrap_async_context_manager(live_server(database_url, tmp_path)) as live:
        visitor = Person(browser, live.address)
        try:
            yield visitor
        finally:
            visitor.leave()


def test_the_page_shows_nine_of_forty_and_takes_a_yes_to_exactly_what_is_missing(
    person: Person, production: Production, portal: BlockingPortal
) -> None:
    desktop, phone = person.open(), person.open(PHONE)
    shots = production.slots()
    working, failed = _ranges(shots.working), sorted(shots.failed)
    for tab in (desktop, phone):
        _shows_the_plan(tab, working, failed, _ranges(shots.rescued))
        tab.keep(f"incomplete-{_name(tab)}")
        _goes_back(tab)

    portal.call(production.say, "Finish it without the rest.", leave_out(shots.absent))
    for tab in (desktop, phone):
        card = tab.questions()
        expect(card.locator("h3")).to_have_text(f"Shots: 9 / {SHOTS}")
        expect(card.locator("tr").filter(has_text="still running")).to_contain_text(
            f"Shots {working}"
        )
        for number in failed:
            expect(card.locator("tr").filter(has_text="failed:")).to_contain_text([str(number)])
        expect(card.locator("td")).to_have_count(0)
        expect(card).to_contain_text("the work is finished without these")
        expect(card).to_contain_text("may have to be paid all the same")
        _fits(tab)
        tab.keep(f"gaps-{_name(tab)}")
    desktop.questions().get_by_role("button", name="Finish without these").click()
    expect(phone.questions()).to_have_count(0)
    portal.call(production.machine.drain)
    for tab in (desktop, phone):
        card = tab.page.locator("article.delivery")
        expect(card).to_contain_text(f"Shots: 9 of {SHOTS}; left out as agreed: ")
        expect(card).to_contain_text("2 replaced")
        _fits(tab)
        tab.keep(f"delivered-{_name(tab)}")
    assert [problem for tab in person.tabs for problem in tab.problems] == []


def _shows_the_plan(tab: Tab, working: str, failed: list[int], rescued: str) -> None:
    if _name(tab) == "phone":
        tab.tasks().get_by_role("button", name="Open").click()
    step = tab.page.locator(".plan > li").first
    expect(step.locator(".step-state")).to_have_text(
        f"in work, 9 of {SHOTS}, 28 being made, 3 failed"
    )
    gaps = step.locator(".step-gap")
    expect(gaps.first).to_have_text(f"Being made: {working}")
    expect(gaps.last).to_have_text(f"{rescued}: Replicate instead of Runway")
    reasons = " ".join(gaps.all_inner_texts())
    assert reasons.count("Without a result: ") == 2
    assert all(re.search(rf"\b{number}\b", reasons) for number in failed)
    assert "The task crashed." in reasons
    assert "The result was moderated." in reasons
    _fits(tab)


def _goes_back(tab: Tab) -> None:
    if _name(tab) == "phone":
        tab.page.keyboard.press("Escape")


def _fits(tab: Tab) -> None:
    wide, window = tab.value("[document.documentElement.scrollWidth, window.innerWidth]")
    assert wide <= window


def _name(tab: Tab) -> str:
    size = tab.page.viewport_size
    return "phone" if size and size["width"] == PHONE[0] else "desktop"


def _ranges(places: set[int]) -> str:
    """The shots as a person writes them."""
    starts = sorted(place for place in places if place - 1 not in places)
    ends = sorted(place for place in places if place + 1 not in places)
    runs = zip(starts, ends, strict=True)
    return ", ".join(f"{first}–{last}" if first < last else f"{first}" for first, last in runs)
