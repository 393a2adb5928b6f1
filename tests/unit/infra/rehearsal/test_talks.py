"""Where each message of a conversation belongs: to a task, to none, or to be asked about.

The table is what the rules were written against, so the rules are held to all of it; what is
weighed in the end is held to nearly all, and to guessing next to nothing.
"""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import yaml

from infra.language import detect_language
from infra.providers.rehearsal.judging import by_rules
from infra.providers.rehearsal.meaning import meaning_of
from infra.providers.rehearsal.routing import route
from infra.providers.rehearsal.state import Candidate, MainView
from memory import task_index

_NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)
_TALKS: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).parent / "talks.yaml").read_text(encoding="utf-8")
)
_MESSAGES: list[tuple[dict[str, Any], str, str | list[str]]] = [
    (talk, text, expected) for talk in _TALKS for text, expected in talk["said"].items()
]
_IDS = [f"{talk['name']}: {text}" for talk, text, _ in _MESSAGES]
_OPEN = ("active", "waiting", "paused")
_WRONG, _LOST = 0.03, 0.15
"""Of all messages: so many may go to a wrong work, so many may go anywhere wrong."""


def _candidate(task: dict[str, Any], language: str, text: str) -> Candidate:
    about = task_index.describe(
        task["title"], task["goal"], task.get("summary", ""), task.get("objects", ())
    )
    updated = _NOW - timedelta(minutes=task["minutes"])
    return Candidate(
        task_id=task["key"],
        title=task["title"],
        goal=task["goal"],
        status=task["status"],
        language=language,
        summary=task.get("summary", ""),
        updated=updated.isoformat(timespec="minutes"),
        objects=tuple(task.get("objects", ())),
        meaning=round(float(meaning_of(about.text) @ meaning_of(text)), 3),
    )


def _view(talk: dict[str, Any], text: str) -> MainView:
    ordered = sorted(talk["tasks"], key=lambda one: (one["status"] not in _OPEN, one["minutes"]))
    founding = [
        {"role": "user", "text": one["goal"], "task_id": one["key"]}
        for one in sorted(talk["tasks"], key=lambda one: -one["minutes"])
    ]
    spoken = [
        {"role": one["role"], "text": one["text"], "task_id": one.get("task")}
        for one in talk["recent"]
    ]
    return MainView(
        message=text,
        language=detect_language(text),
        recent=tuple((founding + spoken)[-12:]),
        candidates=tuple(_candidate(one, talk["language"], text) for one in ordered),
    )


@pytest.mark.parametrize(("talk", "text", "expected"), _MESSAGES, ids=_IDS)
def test_a_message_finds_its_work(
    talk: dict[str, Any], text: str, expected: str | list[str]
) -> None:
    found = by_rules(_view(talk, text))
    task_id = found.task.task_id if found.task is not None else None
    options = [one.task_id for one in found.options]
    assert _is_right(talk, expected, found.outcome, task_id, options)


def _is_right(
    talk: dict[str, Any],
    expected: str | list[str],
    outcome: str,
    task_id: str | None,
    options: list[str],
) -> bool:
    if isinstance(expected, list):
        few = len(options) <= len(expected)
        return outcome == "ask" and set(expected[1:]) <= set(options) and few
    if expected in {one["key"] for one in talk["tasks"]}:
        return (outcome, task_id) == ("existing", expected)
    return outcome == expected


@pytest.mark.timeout(300)
def test_nearly_all_is_found_by_weighing_and_hardly_any_goes_to_a_wrong_work() -> None:
    wrong: list[str] = []
    lost: list[str] = []
    for talk, text, expected in _MESSAGES:
        found = route(_view(talk, text))
        answer = (found["outcome"], found["task_id"], found["options"])
        if not _is_right(talk, expected, *answer):
            (lost if found["task_id"] is None else wrong).append(text)
    assert len(wrong) <= _WRONG * len(_MESSAGES), wrong
    assert len(wrong) + len(lost) <= _LOST * len(_MESSAGES), lost


def test_what_fits_two_works_equally_is_never_guessed() -> None:
    asked = [one for one in _MESSAGES if isinstance(one[2], list)]
    assert len(asked) > 15
    for talk, text, _ in asked:
        assert route(_view(talk, text))["task_id"] is None


def test_words_about_something_that_is_not_here_go_to_nothing_else() -> None:
    talk = next(one for one in _TALKS if one["name"] == "gone")
    for text in (
        "the poster for the tulip market from last month needs a new date",
        "das Hörspiel vom letzten Jahr bitte wieder aufnehmen",
        "retomemos el cartel del año pasado",
        "reprenons l'affiche du mois dernier",
        "上个月的海报再改一下",
    ):
        assert route(_view(talk, text))["task_id"] is None, text


def test_what_was_put_away_is_meant_only_by_who_names_it() -> None:
    here = Candidate(
        task_id="here", title="Otters", goal="A film about otters", status="active", language="en"
    )
    away = Candidate(
        task_id="away",
        title="Comet posters",
        goal="Two posters about the comet",
        status="completed",
        language="en",
        archived=True,
    )
    for text, expected in (
        ("the comet posters need the new date", "away"),
        ("the otters should be faster", "here"),
        ("make it warmer", "here"),
    ):
        shown = MainView(message=text, language="en", candidates=(here, away))
        assert route(shown)["task_id"] == expected, text
