"""The worker's rules: from the state of a task to a short text and the calls to make now.

A plan is proposed once for what was said, and again when something said since changes it. Of an
approved plan, every open slot of a step that can begin is called for, at most sixteen at a time; a
slot that is running or done never is. What was refused is not tried again before something has
changed. A call whose outcome is unknown is looked at before anything else.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from infra.providers.rehearsal import utterance
from infra.providers.rehearsal.brief import MOST_RESULTS, Wish, read_wish, title_of
from infra.providers.rehearsal.comparing import Laid
from infra.providers.rehearsal.history import History, Proposal, is_question_open, refusal
from infra.providers.rehearsal.phrases import join, say
from infra.providers.rehearsal.planning import Basis, is_unlettered, plan_of
from infra.providers.rehearsal.production import (
    Production,
    ProposedCall,
    edited_lines,
    planned,
    produce,
    single_picture,
    slot_call,
)
from infra.providers.rehearsal.reworking import (
    Decided,
    decide,
    is_rework,
    keep_calls,
    plan_again,
    with_decisions,
)
from infra.providers.rehearsal.state import Call, PlanStep, PlanView, WorkerView, plan_proposed

MAX_CALLS = 16
MAX_TRIES = 3
_MOST_AT_ONCE = 8
_SPARABLE = frozenset({"shots", "image", "keyframes", "narration", "music", "captions"})
"""Kinds of steps without some of which there is still a work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A short text, or none, and the calls."""

    text: str = ""
    calls: tuple[ProposedCall, ...] = ()


def work(view: WorkerView) -> Work:
    """Return what to do now."""
    return _Worker(view).work()


class _Worker:
    """One answer: the view, what happened so far and the wish, read once."""

    def __init__(self, view: WorkerView) -> None:
        self._view = view
        self._language = view.language
        self._history = History(view=view)
        self._wish = self._wish_until(None)

    def work(self) -> Work:
        if self._view.doubts:
            return Work(calls=tuple(("check_call", {"call": key}) for key in self._view.doubts))
        if (decided := self._after_change()) is not None:
            return decided
        proposals = self._history.proposals()
        if not proposals and self._view.plan is None:
            return self._single() if self._is_single() else self._first_plan()
        if not proposals:
            return self._without_proposal()
        return self._after(proposals[-1])

    def _wish_until(self, place: int | None) -> Wish:
        words = self._history.words(place) or (self._view.said if place is None else ())
        return read_wish(words or (self._view.goal,), self._language, goal=self._view.goal)

    def _say(self, key: str) -> str:
        return say(key, self._language)

    def _idle(self, key: str) -> Work:
        """Say something only if it is new; a loop must not become a litany."""
        text = self._say(key)
        return Work(text="" if self._history.has_spoken(text) else text)

    # Plans

    def _first_plan(self) -> Work:
        if self._lacks_subject():
            return self._ask("ask_subject")
        return self._propose("say_plan_free" if self._view.autonomy == "free" else "say_plan")

    def _lacks_subject(self) -> bool:
        wish = self._wish
        has_words = wish.brief.subject or wish.text or wish.lettering or wish.title
        asked = self._history.calls("ask_person")
        answered = bool(asked) and not is_question_open(self._history, asked)
        return not has_words and wish.kind != "music" and not answered

    def _propose(self, key: str) -> Work:
        arguments = plan_of(
            produce(self._wish, self._language, edited=self._edits()),
            title=self._view.title,
            capabilities=self._view.capabilities,
            basis=self._basis(),
            earlier=self._earlier(),
        )
        plan = self._view.plan
        if plan is not None and self._view.changes:
            anew = {step["key"] for step in arguments["steps"]} - set(arguments["keep"])
            decided = self._decided(plan, anew=frozenset(anew))
            arguments = with_decisions(arguments, decided, self._language)
        return Work(text=self._say(key), calls=(("propose_plan", arguments),))

    def _after_change(self) -> Work | None:
        """Decide about results under which something has changed, unless a plan for it waits."""
        plan = self._view.plan
        if not self._view.changes or plan is None or not plan.approved:
            return None
        last = next(iter(self._history.proposals()[-1:]), None)
        if last is not None:
            waits = last.fate == "pending" and self._view.waiting
            fresh = self._history.wishes_after(last.place)
            if waits or (fresh and self._differs_since(last.place)):
                return None
            if last.fate == "rejected" and is_rework(last.call.arguments):
                return Work(calls=keep_calls(self._view.changes, self._say("kept_refused")))
        decided = self._decided(plan)
        if not decided.again:
            return Work(calls=keep_calls(self._view.changes, self._say("kept_same")))
        title, language = title_of(self._wish) or self._view.title, self._language
        arguments = plan_again(plan, decided, title=title, language=language)
        if last is not None and last.fate == "refused" and last.call.arguments == arguments:
            return None
        return Work(text=self._say("say_rework"), calls=(("propose_plan", arguments),))

    def _decided(self, plan: PlanView, *, anew: frozenset[str] = frozenset()) -> Decided:
        made = self._made(plan)
        steps = {step.key: step for step in plan.steps}

        def words_of(place: tuple[str, int]) -> str:
            step = steps.get(place[0])
            call = slot_call(made, plan, step, place[1]) if step is not None else None
            given = call[1] if call is not None else {}
            return str(given.get("prompt") or given.get("text") or "")

        return decide(self._view.changes, words_of, anew=anew)

    def _basis(self) -> Basis | None:
        plan = self._view.plan
        if plan is None:
            return None
        return Basis(plan=plan, made=self._made(plan))

    def _earlier(self) -> Laid | None:
        """Return the plan that the person was shown last, or else the one that is in force."""
        plan = self._view.plan
        shown = [one for one in self._history.proposals() if one.fate != "refused"]
        if shown and shown[-1].fate == "rejected" and plan is not None and plan.approved:
            shown = [one for one in (self._history.current(),) if one is not None]
        if not shown:
            return Laid(plan=plan, wish=self._made(plan).wish) if plan is not None else None
        proposed = plan_proposed(shown[-1].call.arguments)
        wish = self._wish_until(shown[-1].place)
        return Laid(plan=proposed, wish=wish) if proposed is not None else None

    def _made(self, plan: PlanView) -> Production:
        """Return the production of the plan of the state: of what was said before it."""
        current = self._history.current()
        wish = self._wish if current is None else self._wish_until(current.place)
        return produce(planned(wish, plan), self._language, edited=self._edits())

    def _edits(self) -> list[Any]:
        """Return lines that a person has edited, unless the work is in another language now."""
        plan = self._view.plan
        if plan is None or (plan.language and plan.language != self._wish.brief.work_language):
            return []
        return edited_lines(plan, self._view.objects, self._view.documents)

    def _after(self, last: Proposal) -> Work:
        fresh = self._history.wishes_after(last.place)
        if (revised := self._after_look(last, fresh)) is not None:
            return revised
        match last.fate:
            case "refused":
                return self._after_refusal(last, fresh)
            case "rejected" if not fresh and self._view.plan is None:
                return self._ask("ask_rejected", ("shorter", "cheaper", "warmer"))
            case "rejected" if not fresh and self._view.plan and not self._view.plan.approved:
                return self._ask("ask_rejected", ("shorter", "cheaper", "warmer"))
            case "rejected" | "withdrawn":
                is_due = fresh or last.fate == "withdrawn"
                return self._propose("say_replan") if is_due else self._go_on(fresh=())
            case "pending" | "approved":
                changed = fresh and self._differs_since(last.place)
                return self._propose("say_replan") if changed else self._go_on(fresh=fresh)

    def _after_look(self, last: Proposal, fresh: tuple[str, ...]) -> Work | None:
        """Plan anew what a person has looked at and refused, once they have said what to change."""
        plan = self._view.plan
        if plan is None or not plan.approved or last.fate in ("pending", "refused"):
            return None
        if not any(step.status == "rejected" for step in plan.steps):
            return None
        asked = [one for one in self._history.calls("ask_person") if one[0] > last.place]
        is_told = bool(asked) and not is_question_open(self._history, asked)
        if is_told or (fresh and self._differs_since(last.place)):
            return self._propose("say_replan")
        return self._ask("ask_dislike", ("shorter", "warmer"))

    def _after_refusal(self, last: Proposal, fresh: tuple[str, ...]) -> Work:
        if fresh:
            return self._propose("say_replan")
        if self._view.plan is not None and self._view.plan.approved:
            return self._go_on(fresh=())
        return self._idle(_REFUSAL.get(refusal(last.call) or "invalid", "say_invalid"))

    def _without_proposal(self) -> Work:
        """There is a plan, but its proposal is no longer in the transcript: unread words decide."""
        place = self._history.last_answer_place()
        fresh = self._history.wishes_after(place)
        if place >= 0 and fresh and self._differs_since(place):
            return self._propose("say_replan")
        return self._go_on(fresh=fresh)

    # Going on with an approved plan

    def _go_on(self, *, fresh: tuple[str, ...]) -> Work:
        plan = self._view.plan
        if self._is_disliked():
            return self._ask("ask_dislike", ("shorter", "cheaper", "warmer"))
        if plan is None or not plan.approved:
            return self._talk("say_wait_plan" if self._view.waiting else "say_wait")
        calls = tuple(self._ready_calls(plan))[:MAX_CALLS]
        if not calls:
            return self._without_the_rest(plan) or self._talk(self._why_idle(plan, fresh=fresh))
        return Work(text=self._phase(plan, calls, fresh=fresh), calls=calls)

    def _ready_calls(self, plan: PlanView) -> Iterator[ProposedCall]:
        made = self._made(plan)
        for step in plan.steps:
            if step.status not in ("ready", "doing") or not self._is_wanted(step):
                continue
            for slot in dict.fromkeys(step.missing):
                if slot > MOST_RESULTS or self._is_refused(step, slot):
                    continue
                failure = self._history.failure(step.key, slot) if step.attempts else None
                call = slot_call(
                    made, plan, step, slot, objects=self._view.objects, failure=failure
                )
                if call is not None:
                    yield call

    def _without_the_rest(self, plan: PlanView) -> Work | None:
        """Ask once whether the work may be finished without what has failed for good."""
        begun = [step for step in plan.steps if step.status in ("ready", "doing")]
        if any(step.running for step in begun) or any(
            not self._is_hopeless(step, slot) for step in begun for slot in step.missing
        ):
            return None
        asked = [
            (call.arguments.get("step"), call.arguments.get("slots"))
            for _, call in self._history.calls("leave_out")
        ]
        for step in plan.steps:
            refused = [slot for slot in step.missing if self._is_hopeless(step, slot)]
            slots = sorted({*step.given_up, *refused})
            is_sparable = step.kind in _SPARABLE and (step.done or step.count == 1)
            if slots and is_sparable and (step.key, slots) not in asked:
                reason = self._say("ask_leave_out")
                return Work(
                    calls=(("leave_out", {"step": step.key, "slots": slots, "reason": reason}),)
                )
        return None

    def _is_wanted(self, step: PlanStep) -> bool:
        """While a revised plan waits, only what it keeps is worth making."""
        last = self._history.proposals()[-1:]
        if not last:
            # The transcript no longer shows what was proposed; the waiting card still has its name.
            titles = {self._view.title, title_of(self._wish)}
            return not any(f"approval: {title}" in self._view.waiting for title in titles)
        if last[0].fate != "pending" or not self._view.waiting:
            return True
        current = self._history.current()
        if current is None or current.place == last[0].place:
            return True
        keep = last[0].call.arguments.get("keep")
        return isinstance(keep, list) and step.key in keep

    def _is_refused(self, step: PlanStep, slot: int) -> bool:
        found = self._history.refusals(step.key, slot)
        return bool(found) and (found[-1] != "invalid" or len(found) > 1)

    def _is_hopeless(self, step: PlanStep, slot: int) -> bool:
        """Whether a slot failed and what is proposed for it instead is refused again and again."""
        found = self._history.refusals(step.key, slot)
        return step.attempts.get(slot, 0) > 0 and found[-2:] == ["invalid"] * 2

    def _why_idle(self, plan: PlanView, *, fresh: tuple[str, ...]) -> str:
        if key := self._unmoved(fresh):
            return key
        steps = [step for step in plan.steps if step.status in ("ready", "doing")]
        refused = [
            found[-1]
            for step in steps
            for slot in step.missing
            if (found := self._history.refusals(step.key, slot))
        ]
        if self._view.waiting:
            return "say_wait"
        if refused:
            return _REFUSAL.get(refused[-1], "say_invalid")
        if any(step.running for step in plan.steps):
            return "say_running"
        if any(step.status == "failed" for step in plan.steps):
            return "say_failed"
        done = all(step.status == "done" for step in plan.steps)
        return "say_delivered" if done and self._view.delivery == "delivered" else "say_nothing"

    def _phase(
        self, plan: PlanView, calls: tuple[ProposedCall, ...], *, fresh: tuple[str, ...]
    ) -> str:
        """Return a sentence when a new phase begins, or an answer to what was said."""
        names = {name for name, _ in calls}
        if "assemble_film" in names:
            key = "say_assembling"
        elif any(step.attempts for step in plan.steps if step.status in ("ready", "doing")):
            key = "say_retry"
        elif self._is_beginning(plan):
            key = _BEGINNINGS.get(self._wish.kind, "say_begin")
        else:
            unmoved = self._unmoved(fresh)
            return self._say(unmoved) if unmoved else self._answer()
        text = self._say(key)
        return "" if self._history.has_spoken(text) else text

    def _unmoved(self, fresh: tuple[str, ...]) -> str:
        """Return what is said to a wish that the plan is no different for: it is so, or unclear."""
        if not fresh or self._history.is_heard():
            return ""
        return "say_question" if utterance.read(fresh[-1]).changes else "say_invalid"

    def _is_beginning(self, plan: PlanView) -> bool:
        return not any(step.done or step.running or step.failed for step in plan.steps)

    # Talk

    def _talk(self, key: str) -> Work:
        answer = self._answer()
        return Work(text=answer) if answer else self._idle(key)

    def _answer(self) -> str:
        """Return an answer to the person's last words if they got none yet."""
        words = self._history.words()
        if self._history.is_heard() or not words:
            return ""
        tone = utterance.tone(words[-1])
        if tone == "approve" or (tone == "agree" and self._view.waiting):
            return self._say("say_noted")
        return self._say(_REPLIES[tone]) if tone in _REPLIES else ""

    def _is_disliked(self) -> bool:
        words = self._history.words()
        return (
            bool(words) and not self._history.is_heard() and utterance.tone(words[-1]) == "dislike"
        )

    def _ask(self, key: str, options: tuple[str, ...] = ()) -> Work:
        """Ask once; while the question is open, or if it cannot be asked, wait."""
        question = self._say(key)
        asked = self._history.calls("ask_person")
        start = self._history.last_words_place()
        if any(place > start for place, _ in asked) or is_question_open(self._history, asked):
            return self._talk("say_wait")
        labels = [self._say(f"option_{option}") for option in options]
        return Work(calls=(("ask_person", {"question": question, "options": labels}),))

    # Single pictures, made without a plan

    def _is_single(self) -> bool:
        wish = self._wish
        if wish.kind == "image":
            return self._view.kind != "persistent"
        few = wish.kind == "posters" and wish.count <= _MOST_AT_ONCE
        return few and self._view.kind == "lightweight"

    def _single(self) -> Work:
        made = self._history.calls("generate_image")
        if not made or self._history.fate(made[-1][1]) == "withdrawn":
            if self._lacks_subject():
                return self._ask("ask_subject")
            return self._order("say_image")
        place, last = made[-1]
        if self._history.wishes_after(place) and self._differs_since(place):
            return self._order("say_change")
        if self._is_disliked():
            return self._ask("ask_dislike", ("warmer",))
        again = self._failing()
        if again and max(again.values()) < MAX_TRIES:
            return self._order("say_retry", tries=again)
        return self._talk(self._why_not(last))

    def _why_not(self, last: Call) -> str:
        """Return why there is nothing to do for a picture that was ordered."""
        if category := refusal(last):
            return _REFUSAL.get(category, "say_invalid")
        if self._history.fate(last) == "rejected":
            return "say_rejected"
        if self._failing():
            return "say_failed"
        return "say_wait" if self._view.waiting else "say_running"

    def _differs_since(self, place: int) -> bool:
        return self._wish_until(place) != self._wish

    def _failing(self) -> dict[str, int]:
        """Return the pictures whose newest try failed, by name, with how often they were tried."""
        start = self._history.last_words_place()
        tried: dict[str, list[Call]] = {}
        for place, call in self._history.calls("generate_image"):
            if place > start:
                tried.setdefault(str(call.arguments.get("name")), []).append(call)
        return {
            name: len(calls) for name, calls in tried.items() if self._history.has_failed(calls[-1])
        }

    def _order(self, key: str, *, tries: dict[str, int] | None = None) -> Work:
        """Order every picture, or those that failed again more simply."""
        made, count = produce(self._wish, self._language), self._wish.count
        pictures: list[dict[str, Any]] = []
        for slot in range(1, count + 1):
            name = join([title_of(self._wish), str(slot)], "en") if count > 1 else ""
            name = name or single_picture(made, slot, tries=0)["name"]
            if tries is None or name in tries:
                picture = single_picture(made, slot, tries=(tries or {}).get(name, 0))
                pictures.append(picture | {"name": name})
        calls = tuple(("generate_image", picture) for picture in pictures)
        understood = self._say("plan_unlettered") if is_unlettered(self._wish) else ""
        text = join([self._say(key), understood], self._language)
        return Work(text=text, calls=calls[:MAX_CALLS])


_REPLIES = {
    "thanks": "say_thanks",
    "praise": "say_delivered",
    "question": "say_question",
    "stop": "control",
}
_BEGINNINGS = {"film": "say_production", "posters": "say_series"}
_REFUSAL = {
    "budget": "say_budget",
    "permission": "say_permission",
    "capability": "say_capability",
}
