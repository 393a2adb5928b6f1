"""What the worker does while a person looks at results, and when they refuse them."""

from tests.unit.infra.rehearsal.studio import Studio

POSTERS = "three posters about a small jazz festival"


def at_the_look(kind: str = "image", text: str = POSTERS) -> Studio:
    """A series whose results of one kind are all there, for a person to look at."""
    studio = Studio(review_points=frozenset({kind}))
    studio.say(text)
    studio.act()
    studio.approve()
    for _ in range(4):
        studio.act()
        studio.finish_jobs()
    return studio


def test_nothing_is_called_while_a_person_looks() -> None:
    studio = at_the_look("document")
    assert studio.act().calls == ()
    studio.look("concept", accepted=True)
    assert studio.act().names == {"generate_image"}


def test_a_no_with_words_brings_a_plan_that_makes_the_step_anew() -> None:
    studio = at_the_look()
    studio.look("pictures", accepted=False, note="make them red")
    (proposed,) = studio.act().named("propose_plan")
    assert "pictures" not in proposed["keep"]
    studio.approve()
    answers = studio.act(), studio.act()
    assert sum(len(answer.named("generate_image")) for answer in answers) == 3


def test_a_no_without_words_is_asked_about_once() -> None:
    studio = at_the_look()
    studio.look("pictures", accepted=False)
    assert studio.act().names == {"ask_person"}
    assert studio.act().calls == ()
    studio.answer("Warmer in mood")
    (proposed,) = studio.act().named("propose_plan")
    assert "pictures" not in proposed["keep"]
    assert studio.act().calls == (), "the plan waits for its yes"


def test_a_no_whose_words_change_nothing_is_asked_about() -> None:
    studio = at_the_look()
    studio.look("pictures", accepted=False, note="hmm")
    assert studio.act().names == {"ask_person"}


def test_what_was_refused_is_not_kept_though_nothing_else_is_different() -> None:
    studio = at_the_look()
    studio.look("pictures", accepted=False, note="hmm")
    studio.act()
    studio.answer("hmm")
    (proposed,) = studio.act().named("propose_plan")
    assert proposed["keep"] == ["concept"]
