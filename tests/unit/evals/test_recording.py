"""What was recorded of a message is judged again as the product would judge it."""

import json
from pathlib import Path

import pytest

from evals.routing import recording
from evals.routing.cases import CasesError, Situation
from evals.routing.recording import Recorded
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


def shown(message: str = "shorter", near: str = "") -> str:
    tasks = [{"task_id": FILM, "title": "Port"}, {"task_id": SONG, "title": "Song"}]
    beside = f"<near>{near}</near>" if near else ""
    return (
        f"<candidates>{json.dumps(tasks)}</candidates>{beside}"
        f'<message language="en">{message}</message>'
    )


def one(*prompts: str) -> Recorded:
    return Recorded(
        case="port.one",
        keys={FILM: "film", SONG: "song"},
        resting=["song"],
        prompts=list(prompts),
        got={"outcome": "refused"},
    )


def to(outcome: str, task: str | None = None, *options: str) -> recording.Router:
    return lambda _: {"outcome": outcome, "task_id": task, "options": list(options)}


def test_a_task_goes_by_its_key() -> None:
    got = recording.went(one(shown()), router=to("existing", FILM))
    assert (got.outcome, got.task) == ("existing", "film")


def test_what_rests_is_asked_about_first() -> None:
    got = recording.went(one(shown()), router=to("existing", SONG))
    assert (got.outcome, got.brings_back, got.options) == ("ask", "song", ["song"])


def test_a_question_without_options_offers_what_was_shown() -> None:
    got = recording.went(one(shown()), router=to("ask"))
    assert (got.outcome, got.options) == ("ask", ["film", "song"])


def test_what_code_alone_had_routed_stays_where_it_went() -> None:
    assert recording.went(one(), router=to("new")).outcome == "refused"


def test_a_new_work_is_judged_again_beside_what_it_repeats() -> None:
    near = json.dumps([{"task_id": FILM, "title": "Port", "same_words": True}])

    def router(view: MainView) -> dict[str, object]:
        return {"outcome": "existing", "task_id": FILM} if view.near else {"outcome": "new"}

    again = recording.went(one(shown(), shown(near=near)), router=router)
    assert (again.outcome, again.task) == ("existing", "film")
    assert recording.went(one(shown()), router=router).outcome == "new"


def test_a_single_picture_is_compared_by_the_same_words_only() -> None:
    near = json.dumps([{"task_id": FILM, "title": "Port", "same_words": False}])
    seen = one(shown(), shown(near=near))
    assert recording.went(seen, router=to("lightweight")).outcome == "lightweight"


def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = recording.path_of(tmp_path / "kept", "dev")
    recording.write(path, [one(shown())])
    known = recording.read(path)
    assert known == {"port.one": one(shown())}
    (judged,) = recording.replay(known, [SITUATION], router=to("existing", FILM))
    assert judged.is_right


def test_a_message_that_was_another_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(CasesError, match="Record it anew"):
        recording.replay({"port.one": one(shown("longer"))}, [SITUATION])
    with pytest.raises(CasesError, match="no recording"):
        recording.read(tmp_path / "nothing.json")
