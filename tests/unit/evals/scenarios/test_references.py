"""What a scenario refers to is there, or the file is refused, with a sentence."""

from pathlib import Path

import pytest

from evals.scenarios.loading import load
from infra.errors import ConfigurationError

SOUND = """
id: teapots
why: a series is made
world:
  services: [fal, local]
  review_points: [characters]
  faults: [{vendor: fal, outage: 1h, when: start}]
user:
  script:
    - when: start
      do: {say: "Three posters about teapots", begins: pots, reveals: [three]}
    - when: event job.submitted 1 of pots
      do: {say: "Greener, please", to: pots, target: pots}
    - when: shown pots.images >= 1
      do: {say: "Is it raining?", target: none}
    - when: event task.offered
      do: {accept: pots}
    - when: question plan 1
      do: {decide: edit, edited: {title: x}}
    - when: question route
      do: {decide: choose, choice: new}
    - when: question
      do: {decide: approve, note: fine}
    - when: t+2d
      do: {leave: true}
  requirements:
    - {id: three, say: three posters, check: pots.images == 3}
faults:
  - {kill: job.accepted, nth: 2}
  - {drop_stream: true, when: idle 5m}
done: [pots.status == completed, tasks.open == 0, pots.agreed ~ tea]
expect:
  ends: leave
  state: [pots.delivery != none]
"""
PERSONA = """
id: teapots
why: a series is made
user:
  persona:
    name: patient
    brief: {say: "Three posters about teapots", begins: pots}
    changes: [{say: "Greener, please", target: pots}]
done: [pots.status == completed]
"""


def refused(folder: Path, text: str, change: tuple[str, str]) -> str:
    assert change[0] in text
    path = folder / "teapots.yaml"
    path.write_text(text.replace(*change), encoding="utf-8")
    with pytest.raises(ConfigurationError) as error:
        load(path)
    assert error.value.message.startswith("teapots.yaml: line ")
    assert "\n" not in error.value.message
    return error.value.message


@pytest.mark.parametrize("text", [SOUND, PERSONA])
def test_what_refers_to_what_is_there_is_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "teapots.yaml"
    path.write_text(text, encoding="utf-8")
    assert load(path).id == "teapots"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        # events, questions, vendors, kinds of steps
        (("event job.submitted", "event job.sent"), "there is no event job.sent"),
        (("event task.offered", "event assistant.delta"), "there is no event assistant.delta"),
        (("question plan 1", "question plans 1"), "there is no question plans"),
        (("[fal, local]", "[fal, locale]"), "there is no service locale"),
        (("[fal, local]", "[fal, fal]"), "fal is named twice"),
        (("[fal, local]", "[local]"), "fal is none of world.services"),
        (("{vendor: fal,", "{vendor: fall,"), "there is no vendor fall"),
        (("{vendor: fal,", "{vendor: local,"), "there is no vendor local"),
        (("{vendor: fal,", "{vendor: runway,"), "runway is none of world.services"),
        (("[characters]", "[heroes]"), "there is no kind of step heroes"),
        (("when: idle 5m", "when: question plan 1"), "a fault sees no questions"),
        (("when: idle 5m", "when: event job.done"), "faults.1.when: there is no event job.done"),
        (("when: idle 5m", "when: event job.failed of cats"), "no words begin cats"),
        (("when: idle 5m", "when: shown cats.images >= 1"), "about cats"),
        # works
        (("1 of pots", "1 of cats"), "no words begin cats; begun is pots"),
        (("to: pots", "to: cats"), "user.script.1.do.to: no words begin cats"),
        (("target: pots", "target: cats"), "user.script.1.do.target: no words begin cats"),
        (("{accept: pots}", "{accept: cats}"), "no words begin cats"),
        (("{accept: pots}", "{stop: cats}"), "no words begin cats"),
        (("{accept: pots}", "{pause: cats}"), "no words begin cats"),
        (("{accept: pots}", "{resume: cats}"), "no words begin cats"),
        (("{accept: pots}", "{edit: {work: cats, behind: a, put: b}}"), "edit.work: no words"),
        (("{accept: pots}", "{accept: pots, begins: x}"), "only words (say) begin a work"),
        (("{accept: pots}", "{accept: pots, to: pots}"), "go to a work"),
        (("target: none", "begins: pots"), "pots is begun twice"),
        (("target: none", "begins: tasks"), "no work can be called tasks"),
        (("target: none", "begins: none"), "no work can be called none"),
        (("target: none", "begins: x, to: x"), "cannot be sent to it"),
        (("{decide: approve, note: fine}", "{say: a, begins: x}"), "begun at each question"),
        (("Is it raining?", " "), "it must not be empty"),
        # wishes
        (("reveals: [three]", "reveals: [tree]"), "there is no requirement tree; there is three"),
        (
            ("== 3}", "== 3}\n    - {id: three, say: x, check: pots.images == 3}"),
            "2 requirements are called three",
        ),
        # answers
        (("{decide: choose, choice: new}", "{decide: choose}"), "to choose needs a choice"),
        (("{decide: edit, edited: {title: x}}", "{decide: edit}"), "to edit needs what is edited"),
        (("{decide: approve,", "{decide: approve, choice: x,"), "without `decide: choose`"),
        (("{decide: approve,", "{decide: approve, edited: {a: 1},"), "without `decide: edit`"),
        (("{accept: pots}", "{accept: pots, note: x}"), "it does nothing without decide"),
        (("{accept: pots}", "{decide: approve}"), "only in a line `when: question`"),
        (("{accept: pots}", "{say: x, about_question: true}"), "are about one"),
        (("question plan 1", "question"), "a line before it already answers"),
        (("question route", "question plan 1"), "a line before it already answers"),
        # conditions
        (("done: [pots.status", "done: [cats.status"), "done.0: 'cats.status == completed' is"),
        (("state: [pots.delivery", "state: [cats.delivery"), "expect.state.0: "),
        (("check: pots.images", "check: cats.images"), "user.requirements.0.check: "),
        (("shown pots.images", "shown cats.images"), "user.script.2.when: "),
        (("tasks.open", "tasks.opened"), "'tasks.opened == 0' is about tasks"),
        (("pots.agreed", "pots.assent"), "is about no fact of a work; there is acceptance, agreed"),
        (("pots.status == completed", "pots.status == complete"), "pots.status is one of active"),
        (("pots.status == completed", "pots.status ~ xyz"), "pots.status is one of active"),
        (("pots.status == completed", "pots.status >= 3"), "which are not more or less"),
        (("pots.agreed ~ tea", "pots.agreed > 3"), "which are not more or less"),
        (("pots.delivery != none", "pots.delivery != nothing"), "is one of delivered, none"),
        (("tasks.open == 0", "tasks.open == none"), "tasks.open is a number, none is none"),
        (("tasks.open == 0", "tasks.open != nan"), "tasks.open is a number, nan is none"),
        (("tasks.open == 0", "tasks.open ~ 0"), "which contains nothing"),
        # the end
        (("{leave: true}", "{reload: true}"), "nobody leaves"),
    ],
)
def test_what_refers_to_nothing_is_refused(
    tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    assert said in refused(tmp_path, SOUND, change)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("target: pots", "target: cats"), "user.persona.changes.0.target: no words begin cats"),
        (("begins: pots}", "begins: cats}"), "about pots, which no words begin"),
        (("target: pots}", "begins: pots}"), "pots is begun twice"),
        (("target: pots}", "after_s: 5m}"), "a persona has a pace of its own"),
        (
            ('{say: "Greener, please", target: pots}', "{decide: approve}"),
            "a line `when: question`",
        ),
        (
            ("name: patient", "name: patient\n    away_s: 1h"),
            "it is only of somebody who is called",
        ),
        (("name: patient", "name: patient\n    patience_s: 1h"), "who is called impatient"),
        (("done: [pots.status == completed]", ""), "nothing says when it is done"),
        (("user:", "expect: {ends: leave}\nuser:"), "nobody leaves"),
    ],
)
def test_a_persona_refers_to_what_is_there(
    tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    assert said in refused(tmp_path, PERSONA, change)


def test_a_fault_is_said_where_it_stands(tmp_path: Path) -> None:
    told = refused(tmp_path, SOUND, ("{accept: pots}", "{accept: cats}"))
    assert told == (
        "teapots.yaml: line 17: user.script.3.do.accept: no words begin cats; begun is pots."
    )
