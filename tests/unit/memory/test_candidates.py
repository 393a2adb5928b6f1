"""What is near, and how two measures make one order."""

from uuid import UUID

import pytest

from memory.candidates import fuse, is_near, likeness

ONE, TWO, THREE = (UUID(int=number) for number in (1, 2, 3))


def test_both_measures_count_and_words_count_more() -> None:
    assert fuse({ONE: 0.4, TWO: 0.1}, {TWO: 0.9, THREE: 0.5}) == [ONE, TWO, THREE]
    assert fuse({ONE: 0.3, TWO: 0.3}, {ONE: 0.1, TWO: 0.8}) == [TWO, ONE]
    assert fuse({}, {TWO: 0.2, ONE: 0.6}) == [ONE, TWO]
    assert fuse({}, {}) == []


NEAR = [
    ("Poster for the bakery: a poster for the bakery in Lisbon", "Bakery poster, Lisbon"),
    ("Make the poster warmer", "Make the poster colder"),
    ("Trailer über einen Fuchs im Schnee", "Fuchs-Trailer, Schnee"),
    ("狐狸的预告片", "做一个狐狸预告片"),
]
FAR = [
    ("Poster for the bakery in Lisbon", "Trailer about a fox in the snow"),
    ("Logo für den Zirkus", "Plakat für das Tierheim in Wien"),
    ("狐狸的预告片", "灯塔海报"),
    ("", "Poster for the bakery"),
]


@pytest.mark.parametrize(("one", "other"), NEAR)
def test_the_same_work_in_other_words_is_near(one: str, other: str) -> None:
    assert is_near(likeness(one, other), None)
    assert likeness(one, other) == likeness(other, one)


@pytest.mark.parametrize(("one", "other"), FAR)
def test_another_work_is_not_near(one: str, other: str) -> None:
    assert not is_near(likeness(one, other), None)


def test_meaning_alone_is_enough() -> None:
    assert is_near(0.0, 0.95)
    assert not is_near(0.0, 0.3)
