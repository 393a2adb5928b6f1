"""Messages of a workspace are routed one after another; who is done lets the next one begin."""

from execution import leases
from execution.tx import Tx
from nodes.state import RunContext


async def let_the_next(tx: Tx, run: RunContext) -> None:
    """Let the workspace's next message be routed, if this one still kept it waiting."""
    following = await leases.release_order(tx.conn, run.thread)
    if following is not None:
        tx.woken.add(following)
