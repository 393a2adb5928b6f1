"""Log lines: ours and those of libraries in one form, with what was bound for the run."""

import json
import logging
from uuid import UUID

import pytest

from infra.telemetry import bound, configure_logging, get_logger


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    captured = capsys.readouterr()
    assert captured.out == ""
    return [json.loads(line) for line in captured.err.splitlines()]


def test_our_lines_and_those_of_libraries_have_one_form(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logging("info", "json")
    get_logger("ours").info("lease_renewed", generation=3)
    logging.getLogger("theirs").warning("slow %s", "query")
    ours, theirs = lines(capsys)
    assert ours["event"] == "lease_renewed"
    assert ours["generation"] == 3
    assert theirs["event"] == "slow query"
    assert ours.keys() - {"generation"} == theirs.keys()


def test_what_is_bound_for_a_run_is_on_each_of_its_lines(
    capsys: pytest.CaptureFixture[str],
) -> None:
    configure_logging("info", "json")
    with bound(task_id=UUID(int=7), generation=2):
        logging.getLogger("theirs").warning("inside")
    get_logger("ours").info("outside")
    inside, outside = lines(capsys)
    assert (inside["task_id"], inside["generation"]) == (str(UUID(int=7)), 2)
    assert "task_id" not in outside


def test_an_exception_keeps_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("info", "json")
    get_logger("ours").error("task_failed", exc_info=ZeroDivisionError("no"))
    (line,) = lines(capsys)
    assert "ZeroDivisionError: no" in str(line["exception"])


def test_what_is_below_the_level_is_silent(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("warning", "json")
    get_logger("ours").info("quiet")
    logging.getLogger("httpx").info("GET with a key in the address")
    assert lines(capsys) == []


def test_chatty_libraries_are_silent_at_info(capsys: pytest.CaptureFixture[str]) -> None:
    configure_logging("info", "json")
    logging.getLogger("httpx").info("GET with a key in the address")
    assert lines(capsys) == []
