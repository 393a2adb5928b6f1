"""What has happened to a task's work so far, read from the worker's view.

Who said what after which proposal, what became of each proposal, which calls failed or were
refused: everything that decides about the next answer, and nothing that is remembered elsewhere.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from infra.providers.rehearsal import utterance
from infra.providers.rehearsal.production import Failure
from infra.providers.rehearsal.state import Call, Spoken, Utterance, WorkerView, same_call

type Fate = Literal["pending", "approved", "rejected", "refused", "withdrawn"]

_APPROVED = ("The person approved plan", "What may be spent covers plan")
_BEGUN = "begun: plan"
_REJECTED = "The person refused '"
_WITHDRAWN = "Withdrawn,"
_CATEGORY = re.compile(r"refused \((\w+)\)")
_FAILED = re.compile(r"'(?P<name>.*)' failed \((?P<code>[\w-]+)\): (?P<reason>.*)", re.DOTALL)
_FITS = re.compile(r"About (\d+) of its (\d+) words fit")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """A plan that was proposed: where in the story, and what became of it."""

    place: int
    call: Call
    fate: Fate


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A worker's view with the questions that its rules ask."""

    view: WorkerView

    def words(self, until: int | None = None) -> tuple[str, ...]:
        """Return what the person said before a place in the story and did not take back."""
        story = self.view.story if until is None else self.view.story[:until]
        gone = self._withdrawn()
        return tuple(
            entry.text
            for place, entry in enumerate(story)
            if isinstance(entry, Utterance) and place not in gone
        )

    def _withdrawn(self) -> frozenset[int]:
        """Return the places of words whose plan was refused without a word, a plan being there."""
        gone: set[int] = set()
        start, approved = -1, False
        for one in self.proposals():
            answered = any(isinstance(e, Utterance) for e in self.view.story[one.place + 1 :][:1])
            if one.fate == "rejected" and approved and not answered:
                gone.update(range(start + 1, one.place))
            approved = approved or one.fate == "approved"
            start = one.place
        return frozenset(gone)

    def words_after(self, place: int) -> tuple[str, ...]:
        """Return what the person said after a place in the story."""
        return tuple(e.text for e in self.view.story[place + 1 :] if isinstance(e, Utterance))

    def wishes_after(self, place: int) -> tuple[str, ...]:
        """Return what was said after a place and asks for something; an answer always does."""
        return tuple(
            entry.text
            for entry in self.view.story[place + 1 :]
            if isinstance(entry, Utterance)
            and (
                utterance.tone(entry.text) is None
                or (entry.is_answer and utterance.tone(entry.text) in _SAYS_SOMETHING)
            )
        )

    def calls(self, name: str) -> list[tuple[int, Call]]:
        """Return the calls of a tool with their places in the story."""
        return [
            (place, entry)
            for place, entry in enumerate(self.view.story)
            if isinstance(entry, Call) and entry.name == name
        ]

    def proposals(self) -> list[Proposal]:
        """Return every plan that was proposed, oldest first."""
        return [
            Proposal(place=place, call=call, fate=self.fate(call))
            for place, call in self.calls("propose_plan")
        ]

    def fate(self, call: Call) -> Fate:
        """Return what became of a call that a person had to decide about."""
        if call.answer.startswith("refused"):
            return "refused"
        if call.answer.startswith(_BEGUN):
            return "approved"
        for text in reversed(self.events_of(call)):
            if text.startswith(_APPROVED):
                return "approved"
            if text.startswith(_REJECTED):
                return "rejected"
            if text.startswith(_WITHDRAWN):
                return "withdrawn"
        return "pending"

    def events_of(self, call: Call) -> list[str]:
        """Return what happened to a call after it was made."""
        return [
            text
            for event in self.view.events
            if same_call(event.get("call"), call.call_id)
            and isinstance(text := event.get("what_happened"), str)
        ]

    def current(self) -> Proposal | None:
        """Return the proposal behind the plan of the state, if it is still in the transcript."""
        found = [one for one in self.proposals() if one.fate != "refused"]
        if self.view.plan is not None and self.view.plan.approved:
            approved = [one for one in found if one.fate == "approved"]
            return approved[-1] if approved else next(iter(found), None)
        open_ones = [one for one in found if one.fate not in ("rejected", "withdrawn")]
        return open_ones[-1] if open_ones else None

    def last_words_place(self) -> int:
        """Return where the person last said something, -1 if never."""
        story = self.view.story
        return next(
            (i for i in range(len(story) - 1, -1, -1) if isinstance(story[i], Utterance)), -1
        )

    def last_answer_place(self) -> int:
        """Return where the last answer stands in the story, -1 if there was none."""
        story = self.view.story
        return next(
            (i for i in range(len(story) - 1, -1, -1) if not isinstance(story[i], Utterance)), -1
        )

    def has_spoken(self, text: str) -> bool:
        """Whether the last thing in the story is this very sentence."""
        for entry in reversed(self.view.story):
            if isinstance(entry, Utterance):
                return False
            if isinstance(entry, Spoken) and entry.text.strip():
                return entry.text.strip() == text
        return False

    def is_heard(self) -> bool:
        """Whether everything the person said was followed by an answer."""
        for entry in reversed(self.view.story):
            if isinstance(entry, Utterance):
                return entry.is_answer
            if isinstance(entry, Spoken):
                return True
        return True

    def refusals(self, step: str, slot: int) -> list[str]:
        """Return the categories of refusals of a slot's calls since anything else happened."""
        found: list[str] = []
        start = max(self.last_words_place(), self._last_approval())
        for entry in self.view.story[start + 1 :]:
            if isinstance(entry, Call) and slot_of(entry) == (step, slot):
                category = refusal(entry)
                found = [*found, category] if category else []
        return found

    def _last_approval(self) -> int:
        return max((one.place for one in self.proposals() if one.fate == "approved"), default=-1)

    def failure(self, step: str, slot: int) -> Failure | None:
        """Return why a slot's last call failed, if it did."""
        for entry in reversed(self.view.story):
            if isinstance(entry, Call) and slot_of(entry) == (step, slot):
                return next((f for t in self.events_of(entry) if (f := read_failure(t))), None)
        return None

    def has_failed(self, call: Call) -> bool:
        """Whether an event says that a call was run and failed."""
        return any(read_failure(text) is not None for text in self.events_of(call))


_SAYS_SOMETHING = frozenset({"unclear"})


def slot_of(call: Call) -> tuple[str, int]:
    """Return the step and slot that a call was to fill."""
    step, slot = call.arguments.get("step"), call.arguments.get("slot", 1)
    return (step if isinstance(step, str) else "", slot if isinstance(slot, int) else 1)


def refusal(call: Call) -> str | None:
    """Return the category in which a call was refused, None if it was not."""
    match = _CATEGORY.match(call.answer)
    return match[1] if match else None


def read_failure(happening: str) -> Failure | None:
    """Read an event that says a call failed."""
    match = _FAILED.match(happening)
    if match is None:
        return None
    fits = _FITS.search(match["reason"])
    share = int(fits[1]) / int(fits[2]) * 0.95 if fits and int(fits[2]) else None
    return Failure(code=match["code"], share=share)


def is_question_open(history: History, asked: Sequence[tuple[int, Call]]) -> bool:
    """Whether the last of these questions has no answer yet."""
    if not asked or refusal(asked[-1][1]) is not None:
        return False
    place, call = asked[-1]
    return not history.words_after(place) and not history.events_of(call)
