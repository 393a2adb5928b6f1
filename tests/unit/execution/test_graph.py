"""The plan as a drawing, and what one version changes of the one before it."""

from execution.graph import difference, edges, mermaid
from execution.progress import derive
from tests.unit.execution.entries import checklist, entry, item

FRAMES = item("frames", 2, kind="keyframes", title='The "best" <b>frames</b> #1')
SHOTS = item("shots", 2, kind="shots", depends_on=["frames"])
FILM = item("end", kind="master", depends_on=["shots"], review=True)


def test_a_plan_is_drawn_with_its_counts_and_what_depends_on_what() -> None:
    plan = derive(checklist(), [FRAMES, SHOTS, FILM], [entry(step_key="frames", slot=1)])
    lines = mermaid(plan).splitlines()
    assert lines[:4] == [
        "graph LR",
        '  s0["The #quot;best#quot; #lt;b#gt;frames#lt;/b#gt; #35;1<br/>1 / 2"]:::doing',
        '  s1["Shots<br/>0 / 2"]:::ready',
        '  s2{{"End<br/>0 / 1"}}:::todo',
    ]
    assert lines[4:6] == ["  s0 -.-> s1", "  s1 --> s2"]
    assert [(edge["from"], edge["to"], edge["by"]) for edge in edges(plan)] == [
        ("frames", "shots", "slot"),
        ("shots", "end", "step"),
    ]


def test_what_has_changed_is_marked_in_the_drawing() -> None:
    made = [entry(step_key="frames", slot=number) for number in (1, 2)]
    plan = derive(checklist(), [FRAMES], made, (), {("frames", 2)})
    assert mermaid(plan).splitlines()[1].endswith(":::changed")


def test_a_version_tells_what_it_adds_leaves_out_and_makes_again() -> None:
    after = [
        item("frames", 2, slot_versions={"2": 2}),
        item("shots", 3, from_version=2),
        item("music", from_version=2),
    ]
    assert difference([FRAMES, SHOTS, FILM], after, 2) == {
        "added": ["music"],
        "gone": ["end"],
        "made_again": {"frames": [2], "shots": [1, 2, 3]},
        "counts": {"shots": [2, 3]},
    }
