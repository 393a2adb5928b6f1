"""`/hooks`: a generation service says that a job has news. It is a hint to read that job now.

The address carries the attempt and a MAC, so nobody else can call it; where the service signs its
calls, an unsigned one is refused. Of a signed one only the service's own name of the job is
believed, which finds a job whose answer was lost. What became of the job is always read anew, by
an executor, with our own key.
"""

from http import HTTPStatus

from fastapi import APIRouter, Request
from starlette.responses import Response

from execution import jobs
from execution.errors import NotFoundError
from infra import clock
from infra.ids import JobId
from infra.providers.callbacks import PATH
from infra.telemetry import get_logger
from server.context import Opened
from server.errors import InvalidSignatureError

_log = get_logger(__name__)

router = APIRouter(prefix=PATH, include_in_schema=False)


@router.post("/{provider}/{tag}", status_code=HTTPStatus.NO_CONTENT)
async def take_hint(provider: str, tag: str, request: Request, opened: Opened) -> Response:
    """Let the job that a service has news of be read at once; the same again changes nothing."""
    deps = opened.deps
    attempt_id = deps.callbacks.attempt_in(provider, tag) if deps.callbacks else None
    if attempt_id is None:
        msg = "There is nothing at this address."
        raise NotFoundError(msg)
    named = None
    if (verifier := deps.verifiers.get(provider)) is not None:
        body = await request.body()
        hint = await verifier.verify(request.headers, body, clock.unix_ms() / 1000)
        if hint is None:
            _log.warning("hook_not_signed", provider=provider, job_id=str(attempt_id))
            raise InvalidSignatureError
        named = hint.job_id
    job_id = JobId(attempt_id)
    async with opened.pool.connection() as conn:
        lane = await jobs.hint(conn, job_id, named)
    if lane is not None:
        deps.signals.wake_job(job_id, lane)
    return Response(status_code=HTTPStatus.NO_CONTENT)
