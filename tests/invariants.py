"""What must hold after every fault and every run; `evals.invariants` reads it from the tables."""

from collections.abc import Iterable, Sequence

from langchain_core.messages import BaseMessage

from evals.invariants import ProviderLog, broken
from infra.db.query import Conn


async def check(
    conn: Conn, provider_log: ProviderLog, *, prompts: Iterable[Sequence[BaseMessage]] = ()
) -> None:
    """Fail unless every promise holds; `prompts` are the inputs that models were given."""
    assert await broken(conn, provider_log, prompts=prompts) == []
