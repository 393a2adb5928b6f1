"""Take the page's screenshots from the mock server, into dev/.shots (not committed).

`.venv/bin/python web/dev/shots.py [state …]`; needs the built page, dev/.media and Debian's chromium.
Reports every console message and every violation of the Content-Security-Policy.
"""

import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

HERE = Path(__file__).parent
SHOTS = HERE / ".shots"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"]
FLAGS += ["--disable-background-networking", "--disable-component-update"]
SIZES = {"desktop": (1440, 900), "phone": (390, 844)}
STATES = ["empty", "streaming", "approval", "running", "delivered", "reconnecting"]
WATCH = "document.addEventListener('securitypolicyviolation', e => console.error('CSP ' + e.violatedDirective + ' ' + e.blockedURI))"


class Mock:
    """A mock server on a free port, in one state."""

    def __init__(self, state: str, *more: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        command = ["node", str(HERE / "mock.mjs"), "--port", str(self.port), "--state", state, *more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert self.process.stdout
        self.process.stdout.readline()
        self.url = f"http://127.0.0.1:{self.port}/"

    def __enter__(self) -> "Mock":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.terminate()
        self.process.wait()


def shoot(page: Page, state: str, name: str) -> None:
    """Bring the page to what the state shows, and save it."""
    page.wait_for_timeout(700)
    page.screenshot(path=SHOTS / f"{name}.png")
    if "phone" in name and state in ("running", "delivered"):
        page.locator(".task-pill").click()
        page.wait_for_timeout(700)
        page.screenshot(path=SHOTS / f"{name}-sheet.png")


def main() -> None:
    """Shoot the asked states in both sizes and both schemes."""
    SHOTS.mkdir(exist_ok=True)
    states = sys.argv[1:] or STATES
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for state in states:
            told = "running" if state == "reconnecting" else state
            with Mock(told) as mock:
                for size, (width, height) in SIZES.items():
                    for scheme in ("light", "dark"):
                        context = browser.new_context(
                            viewport={"width": width, "height": height},
                            color_scheme=scheme,
                            locale="en-US",
                            has_touch=size == "phone",
                        )
                        page = context.new_page()
                        page.add_init_script(WATCH)
                        name = f"{state}-{size}-{scheme}"
                        page.on("console", lambda m, n=name: print(n, m.type, m.text))
                        page.on("pageerror", lambda e, n=name: print(n, "ERROR", e))
                        page.goto(mock.url)
                        page.wait_for_selector("#composer-text")
                        page.wait_for_timeout(500)
                        if state == "reconnecting":
                            page.locator("#composer-text").fill("And make the last shot a little longer.")
                            urllib.request.urlopen(mock.url + "__dev/down?seconds=4").read()
                            page.wait_for_timeout(300)
                            page.keyboard.press("Enter")
                            page.wait_for_timeout(1500)
                        shoot(page, state, name)
                        context.close()
                        if state == "reconnecting":
                            time.sleep(3)
        browser.close()


if __name__ == "__main__":
    main()
