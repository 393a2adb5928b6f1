"""A plan's progress is derived from the ledger: what is absent is said, never guessed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from execution.ledger import LedgerEntry
from execution.progress import MAX_ATTEMPTS_PER_SLOT, ItemStatus, Plan, derive
from tests.unit.execution.entries import (
    checklist,
    doubtful,
    entry,
    failed,
    item,
    look_at,
    refused,
    running,
)

SHOTS = item("shots", 3)


def progress_of(*entries: LedgerEntry, count: int = 3, from_version: int = 1) -> Plan:
    return derive(checklist(), [item("shots", count, from_version=from_version)], entries)


def states(plan: Plan) -> list[str]:
    return [slot.state for slot in plan.items[0].slots]


def made(slot: int, **changes: object) -> LedgerEntry:
    return entry(step_key="shots", slot=slot, **changes)


def test_a_step_without_calls_misses_every_slot() -> None:
    plan = progress_of()
    assert plan.items[0].missing_slots == [1, 2, 3]
    assert plan.items[0].status is ItemStatus.READY


def test_two_of_three_are_two_of_three() -> None:
    plan = progress_of(made(1), made(3))
    shots = plan.items[0]
    assert (shots.count("done"), shots.missing_slots) == (2, [2])
    assert shots.status is ItemStatus.DOING
    assert not plan.is_complete


def test_all_slots_done_is_complete() -> None:
    plan = progress_of(made(1), made(2), made(3))
    assert plan.items[0].status is ItemStatus.DONE
    assert plan.is_complete


def test_a_complete_plan_that_nobody_approved_is_not_complete() -> None:
    plan = derive(checklist(status="proposed"), [item("shots", 1)], [made(1)])
    assert not plan.is_complete


def test_results_beyond_the_expected_count_count_nothing() -> None:
    plan = progress_of(made(1), made(4), made(9))
    assert states(plan) == ["done", "missing", "missing"]


def test_a_running_call_is_neither_done_nor_missing() -> None:
    plan = progress_of(running(step_key="shots", slot=2), count=2)
    assert states(plan) == ["missing", "running"]
    assert plan.items[0].missing_slots == [1]


def test_a_call_that_waits_for_a_yes_is_not_being_made_and_not_missing() -> None:
    asked = running(step_key="shots", slot=2, status="planned", verdict="ask")
    plan = progress_of(running(step_key="shots", slot=1), asked)
    assert states(plan) == ["running", "asked", "missing"]
    assert plan.items[0].absent_slots == [1, 2, 3]
    assert progress_of(asked, count=2).items[0].status is ItemStatus.DOING
    both = progress_of(asked, running(step_key="shots", slot=2), count=2)
    assert states(both) == ["missing", "running"]


def test_a_redo_that_runs_hides_the_result_before_it() -> None:
    plan = progress_of(made(1), running(step_key="shots", slot=1), count=1)
    assert states(plan) == ["running"]
    assert not plan.is_complete


def test_a_redo_that_failed_leaves_the_result_before_it() -> None:
    first = made(1)
    plan = progress_of(first, failed(step_key="shots", slot=1), count=1)
    assert states(plan) == ["done"]
    assert plan.items[0].slots[0].entry == first


def test_the_newest_result_of_a_slot_is_the_one() -> None:
    second = made(1)
    assert progress_of(made(1), second, count=1).items[0].slots[0].entry == second


@pytest.mark.parametrize("outcome", ["failed", "unknown"])
def test_a_slot_may_be_tried_three_times(outcome: str) -> None:
    tries = [failed(step_key="shots", slot=1, outcome=outcome) for _ in range(3)]
    looks = [look_at(each) for each in tries if outcome == "unknown"]
    assert states(progress_of(*tries[:2], *looks, count=1)) == ["missing"]
    plan = progress_of(*tries, *looks, count=1)
    assert states(plan) == ["failed"]
    assert plan.items[0].slots[0].attempts == MAX_ATTEMPTS_PER_SLOT
    assert plan.items[0].status is ItemStatus.FAILED


def test_what_was_cancelled_because_nobody_wanted_it_is_no_try() -> None:
    tries = [failed(step_key="shots", slot=1, outcome="cancelled") for _ in range(5)]
    slot = progress_of(*tries, count=1).items[0].slots[0]
    assert (slot.state, slot.attempts) == ("missing", 0)


def left_out(*slots: int, version: int = 1, step: str = "shots") -> LedgerEntry:
    gap = {"step": step, "slots": list(slots), "version": version}
    return entry(tool="leave_out", result={"left_out": gap})


def test_a_step_is_done_without_exactly_what_was_left_out() -> None:
    plan = progress_of(made(1), left_out(2, 3))
    shots = plan.items[0]
    assert states(plan) == ["done", "left_out", "left_out"]
    assert (shots.status, shots.missing_slots, shots.absent_slots) == (ItemStatus.DONE, [], [])
    assert shots.count("done") == 1
    partly = progress_of(made(1), left_out(2)).items[0]
    assert (partly.status, partly.absent_slots) == (ItemStatus.DOING, [3])


def test_what_comes_late_of_a_slot_that_was_left_out_stays_out() -> None:
    plan = progress_of(made(1), left_out(2, 3), made(2), running(step_key="shots", slot=3))
    assert states(plan) == ["done", "left_out", "left_out"]
    assert not plan.wants(running(step_key="shots", slot=3))


def test_a_step_that_is_made_anew_wants_everything_again() -> None:
    plan = progress_of(left_out(1, 2, 3, version=1), from_version=2)
    assert states(plan) == ["missing"] * 3


def test_only_what_a_person_agreed_to_is_left_out() -> None:
    gap = {"step": "shots", "slots": [2], "version": 1}
    for outcome in ("refused", None, "failed"):
        asked = entry(tool="leave_out", result={"left_out": gap}, outcome=outcome)
        assert states(progress_of(made(1), asked)) == ["done", "missing", "missing"]
    assert states(progress_of(left_out(2, step="music"))) == ["missing"] * 3


def test_a_result_says_at_which_providers_it_failed_before() -> None:
    def at(provider: str, **changes: object) -> LedgerEntry:
        return entry(step_key="shots", slot=1, request={"provider": provider}, **changes)

    broken = [at("first", outcome="failed"), at("first", outcome="failed")]
    slot = progress_of(*broken, at("second"), count=1).items[0].slots[0]
    assert (slot.state, slot.instead_of) == ("done", ("first",))
    assert progress_of(*broken, at("first"), count=1).items[0].slots[0].instead_of == ()


def test_a_lost_call_is_unknown_until_somebody_looked_and_then_as_good_as_failed() -> None:
    lost = doubtful(step_key="shots", slot=1)
    plan = progress_of(lost, count=1)
    assert (states(plan), plan.items[0].missing_slots) == (["unknown"], [])
    assert plan.items[0].status is ItemStatus.DOING
    plan = progress_of(lost, look_at(lost), count=1)
    assert (states(plan), plan.items[0].slots[0].attempts) == (["missing"], 1)
    plan = progress_of(lost, look_at(lost), running(step_key="shots", slot=1), count=1)
    assert states(plan) == ["running"]


def test_a_lost_call_whose_redo_succeeded_is_done_and_the_look_at_another_counts_nothing() -> None:
    lost, other = doubtful(step_key="shots", slot=1), doubtful(step_key="shots", slot=2)
    plan = progress_of(lost, other, look_at(other), made(1), count=2)
    assert states(plan) == ["done", "missing"]
    assert states(progress_of(lost, look_at(other), count=1)) == ["unknown"]


def test_refused_calls_are_no_tries() -> None:
    plan = progress_of(*[refused(step_key="shots", slot=1) for _ in range(5)], count=1)
    assert (states(plan), plan.items[0].slots[0].attempts) == (["missing"], 0)


def test_a_third_try_that_succeeds_is_a_result() -> None:
    tries = [failed(step_key="shots", slot=1), failed(step_key="shots", slot=1), made(1)]
    assert states(progress_of(*tries, count=1)) == ["done"]


def test_a_revision_drops_results_made_before_it() -> None:
    plan = progress_of(made(1, plan_version=1), made(2, plan_version=2), from_version=2, count=2)
    assert states(plan) == ["missing", "done"]


def test_a_revision_forgets_the_tries_before_it() -> None:
    tries = [failed(step_key="shots", slot=1, plan_version=1) for _ in range(3)]
    plan = progress_of(*tries, from_version=2, count=1)
    assert (states(plan), plan.items[0].slots[0].attempts) == (["missing"], 0)


def test_a_kept_step_keeps_its_results_in_the_next_version() -> None:
    plan = derive(checklist(version=2), [item("shots", 1, from_version=1)], [made(1)])
    assert plan.is_complete


def test_calls_outside_the_plan_fill_no_slot() -> None:
    assert states(progress_of(entry(), entry(step_key="other", slot=1), count=1)) == ["missing"]


def test_a_step_waits_for_what_it_depends_on() -> None:
    script, shots = item("script"), item("shots", 2, depends_on=["script"])
    blocked = derive(checklist(), [script, shots], [])
    assert [each.status for each in blocked.items] == [ItemStatus.READY, ItemStatus.TODO]
    free = derive(checklist(), [script, shots], [entry(step_key="script", slot=1)])
    assert [each.status for each in free.items] == [ItemStatus.DONE, ItemStatus.READY]


def test_a_step_waits_while_what_it_depends_on_is_made_again() -> None:
    entries = [entry(step_key="script", slot=1), running(step_key="script", slot=1)]
    plan = derive(checklist(), [item("script"), item("shots", depends_on=["script"])], entries)
    assert [each.status for each in plan.items] == [ItemStatus.DOING, ItemStatus.TODO]


def test_one_failed_slot_does_not_hide_what_can_still_be_made() -> None:
    tries = [failed(step_key="shots", slot=1) for _ in range(3)]
    assert progress_of(*tries, count=2).items[0].status is ItemStatus.READY
    assert progress_of(*tries, made(2), count=2).items[0].status is ItemStatus.FAILED


call = st.builds(
    lambda make, slot, version: make(step_key="shots", slot=slot, plan_version=version),
    st.sampled_from([entry, running, failed, refused]),
    st.integers(min_value=1, max_value=4),
    st.integers(min_value=1, max_value=3),
)


@given(st.lists(call, max_size=12), st.integers(min_value=1, max_value=3))
def test_every_slot_is_in_exactly_one_state(calls: list[LedgerEntry], from_version: int) -> None:
    plan = progress_of(*calls, from_version=from_version)
    shots = plan.items[0]
    counted = {state: shots.count(state) for state in ("done", "running", "failed", "missing")}
    assert sum(counted.values()) == 3
    assert len(shots.missing_slots) == counted["missing"]
    assert plan.is_complete == (counted["done"] == 3)


def test_a_slot_that_is_made_again_drops_its_own_results_and_no_other() -> None:
    again = item("shots", 3, slot_versions={"2": 2})
    old = [made(1), made(2), made(3)]
    plan = derive(checklist(version=2), [again], old)
    assert states(plan) == ["done", "missing", "done"]
    assert states(derive(checklist(version=2), [again], [*old, made(2, plan_version=2)])) == [
        "done", "done", "done"
    ]  # fmt: skip


def test_a_job_of_a_slot_that_is_made_again_is_not_wanted_any_more() -> None:
    again = item("shots", 2, slot_versions={"2": 2})
    jobs = [running(step_key="shots", slot=number, plan_version=1) for number in (1, 2)]
    plan = derive(checklist(version=2), [again], jobs)
    assert [plan.wants(job) for job in jobs] == [True, False]


versions = st.dictionaries(
    st.sampled_from(["1", "2", "3"]), st.integers(min_value=1, max_value=3), max_size=3
)


@given(st.lists(call, max_size=14), st.integers(min_value=1, max_value=2), versions)
def test_a_slot_counts_exactly_the_calls_of_its_own_version_on(
    calls: list[LedgerEntry], from_version: int, slot_versions: dict[str, int]
) -> None:
    shots = item("shots", 3, from_version=from_version, slot_versions=slot_versions)
    plan = derive(checklist(version=3), [shots], calls)
    for slot in plan.items[0].slots:
        since = max(from_version, slot_versions.get(str(slot.number), 0))
        counted = [
            each
            for each in calls
            if each.slot == slot.number
            and (each.plan_version or 0) >= since
            and each.verdict != "refuse"
        ]
        alone = derive(checklist(), [item("shots", 3)], counted).items[0].slots[slot.number - 1]
        assert (slot.state, slot.attempts, slot.entry) == (alone.state, alone.attempts, alone.entry)
        for each in (each for each in calls if each.slot == slot.number and each.is_open):
            assert plan.wants(each) == ((each.plan_version or 0) >= since and not slot.is_filled)


FRAMES = item("frames", 3, kind="keyframes")
FROM_FRAMES = item("shots", 3, kind="shots", depends_on=["frames"])


def frame(slot: int, **changes: object) -> LedgerEntry:
    return entry(step_key="frames", slot=slot, **changes)


def test_a_shot_may_begin_when_its_own_keyframe_is_there() -> None:
    frames, shots = derive(checklist(), [FRAMES, FROM_FRAMES], [frame(2)]).items
    assert (frames.ready_slots, shots.ready_slots) == ([1, 3], [2])
    assert [slot.needs for slot in shots.slots] == [("frames",), (), ("frames",)]
    assert shots.status is ItemStatus.READY


def test_no_shot_begins_while_somebody_is_to_look_at_the_keyframes() -> None:
    looked_at = item("frames", 3, kind="keyframes", review=True)
    entries = [frame(1), frame(2)]
    shots = derive(checklist(), [looked_at, FROM_FRAMES], entries).items[1]
    assert (shots.ready_slots, shots.status) == ([], ItemStatus.TODO)


def test_another_count_of_keyframes_belongs_to_no_shot_by_its_number() -> None:
    fewer = item("frames", 2, kind="keyframes")
    shots = derive(checklist(), [fewer, FROM_FRAMES], [frame(1)]).items[1]
    assert shots.ready_slots == []


def test_what_has_changed_is_not_there_for_what_would_be_made_from_it() -> None:
    film = item("film", kind="master", depends_on=["shots"])
    entries = [frame(1), frame(2), frame(3), made(1), made(3)]
    plan = derive(checklist(), [FRAMES, FROM_FRAMES, film], entries, (), {("frames", 2)})
    assert (plan.items[0].affected_slots, plan.items[1].ready_slots) == ([2], [])
    whole = [*entries, made(2), entry(step_key="film", slot=1)]
    plan = derive(checklist(), [FRAMES, FROM_FRAMES, film], whole, (), {("shots", 2)})
    assert not plan.is_complete
    assert derive(checklist(), [FRAMES, FROM_FRAMES, film], whole).is_complete
