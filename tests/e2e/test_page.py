"""The page in a browser against the real product: processes, database and generators."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.browser import PHONE, Person, Tab
from tests.e2e.product import Atelier

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

BRIEF = "A 6-second film about a lighthouse at night, calm, in English"
FILM_SECONDS = 6
MAKING = 540.0
"""A film of some seconds takes half a minute on a quiet machine."""


@pytest.mark.timeout(900)
def test_a_brief_becomes_a_film_that_plays(newcomer: Person, fresh: Atelier) -> None:
    tab = newcomer.open()
    _looks_empty(tab)
    _asks_for_a_film(tab)
    _approves_with_a_double_click(tab, fresh)
    _reloads_while_it_is_made(tab)
    film = tab.page.locator("article.delivery video")
    expect(film).to_be_visible(timeout=MAKING * 1000)
    _plays_with_captions(tab, film)
    _downloads(tab)
    _has_a_report(tab)
    told = _conversation(tab)
    tab.page.reload()
    expect(film).to_be_visible()
    assert _conversation(tab) == told
    _plays_with_captions(tab, film)
    tab.page.reload()  # a film that has not been started shows its poster
    _knows_its_length(tab)
    tab.keep("page-desktop")
    _fits_a_phone(newcomer.open(PHONE))
    assert [problem for tab in newcomer.tabs for problem in tab.problems] == []
    assert {host for tab in newcomer.tabs for host in tab.hosts} == {
        fresh.address.removeprefix("http://")
    }


def _looks_empty(tab: Tab) -> None:
    expect(tab.page.get_by_role("heading", name="What shall we make?")).to_be_visible()
    expect(tab.field).to_be_focused()
    expect(tab.page.locator("article")).to_have_count(0)
    expect(tab.page.get_by_text("Rehearsal model: rules, not a language model")).to_be_visible()


def _asks_for_a_film(tab: Tab) -> None:
    bubble = tab.say(BRIEF)
    expect(tab.page.locator(".from-atelier").first).to_contain_text("lighthouse")
    card = tab.tasks()
    expect(card).to_have_count(1)
    expect(card.locator("li")).to_have_text(
        [
            re.compile(name)
            for name in ("Script", "Keyframes", "shots", "Narr", "Mus", "Capt", "film")
        ]
    )
    expect(bubble.locator(".passage")).to_contain_text(re.compile(r"Delivered to “.+” · read"))
    question = tab.questions()
    expect(question).to_contain_text("At most")
    expect(
        question.get_by_role("button", name=re.compile(r"^Approve, at most \$0\.\d{2,4}$"))
    ).to_be_visible()
    expect(question.get_by_role("button", name="Reject…")).to_be_visible()
    expect(tab.page).to_have_title("(1) Atelier")
    tab.keep("page-approval")


def _approves_with_a_double_click(tab: Tab, atelier: Atelier) -> None:
    tab.questions().get_by_role("button", name="Approve").dblclick()
    expect(tab.page.locator("article.approval .outcome")).to_contain_text("You approved this")
    expect(tab.page).to_have_title("Atelier")
    assert [path for path in tab.posts if "/v1/approvals/" in path] == tab.posts[-1:]
    (decided,) = atelier.get("/v1/approvals")["approvals"]
    assert decided["status"] == "approved"


def _reloads_while_it_is_made(tab: Tab) -> None:
    card = tab.tasks()
    expect(card.locator("li.is-done").first).to_be_visible()
    expect(card.locator("li.is-doing").first).to_be_visible()
    told = _conversation(tab)
    done = card.locator("li.is-done").count()
    tab.page.reload()
    expect(card.locator("li.is-doing").first).to_be_visible()
    assert _conversation(tab)[: len(told)] == told
    assert card.locator("li.is-done").count() >= done
    expect(tab.page.locator("article.approval .outcome")).to_contain_text("You approved this")
    tab.keep("page-producing")


def _conversation(tab: Tab) -> list[str]:
    """Return every message on the page."""
    expect(tab.page.locator(".from-you")).not_to_have_count(0)
    return tab.page.locator(".message .bubble, .message .prose").all_inner_texts()


def _plays_with_captions(tab: Tab, film: Locator) -> None:
    tab.until(lambda: film.evaluate("v => v.readyState") >= 2, "the film can be played")
    assert abs(film.evaluate("v => v.duration") - FILM_SECONDS) < 0.25
    assert film.evaluate("v => v.videoWidth") >= 640
    assert film.get_attribute("poster")
    film.evaluate("v => { v.muted = true; return v.play() }")
    tab.until(lambda: film.evaluate("v => v.currentTime") > 0.5, "the film goes on")
    film.evaluate("v => { v.pause(); v.textTracks[0].mode = 'hidden' }")
    tab.until(
        lambda: film.evaluate("v => v.textTracks[0].cues?.length ?? 0") > 0, "captions are there"
    )


def _knows_its_length(tab: Tab) -> None:
    for film in tab.page.locator("video").all():
        tab.until(lambda film=film: film.evaluate("v => v.readyState") >= 1, "films are loaded")


def _downloads(tab: Tab) -> None:
    with tab.page.expect_download() as download:
        tab.page.locator("article.delivery").get_by_role("link", name="Download").click()
    assert download.value.suggested_filename.endswith(".mp4")
    content = Path(download.value.path()).read_bytes()
    assert content[4:8] == b"ftyp"
    assert len(content) > 100_000


def _has_a_report(tab: Tab) -> None:
    tab.page.locator("article.delivery").get_by_role("button", name="Delivery report").click()
    report = tab.page.locator("#delivery-report")
    expect(report).to_be_in_viewport()
    expect(report).to_contain_text("Delivered")
    tab.page.get_by_role("button", name="Read: Delivery report").click()
    reader = tab.page.get_by_role("dialog")
    expect(reader).to_contain_text("Files")
    tab.page.keyboard.press("Escape")
    expect(reader).to_have_count(0)


def _fits_a_phone(tab: Tab) -> None:
    expect(tab.page.locator("article.delivery video")).to_be_visible()
    _knows_its_length(tab)
    tab.keep("page-phone")
    assert _overflow(tab) == []
    tab.page.locator(".task-pill").click()
    expect(tab.page.get_by_role("dialog").get_by_role("heading", name="Plan")).to_be_visible()
    assert _overflow(tab) == []


def _overflow(tab: Tab) -> list[str]:
    """Return what is wider than the window."""
    return tab.value(
        "[document.documentElement, ...document.querySelectorAll('main, .chat-scroll, dialog')]"
        ".filter((e) => e.scrollWidth > e.clientWidth + 1).map((e) => e.tagName + e.className)"
    )


def test_a_question_is_answered_as_it_is_written_without_a_task(person: Person) -> None:
    tab = person.open()
    tab.say("What can you make?")
    reply = tab.answer_to("What can you make?")
    expect(reply).to_contain_text("I can make")
    whole = reply.locator(".prose").inner_text()
    written = [text for text in tab.value("window.written") if whole.startswith(text.rstrip())]
    assert written, "the reply was never seen in the making"
    before = tab.tasks().count()  # by now the page has read what was before
    tab.say("Render this on a quantum printer")
    expect(tab.answer_to("Render this on a quantum printer")).to_contain_text("not possible")
    assert tab.tasks().count() == before
    assert tab.problems == []


def test_an_endless_paste_is_refused_before_it_is_sent(person: Person) -> None:
    tab = person.open()
    tab.field.focus()
    tab.page.keyboard.insert_text("x" * 200_000)
    expect(tab.page.get_by_role("alert")).to_contain_text("too long to send")
    tab.field.press("Enter")
    assert len(tab.field.input_value()) == 200_000
    assert tab.posts == []
    tab.field.fill("")
    expect(tab.page.get_by_role("alert")).to_have_count(0)
    assert tab.problems == []


def test_text_from_right_to_left_keeps_its_direction(person: Person) -> None:
    tab = person.open()
    arabic = "مرحبا بكم، ما الذي يمكنك صنعه؟"
    tab.field.fill(arabic)
    direction = "e => getComputedStyle(e).direction"
    assert tab.field.evaluate(direction) == "rtl"
    # The bubble is drawn anew when the message is acknowledged, so this looks until it is right.
    expect(tab.say(arabic).locator("p").first).to_have_css("direction", "rtl")
    expect(tab.answer_to(arabic)).to_be_visible()
    assert tab.field.evaluate(direction) == "ltr"
    assert tab.problems == []


@pytest.mark.parametrize(
    "hostile",
    [
        "old <img src=x onerror=boom()> teapots",
        "the meadow ![p](https://elsewhere.invalid/x.png)",
        "a <b onmouseover=boom()>grey</b> **pebble** <u>here</u>",
        "a [pebble](javascript:boom()) here",
    ],
)
def test_hostile_text_is_only_text(person: Person, used: Atelier, hostile: str) -> None:
    tab = person.open()
    tab.page.expose_function("boom", lambda: tab.problems.append("code of a message ran"))
    bubble = tab.say(hostile)
    expect(bubble.locator("p").first).to_have_text(hostile)
    # Answered, asked about or begun: whatever comes of it repeats it somewhere.
    reply = tab.reply_to(hostile)
    expect(reply).not_to_be_empty()
    expect(bubble.locator("img, b, u, a")).to_have_count(0)
    live = "img:not([src^='/v1/objects/']), [onerror], [onmouseover], b, u, [href^=javascript]"
    assert tab.page.locator("body").locator(live).count() == 0
    _stop_everything(tab, used)
    assert len(tab.hosts) == 1
    assert tab.problems == []


def test_an_answer_in_one_tab_closes_the_question_in_the_other(
    person: Person, used: Atelier
) -> None:
    here = person.open()
    there = person.open(beside=here)
    here.say("A 6-second film about a harbour in the fog, in English")
    question = here.questions().filter(has_text="fog")
    expect(question).to_be_visible()
    expect(there.questions().filter(has_text="fog")).to_be_visible()
    question.get_by_role("button", name="Reject…").click()
    question.get_by_label("What should be different?").fill("no fog, please")
    question.get_by_role("button", name="Reject", exact=True).click()
    for tab in (here, there):
        closed = tab.page.locator("article.approval.is-closed").filter(has_text="no fog")
        expect(closed).to_contain_text("You rejected this · “no fog, please”")
        expect(closed.get_by_role("button")).to_have_count(1)
        expect(closed.get_by_role("button", name="Copy link")).to_be_visible()
    assert there.value("document.activeElement.closest('.approval')") is None
    assert [path for path in there.posts if "/v1/approvals/" in path] == []
    _stop_everything(here, used)
    assert here.problems + there.problems == []


def _stop_everything(tab: Tab, atelier: Atelier) -> None:
    """Let no test's task go on beside the next test."""
    for task in atelier.get("/v1/tasks?kind=any")["tasks"]:
        if task["status"] in ("active", "waiting", "paused"):
            stopped = tab.page.request.post(f"{atelier.address}/v1/tasks/{task['id']}/stop")
            assert stopped.ok, stopped.text()


def test_a_paid_picture_is_changed_before_the_yes(person: Person, used: Atelier) -> None:
    tab = person.open()
    _wants_to_be(tab, used, "cautious")
    tab.say("A picture of a kite over a hill, in English")
    question = tab.questions().filter(has_text="kite")
    question.get_by_role("button", name="Change…").click()
    description = question.get_by_label("Description")
    assert "kite" in description.input_value()
    description.fill("A blue kite in the rain")
    question.get_by_label("Height (pixels)").fill("360")
    question.get_by_label("Width (pixels)").fill("10")
    question.get_by_role("button", name="Approve with changes").click()
    expect(question.get_by_role("alert")).to_have_text("width must be at least 256.")
    expect(description).to_have_value("A blue kite in the rain")
    tab.problems.clear()  # the browser says aloud that the server said no
    tab.keep("page-edit")
    question.get_by_label("Width (pixels)").fill("640")
    tab.page.keyboard.press("Enter")
    card = tab.page.locator("article.approval").filter(has_text="kite")
    expect(card.locator(".outcome")).to_contain_text("You changed and approved this")
    expect(card).to_be_focused()
    expect(tab.tasks().filter(has_text="kite")).to_contain_text("Finished")
    of_kite = tab.page.locator("article").filter(has_text="kite")
    picture = of_kite.locator("img[src*='/v1/objects/']").last
    expect(picture).to_be_visible()
    tab.until(lambda: picture.evaluate("e => e.naturalWidth") > 0, "the picture is there")
    assert picture.evaluate("e => [e.naturalWidth, e.naturalHeight]") == [640, 360]
    (task,) = (each for each in used.get("/v1/tasks?kind=any")["tasks"] if "kite" in each["goal"])
    (call,) = used.get(f"/v1/tasks/{task['id']}/ledger")["calls"]
    assert call["outcome"] == "succeeded"
    _wants_to_be(tab, used, "balanced")
    _stop_everything(tab, used)
    assert tab.problems == []


def _wants_to_be(tab: Tab, atelier: Atelier, autonomy: str) -> None:
    """Let the person be asked before every paid call, or no longer."""
    settings = atelier.get("/v1/settings")
    answer = tab.page.request.put(
        f"{atelier.address}/v1/settings", data={**settings, "autonomy": autonomy}
    )
    assert answer.ok, answer.text()


def test_a_server_that_restarts_is_caught_up_with(person: Person, used: Atelier) -> None:
    tab = person.open()
    tab.say("Good morning")
    expect(tab.answer_to("Good morning")).to_be_visible()
    told = _conversation(tab)
    assert tab.problems == []
    used.stop()
    expect(tab.page.get_by_text("Reconnecting…")).to_be_visible()
    tab.field.fill("Good evening")
    tab.field.press("Enter")
    expect(tab.said("Good evening").get_by_role("button", name="Try again")).to_be_visible()
    used.start()
    expect(tab.page.get_by_text("Reconnecting…")).to_be_hidden()
    expect(tab.answer_to("Good evening")).to_be_visible()
    expect(tab.said("Good evening")).to_have_count(1)
    now = _conversation(tab)
    assert now[: len(told)] == told
    assert now[len(told) :][:1] == ["Good evening"]
    assert len(now) == len(told) + 2
    tab.problems.clear()  # a browser says aloud that nobody listened
    tab.page.reload()
    expect(tab.said("Good evening")).to_have_count(1)
    assert _conversation(tab) == now
    assert tab.problems == []


def test_the_keyboard_is_enough_from_the_brief_to_the_stop(person: Person, used: Atelier) -> None:
    tab = person.open()
    expect(tab.field).to_be_focused()
    tab.page.keyboard.type("A 6-second film about a windmill at dawn, in English")
    tab.page.keyboard.press("Enter")
    question = tab.questions().filter(has_text="windmill")
    expect(question).to_be_visible()
    _tab_to(tab, question.get_by_role("button", name="Approve"))
    tab.page.keyboard.press("Enter")
    card = tab.page.locator("article.approval").filter(has_text="windmill")
    expect(card).to_contain_text("You approved this")
    expect(card).to_be_focused()
    panel = tab.page.get_by_role("complementary", name="Task details")
    _tab_to(tab, panel.get_by_role("button", name="Stop"))
    tab.page.keyboard.press("Enter")
    dialog = tab.page.get_by_role("dialog")
    expect(dialog).to_contain_text("paid")
    _tab_to(tab, dialog.get_by_role("button", name="Stop the task"))
    tab.page.keyboard.press("Enter")
    expect(panel.locator(".state")).to_contain_text("Stopped by you")
    _stop_everything(tab, used)
    assert tab.problems == []


def _tab_to(tab: Tab, wanted: Locator) -> None:
    """Press Tab until something has the focus; everything must be reached within one round."""
    expect(wanted).to_be_visible()
    is_focused = "e => e === document.activeElement"
    for _ in range(200):
        tab.page.keyboard.press("Tab")
        if wanted.evaluate(is_focused):
            return
    pytest.fail("Tab never reaches it")


def test_the_page_speaks_german_where_the_browser_does(person: Person) -> None:
    tab = person.open(locale="de-DE")
    field = tab.page.get_by_role("textbox", name="Nachricht")
    field.fill("Was kannst du machen?")
    field.press("Enter")
    bubble = tab.said("Was kannst du machen?")
    expect(bubble.locator(".passage")).to_contain_text("Beantwortet")
    expect(bubble.locator("xpath=following-sibling::article[1]")).to_contain_text("Bilder")
    assert tab.page.locator("html").get_attribute("lang") == "de"
    assert tab.problems == []


def test_words_that_went_astray_are_put_right(person: Person, used: Atelier) -> None:
    tab = person.open()
    for subject in ("a watermill in May", "a glacier at noon"):
        tab.say(f"A 6-second film about {subject}, in English")
        expect(tab.questions().filter(has_text=subject[2:])).to_be_visible()
    for talk in ("Good afternoon", "Thank you"):  # so that neither film was spoken of last
        tab.say(talk)
        expect(tab.answer_to(talk)).to_be_visible()
    _asks_which_is_meant(tab)
    _gives_a_copy_of_what_was_read(tab)
    _joins_one_to_the_other(tab)
    _is_found_in_the_archive(tab, person)
    _stop_everything(tab, used)
    assert [problem for tab in person.tabs for problem in tab.problems] == []


def _asks_which_is_meant(tab: Tab) -> None:
    bubble = tab.say("The film should be in black and white")
    question = tab.questions().filter(has_text="Which work do you mean?")
    expect(question).to_contain_text("The film should be in black and white")
    expect(bubble.locator(".passage")).to_contain_text("Waiting for your answer: which task?")
    tab.page.get_by_role("button", name="and 1 more").click()
    listed = tab.page.get_by_role("dialog", name="Waiting for you")
    expect(listed.get_by_role("listitem")).to_have_count(3)
    listed.get_by_role("button", name="Which work do you mean?").click()
    expect(listed).to_have_count(0)
    expect(question).to_be_focused()
    question.get_by_role("button", name="Watermill in May").click()
    expect(bubble.locator(".passage")).to_contain_text(
        re.compile(r"Delivered to “Watermill in May” · read at step \d")
    )


def _gives_a_copy_of_what_was_read(tab: Tab) -> None:
    tab.said("black and white").get_by_role("button", name="Belongs elsewhere…").click()
    dialog = tab.page.get_by_role("dialog", name="Where does this belong?")
    expect(dialog).to_contain_text(re.compile(r"Already used in step \d of “Watermill in May”"))
    expect(dialog.get_by_role("radio", name="Watermill in May")).to_have_count(0)
    dialog.get_by_role("radio", name="Glacier at noon").check()
    dialog.get_by_role("button", name="Give a copy over").click()
    expect(tab.page.locator(".notice")).to_contain_text(
        re.compile(r"Already used in step \d; a copy was given to “Glacier at noon”")
    )
    copied = tab.said("black and white").last.locator(".passage")
    expect(copied).to_contain_text("Copy · Delivered to “Glacier at noon”")


def _joins_one_to_the_other(tab: Tab) -> None:
    # what began a task goes only together with it
    tab.said("about a watermill").get_by_role("button", name="Belongs elsewhere…").click()
    title = "What does “Watermill in May” belong together with?"
    dialog = tab.page.get_by_role("dialog", name=title)
    expect(dialog).to_contain_text("This cannot be undone")
    expect(dialog.get_by_role("button", name="Join them")).to_be_disabled()
    dialog.get_by_role("radio", name="Glacier at noon").check()
    dialog.get_by_role("button", name="Join them").click()
    panel = tab.page.get_by_role("complementary", name="Task details")
    expect(panel.get_by_role("heading", name="Glacier at noon")).to_be_visible()
    expect(tab.tasks().filter(has_text="Watermill in May")).to_have_count(0)


def _is_found_in_the_archive(tab: Tab, person: Person) -> None:
    tab.page.reload()
    tab.page.get_by_role("button", name="Tasks", exact=True).click()
    listed = tab.page.get_by_role("dialog", name="Tasks")
    listed.get_by_role("radio", name="Archive").check()
    listed.get_by_role("button", name=re.compile("^Watermill in May")).click()
    panel = tab.page.get_by_role("complementary", name="Task details")
    expect(panel.get_by_role("button", name="Goes on in “Glacier at noon”")).to_be_visible()
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    panel.get_by_role("button", name="Copy link").click()
    expect(panel.get_by_role("status")).to_have_text("Link copied.")
    linked = person.open(beside=tab, link=tab.value("navigator.clipboard.readText()"))
    panel = linked.page.get_by_role("complementary", name="Task details")
    panel.get_by_role("button", name="Bring back").click()
    expect(panel.get_by_role("button", name="Archive")).to_be_visible()
    expect(panel.get_by_role("button", name="Write to this task")).to_be_focused()
    expect(tab.tasks().filter(has_text="Watermill in May")).to_contain_text("Stopped")


def test_settings_are_kept_and_speak_the_chosen_language(person: Person, used: Atelier) -> None:
    tab = person.open(PHONE)
    tab.say("Good day")  # so that the model was used at least once
    expect(tab.answer_to("Good day")).to_be_visible()
    before = used.get("/v1/settings")
    tab.page.get_by_role("button", name="Settings").click()
    dialog = tab.page.get_by_role("dialog", name="Settings")
    dialog.get_by_role("radio", name="Cautious").check()
    amount = dialog.get_by_label("Without asking, for one step (USD)")
    amount.fill("a few cents")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("status")).to_have_text("Please enter an amount from 0 up.")
    assert used.get("/v1/settings") == before
    amount.fill("0,025")
    dialog.get_by_role("checkbox", name="Keyframes").check()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("status")).to_have_text("Saved.")
    assert used.get("/v1/settings") == {
        **before,
        "autonomy": "cautious",
        "per_call_allowance_micros": 25_000,
        "review_points": ["keyframes"],
    }
    expect(dialog.get_by_role("table")).to_contain_text("rehearsal")
    assert _overflow(tab) == []
    tab.keep("page-settings")
    dialog.get_by_label("Language of this page").select_option("한국어")
    expect(tab.page.get_by_role("textbox", name="메시지")).to_be_visible()
    assert tab.page.locator("html").get_attribute("lang") == "ko"
    answer = tab.page.request.put(f"{used.address}/v1/settings", data=before)
    assert answer.ok, answer.text()
    assert tab.problems == []
