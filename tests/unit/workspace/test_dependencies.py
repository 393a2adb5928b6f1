"""What may no longer fit, as a pure function of what was recorded and of what is there now."""

from uuid import UUID

from workspace.dependencies import (
    LENGTH,
    WHOLE,
    Dependency,
    Newest,
    Result,
    changed,
    downstream,
    is_unused,
    stale,
    upstream,
)
from workspace.scenes import prints, scenes

SCRIPT, ANNA, FRAME, OTHER, SHOT, CAPTIONS, FILM = (UUID(int=number) for number in range(1, 8))


def used(object_id: UUID, print_: str = "a", *, version: int = 1, part: str = WHOLE) -> Dependency:
    return Dependency(object_id=object_id, version=version, part=part, print=print_)


def result(object_id: UUID, step: str, *rests_on: Dependency) -> Result:
    return Result(
        task_id=UUID(int=99),
        step_key=step,
        slot=1,
        object_id=object_id,
        version=1,
        objects=frozenset({object_id}),
        rests_on=rests_on,
    )


def newest(object_id: UUID, version: int, sha256: str = "b", **meta: object) -> dict[UUID, Newest]:
    return {
        object_id: Newest(object_id=object_id, version=version, name="it", sha256=sha256, meta=meta)
    }


frame = result(FRAME, "frames", used(ANNA), used(SCRIPT, "s2", part="scene 2"))
other = result(OTHER, "frames", used(SCRIPT, "s3", part="scene 3"))
shot = result(SHOT, "shots", used(FRAME))
captions = result(CAPTIONS, "captions", used(SHOT, "2.0", part=LENGTH))
film = result(FILM, "film", used(SHOT), used(CAPTIONS), used(OTHER))
ALL = [frame, other, shot, captions, film]


def test_a_change_reaches_what_names_it_and_what_is_made_from_that() -> None:
    found = stale(ALL, newest(ANNA, 2))
    assert set(found) == {FRAME, SHOT, FILM}
    assert {each: {via for cause in found[each] for via in cause.via} for each in found} == {
        FRAME: set(),
        SHOT: {FRAME},
        FILM: {SHOT},
    }


def test_the_version_that_went_in_changes_nothing() -> None:
    assert stale(ALL, newest(ANNA, 1)) == {}


def test_a_newer_version_with_the_same_content_changes_nothing() -> None:
    assert stale(ALL, newest(ANNA, 3, "a")) == {}


def test_only_the_scene_that_was_used_counts() -> None:
    now = newest(SCRIPT, 2, scenes={"2": "s2", "3": "rain"})
    assert set(stale(ALL, now)) == {OTHER, FILM}
    (cause,) = changed(frame, now)
    assert is_unused(frame, cause)


def test_a_scene_that_is_gone_counts_as_changed() -> None:
    assert set(stale(ALL, newest(SCRIPT, 2))) == {FRAME, OTHER, SHOT, FILM}


def test_who_used_only_the_length_is_reached_when_it_is_another() -> None:
    again = UUID(int=50)
    taken = Newest(object_id=again, version=1, name="it", sha256="x", meta={"duration_s": 2.0})
    assert set(stale(ALL, {SHOT: taken})) == {FILM}
    longer = Newest(object_id=again, version=1, name="it", sha256="x", meta={"duration_s": 3.0})
    assert set(stale(ALL, {SHOT: longer})) == {FILM, CAPTIONS}


def test_what_is_kept_stops_the_change() -> None:
    assert stale(ALL, newest(ANNA, 2), {(FRAME, ANNA, "b")}) == {}
    assert set(stale(ALL, newest(ANNA, 3, "c"), {(FRAME, ANNA, "b")})) == {FRAME, SHOT, FILM}
    assert set(stale(ALL, newest(ANNA, 2), {(SHOT, ANNA, "b")})) == {FRAME}


def test_two_ways_to_a_result_are_both_told() -> None:
    left, right = result(FRAME, "l", used(ANNA)), result(OTHER, "r", used(ANNA))
    both = result(FILM, "film", used(FRAME), used(OTHER))
    (cause,) = stale([both, left, right], newest(ANNA, 2))[FILM]
    assert cause.via == {FRAME, OTHER}


def test_results_that_name_each_other_end() -> None:
    one, two = result(FRAME, "a", used(OTHER), used(ANNA)), result(OTHER, "b", used(FRAME))
    assert FRAME in stale([one, two], newest(ANNA, 2))


def test_upstream_and_downstream_are_what_was_recorded() -> None:
    assert [each.object_id for each in upstream(ALL, shot)] == [FRAME]
    assert [each.object_id for each in downstream(ALL, {ANNA})] == [FRAME, SHOT, FILM]


def test_scenes_are_recognised_by_their_count() -> None:
    text = "# Film\n\n## Shot 1 · 2 s\n\nSun.\n\n## Shot 2 · 3 s\n\nRain.\n"
    assert scenes(text) == {1: "## Shot 1 · 2 s\nSun.", 2: "## Shot 2 · 3 s\nRain."}
    assert prints(text)["1"] == prints(text.replace("Rain", "Snow"))["1"]
    assert prints(text)["2"] != prints(text.replace("Rain", "Snow"))["2"]


def test_a_text_without_counted_scenes_is_one_whole() -> None:
    assert scenes("# Film in 1999\n\nTwo friends.\n") == {}
    assert scenes("## Shot 2\n\nRain.\n\n## Shot 3\n\nSnow.\n") == {}
