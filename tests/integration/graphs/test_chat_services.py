"""The real clients of chat models, at a service that speaks both formats and breaks as told."""

from collections.abc import AsyncGenerator
from datetime import timedelta
from typing import Any

import pytest

from evals.chat_server.script import (
    BROKEN,
    OVERLOADED,
    RATE_LIMITED,
    TOO_LONG,
    UNAUTHORIZED,
    Answer,
    Call,
    Counted,
    Fate,
    Refusal,
    Reply,
)
from execution import views
from execution.approvals import Decision
from execution.effects import ModelRefusedError, ModelSetupError, ModelUnavailableError
from execution.proposed import ProposedCall
from infra.ids import TaskId
from infra.providers.models import ChatModels
from tests.database import DatabaseClock
from tests.integration.graphs.stage import PICTURE, PRICE, Stage, plan_arguments
from tests.integration.graphs.wired import (
    SPECS,
    Service,
    WholeModels,
    Wired,
    call,
    patience_for,
    spoken,
    wired,
    working,
)

SERVICES: tuple[Service, ...] = ("openai", "anthropic")
TEXT = "Grüße! Ein Film über Tee 🍵, auf 日本語 und 한국어.\nZweite Zeile."
ARGUMENTS = {"name": "Skript", "text": 'Sie sagt: "Tee\n🍵", {[ und \\ dann.', "step": None}
BROKEN_FATES: tuple[Fate, ...] = ("stalled", "silent", "dropped", "ended_early", "malformed")
OUTAGES = (RATE_LIMITED, BROKEN, OVERLOADED)


@pytest.fixture(params=SERVICES)
async def at(
    request: pytest.FixtureRequest, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> AsyncGenerator[Wired]:
    """A stage at a service of each format."""
    async with wired(stage, request.param, monkeypatch) as made:
        yield made


def two_calls(**given: Any) -> Reply:
    written = (call("write_document", **ARGUMENTS), Call(name="list_objects"))
    return Reply(text=TEXT, calls=written, **given)


@pytest.mark.parametrize("piece", [1, 7, 10_000])
async def test_words_and_calls_arrive_whole_however_they_are_cut(at: Wired, piece: int) -> None:
    at.script.answers[:] = [two_calls(piece=piece)]
    inference = await at.ask()
    assert inference.content == TEXT
    assert spoken(at.said) == TEXT
    assert inference.calls == (
        ProposedCall(name="write_document", arguments=ARGUMENTS),
        ProposedCall(name="list_objects", arguments={}),
    )
    assert inference.model == SPECS[at.service]
    assert len(at.script.asked) == 1


@pytest.mark.parametrize("streams", [True, False])
async def test_tokens_are_counted_and_priced_streamed_or_not(at: Wired, *, streams: bool) -> None:
    if not streams:
        at.use(WholeModels(SPECS[at.service]))
    kept = 50 if at.service == "anthropic" else 0
    at.script.answers[:] = [two_calls(counted=Counted(fresh=1000, cached=400, kept=kept, output=7))]
    inference = await at.ask()
    assert bool(at.script.asked[0].get("stream")) is streams
    assert inference.calls[0].arguments == ARGUMENTS
    # USD for a million tokens, so micro-units for one: the table's rows of both models.
    price = {"openai": 1000 * 5 + 400 * 0.5 + 7 * 30, "anthropic": 2000 + 80 + 50 * 2.5 + 70}
    assert await at.model_calls() == [
        ("worker", "answered", 1400 + kept, 400, kept, 7, price[at.service])
    ]


async def test_what_a_service_does_not_count_is_not_made_up(at: Wired) -> None:
    at.script.answers[:] = [two_calls(counted=None)]
    await at.ask()
    ((_, outcome, counted, *_, price),) = await at.model_calls()
    if at.service == "openai":  # the other always counts
        assert (outcome, counted, price) == ("answered", None, None)


@pytest.mark.parametrize("fate", BROKEN_FATES)
async def test_an_answer_that_breaks_is_no_answer_and_is_asked_for_once(
    at: Wired, fate: Fate
) -> None:
    at.use(ChatModels(SPECS[at.service], patience_s=patience_for(fate)))
    at.script.answers[:] = [two_calls(fate=fate)]
    with pytest.raises(ModelUnavailableError) as told:
        await at.ask()
    assert type(told.value) is ModelUnavailableError
    assert len(at.script.asked) == 1, "the client asked again by itself"
    ((_, outcome, *counted),) = await at.model_calls()
    assert (outcome, counted) == ("broken", [None] * 5), "nobody has told us what it cost"
    if fate == "stalled":
        assert told.value.message.endswith("did not answer: nothing came for 2 s")
        assert TEXT.startswith(spoken(at.said))
        assert at.said


@pytest.mark.parametrize("fate", BROKEN_FATES)
async def test_an_answer_at_once_that_breaks_is_no_answer_either(at: Wired, fate: Fate) -> None:
    at.use(WholeModels(SPECS[at.service], patience_s=patience_for(fate)))
    at.script.answers[:] = [two_calls(fate=fate)]
    with pytest.raises(ModelUnavailableError):
        await at.ask()
    assert len(at.script.asked) == 1


@pytest.mark.parametrize(
    ("refusal", "kind"),
    [
        *((outage, ModelUnavailableError) for outage in OUTAGES),
        (TOO_LONG, ModelRefusedError),
        (UNAUTHORIZED, ModelSetupError),
        (Refusal(status=404, kind="not_found_error", message="no such model"), ModelSetupError),
    ],
    ids=lambda value: str(value.status) if isinstance(value, Refusal) else "",
)
async def test_a_refusal_says_who_can_mend_it_and_costs_nothing(
    at: Wired, refusal: Refusal, kind: type[Exception]
) -> None:
    at.script.answers[:] = [refusal]
    with pytest.raises(ModelUnavailableError) as told:
        await at.ask()
    assert type(told.value) is kind
    assert refusal.message in told.value.message
    assert len(at.script.asked) == 1, "the client asked again by itself"
    assert await at.model_calls() == [("worker", "refused", 0, 0, 0, 0, 0)]


async def test_a_call_that_was_cut_off_never_looks_like_a_whole_one(at: Wired) -> None:
    long = {"name": "Film", "text": "word " * 60}
    calls = (call("list_objects"), call("write_document", **long))
    at.script.answers[:] = [Reply(text="Here.", calls=calls, fate="cut_short")]
    inference = await at.ask()
    assert inference.content == "Here. …"
    first, second = inference.calls
    assert first == ProposedCall(name="list_objects", arguments={})
    assert (second.name, second.arguments) == ("write_document", {})
    assert second.error is not None
    assert second.error.startswith("Your answer was cut off")


async def test_half_an_object_is_not_mended_into_a_call(at: Wired) -> None:
    """Clients read `{"prompt": "a harb` as a prompt; nobody has asked for that picture."""
    at.script.answers[:] = [
        Reply(calls=(Call(name=PICTURE[0], arguments='{"name": "x", "prompt": "a harb'),))
    ]
    (proposed,) = (await at.ask()).calls
    assert proposed.arguments == {}
    assert proposed.error == "The arguments are not valid JSON."


# Through the graphs


def picture_reply(**given: Any) -> Reply:
    return Reply(calls=(call(PICTURE[0], **PICTURE[1]),), **given)


async def test_a_work_goes_through_from_plan_to_delivery(at: Wired) -> None:
    """The service refuses every history that is not legal for it, so each of them was."""
    poster = {"step": "posters", "prompt": "p", "name": "P"}
    at.script.otherwise = working(
        Reply(text="A plan.", calls=(call("propose_plan", **plan_arguments(2)),)),
        Reply(calls=(call("write_document", step="concept", name="C", text="Tea."),)),
        Reply(calls=(call("send money!", to="me"), Call(name="", arguments="nonsense"))),
        Reply(calls=tuple(call("generate_image", slot=slot, **poster) for slot in (1, 2))),
    )
    task_id = await at.stage.begin("two posters")
    (asked,) = await at.stage.machine.pending()
    await at.stage.machine.decide(asked, Decision.APPROVE)
    await at.stage.machine.drain()
    assert (await at.stage.task(task_id))[0] == "completed"
    assert len(at.stage.vendor.orders) == 2
    await at.stage.check()


async def test_what_a_task_used_is_shown_with_it_and_with_the_workspace(at: Wired) -> None:
    at.script.otherwise = working(picture_reply(), route="lightweight")
    task_id = await at.stage.begin("a picture")
    assert (await at.stage.task(task_id))[0] == "completed"
    machine = at.stage.machine
    async with machine.deps.pools.domain.connection() as conn:
        task = await views.task(conn, machine.workspace_id, TaskId(task_id))
        account = await views.account(conn, machine.workspace_id)
    each = 100 * 5 + 20 * 30 if at.service == "openai" else 100 * 2 + 20 * 10
    used = {"calls": 1, "uncounted": 0, "unpriced": 0, "input_tokens": 100, "cached_tokens": 0,
            "cache_write_tokens": 0, "output_tokens": 20, "price_micros": each}  # fmt: skip
    assert task["model_usage"] == {
        "currency": "USD",
        **used,
        "models": [{"model": SPECS[at.service], **used}],
    }
    routing_too = account["model_usage"]
    assert (routing_too["calls"], routing_too["price_micros"]) == (2, 2 * each)
    assert account["budget"]["settled_micros"] == PRICE
    await at.stage.check()


@pytest.mark.parametrize("outage", [*OUTAGES, *BROKEN_FATES], ids=str)
async def test_an_outage_is_waited_for_and_the_step_is_repeated_once(
    at: Wired, database_clock: DatabaseClock, outage: Refusal | Fate
) -> None:
    """Half an answer orders nothing; the picture is made and paid once, when it comes whole."""
    at.use(ChatModels(SPECS[at.service], patience_s=patience_for(outage)))
    failed = outage if isinstance(outage, Refusal) else picture_reply(fate=outage)
    at.script.otherwise = working(failed, failed, picture_reply(), route="lightweight")
    task_id = await at.stage.begin("a picture")
    for _ in range(2):
        assert (await at.stage.task(task_id))[0] == "active"
        assert at.stage.vendor.requests == []
        await at.stage.check()
        await database_clock.advance(timedelta(seconds=65))
        await at.stage.machine.drain()
    assert (await at.stage.task(task_id))[0] == "completed"
    assert len(at.stage.vendor.orders) == 1
    outcomes = [outcome for _, outcome, *_ in await at.model_calls()]
    ended = "refused" if isinstance(outage, Refusal) else "broken"
    assert outcomes == ["answered", ended, ended, "answered"]
    assert len(at.script.asked) == 4
    await at.stage.check()


async def test_a_key_that_is_refused_is_told_as_a_fault_of_the_setup(
    at: Wired, database_clock: DatabaseClock
) -> None:
    at.script.otherwise = working(*[UNAUTHORIZED] * 5, picture_reply(), route="lightweight")
    task_id = await at.stage.begin("a picture")
    for _ in range(4):
        await database_clock.advance(timedelta(seconds=65))
        await at.stage.machine.drain()
    status, waiting, reason = await at.stage.task(task_id)
    assert (status, waiting) == ("waiting", "provider")
    assert f"The chat model {SPECS[at.service]} is not set up" in reason
    assert "Whoever runs Atelier must correct the setting" in reason
    assert "nobody" not in reason, "the key itself is shown to nobody"
    await at.stage.check()


async def test_a_message_to_a_model_that_is_not_set_up_is_answered_with_that(
    at: Wired, database_clock: DatabaseClock
) -> None:
    at.script.otherwise = UNAUTHORIZED
    await at.stage.machine.say("hello")
    for _ in range(6):
        await at.stage.machine.drain()
        await database_clock.advance(timedelta(seconds=65))
    ((said,),) = await at.stage.machine.rows("select text from messages where role = 'assistant'")
    assert "is not set up: its service refused the key" in said
    await at.stage.check()


async def test_a_model_without_its_key_is_told_the_same_way(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with wired(stage, "openai", monkeypatch) as at:
        monkeypatch.delenv("OPENAI_API_KEY")
        with pytest.raises(ModelSetupError) as told:
            await at.ask()
        assert "OPENAI_API_KEY" in told.value.message
        assert at.script.asked == []


async def test_a_model_that_cannot_be_forced_to_route_is_asked_to(
    at: Wired, database_clock: DatabaseClock
) -> None:
    """Some refuse a forced call; the router's prompt demands it in words. That is learned once."""
    choose = working(picture_reply(), picture_reply(), route="lightweight")

    def unforced(body: dict[str, Any]) -> Answer:
        if body.get("tool_choice"):
            return Refusal(
                status=400, kind="invalid_request_error", message="tool_choice: not supported here"
            )
        return choose(body)

    at.script.otherwise = unforced
    message_id = await at.stage.machine.say("a picture")
    for _ in range(2):
        await at.stage.machine.drain()
        await database_clock.advance(timedelta(seconds=10))
    task_id = await at.stage.machine.task_of(message_id)
    assert (await at.stage.task(task_id))[0] == "completed"
    await at.stage.begin("another picture")
    assert [bool(body.get("tool_choice")) for body in at.script.asked] == [True, *[False] * 4]
    await at.stage.check()
