"""Which events belong to a message, and when its exchange is over."""

from typing import Any

from server.exchange import Exchange
from server.hub import Frame


def frame(event_type: str, *, task: str | None = None, **data: Any) -> Frame:
    return Frame(type=event_type, body=b"", data=data, seq=1, task=task)


def message(event_type: str, *, task: str | None = None, identity: str = "m") -> Frame:
    return frame(event_type, task=task, id=identity, task_id=task)


def test_other_messages_and_tasks_do_not_belong() -> None:
    exchange = Exchange("m")
    assert not exchange.take(message("message.received", identity="other"))
    assert not exchange.take(frame("task.updated", task="t", id="t"))
    assert not exchange.take(frame("assistant.completed", id="a", reply_to="other", task_id=None))
    assert exchange.ended is None


def test_what_its_task_does_belongs_from_its_delivery_on() -> None:
    exchange = Exchange("m")
    assert exchange.take(message("message.delivered", task="t"))
    for event_type in ("job.submitted", "approval.requested", "checklist.updated", "step.started"):
        assert exchange.take(frame(event_type, task="t"))
    assert not exchange.take(frame("job.submitted", task="other"))


def test_pieces_of_its_own_replies_belong() -> None:
    exchange = Exchange("m")
    piece = frame("assistant.delta", message_id="a", text="x")
    assert not exchange.take(piece)
    assert exchange.take(frame("assistant.started", message_id="a", reply_to="m", task_id=None))
    assert exchange.take(piece)


def test_only_a_turn_that_has_read_it_ends_it_by_waiting() -> None:
    exchange = Exchange("m")
    exchange.take(message("message.delivered", task="t"))
    exchange.take(frame("task.waiting", task="t", id="t"))
    assert exchange.ended is None
    exchange.take(message("message.consumed", task="t"))
    exchange.take(frame("task.waiting", task="t", id="t"))
    assert exchange.ended == "task.waiting"


def test_the_first_end_stays() -> None:
    exchange = Exchange("m")
    exchange.take(message("message.withdrawn"))
    exchange.take(message("message.answered"))
    assert exchange.ended == "message.withdrawn"
