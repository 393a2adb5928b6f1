"""Tells an outage of the database in one line, without the traceback of every part that meets it.

A database that is away is met by each pool, listener and consumer, again and again, and none of
their tracebacks says more than its last line. Lines of libraries about it are told once in a while.
"""

import logging
import sys
from typing import Any, cast, override

import psycopg

from infra import clock

_AGAIN_SECONDS = 30.0
_POOL = "psycopg.pool"
_LIBRARIES = (_POOL, "procrastinate")
_SESSION_ENDED = (
    psycopg.errors.IdleInTransactionSessionTimeout,
    psycopg.errors.TransactionTimeout,
    psycopg.InterfaceError,
)
_CLASSES = ("08", "53", "57")
"""Of SQLSTATE: connections, resources, what the operator does."""


def outage(error: BaseException | None) -> str | None:
    """Return what the database's side said, if an error comes of its being away; else None."""
    while error is not None:
        if isinstance(error, psycopg.Error) and _says_nothing_of_the_statement(error):
            return "; ".join(str(error).split("\n")).replace("\t", "").strip(" ;") or "it is away"
        error = error.__cause__ or error.__context__
    return None


def _says_nothing_of_the_statement(error: psycopg.Error) -> bool:
    if isinstance(error, _SESSION_ENDED):
        return True
    if not isinstance(error, psycopg.OperationalError):
        return False
    if isinstance(error, psycopg.errors.QueryCanceled):
        return False
    return error.sqlstate is None or error.sqlstate.startswith(_CLASSES)


class OutageFilter(logging.Filter):
    """For a log handler: turns tracebacks about an outage into their last line."""

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[str, float] = {}

    @override
    def filter(self, record: logging.LogRecord) -> bool:
        said = outage(_error_of(record))
        if said is None and record.name == _POOL and record.levelno >= logging.WARNING:
            said = "; ".join(line.strip() for line in record.getMessage().splitlines())
        if said is None:
            return True
        _shorten(record, said)
        return not record.name.startswith(_LIBRARIES) or self._is_due(record.name)

    def _is_due(self, name: str) -> bool:
        now = clock.monotonic()
        if now - self._told.get(name, -_AGAIN_SECONDS) < _AGAIN_SECONDS:
            return False
        self._told[name] = now
        return True


def tell_outages_briefly() -> None:
    """Put the filter before every handler of this process's log."""
    for handler in logging.getLogger().handlers:
        handler.addFilter(OutageFilter())


def _error_of(record: logging.LogRecord) -> BaseException | None:
    """Return the exception of a line, ours (a dictionary of values) or a library's."""
    found: Any = record.exc_info
    if isinstance(record.msg, dict):
        found = cast("dict[str, Any]", record.msg).get("exc_info") or found
    if found is True:
        found = sys.exception()
    if isinstance(found, tuple):
        found = cast("tuple[Any, ...]", found)[1]
    return found if isinstance(found, BaseException) else None


def _shorten(record: logging.LogRecord, said: str) -> None:
    record.exc_info = record.exc_text = None
    if isinstance(record.msg, dict):
        values = cast("dict[str, Any]", record.msg)
        values.pop("exc_info", None)
        values["error"] = said
    else:
        record.msg, record.args = f"the database does not answer: {said}", ()
