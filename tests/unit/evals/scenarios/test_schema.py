"""A scenario file says what it means, or is refused with a sentence."""

from pathlib import Path

import pytest

from evals.scenarios.conditions import Condition
from evals.scenarios.loading import FILES, load, load_all
from evals.scenarios.schema import Trigger
from infra.errors import ConfigurationError

SOUND = """
id: teapots
why: a series is made
values: {count: 3}
quick: {count: 2}
user:
  script:
    - when: start
      do: {say: "A series of {count} posters about teapots", begins: pots}
    - when: question plan 1
      do: {decide: approve, after_s: 5m}
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "teapots.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_scenario_of_ours_is_one() -> None:
    found = load_all()
    assert len(found) >= 15
    assert {f"{each.id}.yaml" for each in found} == {path.name for path in FILES.glob("*.yaml")}
    assert load_all(quick=True)


def test_every_key_that_a_scenario_speaks_of_is_begun_in_it() -> None:
    for scenario in load_all():
        user = scenario.user
        acts = [line.do for line in user.script]
        acts += [user.persona.brief, *user.persona.changes] if user.persona else []
        begun = {act.begins for act in acts} | {None, "none"}
        spoken = {key for act in acts for key in (act.target, act.to, act.stop, act.accept)}
        spoken |= {act.edit.work for act in acts if act.edit}
        assert spoken <= begun, scenario.id
        revealed = {wish for act in acts for wish in act.reveals}
        assert revealed <= {wish.id for wish in user.requirements}, scenario.id


def test_a_quick_run_has_values_of_its_own(tmp_path: Path) -> None:
    path = written(tmp_path, SOUND)
    assert load(path).user.script[0].do.say == "A series of 3 posters about teapots"
    assert load(path, quick=True).user.script[0].do.say == "A series of 2 posters about teapots"
    assert load(path).user.script[1].do.after_s == 300


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("why: a series is made", "whi: x"), "whi: there is no such key"),
        (("after_s: 5m", "after_s: soon"), "after_s"),
        (("decide: approve", "decide: perhaps"), "decide"),
        (("decide: approve", "decide: approve, leave: true"), "it must do exactly one of"),
        (("when: start", "when: whenever"), "'whenever' is nothing that can be waited for"),
        (("question plan 1", "idle soon"), "'soon' is no time"),
        (("user:", "faults: [{kill: nowhere}]\nuser:"), "kill"),
        (("user:", "faults: [{outage: 1h}]\nuser:"), "needs its vendor"),
        (("user:", "faults: [{nth: 1}]\nuser:"), "must be one of kill"),
        (("user:", "done: [all is well]\nuser:"), "is no condition"),
        (("user:", "done: [pots.images >= many]\nuser:"), "done"),
        (("id: teapots", "id: Tea Pots"), "id"),
        (("user:", "expect: {metrics: {luck: 1}, why: x}\nuser:"), "which nobody measures"),
        (("user:", "expect: {metrics: {nudges: 1}}\nuser:"), "needs a why"),
    ],
)
def test_what_is_wrong_is_said_in_a_sentence(
    tmp_path: Path, change: tuple[str, str], said: str
) -> None:
    assert change[0] in SOUND
    with pytest.raises(ConfigurationError, match=r"teapots\.yaml: ") as refused:
        load(written(tmp_path, SOUND.replace(*change)))
    assert said in refused.value.message


def test_two_scenarios_are_not_called_alike(tmp_path: Path) -> None:
    written(tmp_path, SOUND)
    (tmp_path / "other.yaml").write_text(SOUND, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="Two scenarios are called teapots"):
        load_all(tmp_path)


@pytest.mark.parametrize(
    ("text", "kind", "rest"),
    [
        ("event job.submitted 2 of pots", "event", {"type": "job.submitted", "number": 2}),
        ("event task.created", "event", {"type": "task.created", "number": 1, "of": None}),
        ("question", "question", {"type": "", "number": 0}),
        ("question 2", "question", {"type": "", "number": 2}),
        ("idle 90s", "idle", {"after_s": 90.0}),
        ("t+2d", "time", {"after_s": 172_800.0}),
        ("shown pots.images >= 2", "shown", {}),
    ],
)
def test_a_trigger_is_read_from_a_line(text: str, kind: str, rest: dict[str, object]) -> None:
    trigger = Trigger.model_validate(text)
    assert trigger.kind == kind
    assert {name: getattr(trigger, name) for name in rest} == rest


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("pots.images == 3", True),
        ("pots.images >= 4", False),
        ("pots.images != 3", False),
        ("pots.status == completed", True),
        ("pots.status != completed", False),
        ("pots.gone == 0", False),
        ("pots.gone != 0", False),
    ],
)
def test_a_condition_holds_of_what_is_there(text: str, *, holds: bool) -> None:
    facts = {"pots.images": 3, "pots.status": "completed"}
    assert Condition.parse(text).holds(facts) is holds
