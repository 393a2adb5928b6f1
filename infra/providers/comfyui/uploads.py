"""Input files of a workflow, given to the server before the workflow is.

An upload orders nothing: whatever becomes of it, no job was made, and it may be sent again. The
name has the attempt's id and replaces what has the same name, so sending again is safe
(server.py of ComfyUI 0.3.64, 2026-11).
"""

import asyncio
import mimetypes
import re
from pathlib import Path

import httpx

from infra.media_types import HEAD_BYTES, media_type_of
from infra.providers.http.refusals import by_status
from infra.providers.http.transport import Transport
from infra.providers.ports import (
    Attempt,
    NotDeliveredError,
    OutcomeUnknownError,
    RejectedError,
)

_FOLDER = "atelier"
_MOST_BYTES = 100 << 20
"""What a server takes unless it was started with another `--max-upload-size`."""


async def upload(transport: Transport, base_url: str, attempt: Attempt, name: str) -> str:
    """Hand one of an attempt's files over and return what a workflow calls it by.

    Raises:
        NotDeliveredError: the server may not have it.
        QuotaError: the server has no room now.
        RejectedError: the server does not take it.
    """
    form = await asyncio.to_thread(_form, base_url, attempt, name)
    try:
        answer = await transport.ask(
            "POST",
            str(form.url),
            headers={"Content-Type": form.headers["content-type"]},
            body=form.content,
        )
    except OutcomeUnknownError as error:
        message = f"An input was not handed over, and nothing was ordered. {error.message}"
        raise NotDeliveredError(message) from error
    if answer.is_refusal:
        raise by_status(transport.vendor, answer)
    stored = answer.json.get("name")
    if not answer.is_success or not isinstance(stored, str) or not stored:
        message = f"An input was not taken ({answer.status}), and nothing was ordered."
        raise NotDeliveredError(message)
    folder = answer.json.get("subfolder")
    return f"{folder}/{stored}" if isinstance(folder, str) and folder else stored


def _form(base_url: str, attempt: Attempt, name: str) -> httpx.Request:
    """Return the upload as a request that is not sent; reads the file."""
    data = _content(attempt.files[name], name)
    media_type = media_type_of(data[:HEAD_BYTES])
    file_name = re.sub(r"\W", "_", name) + (mimetypes.guess_extension(media_type) or "")
    request = httpx.Request(
        "POST",
        f"{base_url}/upload/image",
        data={"type": "input", "subfolder": _FOLDER, "overwrite": "true"},
        files={"image": (f"{attempt.attempt_id}_{file_name}", data, media_type)},
    )
    request.read()
    return request


def _content(path: Path, name: str) -> bytes:
    if path.stat().st_size > _MOST_BYTES:
        message = f"The input '{name}' is larger than {_MOST_BYTES >> 20} MB."
        raise RejectedError(message)
    return path.read_bytes()
