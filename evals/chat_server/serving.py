"""Runs both wire formats on a free port of this machine, within the caller's loop."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from evals.chat_server.anthropic import AnthropicDialect
from evals.chat_server.openai import OpenAIDialect
from evals.chat_server.script import Script
from evals.chat_server.streaming import Streams
from evals.simulator.serving import serve
from evals.simulator.wire import Wires


@asynccontextmanager
async def chat_server(script: Script) -> AsyncGenerator[str]:
    """Answer from a script for as long as the block lasts; gives the server's address.

    OpenAI's clients want `/v1` behind it, Anthropic's nothing.
    """
    wires = Wires()
    streams = Streams(wires)
    routes = [*OpenAIDialect(script, streams).routes, *AnthropicDialect(script, streams).routes]
    async with serve(routes, wires) as address:
        yield address
