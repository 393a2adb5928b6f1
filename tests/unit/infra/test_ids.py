"""Ids: UUIDs of version 7 that sort by the time they were made."""

from concurrent.futures import ThreadPoolExecutor
from uuid import RFC_4122, UUID

import pytest

from infra import clock, ids
from infra.ids import new_id


def test_an_id_has_the_version_variant_and_time_of_rfc_9562(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ids, "_last_tick", 0)
    monkeypatch.setattr(clock, "unix_ms", lambda: 0x017F22E279B0)
    made = new_id()
    assert made.version == 7
    assert made.variant == RFC_4122
    assert made.hex.startswith("017f22e279b07")


def test_ids_ascend_even_within_a_millisecond() -> None:
    made = [new_id() for _ in range(20_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_ids_ascend_when_the_clock_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    before = new_id()
    monkeypatch.setattr(clock, "unix_ms", lambda: 1)
    made = [new_id() for _ in range(10_000)]
    assert [before, *made] == sorted([before, *made])


def test_threads_never_make_the_same_id() -> None:
    with ThreadPoolExecutor(8) as threads:
        made = [each.result() for each in [threads.submit(new_id) for _ in range(20_000)]]
    assert len(set(made)) == len(made)


def test_two_processes_at_the_same_moment_do_not_meet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clock, "unix_ms", lambda: 0x017F22E279B0)
    made: set[UUID] = set()
    for _ in range(1_000):
        monkeypatch.setattr(ids, "_last_tick", 0)
        made.add(new_id())
    assert len(made) == 1_000
