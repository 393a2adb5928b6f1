"""A person's windows: Debian's chromium, and pages that note everything that goes wrong in them."""

import re
import shutil
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Locator,
    Page,
    Request,
    Response,
    expect,
    sync_playwright,
)

RESULTS = Path(__file__).parents[2] / "test-results"
DESKTOP = (1440, 900)
PHONE = (390, 844)
PATIENCE = 60.0
"""Seconds for anything but making media, on a machine that is busy with other things."""
_PROGRAMS = ("chromium", "chromium-browser", "google-chrome")
_FLAGS = (
    "--no-sandbox",  # a container's root may not use it
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--autoplay-policy=no-user-gesture-required",
)
_WATCH = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
window.written = [];  // every state of a reply in the making that was on the page
new MutationObserver(() => {
  for (const reply of document.querySelectorAll(".message.streaming .prose"))
    if (window.written.at(-1) !== reply.innerText) window.written.push(reply.innerText);
}).observe(document, { childList: true, subtree: true, characterData: true });
"""
# A stream that is open when its page goes, and a film's bytes beyond what the player wants.
_CUT_OFF = re.compile(r"/v1/events\?|/v1/objects/[^/]+/content")


@contextmanager
def chromium() -> Generator[Browser]:
    """Start the browser."""
    program = next((found for name in _PROGRAMS if (found := shutil.which(name))), None)
    if program is None:
        pytest.fail(
            "The page is tested in chromium, which is not installed; on Debian and Ubuntu: "
            "apt-get install --no-install-recommends chromium"
        )
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program, args=list(_FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@dataclass
class Tab:
    """A page of the product in a window of its own."""

    page: Page
    problems: list[str] = field(default_factory=list)
    """Console errors, policy violations, exceptions, refusals and requests that failed."""
    posts: list[str] = field(default_factory=list)
    """The path of every request that was to change something."""
    hosts: set[str] = field(default_factory=set)
    """Where anything was asked of."""

    def watch(self) -> None:
        """Note from now on what goes wrong."""
        self.page.add_init_script(_WATCH)
        self.page.on("console", self._said)
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("request", self._asked)
        self.page.on("requestfailed", self._failed)
        self.page.on("response", self._answered)

    @property
    def field(self) -> Locator:
        """Where the person writes."""
        return self.page.get_by_role("textbox", name="Message")

    def say(self, text: str) -> Locator:
        """Send a message and return its bubble."""
        self.field.fill(text)
        self.field.press("Enter")
        expect(self.field).to_have_value("")
        return self.said(text)

    def said(self, text: str) -> Locator:
        """Return the bubble of a message of the person."""
        return self.page.locator(".from-you").filter(has_text=text)

    def answer_to(self, text: str) -> Locator:
        """Return the reply that follows a message."""
        bubble = self.said(text)
        expect(bubble.locator(".passage")).to_contain_text("Answered")
        return bubble.locator("xpath=following-sibling::article[1]")

    def reply_to(self, text: str) -> Locator:
        """Return what follows a message: an answer, a question where it belongs, or a task."""
        bubble = self.said(text)
        passed = re.compile("Answered|Waiting for your answer|read at step")
        expect(bubble.locator(".passage")).to_contain_text(passed)
        return bubble.locator("xpath=following-sibling::article[1]")

    def tasks(self) -> Locator:
        """Return the cards of tasks."""
        return self.page.get_by_role("article", name="Task", exact=True)

    def questions(self) -> Locator:
        """Return the cards that wait for an answer."""
        return self.page.locator("article.approval.is-open")

    def value(self, script: str) -> Any:
        """Return what a script of the page gives."""
        return self.page.evaluate(script)

    def until(self, holds: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
        """Wait until something holds that no locator can say; the page's policy forbids eval."""
        deadline = time.monotonic() + seconds
        while not holds():
            assert time.monotonic() < deadline, f"In vain: {what}"
            self.page.wait_for_timeout(100)

    def keep(self, name: str) -> None:
        """Keep a picture of the page for a person to look at."""
        RESULTS.mkdir(exist_ok=True)
        self.page.screenshot(path=RESULTS / f"{name}.png", animations="disabled")

    def _said(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.problems.append(message.text)

    def _asked(self, request: Request) -> None:
        self.hosts.add(request.url.partition("://")[2].partition("/")[0])
        if request.method not in ("GET", "HEAD"):
            self.posts.append("/" + request.url.partition("://")[2].partition("/")[2])

    def _failed(self, request: Request) -> None:
        is_cut_off = request.failure == "net::ERR_ABORTED" and _CUT_OFF.search(request.url)
        if not is_cut_off:
            self.problems.append(f"{request.method} {request.url}: {request.failure}")

    def _answered(self, response: Response) -> None:
        if response.status >= 400:
            self.problems.append(f"{response.status} {response.url}")


@dataclass
class Person:
    """Opens windows on one server."""

    browser: Browser
    address: str
    tabs: list[Tab] = field(default_factory=list)

    def open(
        self,
        size: tuple[int, int] = DESKTOP,
        *,
        locale: str = "en-US",
        beside: Tab | None = None,
        link: str | None = None,
    ) -> Tab:
        """Open the page; `beside` another one it shares that one's browser profile.

        A `link` leads to something on it.
        """
        context = beside.page.context if beside else self._profile(size, locale)
        tab = Tab(context.new_page())
        self.tabs.append(tab)
        tab.page.set_default_timeout(PATIENCE * 1000)
        tab.watch()
        tab.page.goto(link or self.address)
        expect(tab.page.locator("#composer-text")).to_be_visible()
        return tab

    def leave(self) -> None:
        """Close every window."""
        for tab in self.tabs:
            tab.page.context.close()

    def _profile(self, size: tuple[int, int], locale: str) -> BrowserContext:
        width, height = size
        return self.browser.new_context(
            viewport={"width": width, "height": height},
            locale=locale,
            has_touch=size == PHONE,
            accept_downloads=True,
        )
