"""What the demonstration understands and shows."""

import io
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from infra.money import Money
from server.demo.results import choose, slug
from server.demo.run import SAMPLE_BRIEF, introduction
from server.demo.screen import Screen, at_most, rounded
from server.demo.story import Story


def step(key: str, **values: Any) -> dict[str, Any]:
    base = {"status": "todo", "expected": 4, "done": 0, "running": 0, "failed": 0, "title": key}
    return {"key": key, **base, **values}


def task(**values: Any) -> dict[str, Any]:
    return {
        "id": "t",
        "title": "Der Fluss",
        "status": "waiting",
        "waiting_reason": "jobs",
        "reason": None,
        "checklist": {
            "items": [
                step("Drehbuch", status="done", expected=1, done=1),
                step("Bewegte Einstellungen " * 6, status="doing", done=1, running=2),
                step("강의 장면", status="doing", failed=1),
            ]
        },
        "jobs": {
            "total": 9,
            "queued": 3,
            "running": 2,
            "succeeded": 3,
            "failed": 1,
            "unknown": 0,
            "items": [],
        },
        "budget": {
            "currency": "USD",
            "limit_micros": 1_560_000,
            "held_micros": 62_000,
            "settled_micros": 23_333,
        },
        **values,
    }


def story_of(**values: Any) -> Story:
    story = Story(message_id="m")
    story.apply("message.delivered", {"id": "m", "status": "delivered", "task_id": "t"})
    story.apply("task.waiting", task(**values))
    return story


CARD: dict[str, Any] = {
    "id": "q",
    "task_id": "t",
    "status": "pending",
    "title": "Der Fluss",
    "body": "Ein Film.",
    "lines": [
        {"label": "Drehbuch", "detail": "", "amount_micros": 0},
        {"label": "강의 장면 " * 10, "detail": "4 × 5 s", "amount_micros": 60_000},
    ],
    "options": [{"id": "1", "label": "Ja", "detail": ""}],
    "price": {"amount_micros": 60_000, "maximum_micros": 75_000, "currency": "USD"},
    "actions": ["approve"],
}


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_picture_fits_into_the_terminal(width: int) -> None:
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=width, color_system=None)
    screen = Screen(console)
    story = story_of()
    story.words = "Ein langer Satz über den Fluss. " * 20
    console.print(screen.picture(story))
    screen.card(CARD, "USD")
    lines = written.getvalue().splitlines()
    assert max(cell_len(line) for line in lines) <= width
    text = "\n".join(lines)
    for shown in ("Der Fluss", "generating", "1 of 4", "2 running", "1 failed", "3 of 9 done"):
        assert shown in text
    assert "$0.02 spent · $0.06 held · limit $1.56" in text
    assert "at most $0.08" in text
    assert "free" in text


def test_without_a_terminal_each_change_is_one_line() -> None:
    written = io.StringIO()
    screen = Screen(Console(file=written, width=80))
    story = story_of()
    for _ in range(3):
        screen.update(story)
    before = written.getvalue().splitlines()
    assert len(before) == len(set(before))
    assert any("Task: Der Fluss" in line for line in before)
    story.apply("task.completed", task(status="completed"))
    screen.update(story)
    added = written.getvalue().splitlines()[len(before) :]
    assert [line.partition("] ")[2] for line in added] == ["State: done"]


def test_questions_of_other_tasks_are_not_ours() -> None:
    story = story_of()
    story.apply("approval.requested", {**CARD, "task_id": "other"})
    assert story.pending == []
    story.apply("approval.requested", CARD)
    assert story.pending == [CARD]
    story.apply("approval.answered", {**CARD, "status": "approved"})
    assert story.pending == []


def test_only_what_a_person_must_say_counts_as_stuck() -> None:
    for reason, stuck in (
        ("answer", True),
        ("blocked", True),
        ("no_progress", True),
        ("jobs", False),
        ("approval", False),
        ("provider", False),
    ):
        assert story_of(waiting_reason=reason).is_stuck is stuck


def test_words_are_put_together_from_pieces_and_start_over_with_a_new_attempt() -> None:
    story = story_of()
    for generation, offset, text in (
        (1, 0, "Der"),
        (1, 3, " Fluss"),
        (1, 3, " Fluss"),
        (2, 0, "Ein"),
    ):
        story.apply(
            "assistant.delta",
            {"message_id": "a", "generation": generation, "offset": offset, "text": text},
        )
        if generation == 1 and offset:
            assert story.words == "Der Fluss"
    assert story.words == "Ein"


def test_running_jobs_count_in_part() -> None:
    items = [
        {"id": "1", "task_id": "t", "step_key": "x", "status": "running", "progress": 0.5},
        {"id": "2", "task_id": "t", "step_key": "x", "status": "running", "progress": None},
    ]
    story = story_of(jobs={"total": 2, "items": items})
    assert story.progress(step("x", done=1)) == 1.5
    story.apply("job.progress", {**items[1], "progress": 0.25})
    assert story.progress(step("x", done=1)) == 1.75


def reference(role: str, name: str, media_type: str) -> dict[str, Any]:
    return {"role": role, "name": name, "media_type": media_type, "url": "/"}


def test_of_a_film_the_film_is_fetched_and_of_pictures_every_one() -> None:
    film = [
        reference("master", "Der Fluss", "video/mp4"),
        reference("timeline", "x", "application/json+otio"),
        reference("captions", "x", "application/x-subrip"),
        reference("captions", "y", "application/x-subrip"),
        reference("clip", "Einstellung 1", "video/mp4"),
        reference("script", "Drehbuch", "text/markdown"),
        reference("delivery_report", "x", "text/markdown"),
    ]
    assert [name for _, name in choose(film)] == [
        "film.mp4",
        "timeline.otio",
        "captions.srt",
        "script.md",
        "delivery-report.md",
    ]
    pictures = [reference("image", "Plakat", "image/png")] * 2
    assert [name for _, name in choose(pictures)] == ["plakat.png", "plakat-2.png"]


def test_a_folder_is_named_by_the_title_in_any_script() -> None:
    assert slug("Der Fluss: ein Film!") == "der-fluss-ein-film"
    assert slug("강의 이야기") == "강의-이야기"
    assert slug("Ein Gruß von den Möwen über Ærø") == "ein-gruß-von-den-möwen-über-ærø"
    assert slug("Mo\u0308wen") == "möwen"
    assert slug("灯台についての３０秒の映画（静か）") == "灯台についての30秒の映画-静か"
    assert slug("नदी की कहानी") == "नदी-की-कहानी"
    assert slug("../..") == "work"
    assert slug("langes " * 50) == "-".join(["langes"] * 8)
    assert slug("灯" * 200) == "灯" * 60


def test_amounts_are_told_in_coins_and_small_ones_never_read_as_free() -> None:
    for micros, currency, shown, limit in (
        (0, "USD", "$0.00", "$0.00"),
        (533, "USD", "<$0.01", "$0.01"),
        (23_333, "USD", "$0.02", "$0.03"),
        (500_000, "USD", "$0.50", "$0.50"),
        (1_234_567, "USD", "$1.23", "$1.24"),
        (400_000, "JPY", "<¥1", "¥1"),
        (1_600_000, "JPY", "¥2", "¥2"),
        (1_500, "KWD", "KWD0.002", "KWD0.002"),
    ):
        assert rounded(Money(micros, currency)) == shown
        assert at_most(Money(micros, currency)) == limit


@pytest.mark.parametrize("is_terminal", [True, False])
def test_paths_stay_on_one_line_so_that_they_can_be_copied(is_terminal: bool) -> None:  # noqa: FBT001
    written = io.StringIO()
    console = Console(file=written, force_terminal=is_terminal, width=40, color_system=None)
    folder = Path("demo-output") / ("ein-langer-name-" * 4)
    Screen(console).files(folder, [("film.mp4", "Ein langer Name " * 5), ("captions.srt", "x")])
    paths = [line.partition("  ")[0] for line in written.getvalue().splitlines() if line]
    assert paths == [str(folder / "film.mp4"), str(folder / "captions.srt")]


def test_without_a_brief_the_sample_is_told_before_anything_starts() -> None:
    told = [str(line) for line in introduction("", approves=True)]
    assert 'make demo BRIEF="…"' in told[0]
    assert told[1] == f"Brief: {SAMPLE_BRIEF}"
    assert "approved for you" in told[2]
    mine = [str(line) for line in introduction("Ein [roter] Film", approves=False)]
    assert mine == ["Brief: Ein [roter] Film", "Every question is left to you."]
