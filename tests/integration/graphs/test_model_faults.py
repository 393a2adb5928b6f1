"""Every way in which a model is known to go wrong: what the person sees, and what it cannot do.

Each fault is one answer (or its endless repetition) in a real task. Afterwards every promise is
checked, the account holds what was made and nothing else, no person's answer was invented, nothing
was delivered, and the task can still be talked to: the history that the fault left is legal.
"""

from dataclasses import dataclass
from typing import Any, override
from uuid import UUID

import pytest
from langchain_core.messages import AIMessage, BaseMessage

from execution import workspaces
from execution.effects import MAX_WORDS
from execution.proposed import MAX_ARGUMENT_CHARACTERS
from execution.transactions import work
from infra.ids import TaskId, WorkspaceId
from nodes.prompting import load_prompt
from tests.harness import calls
from tests.integration.graphs.conftest import OpenStage
from tests.integration.graphs.stage import PICTURE, PRICE, Model, Stage, picture, routed
from workspace import objects
from workspace.objects import NewObject

WAITS = ("waiting", "answer", "The agent is waiting for your answer.")
STUCK = (
    "waiting",
    "no_progress",
    "Nothing new came of the last 3 rounds. Say how to go on, or stop the task.",
)
REFUSED = "refused (invalid): "
DEEP = f"{REFUSED}The arguments are nested deeper than 40 levels."
NO_JSON = f"{REFUSED}The arguments are not valid JSON."
CLAIM = "I have made the film. It is paid, approved and delivered."
FOREIGN = WorkspaceId(UUID(int=77))
SECRET = objects.object_id_of(FOREIGN, "test", "document")


def written(
    arguments: str, *, tool: str = PICTURE[0], call_id: str = "c0", **given: Any
) -> AIMessage:
    """A call whose arguments stand as they are, right or wrong."""
    call = {"name": tool, "args": arguments, "id": call_id, "error": None}
    return AIMessage(content="", invalid_tool_calls=[call], **given)


def same_id() -> AIMessage:
    answer = calls(*[(PICTURE[0], {**PICTURE[1], "prompt": f"{n}"}) for n in range(2)])
    for call in answer.tool_calls:
        call["id"] = "the-same"
    return answer


def cut_off() -> AIMessage:
    return written(
        '{"name": "Harbour", "prompt": "a harb',
        response_metadata={"finish_reason": "length", "model_provider": "openai"},
    )


@dataclass(frozen=True, kw_only=True)
class Fault:
    """An answer and what comes of it: what is shown, said and told to the model, and what is made.

    `told` are the beginnings of the calls' tool messages, in order.
    """

    name: str
    answer: AIMessage
    repeats: int = 1
    sees: tuple[str, str | None, str] = WAITS
    said: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    made: int = 0
    steps: int = 1


def refused(name: str, answer: AIMessage, *told: str, **given: Any) -> Fault:
    """A call that comes to nothing; the model is asked once more, and leaves it at that."""
    return Fault(name=name, answer=answer, told=told, steps=2, **given)


LONG = "x" * (MAX_ARGUMENT_CHARACTERS + 1)
FAULTS = (
    refused("arguments that are no JSON", written('{"prompt": "a'), NO_JSON),
    refused("arguments that are no object", written('["a harbour"]'), NO_JSON),
    refused("arguments too deep to read", written('{"a":' * 20_000 + "1" + "}" * 20_000), NO_JSON),
    refused("arguments deeper than any tool's", written('{"a":' * 900 + "1" + "}" * 900), DEEP),
    refused("an unknown tool", calls(("send_money", {"to": "me"})), f"{REFUSED}There is no tool"),
    refused(
        "a tool with a name that no service takes back",
        calls(("send money, now! " * 20, {})),
        f"{REFUSED}There is no tool 'send_money__now_",
    ),
    refused("a tool without a name", calls(("", {})), f"{REFUSED}There is no tool 'unknown'"),
    Fault(name="no words and no calls", answer=AIMessage(content="")),
    Fault(
        name="sixty calls at once",
        answer=calls(*[(PICTURE[0], {"prompt": f"{n}", "name": f"{n}"}) for n in range(60)]),
        told=("pending: job",) * 16 + (f"{REFUSED}Only 16 calls are taken per step",) * 44,
        made=16,
    ),
    Fault(
        name="the same paid call twice in one answer",
        answer=calls(PICTURE, PICTURE),
        told=("pending: job", f"{REFUSED}The same call stands in this answer already"),
        made=1,
    ),
    Fault(name="one id for two calls", answer=same_id(), told=("pending: job",) * 2, made=2),
    refused("a call that was cut off", cut_off(), f"{REFUSED}Your answer was cut off"),
    Fault(name="a claim of work not done", answer=calls(say=CLAIM), said=(CLAIM,)),
    refused(
        "arguments of wrong types",
        calls((PICTURE[0], {"prompt": ["a"], "name": {"x": 1}, "width": "wide", "slot": None})),
        f"{REFUSED}The arguments are not valid: prompt: ",
    ),
    refused(
        "numbers that are none",
        calls(("propose_plan", {"title": "t", "summary": "s", "language": "en", "steps": [],
                                "duration_s": float("nan"), "width": 10**400})),
        f"{REFUSED}The arguments are not valid: ",
    ),
    refused(
        "arguments that nobody could keep",
        calls((PICTURE[0], {"prompt": LONG, "name": "x"})),
        f"{REFUSED}The arguments are longer than",
    ),
    refused(
        "a prompt longer than a prompt",
        calls((PICTURE[0], {"prompt": "y" * 100_000, "name": "x"})),
        f"{REFUSED}The arguments are not valid: prompt: String should have at most",
    ),
    Fault(
        name="NUL and half a surrogate pair",
        answer=calls(
            (PICTURE[0], {"prompt": "a\x00b\ud800", "name": "n\x00\udfffm"}), say="x\x00\ud83dy"
        ),
        said=("x\ufffd\ufffd\ufffdy",),
        told=("pending: job",),
        made=1,
    ),
    refused("a tool of another role", calls(("route", routed()[0])), f"{REFUSED}There is no tool"),
    refused(
        "calls of tasks and objects that are not its own",
        calls(
            ("check_call", {"call": f"{UUID(int=5)}/1/1"}),
            ("read_object", {"object_id": str(SECRET)}),
            ("generate_clip", {"step": "s", "name": "n", "prompt": "p", "duration_s": 2,
                               "image_object_id": str(SECRET)}),
        ),
        f"{REFUSED}This task has no call",
        f"{REFUSED}There is no object {SECRET} in this workspace.",
        f"{REFUSED}",
    ),
    Fault(
        name="words that repeat its instructions",
        answer=calls(say=load_prompt("act")),
        said=(load_prompt("act"),),
    ),
    Fault(
        name="the same call for ever",
        answer=calls(("list_objects", {})),
        repeats=50,
        sees=STUCK,
        told=("There are no objects yet.",) * 2,
        steps=3,
    ),
    Fault(
        name="the same wrong call for ever",
        answer=written("{"),
        repeats=50,
        sees=STUCK,
        told=(NO_JSON,) * 2,
        steps=3,
    ),
    Fault(
        name="words without an end",
        answer=calls(say="word " * 40_000),
        said=(("word " * 40_000)[:MAX_WORDS].strip() + " …",),
    ),
)  # fmt: skip


async def account(stage: Stage) -> dict[str, Any]:
    """Everything that words must not move."""
    async with stage.machine.deps.pools.domain.connection() as conn:
        workspace = await workspaces.get(conn, stage.machine.workspace_id)
    rows = await stage.machine.rows(
        """
        select (select count(*) from approvals where decided_at is not null),
               (select count(*) from deliveries), (select count(*) from tasks),
               (select count(*) from checklists where status = 'approved')
        """
    )
    return {"settings": workspace, "answered, delivered, tasks, approved": rows[0]}


async def put_foreign(stage: Stage) -> None:
    """An object of another workspace, whose id a model has got hold of."""
    machine = stage.machine
    async with machine.deps.pools.domain.connection() as conn, conn.transaction():
        await workspaces.ensure(conn, FOREIGN, name="another", currency="USD")
    blob = await machine.deps.blobs.put_bytes(b"secret")
    new = NewObject(
        kind="document",
        role="document",
        name="secret",
        blob=blob,
        media_type="text/markdown",
        author="user",
        cause="test",
    )
    async with work(machine.deps, FOREIGN) as tx:
        assert (await objects.create(tx, new)).object_id == SECRET


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
async def test_a_fault_is_told_and_moves_nothing(stage: Stage, fault: Fault) -> None:
    await put_foreign(stage)
    stage.model.answers[:] = [fault.answer] * fault.repeats
    task_id = await stage.begin()
    before = await account(stage)
    assert await stage.task(task_id) == fault.sees
    assert len(stage.model.prompts) == fault.steps
    said = await stage.machine.rows("select text from messages where role = 'assistant'")
    assert tuple(text for (text,) in said) == fault.said
    assert len(stage.vendor.orders) == fault.made
    assert await stage.money() == (fault.made * PRICE, 0, fault.made * PRICE, 0)
    assert before["answered, delivered, tasks, approved"] == (0, 0, 1, 0)
    await stage.check()
    await talk_on(stage, task_id, fault)
    told = stage.model.tool_messages()
    assert len(told) >= len(fault.told)
    for found, begins in zip(told, fault.told, strict=False):
        assert found.startswith(begins), found
    assert await account(stage) == before
    await stage.check()


async def talk_on(stage: Stage, task_id: TaskId, fault: Fault) -> None:
    """Say something; the model, sane again, makes the picture."""
    stage.model.answers[:] = [*[AIMessage(content="")] * fault.steps, picture(prompt="at last")]
    await stage.say("please go on", task_id)
    await stage.machine.drain()
    assert len(stage.vendor.orders) == fault.made + 1
    sizes = [len(str(message.content)) for message in stage.model.prompts[-1]]
    assert max(sizes) < 60_000, "the fault stays in every later prompt"


# Main: the router and the reply


class Misrouting(Model):
    """Says one and the same thing, whoever asks."""

    says: AIMessage = AIMessage(content="")

    @override
    def _answer(self, messages: list[BaseMessage]) -> AIMessage:
        return self.says if self.bound else AIMessage(content="Good day.")


def misrouted(**given: Any) -> AIMessage:
    return calls(("route", {**routed()[0], **given}))


@pytest.mark.parametrize(
    "says",
    [
        pytest.param(AIMessage(content=""), id="nothing"),
        pytest.param(calls(say=CLAIM), id="words"),
        pytest.param(calls(PICTURE, say=CLAIM), id="a tool of another role"),
        pytest.param(written("{", tool="route"), id="arguments that are no JSON"),
        pytest.param(misrouted(outcome="pay"), id="an outcome that there is not"),
        pytest.param(misrouted(outcome="existing", task_id=str(SECRET)), id="a task of others"),
        pytest.param(misrouted(outcome="existing", task_id="1 or 1=1"), id="a task that is no id"),
        pytest.param(misrouted(outcome="ask", options=[str(SECRET)]), id="options of others"),
        pytest.param(misrouted(title={"a": 1}), id="arguments of wrong types"),
    ],
)
async def test_a_router_that_says_nothing_usable_has_the_message_answered(
    open_stage: OpenStage, says: AIMessage
) -> None:
    async with open_stage(Misrouting(says=says)) as stage:
        await put_foreign(stage)
        await stage.machine.say("a poster, please")
        await stage.machine.drain()
        said = await stage.machine.rows("select text from messages where role = 'assistant'")
        assert said == [("Good day.",)]
        nothing = {"answered, delivered, tasks, approved": (0, 0, 0, 0)}
        assert (await account(stage)).items() >= nothing.items()
        assert stage.vendor.requests == []
        await stage.check()


async def test_a_router_without_an_end_is_cut_to_sentences(open_stage: OpenStage) -> None:
    long = "word " * 8_000
    says = misrouted(title=long, goal=long, acknowledgement=long, reason=long, language=long)
    async with open_stage(Misrouting(says=says)) as stage:
        await stage.machine.say("a poster, please")
        await stage.machine.drain()
        rows = await stage.machine.rows(
            """
            select length(title), length(goal), length(tasks.language), length(text)
            from tasks join messages using (task_id) where role = 'assistant'
            """
        )
        assert all(size <= most for size, most in zip(rows[0], (80, 20_000, 20, 1000), strict=True))
        await stage.check()


async def test_a_reply_is_words_and_nothing_else(stage: Stage) -> None:
    stage.model.route[:] = routed("answer")
    stage.model.reply = CLAIM * 10_000
    await stage.machine.say("make a film and pay for it")
    await stage.machine.drain()
    ((said,),) = await stage.machine.rows("select text from messages where role = 'assistant'")
    assert said == (CLAIM * 10_000)[:MAX_WORDS].strip() + " …"
    assert (await account(stage))["answered, delivered, tasks, approved"] == (0, 0, 0, 0)
    assert await stage.money() == (0, 0, 0, 0)
    await stage.check()
