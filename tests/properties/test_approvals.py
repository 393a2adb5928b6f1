"""Questions about paid calls and choices: asked together, answered in any order, late or twice.

Whatever the person, the clock, a stop or a redelivery does, an answer is used at most once, and
what runs has the hash that was approved. A person may change a paid call: what costs no more is
thereby approved, what costs more is asked anew.
"""

from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import rule

from execution import approvals, tasks
from execution.approvals import Approval
from execution.errors import (
    AlreadyDecidedError,
    InvalidCallError,
    SupersededError,
)
from infra.ids import ApprovalId
from server.workers.watchdog import sweep
from tests.properties.ground import Ground, play
from tests.properties.questions import BACK, WIDTH, Asked, Questions, is_open_call
from tools import edits

WIDTHS = st.sampled_from((300, 600, WIDTH, 2000, 3000))
INVALID: dict[str, dict[str, Any]] = {
    "value": {"width": 5},
    "unknown": {"colour": "red"},
    "place": {"slot": 2},
    "nothing": {},
}


class EditedQuestions(Questions):
    """The same questions, and a person who changes the calls before the yes."""

    edits = 0

    async def _edit(self, asked: Asked, edited: dict[str, Any], **given: Any) -> Approval:
        values: dict[str, Any] = {
            "edited": edited,
            "args_hash": asked.shown.args_hash,
            "note": None,
            "decided_by": "person",
            **given,
        }
        async with self.world.work() as tx:
            approval_id = ApprovalId(asked.shown.approval_id)
            shown = await edits.edit(tx, self.world.deps, approval_id, **values)
            return await approvals.get(tx.conn, tx.workspace_id, shown)

    def _change(self, width: int) -> dict[str, Any]:
        """A change that no other one is like."""
        self.edits += 1
        return {"prompt": f"harbour {self.edits}", "width": width}

    def _no_edit(self, asked: Asked) -> type[Exception] | None:
        """Why a good edit is refused."""
        if asked.kind != "call":
            return InvalidCallError
        return self.gone(asked) or (SupersededError if asked.of.is_tampered else None)

    def _edited(self, asked: Asked, after: Approval) -> None:
        """An edit has counted: as the answer if the person had seen as high a price."""
        width = after.card["arguments"]["width"]
        width = (after.decision or {}).get("edited", {}).get("width", width)
        asked.of.price = width // 10
        if asked.of.price <= asked.maximum:
            assert (after.approval_id, after.status) == (asked.shown.approval_id, "approved")
            asked.status, asked.is_changed = "approved", True
            return
        assert (after.status, after.maximum_micros) == ("pending", asked.of.price)
        assert after.card["replaces"] == str(asked.shown.approval_id)
        asked.status = "superseded"
        expires = self.now + 30 * 24
        newer = Asked("call", asked.key, after, expires, of=asked.of, is_changed=True)
        self.asked.append(newer)

    @rule(back=BACK, width=WIDTHS)
    def edit(self, back: int, width: int) -> None:
        self._check_edit(self.one(back), width)

    @rule(back=BACK, width=WIDTHS)
    def edit_what_is_open(self, back: int, width: int) -> None:
        self._check_edit(self.one(back, is_open_call), width)

    @rule(back=BACK, width=WIDTHS)
    def edit_and_look(self, back: int, width: int) -> None:
        """What an edit has approved runs at once."""
        self._check_edit(self.one(back, is_open_call), width)
        self.look(2)
        self.hand_over()

    def _check_edit(self, asked: Asked | None, width: int) -> None:
        if asked is None:
            return
        refusal = self._no_edit(asked)
        if refusal is not None:
            with pytest.raises(refusal):
                self.run(self._edit(asked, self._change(width)))
            return
        self._edited(asked, self.run(self._edit(asked, self._change(width))))

    @rule(back=BACK, wrong=st.sampled_from(sorted(INVALID)))
    def edit_wrongly(self, back: int, wrong: str) -> None:
        """What cannot run changes nothing, whatever else is changed with it."""
        asked = self.one(back, is_open_call)
        if asked is None:
            return
        edited = {**(self._change(600) if INVALID[wrong] else {}), **INVALID[wrong]}
        with pytest.raises(self._no_edit(asked) or InvalidCallError):
            self.run(self._edit(asked, edited))

    @rule(back=BACK, width=WIDTHS)
    def edit_something_else(self, back: int, width: int) -> None:
        asked = self.one(back, is_open_call)
        if asked is None or asked.kind != "call":
            return
        with pytest.raises((SupersededError, self.gone(asked) or SupersededError)):
            self.run(self._edit(asked, self._change(width), args_hash="another"))

    @rule(back=BACK, width=WIDTHS, what=st.sampled_from(("request", "quote_micros", "tool")))
    def edit_what_was_tampered_with(self, back: int, width: int, what: str) -> None:
        """An edit is no way around: it starts from what was shown, or not at all."""
        asked = self.one(back, is_open_call)
        self.tamper(asked, what)
        self._check_edit(asked, width)

    @rule(back=BACK, first=WIDTHS, second=WIDTHS)
    def edit_twice_and_decide_at_once(self, back: int, first: int, second: int) -> None:
        """Two edits, the first of them delivered twice, and a plain yes: one of them counts."""
        asked = self.one(back, is_open_call)
        if asked is None or asked.kind != "call":
            return
        one, other = self._change(first), self._change(second)
        done = self.run(
            self.ground.at_once(
                lambda: self._edit(asked, one),
                lambda: self._edit(asked, one),
                lambda: self._edit(asked, other),
                lambda: self.answer(asked, "approved"),
            )
        )
        counted = [each for each in done if isinstance(each, Approval)]
        assert len(counted) == (0 if self.gone(asked) else 1), done
        refused = (AlreadyDecidedError, SupersededError, self.gone(asked) or SupersededError)
        assert sum(isinstance(each, refused) for each in done) == 4 - len(counted), done
        if isinstance(done[3], Approval):
            asked.status = "approved"
        elif counted:
            self._edited(asked, counted[0])

    @rule(back=BACK, width=WIDTHS)
    def stop_while_it_is_edited(self, back: int, width: int) -> None:
        """Whichever comes first, nothing runs for the edit, and nothing is asked any more."""
        asked = self.one(back, is_open_call)
        if asked is None or self.stopped:
            return
        refusal = self._no_edit(asked)
        edited, stopped = self.run(
            self.ground.at_once(
                lambda: self._edit(asked, self._change(width)),
                lambda: self.work(lambda tx: tasks.stop(tx, self.task_id)),
            )
        )
        assert stopped is None
        if isinstance(edited, Approval):
            assert refusal is None
            self._edited(asked, edited)
        else:
            assert isinstance(edited, (refusal or SupersededError, SupersededError)), edited
        self.end()

    @rule(back=BACK, width=WIDTHS)
    def expire_while_it_is_edited(self, back: int, width: int) -> None:
        asked = self.one(back, is_open_call)
        if asked is None:
            return
        edited, swept = self.run(
            self.ground.at_once(
                lambda: self._edit(asked, self._change(width)), lambda: sweep(self.world.deps)
            )
        )
        assert swept is None
        refusal = self._no_edit(asked)
        assert isinstance(edited, refusal or Approval), edited
        if isinstance(edited, Approval):
            self._edited(asked, edited)
        self.expire()


@pytest.mark.timeout(120)
def test_an_answer_counts_once_and_for_what_was_shown(ground: Ground) -> None:
    play(EditedQuestions, ground, examples=20, steps=30)


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_an_answer_counts_once_and_for_what_was_shown_at_length(ground: Ground) -> None:
    play(EditedQuestions, ground, examples=1000, steps=50, shrinks=True)
