"""What the HTTP edge answers when something goes wrong: problem+json with a stable code, one table.

AppError                       (roots: infra.errors, execution.errors)
├── InvalidRequestError        the request itself cannot be understood
├── BodyTooLargeError          more bytes than a route takes
├── InvalidSignatureError      a provider's call is not signed by it
├── RangeUnsatisfiableError    no byte of the file is in the range asked for
├── PageMissingError           the page was not built
├── ConflictError
│   └── KeyReusedError         the same Idempotency-Key came with another request
├── RetryableError
│   ├── DatabaseUnavailableError
│   └── HeldError              others work on the same for longer than one waits for them
└── OperatorError              told to the person who starts the process
    ├── PortTakenError · AddressUnusableError
    └── DemoError              the demonstration could not finish

`detail` is a sentence for a person. What nobody foresaw is logged and answered as `internal_error`:
neither a traceback nor an internal name leaves the process.
"""

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any

import psycopg
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from execution.errors import (
    BudgetExhaustedError,
    CapabilityError,
    ConflictError,
    InvalidCallError,
    NotFoundError,
    PermissionDeniedError,
)
from infra.errors import (
    AppError,
    DiskFullError,
    FatalRunError,
    OperatorError,
    RetryableError,
    ToolRefusedError,
    default_message,
)
from infra.sanitize import clean_text
from infra.telemetry import get_logger
from workspace.errors import VersionConflictError

_log = get_logger(__name__)

MEDIA_TYPE = "application/problem+json"
_MAX_ERRORS = 5
_MAX_NAME = 60


class InvalidRequestError(AppError):
    """The request is not valid."""

    code = "invalid_request"


class BodyTooLargeError(AppError):
    """The request has more bytes than may be sent here."""

    code = "body_too_large"

    def __init__(self, most: int) -> None:
        self.most = most
        super().__init__(f"A request may have {most:,} bytes at most.")


class InvalidSignatureError(AppError):
    """This call is not signed by its provider."""

    code = "invalid_signature"


class RangeUnsatisfiableError(AppError):
    """The file is shorter than the range that was asked for."""

    code = "range_not_satisfiable"

    def __init__(self, size: int) -> None:
        self.size = size
        super().__init__(f"The file has {size:,} bytes; the range asked for lies outside of them.")


class PageMissingError(AppError):
    """The page has not been built: run `make web`, or use the API below /v1."""

    code = "page_missing"


class KeyReusedError(ConflictError):
    """This Idempotency-Key was used for another request."""

    code = "idempotency_key_reused"


class DatabaseUnavailableError(RetryableError):
    """The database does not answer at the moment; nothing was changed. Try again shortly."""

    code = "database_unavailable"


class HeldError(RetryableError):
    """What is at work there holds it for the moment; nothing was changed. Try again shortly."""

    code = "held"


class PortTakenError(OperatorError):
    """The port is in use; `running` is the address of our own server, if it is that."""

    code = "port_taken"

    def __init__(self, host: str, port: int, *, running: str | None = None) -> None:
        self.host = host
        self.port = port
        self.running = running
        if running is not None:
            super().__init__(f"Atelier already runs at {running} on this data folder.")
            return
        super().__init__(
            f"Port {port} of {host} is in use by another program. End that program, or choose"
            " another port with ATELIER_PORT."
        )


class AddressUnusableError(OperatorError):
    """The address cannot be listened on."""

    code = "address_unusable"

    def __init__(self, host: str, port: int, reason: str) -> None:
        super().__init__(f"Nothing can listen on {host}, port {port}: {reason}.")


class DemoError(OperatorError):
    """The demonstration could not finish."""

    code = "demo"


_STATUS: tuple[tuple[type[AppError], HTTPStatus], ...] = (
    (NotFoundError, HTTPStatus.NOT_FOUND),
    (InvalidRequestError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (InvalidCallError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (BodyTooLargeError, HTTPStatus.REQUEST_ENTITY_TOO_LARGE),
    (InvalidSignatureError, HTTPStatus.UNAUTHORIZED),
    (RangeUnsatisfiableError, HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE),
    (PageMissingError, HTTPStatus.SERVICE_UNAVAILABLE),
    (KeyReusedError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (ConflictError, HTTPStatus.CONFLICT),
    (PermissionDeniedError, HTTPStatus.FORBIDDEN),
    (BudgetExhaustedError, HTTPStatus.CONFLICT),
    (CapabilityError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (ToolRefusedError, HTTPStatus.UNPROCESSABLE_ENTITY),
    (RetryableError, HTTPStatus.SERVICE_UNAVAILABLE),
    (FatalRunError, HTTPStatus.CONFLICT),
    (DiskFullError, HTTPStatus.INSUFFICIENT_STORAGE),
    (OperatorError, HTTPStatus.INTERNAL_SERVER_ERROR),
    (AppError, HTTPStatus.INTERNAL_SERVER_ERROR),
)
"""The mapping: the first row whose class fits decides."""

_CODES = {
    HTTPStatus.BAD_REQUEST: "invalid_request",
    HTTPStatus.NOT_FOUND: "not_found",
    HTTPStatus.METHOD_NOT_ALLOWED: "method_not_allowed",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "body_too_large",
}
_SENTENCES = {
    HTTPStatus.BAD_REQUEST: "The body could not be read as JSON.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This address does not take this method.",
}
_RETRY_SECONDS = "2"
_PASSING = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    psycopg.errors.IdleInTransactionSessionTimeout,
    psycopg.errors.TransactionTimeout,
)
"""Errors of the database that say nothing about the request."""
HELD = (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected)
"""Another transaction had the rows for longer than one may wait for them."""


def problem(
    status: int,
    code: str,
    detail: str,
    *,
    headers: Mapping[str, str] | None = None,
    **extra: Any,
) -> JSONResponse:
    """Return a problem+json answer; `detail` is a sentence for a person."""
    content = {
        "type": f"urn:atelier:problem:{code}",
        "title": HTTPStatus(status).phrase,
        "status": int(status),
        "detail": clean_text(detail),
        "code": code,
        **extra,
    }
    return JSONResponse(content, status_code=status, headers=headers, media_type=MEDIA_TYPE)


def register(app: FastAPI) -> None:
    """Make every failure of the app's routes a problem."""
    app.add_exception_handler(AppError, _app_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(psycopg.Error, _database_error)
    app.add_exception_handler(Exception, _unforeseen)


def status_of(error: AppError) -> HTTPStatus:
    """Return the HTTP status that stands for an error."""
    return next(status for kind, status in _STATUS if isinstance(error, kind))


async def _app_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, AppError)  # noqa: S101 - registered for this class
    status = status_of(error)
    headers: dict[str, str] = {}
    extra: dict[str, Any] = {}
    code = InvalidRequestError.code if isinstance(error, InvalidCallError) else error.code
    if isinstance(error, RetryableError):
        headers["Retry-After"] = _RETRY_SECONDS
    if isinstance(error, RangeUnsatisfiableError):
        headers["Content-Range"] = f"bytes */{error.size}"
    if isinstance(error, ToolRefusedError):
        extra["refusal"] = error.code
    if isinstance(error, VersionConflictError):
        extra["current_version"] = error.current_version
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR and not isinstance(error, RetryableError):
        _log.error("request_failed", code=error.code, error=error.message)
    return problem(status, code, error.message, headers=headers, **extra)


async def _validation_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for this class
    found = [_field_error(item) for item in error.errors()[:_MAX_ERRORS]]
    return problem(
        HTTPStatus.UNPROCESSABLE_ENTITY,
        InvalidRequestError.code,
        " ".join(item["message"] for item in found) or default_message(InvalidRequestError),
        errors=found,
    )


def _field_error(item: Mapping[str, Any]) -> dict[str, str]:
    name = _field_name(item["loc"])
    match item["type"]:
        case "missing" if not name:
            message = "The body is missing; send a JSON object as application/json."
        case "missing":
            message = f"{name} is missing."
        case "json_invalid":
            message = f"The body is not valid JSON: {item['ctx']['error']}."
        case "string_too_short":
            message = f"{name} must not be empty."
        case "string_too_long":
            message = f"{name} has more than {item['ctx']['max_length']:,} characters."
        case "extra_forbidden":
            message = f"{name} is not known here."
        case "model_attributes_type" | "dict_type" if not name:
            message = "The body must be a JSON object, sent as application/json."
        case _:
            said = str(item["msg"]).removeprefix("Value error, ").removesuffix(".")
            message = f"{name}: {said}." if name else f"{said}."
    return {"field": name, "message": clean_text(message)}


def _field_name(location: Sequence[int | str]) -> str:
    if location and location[0] == "body" and len(location) > 1 and isinstance(location[1], int):
        return ""
    name = ".".join(str(part) for part in location[1:])
    return clean_text(name)[:_MAX_NAME]


async def _http_error(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this class
    status = HTTPStatus(error.status_code)
    code = _CODES.get(status, status.name.lower())
    return problem(status, code, _SENTENCES.get(status, error.detail), headers=error.headers)


async def _database_error(request: Request, error: Exception) -> JSONResponse:
    if not isinstance(error, _PASSING):
        return await _unforeseen(request, error)
    _log.warning("database_unavailable", path=request.url.path, error=str(error).strip())
    if isinstance(error, psycopg.errors.DiskFull):
        return problem(
            HTTPStatus.INSUFFICIENT_STORAGE,
            DiskFullError.code,
            "The disk of the database is full; nothing was changed. Free some room and retry.",
            headers={"Retry-After": _RETRY_SECONDS},
        )
    is_held = isinstance(error, HELD)
    return await _app_error(request, HeldError() if is_held else DatabaseUnavailableError())


async def _unforeseen(request: Request, error: Exception) -> JSONResponse:
    _log.error("request_failed", path=request.url.path, exc_info=error)
    return problem(
        HTTPStatus.INTERNAL_SERVER_ERROR,
        "internal_error",
        "Something went wrong here that nobody foresaw. It has been logged.",
    )
