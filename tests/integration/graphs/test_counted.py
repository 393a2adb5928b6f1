"""A decision records the n of m that it saw, and does not hold for another m."""

from execution import views
from execution.approvals import Decision
from tests.harness import calls
from tests.integration.graphs.stage import Stage, concept, fill, plan
from tests.integration.graphs.test_acceptance import standing


async def approve(stage: Stage) -> dict[str, dict[str, int]]:
    """Approve the one question; return the counts that it showed."""
    (asked,) = await stage.machine.pending()
    await stage.machine.decide(asked, Decision.APPROVE)
    await stage.machine.drain()
    return views.approval_card(asked, "USD")["saw"]


async def test_an_agreement_about_two_of_three_is_none_about_two_of_four(stage: Stage) -> None:
    stage.vendor.behaviours = {3: "failed", 4: "failed", 5: "failed"}
    without = calls(("leave_out", {"step": "posters", "slots": [3], "reason": "It fails."}))
    more = plan(4, keep=["concept", "posters"])
    told = calls(say="Two will do.")
    stage.model.answers[:] = [plan(3), concept(), fill, fill, fill, without, told, more, fill]
    task_id = await stage.begin()
    assert (await approve(stage))["posters"] == {"done": 0, "expected": 3}
    assert await approve(stage) == {"posters": {"done": 2, "expected": 3}}
    first = await standing(stage, task_id)
    assert first.saw["posters"] == {"done": 2, "expected": 3}
    counts = await stage.machine.rows("select report -> 'counts' -> 'posters' from deliveries")
    assert counts == [({"done": 2, "expected": 3},)]
    await stage.say("Four, please.", task_id)
    await stage.machine.drain()
    assert (await approve(stage))["posters"] == {"done": 2, "expected": 4}
    shown = stage.model.states[-1]["plan"]["steps"][1]
    assert shown["missing_slots"] == [3, 4], "the yes was to three, not to four"
    assert (await standing(stage, task_id)).saw["posters"] == {"done": 4, "expected": 4}
    await stage.check()


async def test_a_delivery_is_refused_when_a_decision_saw_other_counts(stage: Stage) -> None:
    stage.vendor.behaviours = {2: "failed", 3: "failed", 4: "failed"}
    without = calls(("leave_out", {"step": "posters", "slots": [2], "reason": "It fails."}))
    stage.model.answers[:] = [plan(2), concept(), fill, fill, fill, without]
    task_id = await stage.begin()
    await approve(stage)
    await approve(stage)
    assert await refusal_of(stage) is None
    # What would have to go wrong: the decision says that it saw another count than there is.
    await stage.machine.rows(
        "update ledger set result = jsonb_set(result, '{left_out,saw,done}', '0')"
        " where tool = 'leave_out' returning 1"
    )
    await stage.machine.rows("delete from acceptances returning 1")
    await stage.machine.rows("delete from deliveries returning 1")
    await stage.machine.rows(
        "update tasks set status = 'active' where task_id = %s returning 1", task_id
    )
    await stage.machine.rows(
        "update threads set wake_seq = wake_seq + 1 where thread_id = %s returning 1", task_id
    )
    await stage.machine.drain()
    told = await refusal_of(stage)
    assert told is not None
    assert "when 0 of 2 were there; now it is 1 of 2" in told
    assert (await stage.task(task_id))[0] != "completed"


async def refusal_of(stage: Stage) -> str | None:
    rows = await stage.machine.rows(
        "select text from happenings where text like 'Delivery was refused%%'"
    )
    return rows[-1][0] if rows else None
