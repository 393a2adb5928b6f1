"""What a person sees of a production: its limits, its graph, and whether it is right."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.browser import Person, Tab
from tests.e2e.product import Atelier

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


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
    (task,) = used.get("/v1/tasks")["tasks"]
    assert used.get(f"/v1/tasks/{task['id']}/verdicts")["limits"]["rounds"] == 51
    _puts(tab, used, "/v1/settings/limits", limits)
    _stops_everything(tab, used)
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
