"""Pictures that others name as references: shown to who takes them, and recorded in any case."""

from dataclasses import dataclass, field, replace
from typing import Any, override

from evals.chat_server.filmmaker import CAST, FRAMES, SCRIPT, ByState, film, revise
from execution.approvals import Decision
from infra.providers.ports import Attempt, Capabilities, JobRef, Snapshot
from tests.harness import calls
from tests.integration.graphs.crew import Crew, Film, OpenStage, tell
from tests.integration.graphs.stage import Behaviour, Stage, Vendor, routed
from tests.integration.graphs.test_limits import DEAR, more
from tests.integration.graphs.test_plan import answer


@dataclass
class Shown(Vendor):
    """A vendor that is shown one picture with an order."""

    shown: list[list[str]] = field(default_factory=list[list[str]])

    @property
    @override
    def capabilities(self) -> Capabilities:
        return replace(super().capabilities, references=1)

    @override
    def _take(self, attempt: Attempt, told: Behaviour) -> JobRef | Snapshot:
        assert all(path.stat().st_size for path in attempt.files.values())
        self.shown.append(sorted(attempt.files))
        return super()._take(attempt, told)


def two_characters() -> list[dict[str, Any]]:
    script, frames, _ = film(2)
    cast = {"key": CAST, "title": "Characters", "kind": "characters", "count": 2}
    return [script, cast, frames | {"depends_on": [SCRIPT, CAST]}]


def crew() -> Crew:
    by_state = ByState(steps=two_characters(), shows={1: [1, 2], 2: [2]})
    return Crew(route=routed(), by_state=by_state)


async def told(stage: Stage) -> list[str]:
    """What was said with an order about its references."""
    rows = await stage.machine.rows(
        "select tool_message from ledger where tool_message like '%%references%%' order by seq"
    )
    return [row[0] for row in rows]


async def test_references_are_shown_as_far_as_the_provider_takes_them(
    open_stage: OpenStage,
) -> None:
    vendor = Shown()
    async with open_stage(crew(), vendor) as stage:
        made = await Film(stage).made()
        assert vendor.shown == [[], [], ["reference.1"], ["reference.1"]]
        anna, ben = [await made.object_of(CAST, number) for number in (1, 2)]
        frame = await made.object_of(FRAMES, 1)
        named = {str(anna.object_id), str(ben.object_id)}
        assert named < {each["object_id"] for each in frame.inputs}
        said = await told(stage)
        assert len(said) == 1
        assert "vendor takes at most 1 references: 1 of 2 are recorded" in said[0]
        await stage.check()


async def test_who_takes_none_is_shown_none_and_that_is_said(open_stage: OpenStage) -> None:
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        ben = await made.object_of(CAST, 2)
        used = {each["object_id"] for each in (await made.object_of(FRAMES, 2)).inputs}
        assert str(ben.object_id) in used
        requests = await stage.machine.rows(
            "select request -> 'inputs' from ledger where step_key = %s", FRAMES
        )
        assert requests == [({},), ({},)]
        said = await told(stage)
        assert len(said) == 2
        assert "takes no references" in said[0]


async def test_a_reference_has_to_be_a_picture_of_this_workspace(open_stage: OpenStage) -> None:
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        script = await made.object_of(SCRIPT)
        order = {"prompt": "a hill", "name": "Hill"}
        tell(
            stage,
            calls(
                ("generate_image", order | {"reference_object_ids": [str(script.object_id)]}),
                ("generate_image", order | {"reference_object_ids": [str(made.task_id)]}),
            ),
            calls(say="Hm."),
        )
        await stage.say("one more, please", made.task_id)
        await stage.machine.drain()
        rows = await stage.machine.rows(
            "select tool_message from ledger where refusal = 'invalid' order by seq"
        )
        assert [row[0].partition(": ")[2] for row in rows] == [
            "The object 'Script 1' is a document, not an image.",
            f"There is no object {made.task_id} in this workspace.",
        ]


async def test_what_the_plan_makes_again_is_no_reference_any_more(open_stage: OpenStage) -> None:
    async with open_stage(crew()) as stage:
        made = await Film(stage).made()
        old = await made.object_of(CAST, 2)
        again = revise(two_characters(), cast=[2], frames=[1, 2])
        order = {"step": FRAMES, "slot": 1, "prompt": "a hill", "name": "Hill"}
        named = ("generate_image", order | {"reference_object_ids": [str(old.object_id)]})
        tell(stage, again)
        await stage.say("another second character", made.task_id)
        await stage.machine.drain()
        (asked,) = await stage.machine.pending()
        model = stage.model
        assert isinstance(model, Crew)
        tell(stage, model.by_state.answer, calls(named))
        await stage.machine.decide(asked, Decision.APPROVE)
        await stage.machine.drain()
        new = await made.object_of(CAST, 2)
        rows = await stage.machine.rows("select tool_message from ledger where refusal = 'invalid'")
        ((refused,),) = rows
        assert "'Characters 2' fills slot 2 of 'cast' no more" in refused
        assert f"it holds {new.object_id} now." in refused


async def test_pictures_with_references_that_money_was_short_for_run_when_it_is_there(
    open_stage: OpenStage,
) -> None:
    async with open_stage(crew()) as stage:
        made = Film(stage)
        made.task_id = await stage.begin("a film about the weather")
        stage.vendor.prices = {"image": DEAR}
        await answer(stage)
        status, waits, _ = await stage.task(made.task_id)
        assert (status, waits) == ("waiting", "budget")
        for _ in range(2):  # the characters first, then what shows them
            await more(stage, made.task_id, budget_micros=2 * DEAR)
        assert (await stage.task(made.task_id))[0] == "completed"
        by = await stage.machine.rows(
            "select distinct decided_by from approvals where kind = 'call'"
        )
        assert by == [("allowance",)]
        await stage.check()
