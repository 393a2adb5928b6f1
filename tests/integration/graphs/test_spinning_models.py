"""A model that does the same for ever is stopped within the limit, with a reason to read."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

import pytest
from langchain_core.messages import AIMessage

from execution.approvals import Decision
from execution.verdict import ENDS, MAX_ROUNDS_WITHOUT_PROGRESS
from tests.harness import calls
from tests.integration.graphs.stage import Stage, picture, plan, plan_arguments, routed
from tests.integration.graphs.test_misbehaving_model import BAD_JSON
from tests.integration.graphs.test_permission import allow
from tests.integration.graphs.test_plan import answer

FOR_EVER = 30
READ = calls(("list_objects", {}))
CAPABILITIES = calls(("find_capabilities", {}))
DONE = calls(say="Everything is done.")
QUESTION = calls(("ask_person", {"question": "Which colour?"}))
STORM = picture(prompt="a storm", name="Storm")
BACKWARDS = {**plan_arguments(2), "steps": plan_arguments(2)["steps"][::-1]}


@dataclass(frozen=True, kw_only=True)
class Spin:
    """What a model answers again and again, and where that ends."""

    answers: tuple[AIMessage | Callable[[int], AIMessage], ...]
    waits_for: str = "no_progress"
    rounds: int = MAX_ROUNDS_WITHOUT_PROGRESS

    def script(self) -> list[AIMessage]:
        return [
            each(number) if callable(each) else each
            for number, each in enumerate(islice(cycle(self.answers), FOR_EVER))
        ]


def say(text: str) -> AIMessage:
    return calls(say=text)


SPINS = {
    "says-done": Spin(answers=(DONE,)),
    "says-something-else-each-time": Spin(answers=(lambda n: say(f"Step {n} is done."),)),
    "flips-statuses": Spin(
        answers=(
            calls(("set_status", {"step": "posters", "status": "done"})),
            calls(("set_status", {"step": "posters", "status": "doing"})),
        )
    ),
    "reads": Spin(answers=(READ,)),
    "asks-what-is-possible": Spin(answers=(CAPABILITIES,)),
    "reads-two-things-in-turn": Spin(answers=(READ, CAPABILITIES)),
    "reads-and-says-done": Spin(answers=(READ, DONE)),
    "writes-beside-the-plan": Spin(
        answers=(lambda n: calls(("write_document", {"name": f"Note {n}", "text": "again"})),)
    ),
    "arguments-that-are-no-json": Spin(answers=(BAD_JSON,)),
    "arguments-that-do-not-fit": Spin(
        answers=(lambda n: calls(("generate_image", {"prompt": "", "width": n})),)
    ),
    "a-step-that-cannot-begin": Spin(answers=(picture(step="posters", slot=1),)),
    "a-slot-that-is-not-there": Spin(answers=(lambda n: picture(step="posters", slot=n + 3),)),
    "a-plan-that-is-invalid": Spin(answers=(calls(("propose_plan", BACKWARDS)),)),
    "a-look-at-a-call-that-is-not-there": Spin(answers=(calls(("check_call", {"call": "x"})),)),
    "the-same-plan": Spin(answers=(plan(2),), waits_for="approval", rounds=2),
    "a-plan-rewritten": Spin(
        answers=(lambda n: plan(2, title=f"Posters {n}"),), waits_for="approval", rounds=2
    ),
    "bigger-and-bigger-plans": Spin(
        answers=(lambda n: plan(n + 3),), waits_for="approval", rounds=2
    ),
    "the-same-question": Spin(answers=(QUESTION,), waits_for="approval", rounds=2),
    "ever-other-questions": Spin(
        answers=(lambda n: calls(("ask_person", {"question": f"Which colour, {n}?"})),),
        waits_for="approval",
        rounds=2,
    ),
    "orders-beside-the-plan": Spin(answers=(picture(),), waits_for="approval", rounds=2),
    "reads-and-asks": Spin(answers=(READ, QUESTION), waits_for="approval", rounds=2),
    "says-done-and-plans": Spin(answers=(DONE, plan(2)), waits_for="approval", rounds=2),
    "a-question-and-a-plan": Spin(answers=(QUESTION, plan(3)), waits_for="approval", rounds=2),
}


@pytest.mark.parametrize("spin", SPINS.values(), ids=SPINS)
async def test_a_model_that_spins_on_an_approved_plan_is_stopped(stage: Stage, spin: Spin) -> None:
    stage.model.answers[:] = [plan(2), *spin.script()]
    task_id = await stage.begin()
    await answer(stage)
    status, waiting, reason = await stage.task(task_id)
    assert (status, waiting) == ("waiting", spin.waits_for)
    assert reason.endswith(".")
    assert ENDS[waiting or ""]
    assert len(stage.model.prompts) == 1 + spin.rounds
    assert stage.vendor.requests == []
    assert len(await stage.machine.pending()) <= 2
    await stage.check()


async def test_each_answer_of_a_person_buys_two_rounds_of_a_model_that_only_asks(
    stage: Stage,
) -> None:
    stage.model.answers[:] = [plan(2), *[QUESTION] * FOR_EVER]
    await stage.begin()
    await answer(stage)
    for answered in range(4):
        assert len(stage.model.prompts) == 3 + 2 * answered
        (asked,) = await stage.machine.pending()
        await stage.machine.decide(asked, Decision.CHOOSE, choice="blue")
        await stage.machine.drain()
    await stage.check()


async def test_a_question_that_is_open_is_not_asked_twice(stage: Stage) -> None:
    stage.model.answers[:] = [plan(2), QUESTION, QUESTION]
    await stage.begin()
    await answer(stage)
    assert len(await stage.machine.pending()) == 1
    ((told,),) = await stage.machine.rows(
        "select tool_message from ledger where refusal = 'invalid'"
    )
    assert told.endswith("The person has been asked exactly this and has not answered yet. Wait.")
    await stage.check()


async def test_plans_at_the_level_free_grow_once_without_a_question(stage: Stage) -> None:
    await allow(stage, "free")
    stage.model.answers[:] = [plan(number + 1) for number in range(FOR_EVER)]
    task_id = await stage.begin()
    assert (await stage.task(task_id))[1] == "approval"
    # One begins, the next is asked about, and beside the question there is one round more.
    assert len(stage.model.prompts) == 3
    assert stage.vendor.requests == []
    await stage.check()


@pytest.mark.parametrize(
    ("answers", "orders"),
    [
        pytest.param([picture()], 4, id="the-same"),
        pytest.param([picture(), STORM], 4, id="two-pictures-in-turn"),
        pytest.param([picture(), READ], 2, id="with-reading-in-between"),
    ],
)
async def test_ordering_what_always_fails_is_stopped(
    stage: Stage, answers: list[AIMessage], orders: int
) -> None:
    stage.vendor.default = "failed"
    stage.model.answers[:] = list(islice(cycle(answers), FOR_EVER))
    task_id = await stage.begin()
    assert (await stage.task(task_id))[1] == "no_progress"
    assert len(stage.vendor.orders) == orders
    await stage.check()


async def test_results_do_not_hide_that_the_same_fails_for_ever(stage: Stage) -> None:
    """In each answer one picture that is made and one that fails: it would go on for all money."""
    stage.vendor.behaviours = dict.fromkeys(range(2, 2 * FOR_EVER, 2), "failed")
    both = calls(
        ("generate_image", {"prompt": "a harbour", "name": "A"}),
        ("generate_image", {"prompt": "a storm", "name": "B"}),
    )
    stage.model.route[:] = routed("lightweight")
    stage.model.answers[:] = [both] * FOR_EVER
    task_id = await stage.begin()
    assert (await stage.task(task_id))[0] in ("completed", "failed")
    assert len(stage.vendor.orders) <= 2 * (1 + MAX_ROUNDS_WITHOUT_PROGRESS)
    await stage.check()


async def test_steps_that_always_fail_are_tried_as_often_as_they_may_be_and_named(
    stage: Stage,
) -> None:
    stage.vendor.default = "failed"

    def fill_again(state: dict[str, Any]) -> AIMessage:
        step = next(step for step in state["plan"]["steps"] if step["key"] == "posters")
        return picture(step="posters", slot=(step["missing_slots"] or [1])[0])

    concept = calls(("write_document", {"step": "concept", "name": "C", "text": "Tea."}))
    stage.model.answers[:] = [plan(1), concept, *[fill_again] * FOR_EVER]
    task_id = await stage.begin()
    await answer(stage)
    status, waiting, reason = await stage.task(task_id)
    assert (status, waiting) in {("waiting", "blocked"), ("waiting", "no_progress")}
    assert "Posters" in reason or "Nothing new" in reason
    assert len(stage.vendor.orders) == 3
    await stage.check()
