"""What a person sees of a production: its limits, its graph, and whether it is right."""

import re
from collections.abc import Generator

import pytest
from playwright.sync_api import Locator, expect

from tests.e2e.browser import PHONE, Person, Tab
from tests.e2e.product import Atelier

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

MAKING = 240.0


@pytest.fixture(autouse=True)
def _left_as_it_was(person: Person, used: Atelier) -> Generator[None]:
    """Leave the next test the settings and limits, and no task that goes on beside it."""
    kept = {path: used.get(path) for path in ("/v1/settings", "/v1/settings/limits")}
    yield
    tab = person.tabs[0]
    for path, body in kept.items():
        _puts(tab, used, path, body)
    _stops_everything(tab, used)


def test_a_production_at_its_limit_is_given_more(person: Person, used: Atelier) -> None:
    tab = person.open()
    limits = used.get("/v1/settings/limits")
    _puts(tab, used, "/v1/settings/limits", {**limits, "rounds": 1})
    tab.say("A 6-second film about a lighthouse at night, calm, in English")
    panel = tab.page.get_by_role("complementary", name="Task details")
    expect(panel.locator(".state")).to_have_text("Has reached its limit")
    expect(panel.locator(".reason")).to_contain_text("limit of 1 round")
    expect(panel.locator(".ends")).to_contain_text("It goes on when you give it more")
    panel.get_by_role("button", name="Let it do more…").click()
    dialog = tab.page.get_by_role("dialog", name=re.compile("How much more may “Lighthouse"))
    expect(dialog).to_contain_text("1 of 1 rounds of work are used.")
    rounds = dialog.get_by_label("More rounds")
    expect(rounds).to_have_value("1")  # as much again as the settings give
    rounds.fill("0")
    dialog.get_by_role("button", name="Let it go on").click()
    expect(dialog.get_by_role("alert")).to_contain_text("at least one above 0")
    assert [path for path in tab.posts if path.endswith("/more")] == []
    rounds.fill("50")
    dialog.get_by_role("button", name="Let it go on").click()
    expect(dialog).to_have_count(0)
    expect(panel.locator(".state")).to_have_text("Waiting for your decision")
    expect(panel.get_by_role("button", name="Let it do more…")).to_have_count(0)
    (task,) = (each for each in used.get("/v1/tasks")["tasks"] if "ighthouse" in each["title"])
    assert used.get(f"/v1/tasks/{task['id']}/verdicts")["limits"]["rounds"] == 51
    assert tab.problems == []


@pytest.mark.timeout(600)
def test_a_delivery_is_sent_back_with_words_and_then_accepted(
    person: Person, used: Atelier
) -> None:
    tab = person.open()
    tab.say("Two posters about a tram in the rain, in English")
    tab.questions().filter(has_text="Tram").get_by_role("button", name="Approve").click()
    delivery = tab.page.locator("article.delivery").filter(has_text="Tram in the rain")
    expect(delivery).to_contain_text("Is it as you want it?", timeout=MAKING * 1000)
    panel = tab.page.get_by_role("complementary", name="Task details")
    expect(panel.locator(".state")).to_have_text("Delivered, waits for you to accept it")
    _asks_for_changes(tab, delivery)
    question = tab.questions().filter(has_text="Tram")
    expect(question).to_contain_text("Different from the plan before")
    question.get_by_role("button", name="Approve").click()
    accept = delivery.get_by_role("button", name="Accept")
    expect(accept).to_be_visible(timeout=MAKING * 1000)
    _presses_while_the_page_moves(tab, accept)
    expect(delivery.locator(".outcome")).to_have_text("You accepted this.")
    expect(delivery.locator(".acceptance")).to_be_focused()
    expect(panel.locator(".state")).to_have_text("Delivered and accepted")
    expect(accept).to_have_count(0)
    (task,) = (each for each in used.get("/v1/tasks")["tasks"] if "Tram" in each["title"])
    found = task["acceptance"]
    assert (found["state"], found["revision"], found["basis"]) == ("accepted", 2, "person")
    assert found["saw"] == {
        step["key"]: {"done": step["done"], "expected": step["expected"]}
        for step in task["checklist"]["items"]
    }
    assert len([path for path in tab.posts if path.endswith("/acceptance")]) == 2
    assert tab.problems == []


def _presses_while_the_page_moves(tab: Tab, button: Locator) -> None:
    """Press as a person does while something comes in beneath: it moves between down and up."""
    button.hover()
    began = button.bounding_box()
    tab.page.mouse.down()
    button.evaluate("e => { e.closest('article').style.marginBottom = '120px' }")
    tab.until(lambda: button.bounding_box() != began, "the button has moved")
    tab.page.mouse.up()


def _asks_for_changes(tab: Tab, delivery: Locator) -> None:
    delivery.get_by_role("button", name="Ask for changes…").click()
    send = delivery.get_by_role("button", name="Ask for changes", exact=True)
    expect(send).to_be_disabled()  # nobody could tell what to change
    delivery.get_by_label("What should be different?").fill("Make them darker, at dusk")
    send.click()
    expect(delivery.locator(".outcome")).to_have_text(
        "You asked for changes. “Make them darker, at dusk”"
    )
    expect(tab.said("Make them darker, at dusk")).to_have_count(1)


def test_a_production_is_drawn_as_a_graph(person: Person, used: Atelier) -> None:
    tab = person.open()
    brief = "A 6-second film about a windmill at dawn, in English"
    tab.say(brief)
    question = tab.questions().filter(has_text="Windmill")
    expect(question.locator(".takes")).to_contain_text(re.compile(r"Takes\s*about \d+ sec"))
    panel = tab.page.get_by_role("complementary", name="Task details")
    panel.get_by_role("button", name="Show as a graph").click()
    dialog = tab.page.get_by_role("dialog", name="How “Windmill at dawn” is made")
    (task,) = (each for each in used.get("/v1/tasks")["tasks"] if "indmill" in each["title"])
    graph = used.get(f"/v1/tasks/{task['id']}/graph")
    drawn = dialog.get_by_role("group", name="Steps and what rests on what")
    expect(drawn.get_by_role("listitem")).to_have_count(len(graph["nodes"]))
    assert drawn.locator(".edge").count() == len(graph["edges"]) > 0
    _steps_do_not_overlap(drawn)
    shots = drawn.get_by_role("button", name=re.compile("Moving shots"))
    expect(shots).to_contain_text("0 of 3")
    shots.click()
    expect(dialog.locator(".graph-step")).to_contain_text("To do: 1–3")
    expect(dialog.locator(".versions")).to_contain_text(brief)
    expect(dialog.locator(".versions li")).to_have_count(1)
    tab.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    dialog.get_by_role("button", name="Copy as Mermaid").click()
    expect(dialog.get_by_role("status")).to_have_text("Copied.")
    assert tab.value("navigator.clipboard.readText()") == graph["mermaid"]
    tab.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    _scrolls_in_its_own_box_on_a_phone(person, f"{used.address}/#task={task['id']}")
    assert [problem for tab in person.tabs for problem in tab.problems] == []


def _steps_do_not_overlap(drawn: Locator) -> None:
    boxes = drawn.get_by_role("listitem").evaluate_all(
        "all => all.map(e => e.getBoundingClientRect().toJSON())"
    )
    for place, a in enumerate(boxes):
        for b in boxes[place + 1 :]:
            beside = a["right"] <= b["left"] or b["right"] <= a["left"]
            assert beside or a["bottom"] <= b["top"] or b["bottom"] <= a["top"]


def _scrolls_in_its_own_box_on_a_phone(person: Person, link: str) -> None:
    phone = person.open(PHONE, link=link)
    sheet = phone.page.get_by_role("dialog", name="Task details")
    sheet.get_by_role("button", name="Show as a graph").click()
    last = phone.page.get_by_role("button", name=re.compile("Finished film")).last
    last.click()  # the box scrolls to it
    expect(phone.page.locator(".graph-step")).to_contain_text("Finished film")
    width = "e => [e.scrollWidth, e.clientWidth]"
    content, shown = phone.page.locator(".graph-box").evaluate(width)
    assert content > shown
    for outer in ("html", ".graph-dialog", ".graph-dialog .dialog-body"):
        content, shown = phone.page.locator(outer).evaluate(width)
        assert content <= shown, outer
    phone.keep("page-graph")


def test_settings_hold_limits_and_accept_for_the_person(person: Person, used: Atelier) -> None:
    tab = person.open(PHONE)
    settings = used.get("/v1/settings")
    tab.page.get_by_role("button", name="Settings").click()
    dialog = tab.page.get_by_role("dialog", name="Settings")
    dialog.get_by_role("checkbox", name="What is delivered counts as accepted").check()
    rounds = dialog.get_by_label("Rounds of work")
    expect(rounds).to_have_value("400")
    rounds.fill("0")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("status")).to_contain_text("Please enter whole rounds")
    assert used.get("/v1/settings") == settings
    rounds.fill("50")
    dialog.get_by_label("Rounds without progress").fill("2")
    dialog.get_by_label("Hours of work").fill("1,5")
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_role("status")).to_have_text("Saved.")
    assert used.get("/v1/settings") == {**settings, "accepts_deliveries": True}
    given = {"rounds": 50, "rounds_without_progress": 2, "seconds": 5_400}
    assert used.get("/v1/settings/limits") == given
    assert tab.problems == []


def _puts(tab: Tab, atelier: Atelier, path: str, body: object) -> None:
    answer = tab.page.request.put(atelier.address + path, data=body)
    assert answer.ok, answer.text()


def _stops_everything(tab: Tab, atelier: Atelier) -> None:
    """Let no test's task go on beside the next test."""
    for task in atelier.get("/v1/tasks?kind=any")["tasks"]:
        if task["status"] in ("active", "waiting", "paused"):
            stopped = tab.page.request.post(f"{atelier.address}/v1/tasks/{task['id']}/stop")
            assert stopped.ok, stopped.text()
