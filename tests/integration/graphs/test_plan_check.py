"""A plan that cannot be carried out is refused before anyone is asked; one that can has a time."""

from typing import Any

from execution import views
from tests.harness import calls
from tests.integration.graphs.stage import Stage, plan, plan_arguments

FILM: list[dict[str, Any]] = [
    {"key": "shots", "title": "Shots", "kind": "shots", "count": 3, "seconds": 12},
    {"key": "film", "title": "Film", "kind": "master", "depends_on": ["shots"]},
]


async def refusals(stage: Stage) -> list[tuple[str, str]]:
    rows = await stage.machine.rows(
        "select refusal, tool_message from ledger where verdict = 'refuse' order by created_at, seq"
    )
    return [(row[0], row[1]) for row in rows]


async def test_what_nobody_here_can_do_is_never_shown_to_the_person(stage: Stage) -> None:
    cutting: dict[str, Any] = {"key": "cut", "title": "Cut out", "kind": "matting", "count": 2}
    stage.model.answers[:] = [
        calls(("propose_plan", plan_arguments(steps=[cutting]))),
        calls(("propose_plan", plan_arguments(steps=FILM, duration_s=12))),
        calls(("propose_plan", plan_arguments(steps=FILM[:1], duration_s=3000))),
    ]
    await stage.begin()
    (matting, told), (render, why), (length, most) = await refusals(stage)
    assert {matting, render, length} == {"capability"}
    assert "Nearest is an `image` made anew on a plain background" in told
    assert "Nothing here can do 'render'. Possible are: clip, image" in why
    assert why.endswith("The step 'film' (master) needs it.")
    assert "at most 600 seconds" in most
    assert await stage.machine.pending() == []
    await stage.check()


async def test_the_card_of_a_plan_says_how_long_it_takes_and_how_that_is_known(
    stage: Stage,
) -> None:
    stage.model.answers[:] = [plan(20)]
    await stage.begin()
    (asked,) = await stage.machine.pending()
    away = stage.machine.deps.settings.away_slots
    card = views.approval_card(asked, "USD")
    seconds = 60 * -(-20 // away)
    assert card["estimate"] == {
        "seconds": seconds,
        "steps": [
            {"key": "concept", "seconds": 0, "basis": "none", "samples": 0},
            {"key": "posters", "seconds": seconds, "basis": "declared", "samples": 0},
        ],
    }
