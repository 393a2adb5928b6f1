"""`reply`: Main answers by itself, streamed; the message's thread is done."""

from langgraph.runtime import Runtime

from execution import effects, leases, messages
from execution.transactions import work
from infra.deps import Deps
from infra.ids import MessageId, new_id
from infra.providers.models import ModelRole
from memory import routing
from memory.shown import shown
from nodes.main.sentences import say
from nodes.prompting import load_prompt
from nodes.state import MainState, RunContext

BY_THE_PERSON = 3
"""The layer of a route that an answer, or its absence, has decided."""


async def reply(state: MainState, runtime: Runtime[RunContext], *, deps: Deps) -> dict[str, str]:
    """Answer once; a re-run finds the answer and only closes the thread.

    Where a question of ours has stayed unanswered, code says so and no model is asked.
    """
    run = runtime.context
    cause = f"reply {run.thread_id}"
    reply_id = MessageId(new_id())
    async with deps.pools.domain.connection() as conn:
        answered = await messages.has_reply(conn, run.workspace, cause)
        message = await messages.get(conn, run.workspace, run.message)
        route = await messages.get_route(conn, run.workspace, run.message)
        found = await routing.candidates(conn, deps.embedder, run.workspace, message)
        prompt = await routing.prompt(
            conn,
            deps,
            run.workspace,
            message,
            found,
            shown=await shown(conn, run.workspace, about=message.object_ids),
            rules=load_prompt("reply"),
        )
    text = ""
    if route is not None and route.layer == BY_THE_PERSON:
        text = say("unanswered", route.language)
    elif not answered:
        inference = await effects.infer(
            deps,
            ModelRole.REPLY,
            prompt,
            asker=run.as_message,
            on_text=lambda offset, text: deps.signals.delta(
                run.workspace, reply_id, generation=run.generation, offset=offset, text=text
            ),
        )
        text = inference.content or "…"
    async with work(deps, run.workspace, fence=run.fence, cause=run.turn_id) as tx:
        if text and not answered:
            await messages.say(
                tx,
                text=text,
                language=route.language if route else message.language,
                cause=cause,
                message_id=reply_id,
                reply_to=run.message,
            )
            await messages.advance(tx, run.message, "answered")
        await leases.finish(tx.conn, run.fence, outcome="answered")
    return {"outcome": "answer"}
