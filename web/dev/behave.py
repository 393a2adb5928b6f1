"""Try the built page against the mock as a person would, and print what holds.

`.venv/bin/python web/dev/behave.py`; the numbered checks name behaviours of the brief. Exit code 1 when one fails.
"""

import json
import sys
import urllib.request
from collections.abc import Callable

from playwright.sync_api import Browser, Page, Route, expect, sync_playwright
from shots import FLAGS, SHOTS, WATCH, Mock

Check = Callable[[Browser], None]
CHECKS: list[Check] = []
NOISE = ("ERR_EMPTY_RESPONSE", "ERR_INCOMPLETE_CHUNKED", "ERR_CONNECTION", "409", "503", "422")


def check(function: Check) -> Check:
    """Add a behaviour to the list."""
    CHECKS.append(function)
    return function


def visit(browser: Browser, mock: Mock, **options: object) -> Page:
    """Open the page in its own window; any unexpected console error fails the check."""
    settings = {"viewport": {"width": 1440, "height": 900}, "locale": "en-US", **options}
    page = browser.new_context(**settings).new_page()  # type: ignore[arg-type]
    page.set_default_timeout(8000)
    page.add_init_script(WATCH)
    page.errors = []  # type: ignore[attr-defined]
    page.on(
        "console",
        lambda m: page.errors.append(m.text)  # type: ignore[attr-defined]
        if m.type == "error" and not any(noise in m.text for noise in NOISE)
        else None,
    )
    page.on("pageerror", lambda e: page.errors.append(str(e)))  # type: ignore[attr-defined]
    page.goto(mock.url)
    page.wait_for_selector("#composer-text")
    return page


def clean(page: Page) -> None:
    """No console error and no policy violation happened."""
    assert page.errors == [], page.errors  # type: ignore[attr-defined]
    page.context.close()


def posts(mock: Mock) -> dict[str, int]:
    """How often each route was posted to."""
    return json.loads(urllib.request.urlopen(mock.url + "__dev/posts").read())


def tell(mock: Mock, **what: object) -> None:
    """Let the mock say something."""
    data = json.dumps(what).encode()
    urllib.request.urlopen(urllib.request.Request(mock.url + "__dev/emit", data=data)).read()


FIELD = "#composer-text"


@check
def from_brief_to_film_without_a_nudge(browser: Browser) -> None:
    """A brief, one approval, a film that plays in the chat and is there after a reload."""
    with Mock("empty", "--speed", "12") as mock:
        page = visit(browser, mock)
        page.get_by_text("A teaser film").click()
        expect(page.locator(FIELD)).to_have_value(lambda_re("A 36-second teaser"))
        page.locator(FIELD).press("Enter")
        expect(page.locator(FIELD)).to_have_value("")
        expect(page).to_have_title("(1) Atelier")
        expect(page.locator(".needs-you")).to_contain_text("Needs you (1)")
        button = page.get_by_role("button", name="Approve, at most $5.60")
        button.dblclick()
        expect(page.get_by_text("You approved this · At most $5.60")).to_be_visible()
        expect(page).to_have_title("Atelier")
        expect(page.locator("#approval-approval-plan")).to_be_focused()
        assert posts(mock)["/v1/approvals/approval-plan"] == 1, posts(mock)
        film = page.locator(".delivery video")
        film.wait_for(timeout=30_000)
        assert posts(mock)["/v1/messages"] == 1
        for _ in range(2):
            film.evaluate("v => { v.muted = true; return v.play() }")
            page.wait_for_timeout(900)
            assert film.evaluate("v => v.currentTime") > 0.3
            assert film.evaluate("v => v.textTracks.length") == 1
            assert film.get_attribute("poster")
            page.reload()
            film.wait_for()
        film.evaluate("v => { v.textTracks[0].mode = 'showing' }")
        page.wait_for_timeout(600)  # the page's policy forbids what wait_for_function does
        assert film.evaluate("v => v.textTracks[0].cues.length") == 6
        clean(page)


@check
def enter_sends_and_compositions_do_not(browser: Browser) -> None:
    """Shift+Enter breaks the line; Enter that confirms an input method's word does not send."""
    with Mock("empty", "--speed", "0.01") as mock:
        page = visit(browser, mock)
        field = page.locator(FIELD)
        field.press_sequentially("one")
        field.press("Shift+Enter")
        field.press_sequentially("two")
        expect(field).to_have_value("one\ntwo")
        field.evaluate(
            "f => f.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', isComposing: true, bubbles: true, cancelable: true}))"
        )
        field.evaluate(
            "f => f.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', keyCode: 229, bubbles: true, cancelable: true}))"
        )
        expect(field).to_have_value("one\ntwo")
        assert "/v1/messages" not in posts(mock)
        field.press("Enter")
        expect(page.locator(".from-you")).to_have_count(1)
        clean(page)


@check
def long_texts_are_counted_and_refused_kindly(browser: Browser) -> None:
    """A counter from 8,000 characters; above 100,000 a sentence, and nothing is lost."""
    with Mock("running") as mock:
        page = visit(browser, mock)
        field = page.locator(FIELD)
        field.fill("x" * 8001)
        expect(page.locator("#composer-count")).to_have_text("8,001 of 100,000 characters")
        field.fill("한" * 100_001)
        expect(page.get_by_role("alert")).to_contain_text("too long to send")
        field.press("Enter")
        page.wait_for_timeout(200)
        assert len(field.input_value()) == 100_001
        assert "/v1/messages" not in posts(mock)
        clean(page)


@check
def drafts_survive_a_reload(browser: Browser) -> None:
    """What was being written is still there."""
    with Mock("running") as mock:
        page = visit(browser, mock)
        page.locator(FIELD).fill("half a thought")
        page.get_by_role("button", name="Write to this task").click()
        page.reload()
        expect(page.locator(FIELD)).to_have_value("half a thought")
        expect(page.locator(".target")).to_contain_text("Autumn market teaser")
        clean(page)


@check
def a_lost_connection_says_so_and_catches_up(browser: Browser) -> None:
    """Reconnecting is visible; a message written meanwhile is sent once by itself."""
    with Mock("running") as mock:
        page = visit(browser, mock)
        page.wait_for_timeout(300)
        urllib.request.urlopen(mock.url + "__dev/down?seconds=5").read()
        page.wait_for_timeout(300)
        page.locator(FIELD).fill("make the last shot longer")
        page.locator(FIELD).press("Enter")
        expect(page.get_by_text("Reconnecting…")).to_be_visible()
        expect(page.get_by_text("Not sent: no connection.")).to_be_visible()
        expect(page.get_by_role("button", name="Try again")).to_be_visible()
        expect(page.get_by_text("Reconnecting…")).to_be_hidden(timeout=20_000)
        expect(page.get_by_text("make the last shot longer")).to_have_count(1)
        expect(page.get_by_text("read at step 4")).to_be_visible()
        assert posts(mock)["/v1/messages"] == 1, posts(mock)
        clean(page)


@check
def a_decision_made_elsewhere_is_told(browser: Browser) -> None:
    """409 becomes a sentence; the card shows who decided what."""
    with Mock("approval", "--speed", "0.001") as mock:
        page, other = visit(browser, mock), visit(browser, mock)

        def conflict(route: Route) -> None:
            body = json.dumps({"status": 409, "code": "already_decided", "detail": "x"})
            route.fulfill(status=409, content_type="application/problem+json", body=body)

        page.route("**/v1/approvals/*", conflict)
        page.get_by_role("button", name="Approve, at most").click()
        expect(page.get_by_role("alert")).to_contain_text("already decided")
        expect(page.get_by_role("button", name="Approve, at most")).to_have_count(0)
        other.get_by_role("button", name="Reject…").click()
        other.get_by_label("What should be different?").fill("less blue, please")
        other.get_by_role("button", name="Reject", exact=True).click()
        for window in (page, other):
            expect(window.locator(".outcome")).to_contain_text("You rejected this · “less blue, please”")
            clean(window)


@check
def a_superseded_card_is_grey(browser: Browser) -> None:
    """No button is left, and the card says why; unlisted actions were never offered."""
    with Mock("approval", "--speed", "0.001") as mock:
        page = visit(browser, mock)
        row = {"id": "approval-plan", "actions": ["approve"]}
        tell(mock, kind="approval", type="approval.requested", row=row)
        expect(page.get_by_role("button", name="Reject…")).to_have_count(0)
        expect(page.get_by_role("button", name="Change…")).to_have_count(0)
        tell(mock, kind="approval", type="approval.superseded", row={**row, "status": "superseded"})
        expect(page.locator(".outcome")).to_have_text("No longer asked: the work has changed or was stopped since")
        expect(page.locator(".approval button")).to_have_count(0)
        expect(page).to_have_title("Atelier")
        clean(page)


@check
def stopping_says_what_is_paid(browser: Browser) -> None:
    """The dialog names what is paid and what may still come; Escape keeps going."""
    with Mock("running") as mock:
        page = visit(browser, mock)
        page.get_by_role("button", name="Stop", exact=True).click()
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("$0.87 is already paid and stays paid.")
        expect(dialog).to_contain_text("Up to $1.40 more may be charged")
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        assert "/v1/tasks/task-market/stop" not in posts(mock)
        page.get_by_role("button", name="Pause").click()
        page.get_by_role("button", name="Pause the task").click()
        page.get_by_role("button", name="Resume").click()
        page.get_by_role("button", name="Stop", exact=True).click()
        page.get_by_role("button", name="Stop the task").click()
        expect(page.locator(".panel-head .state")).to_contain_text("Stopped by you")
        clean(page)


@check
def untrusted_text_does_nothing(browser: Browser) -> None:
    """No element, script, picture or style of a reply comes alive; links open away from the page."""
    evil = (
        "<img src=x onerror=alert(1)><script>alert(2)</script> ![p](https://evil.example/x.png) "
        "[go](javascript:alert(3)) [out](https://example.com) <b style='position:fixed'>bold</b>\n\n"
        "<iframe src=https://evil.example></iframe>\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    )
    with Mock("running") as mock:
        page = visit(browser, mock)
        asked: list[str] = []
        page.on("request", lambda r: asked.append(r.url) if "evil" in r.url else None)
        page.on("dialog", lambda d: asked.append(d.message))
        row = {"id": "evil", "role": "assistant", "status": "complete", "text": evil}
        tell(mock, kind="message", type="assistant.completed", row=row)
        prose = page.locator(".prose").last
        expect(prose.locator("td").first).to_be_visible()
        assert prose.locator("img, script, iframe, b, [style], [onerror]").count() == 0
        links = prose.locator("a[href]")
        assert links.count() == 1
        assert links.get_attribute("rel") == "noopener noreferrer nofollow"
        assert links.get_attribute("target") == "_blank"
        page.wait_for_timeout(300)
        assert asked == []
        clean(page)


@check
def questions_are_answered_with_one_press(browser: Browser) -> None:
    """Buttons for the candidates; one's own words go to the same question."""
    card = {
        "id": "q", "task_id": None, "kind": "route", "title": "Which task is this for?", "body": "",
        "lines": [], "price": None, "actions": ["choose"], "args_hash": "h", "status": "pending",
        "options": [
            {"id": "1", "label": "Autumn market teaser", "detail": "working"},
            {"id": "new", "label": "Something new", "detail": None},
        ],
        "created_at": "2030-01-01T00:00:00Z", "expires_at": None, "decision": None, "free_text": True,
    }
    with Mock("running") as mock:
        page = visit(browser, mock)
        tell(mock, kind="approval", type="approval.requested", row=card)
        page.get_by_role("button", name="Answer in your own words").click()
        expect(page.locator(".target")).to_contain_text("Which task is this for?")
        expect(page.locator(FIELD)).to_be_focused()
        page.get_by_role("button", name="Something new").dblclick()
        expect(page.locator("#approval-q .outcome")).to_have_text("You chose “Something new”")
        assert posts(mock)["/v1/approvals/q"] == 1
        clean(page)


@check
def a_paid_call_is_changed_before_the_yes(browser: Browser) -> None:
    """A refusal keeps what was typed; what costs more is asked anew by the card that follows."""
    price = {"amount_micros": 100_000, "maximum_micros": 100_000, "currency": "USD"}
    card = {
        "id": "c", "task_id": None, "kind": "call", "title": "Harbour", "body": "You want to be asked.",
        "lines": [{"label": "Harbour", "detail": None, "amount_micros": 100_000}], "price": price,
        "actions": ["approve", "edit", "reject"], "args_hash": "h", "status": "pending", "options": [],
        "arguments": {
            "name": "Harbour", "prompt": "A harbour at dawn, fog over the water, one crane", "title": "",
            "style": "ink", "mood": "calm", "width": 1000, "height": 720, "palette": ["#aabbcc"],
        },
        "created_at": "2030-01-01T00:00:00Z", "expires_at": None, "decision": None,
    }
    for size in ({"width": 1440, "height": 900}, {"width": 390, "height": 844}):
        with Mock("running") as mock:
            page = visit(browser, mock, viewport=size)
            tell(mock, kind="approval", type="approval.requested", row=card)
            first = page.locator("#approval-c")
            first.get_by_role("button", name="Change…").click()
            expect(first.get_by_label("Name")).to_be_focused()
            send = first.get_by_role("button", name="Approve with changes")
            expect(send).to_be_disabled()
            first.get_by_label("Width (pixels)").fill("1600")
            first.get_by_label("Description").fill("")
            page.screenshot(path=SHOTS / f"edit-form-{size['width']}.png")
            send.click()
            expect(first.get_by_role("alert")).to_have_text("prompt must not be empty.")
            expect(first.get_by_label("Description")).to_have_attribute("aria-invalid", "true")
            expect(first.get_by_label("Width (pixels)")).to_have_value("1600")
            page.screenshot(path=SHOTS / f"edit-refused-{size['width']}.png")
            first.get_by_label("Description").fill("A harbour at night")
            send.press("Enter")
            second = page.locator("#approval-c-1600")
            expect(second).to_contain_text("Nothing has been approved yet")
            expect(second).to_be_focused()
            expect(second.get_by_role("button", name="Approve, at most $0.16")).to_be_visible()
            expect(first.locator(".outcome")).to_contain_text("it costs more now and is asked about anew")
            page.screenshot(path=SHOTS / f"edit-dearer-{size['width']}.png")
            overflow = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
            assert not page.evaluate(overflow)
            second.get_by_role("button", name="Change…").click()
            expect(second.get_by_label("Description")).to_have_value("A harbour at night")
            second.get_by_label("Width (pixels)").fill("800")
            second.get_by_role("button", name="Approve with changes").click()
            outcome = "You changed and approved this · At most $0.08"
            expect(second.locator(".outcome")).to_have_text(outcome)
            clean(page)


@check
def the_newest_stays_in_view_until_one_reads_back(browser: Browser) -> None:
    """A burst of long replies is followed; who scrolls up is left alone and offered a way back."""
    rest = "document.querySelector('.chat-scroll')"
    rest = f"(e => e.scrollHeight - e.scrollTop - e.clientHeight)({rest})"
    with Mock("running") as mock:
        page = visit(browser, mock)
        page.wait_for_timeout(300)

        def say(name: str) -> None:
            row = {"id": name, "role": "assistant", "status": "complete", "text": "A line.\n\n" * 12}
            tell(mock, kind="message", type="assistant.completed", row=row)

        for number in range(6):
            say(f"burst-{number}")
            # grow between the page's own scrolling and the browser's word about it
            page.evaluate(
                "requestAnimationFrame(() => { const e = document.querySelector('.chat').lastElementChild;"
                "e.style.paddingBottom = '300px' })"
            )
        page.wait_for_timeout(700)
        assert page.evaluate(rest) < 2, page.evaluate(rest)
        page.locator(".chat-scroll").hover()
        page.mouse.wheel(0, -600)
        page.wait_for_timeout(300)
        say("later")
        page.wait_for_timeout(500)
        assert page.evaluate(rest) > 400, page.evaluate(rest)
        page.get_by_role("button", name="To the newest").click()
        page.wait_for_timeout(300)
        assert page.evaluate(rest) < 2
        clean(page)


@check
def the_keyboard_reaches_everything(browser: Browser) -> None:
    """Tab order passes the strip, the card and the panel; the sheet and pictures open and close by keys."""
    with Mock("approval", "--speed", "0.001") as mock:
        page = visit(browser, mock)
        seen: set[str] = set()
        for _ in range(24):
            page.keyboard.press("Tab")
            seen.add(page.evaluate("document.activeElement.textContent.trim()"))
        for name in ("Approve, at most $5.60", "Reject…", "Write to this task", "Pause", "Stop"):
            assert any(name in text for text in seen), (name, seen)
        clean(page)
    with Mock("delivered") as mock:
        page = visit(browser, mock)
        page.get_by_role("button", name="Before light").first.focus()
        page.keyboard.press("Enter")
        dialog = page.get_by_role("dialog")
        expect(dialog).to_contain_text("1 of 12")
        page.keyboard.press("ArrowRight")
        expect(dialog).to_contain_text("2 of 12")
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(page.get_by_role("button", name="Before light").first).to_be_focused()
        page.get_by_role("button", name="Read: ").click()
        expect(page.get_by_role("dialog").get_by_role("heading", name="Narration")).to_be_visible()
        page.keyboard.press("Escape")
        expect(page.get_by_role("button", name="Read: ")).to_be_focused()
        clean(page)


@check
def state_changes_are_announced(browser: Browser) -> None:
    """A polite live region tells what changed."""
    with Mock("running") as mock:
        page = visit(browser, mock)
        page.wait_for_timeout(300)
        row = {"id": "task-market", "status": "waiting", "waiting_reason": "budget"}
        tell(mock, kind="task", type="task.waiting", row={**row, "status": "failed", "reason": "Out."})
        expect(page.locator("[aria-live=polite].sr-only")).to_have_text(
            "Autumn market teaser: Could not be finished"
        )
        clean(page)


@check
def the_page_speaks_the_persons_language(browser: Browser) -> None:
    """Words by language, amounts by locale, English as the fallback."""
    with Mock("approval", "--speed", "0.001") as mock:
        for locale, words in (
            ("de-DE", "Genehmigen, höchstens 5,60\xa0$"),
            ("ko-KR", "승인 (최대 US$5.60)"),
            ("zh-CN", "批准，最多 US$5.60"),
            ("fr-FR", "Approve, at most 5,60\xa0$US"),
        ):
            page = visit(browser, mock, locale=locale)
            expect(page.get_by_role("button", name=words)).to_be_visible()
            clean(page)


@check
def nothing_scrolls_sideways(browser: Browser) -> None:
    """At every width, in every language, the page is as wide as the window."""
    for state in ("empty", "approval", "running", "delivered"):
        with Mock(state, "--speed", "0.001") as mock:
            for locale in ("en-US", "de-DE", "ko-KR"):
                for width in (320, 390, 768, 1080, 1440):
                    size = {"width": width, "height": 844}
                    page = visit(browser, mock, locale=locale, viewport=size)
                    page.wait_for_timeout(250)
                    wide = page.evaluate(
                        "[...document.querySelectorAll('.page, .chat-scroll, .panel, .card, .dock')]"
                        ".filter(e => e.scrollWidth > e.clientWidth + 1).map(e => e.className)"
                    )
                    assert wide == [], (state, locale, width, wide)
                    clean(page)


def lambda_re(start: str) -> "object":
    """A pattern for values that begin so."""
    import re

    return re.compile("^" + re.escape(start))


def main() -> None:
    """Run the checks whose names contain the first argument, or all."""
    wanted = sys.argv[1] if len(sys.argv) > 1 else ""
    failed = 0
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for function in CHECKS:
            if wanted not in function.__name__:
                continue
            try:
                function(browser)
                print("ok    ", function.__name__, flush=True)
            except AssertionError as error:
                failed += 1
                print("FAILED", function.__name__, str(error)[:1200], flush=True)
            except Exception as error:  # noqa: BLE001 - a harness: report and go on
                failed += 1
                print("ERROR ", function.__name__, str(error)[:1200], flush=True)
        browser.close()
    print(f"{len(CHECKS) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
