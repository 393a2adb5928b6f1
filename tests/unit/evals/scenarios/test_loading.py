"""What YAML would let pass is refused, and a broken file only stops those who want it."""

from pathlib import Path

import pytest

from evals.__main__ import main
from evals.scenarios.loading import load, load_all
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
done: [pots.status == completed]
"""


def written(folder: Path, text: str, name: str = "teapots.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def told(path: Path) -> str:
    with pytest.raises(ConfigurationError) as refused:
        load(path)
    assert "\n" not in refused.value.message
    return refused.value.message


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("why: a series", "why: a\nwhy: a series"), "line 4: why stands twice in one mapping."),
        (("begins: pots}", "begins: pots, begins: cats}"), "begins stands twice in one mapping"),
        (("{count: 3}", "[3]"), "line 4: values: it must be a mapping of names"),
        (("{count: 3}", "3"), "line 4: values: it must be a mapping of names"),
        (("{count: 3}", "{count: [3]}"), "values.count: '[3]' is no text and no whole number"),
        (("{count: 3}", "{count: true}"), "values.count: 'True' is no text and no whole number"),
        (("{count: 3}", "{count: 3, 5: x}"), "values.5: '5' is no name"),
        (("quick: {count: 2}", "quick: 2"), "quick: it must be a mapping of names"),
        (("quick: {count: 2}", "quick: {cuont: 2}"), "quick.cuont: it is none of its values"),
        (("of {count}", "of {cuont}"), "do.say: {cuont} is none of its values"),
        (("{count: 3}", "&it {count: *it}"), "what has an anchor here refers to itself"),
        (("done:", "tags: &it [*it]\ndone:"), "what has an anchor here refers to itself"),
        (("done:", "tags: *it\ndone:"), "line 10: found undefined alias"),
        (("why: a series", "why: a: series"), "line 3: mapping values are not allowed here."),
        (("why: a series", "why: a \x07"), "it has a character that YAML does not allow."),
        (("id: teapots", "id: cups"), "id: it is cups, and its file is called teapots.yaml."),
    ],
)
def test_what_yaml_lets_pass_is_refused(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    assert change[0] in SOUND
    assert said in told(written(tmp_path, SOUND.replace(*change)))


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "teapots.yaml"
    path.write_bytes(SOUND.replace("teapots", "théières").encode("latin-1"))
    assert told(path) == "teapots.yaml: it is not UTF-8. Save it as UTF-8."
    assert (
        told(tmp_path / "gone.yaml") == "gone.yaml: it cannot be read: No such file or directory."
    )
    assert told(written(tmp_path, "")) == "teapots.yaml: line 1: it must be a mapping."
    deep = written(tmp_path, "[" * 5_000)
    assert told(deep) == "teapots.yaml: it is nested too deeply."


def test_another_ending_is_told(tmp_path: Path) -> None:
    other = written(tmp_path, SOUND, "teapots.yml")
    assert told(other) == "teapots.yml: the name of a scenario's file ends in .yaml."
    with pytest.raises(ConfigurationError, match=r"ends in \.yaml"):
        load_all(tmp_path)


def test_a_broken_file_stops_only_those_who_want_it(tmp_path: Path) -> None:
    written(tmp_path, SOUND)
    written(tmp_path, "id: 5", "broken.yaml")
    assert [each.id for each in load_all(tmp_path, names=["teapots"])] == ["teapots"]
    for names in ([], ["broken"]):
        with pytest.raises(ConfigurationError, match=r"^broken\.yaml: "):
            load_all(tmp_path, names=names)
    with pytest.raises(ConfigurationError, match=r"no scenario cups\. There is: broken, teapots"):
        load_all(tmp_path, names=["cups"])


def test_one_that_is_in_no_quick_run_can_be_named(tmp_path: Path) -> None:
    written(tmp_path, SOUND.replace("user:", "in_quick: false\nuser:"))
    assert load_all(tmp_path, quick=True) == []
    assert len(load_all(tmp_path, quick=True, names=["teapots"])) == 1


def test_a_folder_without_scenarios_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="There are no scenarios"):
        load_all(tmp_path)
    with pytest.raises(ConfigurationError, match="is no folder"):
        load_all(written(tmp_path, SOUND))


def test_a_line_is_printed_for_each_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, SOUND)
    assert main(["scenarios", "--files", str(tmp_path)]) == 0
    sound = "teapots.yaml: script, 0 requirements, 0 faults always, 0 listed\n"
    assert capsys.readouterr().out == sound
    written(tmp_path, SOUND.replace("{count: 2}", "{count: [2]}"), "broken.yaml")
    assert main(["scenarios", "--files", str(tmp_path)]) == 1
    assert capsys.readouterr().out == (
        "broken.yaml: line 5: quick.count: '[2]' is no text and no whole number.\n" + sound
    )
    assert main(["scenarios", "teapots", "--files", str(tmp_path)]) == 0
    assert main(["scenarios", "cups", "--files", str(tmp_path)]) == 1


def test_what_fits_only_without_a_quick_run_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = SOUND.replace("pots.status == completed", '"pots.images >= {count}"')
    written(tmp_path, text.replace("{count: 2}", "{count: few}"))
    assert main(["scenarios", "--files", str(tmp_path)]) == 1
    assert "few, which is no number" in capsys.readouterr().out
