"""An outage of the database is one line of the log; other failures keep their tracebacks."""

import logging

import psycopg
import pytest
from procrastinate.exceptions import ConnectorException

from infra.supervision import EssentialTaskEndedError
from infra.telemetry import configure_logging, get_logger
from server.outages import outage, tell_outages_briefly

NOWHERE = "postgresql://nobody@127.0.0.1:1/nothing"


def set_up() -> None:
    configure_logging("info", "console")
    tell_outages_briefly()


def refused() -> psycopg.OperationalError:
    """What a driver says of a server that is not there."""
    with pytest.raises(psycopg.OperationalError) as caught:
        psycopg.connect(NOWHERE)
    return caught.value


def ended_by(cause: Exception) -> EssentialTaskEndedError:
    """What a supervisor says when a part of the queue met this."""
    queue, ended = ConnectorException(), EssentialTaskEndedError("jobs")
    queue.__cause__, ended.__cause__ = cause, queue
    return ended


def test_a_traceback_about_an_outage_becomes_its_last_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up()
    error = ended_by(refused())
    get_logger("ours").error("task_failed", task="jobs", exc_info=error)
    logging.getLogger("procrastinate.utils").error("listener error: %r", error, exc_info=error)
    try:
        raise error
    except EssentialTaskEndedError:
        get_logger("ours").exception("turn_failed")
    ours, theirs, raised = capsys.readouterr().err.splitlines()
    assert "task_failed" in ours
    assert "task=jobs" in ours
    for line in (ours, theirs, raised):
        assert "Connection refused" in line


def test_what_is_no_outage_keeps_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    set_up()
    get_logger("ours").error("turn_failed", exc_info=ended_by(ZeroDivisionError("by nought")))
    said = capsys.readouterr().err
    assert "ZeroDivisionError: by nought" in said
    for kind in (psycopg.errors.ForeignKeyViolation, psycopg.errors.QueryCanceled):
        assert outage(ended_by(kind("no"))) is None


def test_a_library_tells_the_same_outage_once_in_a_while(
    capsys: pytest.CaptureFixture[str],
) -> None:
    set_up()
    log = logging.getLogger("psycopg.pool")
    for number in range(20):
        log.warning("error connecting in %r: refused\n\tIs it running? %s", "atelier", number)
    (line,) = capsys.readouterr().err.splitlines()
    assert "refused; Is it running?" in line


def test_every_way_of_the_database_to_go_is_an_outage() -> None:
    for kind in (
        psycopg.OperationalError,
        psycopg.InterfaceError,
        psycopg.errors.AdminShutdown,
        psycopg.errors.CannotConnectNow,
        psycopg.errors.IdleInTransactionSessionTimeout,
    ):
        assert outage(kind("gone\n\tfor good")) == "gone; for good"
