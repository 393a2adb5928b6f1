"""What the rehearsal model makes of a change: by the words that a result was ordered by."""

from typing import Any

from infra.providers.rehearsal.reworking import decide, keep_calls, plan_again
from infra.providers.rehearsal.state import Affected, PlanStep, PlanView
from infra.providers.rehearsal.writing import read_document_text
from tests.unit.infra.rehearsal.studio import Answer, Studio

type Place = tuple[str, int]


def affected(
    step: str, slot: int, *through: Place, by_words: bool = False, ordered: str = ""
) -> Affected:
    return Affected(step=step, slot=slot, through=through, by_words=by_words, ordered=ordered)


def now(words: str) -> str:
    return words


PLAN = PlanView(
    version=2,
    approved=True,
    width=640,
    height=360,
    fps=24,
    duration_s=8,
    language="en",
    steps=tuple(
        PlanStep(
            key=key,
            title=key.title(),
            kind=key,
            count=count,
            status="done",
            done=count,
            running=0,
            failed=0,
            missing=(),
            attempts={},
            depends_on=needs,
            seconds=seconds,
        )
        for key, count, needs, seconds in (
            ("keyframes", 4, (), 0),
            ("shots", 4, ("keyframes",), 8),
            ("master", 1, ("shots",), 8),
        )
    ),
)
PICTURE = [
    affected("keyframes", 2),
    affected("shots", 2, ("keyframes", 2)),
    affected("master", 1, ("shots", 2)),
]


def test_what_was_made_from_another_picture_is_made_again_with_all_that_follows() -> None:
    decided = decide(PICTURE, lambda place: "", anew=frozenset())
    assert decided.again == {("keyframes", 2), ("shots", 2), ("master", 1)}
    assert decided.kept == frozenset()


def test_what_would_be_ordered_by_the_same_words_is_kept_with_all_that_follows() -> None:
    same = [affected("keyframes", 2, by_words=True, ordered="a hill"), *PICTURE[1:]]
    decided = decide(same, lambda place: "a hill", anew=frozenset())
    assert decided.again == frozenset()
    assert decided.kept == {("keyframes", 2), ("shots", 2), ("master", 1)}
    assert keep_calls(same, "It fits.") == (
        ("keep_results", {"step": "keyframes", "slots": [2], "reason": "It fits."}),
    )


def test_what_would_be_ordered_by_other_words_is_made_again() -> None:
    other = [affected("keyframes", 2, by_words=True, ordered="a hill")]
    assert decide(other, lambda place: "a hill in rain", anew=frozenset()).again


def test_what_rests_on_a_step_that_is_made_anew_is_made_again() -> None:
    decided = decide(PICTURE[1:], lambda place: "", anew=frozenset({"keyframes"}))
    assert ("shots", 2) in decided.again


def test_the_plan_stays_as_it_is_and_names_exactly_what_is_made_again() -> None:
    decided = decide(PICTURE, lambda place: "", anew=frozenset())
    arguments = plan_again(PLAN, decided, title="Hills", language="en")
    assert arguments["keep"] == ["keyframes", "shots", "master"]
    assert [step["remake"] for step in arguments["steps"]] == [[2], [2], [1]]
    assert [step["seconds"] for step in arguments["steps"]] == [0, 8, 8]
    assert "Keyframes 2, Shots 2, and Master" in arguments["summary"]


def finished() -> Studio:
    studio = Studio()
    studio.say("A 20-second film about a small bakery in Lisbon, calm, in English")
    studio.act()
    studio.approve()
    studio.produce()
    return studio


def ordered(studio: Studio, step: str, slot: int) -> str:
    made = [each for each in studio.entries if (each.step_key, each.slot) == (step, slot)]
    return str(made[-1].arguments.get("prompt") or made[-1].arguments.get("text") or "")


def edited(studio: Studio) -> None:
    """Somebody has edited the second scene; this is what the worker is told rests on it."""
    results: list[dict[str, Any]] = [
        {"step": step, "slot": 2, "used": "scene 2", "ordered": ordered(studio, step, 2)[:300]}
        for step in ("keyframes", "narration")
    ]
    results.append({"step": "music", "slot": 1, "used": "all of it"})
    results += [
        {"step": step, "slot": slot, "through": [f"{key} {number}" for key, number in through]}
        for (step, slot), through in (
            (("shots", 2), [("keyframes", 2)]),
            (("captions", 1), [("narration", 2)]),
            (("master", 1), [("shots", 2), ("narration", 2), ("music", 1), ("captions", 1)]),
        )
    ]
    studio.changes[:] = [{"kind": "document", "name": "Script", "version": 2, "results": results}]


def test_other_spoken_words_make_only_what_speaks_them_again() -> None:
    studio = finished()
    document = studio.documents[-1]
    line = read_document_text(document["text"])[1].narration
    document.update(text=document["text"].replace(line, "The oven is warm."), version=2)
    edited(studio)
    (plan,) = studio.act().named("propose_plan")
    again = {step["key"]: step["remake"] for step in plan["steps"] if step["remake"]}
    assert again == {"narration": [2], "captions": [1], "master": [1]}
    kept = {(each["step"], *each["slots"]) for each in plan["kept_results"]}
    assert kept == {("keyframes", 2), ("music", 1), ("shots", 2)}
    assert plan["keep"] == [step["key"] for step in plan["steps"]]
    assert studio.act().calls == (), "the plan waits"
    studio.approve()
    studio.changes.clear()
    names = [name for answer in studio.produce() for name, _ in answer.calls]
    assert names == ["generate_narration", "make_captions", "assemble_film"]


def test_a_change_that_no_words_of_the_work_come_from_keeps_everything() -> None:
    studio = finished()
    studio.documents[-1].update(version=2)
    edited(studio)
    calls = studio.act().named("keep_results")
    assert {(call["step"], *call["slots"]) for call in calls} == {
        ("keyframes", 2),
        ("narration", 2),
        ("music", 1),
    }


def test_a_rework_that_the_person_does_not_want_keeps_everything() -> None:
    studio = finished()
    studio.changes[:] = [
        {
            "kind": "image",
            "results": [
                {"step": "shots", "slot": 3, "used": "all of it"},
                {"step": "master", "slot": 1, "through": ["shots 3"]},
            ],
        }
    ]
    (plan,) = studio.act().named("propose_plan")
    assert [step["remake"] for step in plan["steps"] if step["remake"]] == [[3], [1]]
    studio.reject()
    (kept,) = studio.act().named("keep_results")
    assert (kept["step"], kept["slots"]) == ("shots", [3])
    assert kept["reason"] == "You did not want it made again."


def made_series(text: str = "three posters about owls at night, calm") -> Studio:
    studio = Studio()
    studio.say(text)
    studio.act()
    studio.approve()
    for _ in range(4):
        studio.act()
        studio.finish_jobs()
    return studio


def test_a_wish_about_one_picture_of_a_series_makes_only_that_one_again() -> None:
    studio = made_series()
    studio.say("Make the second poster darker, please")
    (plan,) = studio.act().named("propose_plan")
    assert {step["key"]: step.get("remake") for step in plan["steps"]} == {
        "concept": None,
        "pictures": [2],
    }
    assert plan["keep"] == ["pictures"]
    assert [each["slots"] for each in plan["kept_results"]] == [[1, 3]]
    studio.approve()
    drawn = [*studio.act().named("generate_image"), *studio.act().named("generate_image")]
    assert [picture["slot"] for picture in drawn] == [2]


def test_what_is_on_its_way_goes_on_beside_the_one_that_is_made_again() -> None:
    studio = Studio()
    studio.say("three posters about owls at night, calm")
    studio.act()
    studio.approve()
    for _ in range(2):
        studio.act()
    studio.say("Make the second poster darker, please")
    (plan,) = studio.act().named("propose_plan")
    assert plan["keep"] == ["pictures"]
    studio.approve()
    drawn = [*studio.act().named("generate_image"), *studio.act().named("generate_image")]
    assert [picture["slot"] for picture in drawn] == [2]


def test_a_wish_about_the_whole_series_makes_all_of_it_again() -> None:
    studio = made_series()
    studio.say("Make the posters red")
    (plan,) = studio.act().named("propose_plan")
    assert "pictures" not in plan["keep"]
    studio.approve()
    drawn = [*studio.act().named("generate_image"), *studio.act().named("generate_image")]
    assert [picture["slot"] for picture in drawn] == [1, 2, 3]


def test_a_wish_of_which_nothing_is_understood_is_not_passed_over() -> None:
    studio = made_series()
    answer = answer_to(studio, "make the posters shinier")
    assert answer.text == (
        "That could not be planned as it was. Tell me how it should be different."
    )
    assert studio.act().text != answer.text
    answer = answer_to(studio, "I want three posters")
    assert answer.text == "What you see in the plan and the list of steps is how things stand now."


def answer_to(studio: Studio, text: str) -> Answer:
    studio.say(text)
    return studio.act()
