"""A delivery is bound to the calls whose results it was made of, and to what people made of it."""

from typing import Any

from execution.deliveries import inputs_hash, same_calls
from execution.progress import Plan, derive
from tests.unit.execution.entries import checklist, entry, item, running

SHOTS = item("shots", 2)
ONE = entry(step_key="shots", slot=1, result={"outputs": [{"object_id": "o1", "version": 1}]})
TWO = entry(step_key="shots", slot=2, result={"outputs": [{"object_id": "o2", "version": 1}]})


def written_over(object_id: str, version: int) -> dict[str, Any]:
    return {object_id: {"object_id": object_id, "version": version}}


def plan(newer: dict[str, Any] | None = None, *, version: int = 1) -> Plan:
    return derive(checklist(version=version), [SHOTS], [ONE, TWO], newer=newer)


def test_other_results_another_plan_and_other_versions_are_another_delivery() -> None:
    hashes = [
        inputs_hash(each)
        for each in (
            plan(),
            plan(version=2),
            derive(checklist(), [SHOTS], [ONE, entry(step_key="shots", slot=2)]),
            derive(checklist(), [SHOTS], [ONE]),
            derive(checklist(), [SHOTS], [ONE, running(step_key="shots", slot=2)]),
            plan(written_over("o1", 2)),
            plan(written_over("o1", 3)),
            plan(written_over("o2", 2)),
            plan(written_over("o1", 2) | written_over("o2", 2)),
        )
    ]
    assert len(set(hashes)) == len(hashes)
    assert inputs_hash(plan()) == inputs_hash(plan(written_over("o9", 2)))


def test_what_people_write_over_is_still_the_result_of_the_same_call() -> None:
    made = inputs_hash(plan())
    for newer in (written_over("o1", 2), written_over("o1", 3)):
        assert same_calls(made, inputs_hash(plan(newer)))
        assert same_calls(inputs_hash(plan(newer)), made)
    assert not same_calls(made, inputs_hash(plan(version=2)))
    assert not same_calls(inputs_hash(plan(written_over("o1", 2))), inputs_hash(plan(version=2)))


def test_a_slot_keeps_what_was_made_beside_what_stands_there() -> None:
    slot = plan(written_over("o1", 2)).items[0].slots[0]
    assert (slot.made[0]["version"], slot.outputs[0]["version"]) == (1, 2)
    other = plan(written_over("o1", 2)).items[0].slots[1]
    assert other.made == other.outputs
