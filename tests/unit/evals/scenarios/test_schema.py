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
done: [pots.status == completed]
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


def test_a_quick_run_has_values_of_its_own(tmp_path: Path) -> None:
    path = written(tmp_path, SOUND)
    assert load(path).user.script[0].do.say == "A series of 3 posters about teapots"
    assert load(path, quick=True).user.script[0].do.say == "A series of 2 posters about teapots"
    assert load(path).user.script[1].do.after_s == 300


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("why: a series is made", "whi: x"), "whi: there is no such key"),
        (("after_s: 5m", "after_s: soon"), "user.script.1.do.after_s: 'soon' is no time"),
        (("after_s: 5m", "after_s: true"), "'True' is no time"),
        (("after_s: 5m", "after_s: 99999d"), "is no time from 0 to ten years"),
        (("after_s: 5m", "after_s: -5"), "is no time from 0 to ten years"),
        (("after_s: 5m", "after_s: .nan"), "is no time from 0 to ten years"),
        (("after_s: 5m", "times: 9"), "9 is more than 5"),
        (("after_s: 5m", "times: often"), "'often' is no whole number"),
        (("decide: approve", "decide: perhaps"), "decide: 'perhaps' is none of 'approve'"),
        (("decide: approve", "decide: approve, leave: true"), "it must do exactly one of"),
        (("when: start", "when: whenever"), "'whenever' is nothing that can be waited for"),
        (("question plan 1", "idle soon"), "'soon' is no time"),
        (("question plan 1", "t+99999d"), "is no time from 0 to ten years"),
        (("question plan 1", "question plan 0"), "never comes: they are counted from 1"),
        (("question plan 1", "question 0"), "never comes: they are counted from 1"),
        (("question plan 1", "event job.submitted 0"), "never comes: they are counted from 1"),
        (("question plan 1", "{kind: event, number: -1}"), "-1 is less than 0"),
        (("question plan 1", "[start]"), "user.script.1.when: it must be a mapping"),
        (("user:", "faults: [{kill: nowhere}]\nuser:"), "faults.0.kill: 'nowhere' is none of"),
        (("user:", "faults: [{kill: committing, nth: 0}]\nuser:"), "0 is less than 1"),
        (
            ("user:", "faults: [{vendor: fal, ends: lost, submission: 0}]\nuser:"),
            "0 is less than 1",
        ),
        (("user:", "faults: [{vendor: fal, ends: gone}]\nuser:"), "'gone' is none of 'made'"),
        (("user:", "faults: [{drop_stream: true, nth: 2}]\nuser:"), "has nth, which does nothing"),
        (("user:", "faults: [{kill: committing, vendor: fal}]\nuser:"), "has vendor, which does"),
        (("user:", "faults: [{vendor: fal, outage: 1h, submission: 1}]\nuser:"), "has submission"),
        (
            ("user:", "faults: [{vendor: fal, ends: lost, outage: 1h}]\nuser:"),
            "must be one of kill",
        ),
        (("user:", "faults: [{vendor: fal, hook: late}]\nuser:"), "hook: there is no such key"),
        (("user:", "world: {per_call_allowance_micros: -1}\nuser:"), "-1 is less than 0"),
        (("user:", "world: {daily_allowance_micros: -1}\nuser:"), "-1 is less than 0"),
        (("user:", "world: {services: []}\nuser:"), "world.services: it must not be empty"),
        (("user:", "world: 5\nuser:"), "world: it must be a mapping"),
        (("user:", "limits: {actions: 0}\nuser:"), "0 is less than 1"),
        (("user:", "tags: core\nuser:"), "tags: it must be a list"),
        (("why: a series is made", "why: 5"), "why: it must be a text"),
        (("why: a series is made", "why: ''"), "why: it must not be empty"),
        (("why: a series is made\n", ""), "why: it is missing"),
        (("user:", "faults: [{outage: 1h}]\nuser:"), "needs its vendor"),
        (("user:", "faults: [{nth: 1}]\nuser:"), "must be one of kill"),
        (("pots.status == completed", "all is well"), "is no condition"),
        (("pots.status == completed", "5"), "done.0: '5' is no condition"),
        (("pots.status == completed", "pots.images >= many"), "many, which is no number"),
        (("pots.status == completed", "pots.images >= nan"), "nan, which is no number"),
        (("pots.status == completed", "pots.images < inf"), "inf, which is no number"),
        (("id: teapots", "id: Tea Pots"), "'Tea Pots' is no name of small letters"),
        (("user:", "expect: {metrics: {nudges: -1}, why: x}\nuser:"), "-1 is less than 0"),
        (("user:", "expect: {metrics: {nudges: .nan}, why: x}\nuser:"), "expect.metrics.nudges"),
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
    for theirs in ("Input should", "Value error", "pydantic", "http"):
        assert theirs not in refused.value.message


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
        ("pots.status >= 3", False),
        ("pots.images == nan", False),
    ],
)
def test_a_condition_holds_of_what_is_there(text: str, *, holds: bool) -> None:
    facts = {"pots.images": 3, "pots.status": "completed"}
    assert Condition.parse(text).holds(facts) is holds
