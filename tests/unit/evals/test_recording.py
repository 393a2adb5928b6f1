"""What was recorded of a message is judged again as the product would judge it."""

import json
from pathlib import Path
from uuid import UUID

import pytest

from evals.routing import recording
from evals.routing.cases import CasesError, Situation
from evals.routing.recording import AtWork, Recorded
from infra.providers.rehearsal.state import MainView

FILM, SONG = "11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"
SITUATION = Situation.model_validate(
    {
        "id": "port",
        "language": "en",
        "subjects": ["port"],
        "tasks": [
            {"key": "film", "title": "Port", "goal": "a film of a port", "age": "1 d"},
            {"key": "song", "title": "Song", "goal": "a song", "archived": True, "age": "1 d"},
        ],
        "cases": [
            {
                "id": "one",
                "say": "shorter",
                "tags": ["pronoun"],
                "expect": {"outcome": "existing", "task": "film"},
            }
        ],
    }
)


def shown(message: str = "shorter") -> str:
    tasks = [{"task_id": FILM, "title": "Port"}, {"task_id": SONG, "title": "Song"}]
    return f'<candidates>{json.dumps(tasks)}</candidates><message language="en">{message}</message>'


def at_work(goal: str, *, is_persistent: bool = True) -> AtWork:
    return AtWork(
        task_id=UUID(FILM),
        title="Port",
        goal=goal,
        status="active",
        is_persistent=is_persistent,
        text=f"Port\n{goal}",
    )


def one(prompt: str | None = None, *live: AtWork, again: tuple[str, ...] = ()) -> Recorded:
    return Recorded(
        case="port.one",
        keys={FILM: "film", SONG: "song"},
        resting=["song"],
        prompt=prompt,
        live=list(live),
        again=list(again),
        got={"outcome": "refused"},
    )


def to(outcome: str, task: str | None = None, *options: str) -> recording.Router:
    return lambda _: {"outcome": outcome, "task_id": task, "options": list(options)}


def beside_near(outcome: str, goal: str) -> recording.Router:
    """A router that begins something, and takes the first one that it would repeat."""

    def router(view: MainView) -> dict[str, object]:
        if view.near:
            return {"outcome": "existing", "task_id": view.near[0].task_id}
        return {"outcome": outcome, "title": "Port", "goal": goal}

    return router


def test_a_task_goes_by_its_key() -> None:
    got = recording.went(one(shown()), router=to("existing", FILM))
    assert (got.outcome, got.task) == ("existing", "film")


def test_what_rests_is_asked_about_first() -> None:
    got = recording.went(one(shown()), router=to("existing", SONG))
    assert (got.outcome, got.brings_back, got.options) == ("ask", "song", ["song", "film"])


def test_a_question_without_options_offers_what_was_shown() -> None:
    got = recording.went(one(shown()), router=to("ask"))
    assert (got.outcome, got.options) == ("ask", ["film", "song"])


def test_what_code_alone_had_routed_stays_where_it_went() -> None:
    assert recording.went(one(), router=to("new")).outcome == "refused"


def test_choices_stand_in_the_order_in_which_the_product_offers_them() -> None:
    got = recording.went(one(shown()), router=to("ask", None, SONG, FILM))
    assert (got.options, got.brings_back) == (["film", "song"], None)


def test_a_new_work_is_judged_again_beside_what_it_would_repeat() -> None:
    router = beside_near("new", "a film of a port at night")
    seen = one(shown(), at_work("a film of a port at night"))
    assert recording.went(seen, router=router).task == "film"
    other = one(shown(), at_work("seven pictures about honey"))
    assert recording.went(other, router=beside_near("new", "a song for Ann")).outcome == "new"


def test_what_is_near_depends_on_what_the_router_proposes() -> None:
    seen = one(shown(), at_work("a film of a port at night"))
    assert recording.went(seen, router=beside_near("new", "port at night")).task == "film"
    assert recording.went(seen, router=beside_near("new", "seven bees")).outcome == "new"


def test_a_single_picture_is_compared_by_the_same_words_only() -> None:
    router = beside_near("lightweight", "a film of a port")
    seen = one(shown(), at_work("a film of a port"))
    assert recording.went(seen, router=router).outcome == "lightweight"
    again = one(shown(), at_work("a film of a port", is_persistent=False), again=(FILM,))
    assert recording.went(again, router=router).task == "film"


def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = recording.path_of(tmp_path / "kept", "dev")
    kept = one(shown(), at_work("a film of a port"))
    recording.write(path, [kept])
    known = recording.read(path)
    assert known == {"port.one": kept}
    (judged,) = recording.replay(known, [SITUATION], router=to("existing", FILM))
    assert judged.is_right


def test_a_message_that_was_another_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CasesError, match="Record it anew"):
        recording.replay({"port.one": one(shown("longer"))}, [SITUATION])
    with pytest.raises(CasesError, match="no recording"):
        recording.read(tmp_path / "nothing.json")
