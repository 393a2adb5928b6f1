"""Asks providers to stop what nobody wants any more: a request, never an end.

A provider that says yes may work on and charge; only a later read of the job settles it. Asking
twice, after a crash between the request and its record, changes nothing at any provider.
"""

from execution import jobs, ledger
from infra.providers.ports import JobRef, Lane, ProviderError
from infra.telemetry import get_logger
from server.workers.order import Order

_log = get_logger(__name__)


async def ask(order: Order, ref: JobRef) -> None:
    """Ask the job's provider once to stop it, if nobody wants it any more and it can be asked."""
    if not order.job.is_to_be_cancelled:
        return
    log = _log.bind(job_id=str(order.job_id), provider=order.provider.name)
    if order.provider.capabilities.cancel != "none":
        try:
            result = await order.provider.cancel(ref)
        except ProviderError as error:
            log.info("cancel_not_taken", reason=error.message)
            return  # asked again at the next look
        log.info("cancel_sent", result=result.value)
        async with order.tx() as tx:
            await jobs.check(tx, order.job)
            await ledger.advance(
                tx, order.call_key, "cancel_requested", leaving=("accepted", "running")
            )
            await jobs.note_cancel(tx, order.job)
        return
    async with order.tx() as tx:
        await jobs.note_cancel(tx, order.job)


async def is_unwanted_here(order: Order) -> bool:
    """Tell whether work on this very machine is not wanted any more, and may just end."""
    if order.provider.capabilities.lane is not Lane.HERE:
        return False
    async with order.deps.pools.domain.connection() as conn:
        return await jobs.is_unwanted(conn, order.job_id)
