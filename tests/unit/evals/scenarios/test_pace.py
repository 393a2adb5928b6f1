"""Limits of trials on machines that have much else to do."""

from evals.scenarios.pace import FairClock, crowding


def test_a_shared_processor_makes_seconds_count_less() -> None:
    seconds, sharing = iter([0.0, 10.0, 20.0, 50.0]), iter([1.0, 4.0, 2.0])
    clock = FairClock(time=seconds.__next__, crowding=sharing.__next__)
    assert [clock.read(), clock.read(), clock.read()] == [10.0, 12.5, 27.5]


def test_an_idle_machine_makes_no_second_count_more() -> None:
    assert crowding() >= 1.0
