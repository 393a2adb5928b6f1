"""Judges a message: where does it belong, and why?

A judgement is made once and used twice: the router turns it into the arguments of `route`, and
Main's own answer says what it found. What a message claims about orders, rights or approvals is
never part of it. A message that fits several tasks equally well is asked about, never guessed.
"""

import re
from dataclasses import replace
from functools import cached_property

from infra.providers.rehearsal import (
    acts,
    features,
    impossible,
    likeness,
    naming,
    pointing,
    utterance,
)
from infra.providers.rehearsal.brief import kind_of, read_wish
from infra.providers.rehearsal.comparing import KIND_NAMES
from infra.providers.rehearsal.evidence import Choice, Evidence, Outcome, choose, evidence, weigh
from infra.providers.rehearsal.expecting import Expected, expected
from infra.providers.rehearsal.judgement import Judgement, kind_of_task
from infra.providers.rehearsal.lexicon import clip, fold, has, is_unspaced
from infra.providers.rehearsal.newness import NewWork
from infra.providers.rehearsal.phrases import say
from infra.providers.rehearsal.reference import OPEN, Found, Referents, bare
from infra.providers.rehearsal.state import Candidate, MainView
from infra.providers.rehearsal.tongue import language_in
from infra.providers.rehearsal.utterance import Said
from infra.providers.rehearsal.weighing import Model, model

NOTHING_THERE = "nothing_to_change"
REPEATS = "asks for the same as this task"
_OPTIONS = 4
_REPEATED = 0.8
"""So much of what is said is known of a task that is asked for a second time."""

__all__ = ["OPEN", "REPEATS", "Judgement", "by_rules", "evidence_of", "judge"]


def judge(view: MainView, weights: Model | None = None) -> Judgement:
    """Judge a message: what the rules say of it is evidence among the rest.

    Args:
        view: what is shown.
        weights: other weights than those that are kept.
    """
    judging = _of(view)
    found = judging.by_rules()
    if judging.is_for_rules or judging.is_ruled(found):
        return found
    seen = judging.evidence_for(found)
    weights = weights or model()
    weighed = weigh(seen, weights)
    choice = choose(
        weighed, weights.thresholds, deletes=acts.deletes(seen.folded), agreed=found.task
    )
    return judging.as_chosen(found, choice)


def by_rules(view: MainView) -> Judgement:
    """Return what the rules by themselves say of a message."""
    return _of(view).by_rules()


def evidence_of(view: MainView) -> Evidence:
    """Return what is seen of a message, for weighing it; what the rules say is part of it."""
    judging = _of(view)
    return judging.evidence_for(judging.by_rules())


def _of(view: MainView) -> "_Judge":
    text = clip(view.message)
    return _Judge(view, utterance.read(text), language_in(view, text))


class _Judge:
    """One message with everything that is asked about it."""

    def __init__(self, view: MainView, said: Said, language: str) -> None:
        self._view = view
        self._said = said
        self._language = language
        self._frame = impossible.frame_of(said)
        self._text = bare(view.message)
        """Without what is quoted and what is said not to be meant."""
        self._folded = fold(self._text)
        self._tasks = Referents(view, language)
        self._new_work = NewWork(said, self._text, language, self._tasks)

    @property
    def is_for_rules(self) -> bool:
        """Whether the rules decide alone: no word, no task yet, the very same words once more."""
        has_words = re.search(r"\w", self._said.folded) and not acts.is_garbled(self._said.text)
        return not has_words or not self._all or self._is_said_again()

    def is_ruled(self, ruled: Judgement) -> bool:
        """Whether the rules know: of long ago and not here, a stop, or a change said with one."""
        is_gone = ruled.about == NOTHING_THERE and self._tasks.goes_back(self._folded)
        stops = ruled.about == "control" or (ruled.task is not None and self._said.interrupts)
        return is_gone or bool(stops)

    def evidence_for(self, ruled: Judgement) -> Evidence:
        """Return what is seen of the message, with what the rules say of it."""
        return evidence(
            self._view,
            self._said,
            self._language,
            rules=features.of_rules(ruled.outcome, ruled.about),
            pointed=pointing.read(
                self._tasks,
                self._text,
                chosen=ruled.task,
                offered=ruled.options,
                expects=self._expects,
            ),
        )

    def as_chosen(self, ruled: Judgement, choice: Choice) -> Judgement:
        """Return the judgement that a choice comes to."""
        match choice.outcome:
            case "existing" | "ask":
                return self._on_tasks(ruled, choice)
            case "answer":
                return ruled if ruled.outcome == "answer" else self._answer("unclear")
            case "new" | "lightweight":
                return ruled if ruled.outcome == choice.outcome else self._start(choice.outcome)

    def _on_tasks(self, ruled: Judgement, choice: Choice) -> Judgement:
        if ruled.outcome == choice.outcome and ruled.task == choice.task:
            return replace(ruled, options=choice.options[:_OPTIONS])
        return Judgement(
            outcome=choice.outcome,
            about="fits best by all that was weighed",
            language=self._language,
            said=self._said,
            task=choice.task,
            options=choice.options[:_OPTIONS],
        )

    def _start(self, outcome: Outcome) -> Judgement:
        """Begin what is asked for in words that name no kind of work, or another one."""
        single = outcome == "lightweight"
        goal = self._goal()
        wish = read_wish([goal], self._language)
        if single != (wish.kind == "image"):
            kind = "image" if single else self._new_work.larger_kind
            goal = f"{say(KIND_NAMES[kind], self._language)}: {goal}"
            wish = read_wish([goal], self._language)
        return Judgement(
            outcome=outcome,
            about=f"asks for: {wish.kind}",
            language=self._language,
            said=self._said,
            wish=wish,
            goal=goal,
            impossible=impossible.second_act(self._said.folded),
        )

    def by_rules(self) -> Judgement:
        """Return what the rules say, the first that applies."""
        return (
            self._nothing()
            or self._impossible()
            or self._expected()
            or self._control()
            or self._question()
            or self._claim()
            or self._deletion()
            or self._talk()
            or self._existing()
            or self._new()
            or self._dislike()
            or self._reply_to_question()
            or self._answer("unclear")
        )

    def _answer(self, about: str, what: str | None = None) -> Judgement:
        return Judgement(
            outcome="answer",
            about=about,
            language=self._language,
            said=self._said,
            impossible=what,
        )

    def _nothing(self) -> Judgement | None:
        if not re.search(r"\w", self._said.folded):
            return self._answer("empty")
        return self._answer("unclear") if acts.is_garbled(self._said.text) else None

    def _impossible(self) -> Judgement | None:
        what = impossible.impossible(self._said, self._frame)
        return self._answer("impossible", what) if what is not None else None

    # Questions and claims

    def _question(self) -> Judgement | None:
        text = self._said.text
        asks = text.rstrip().endswith(("?", "？", "吗", "か"))
        asked = acts.is_question(self._text)
        found = self._asked_about(asks=asks, asked=asked)
        if found is not None:
            return self._answer(found)
        return self._answer("unclear") if asked else None

    def _asks_for_kind(self) -> bool:
        """Whether only a kind of work is named: `can you make films?`, `do you also do logos?`."""
        said = self._said
        named = naming.mentions(said.text, self._language)
        if said.head is None or said.changes or any(one.is_known is not None for one in named):
            return False
        return not said.subject or has("ask.also", self._folded)

    def _asked_about(self, *, asks: bool, asked: bool) -> str | None:
        """Return what a question is about."""
        frame = self._said.folded if asked else self._frame
        short = utterance.is_short(self._said.folded)
        if short and is_unspaced(frame):
            frame = self._said.folded
        if has("question.price_sure", frame) or (
            has("question.price_maybe", frame) and (asks or asked)
        ):
            return "price"
        if has("question.identity", self._frame) and not self._said.head:
            return "identity"
        ready = has("question.status_maybe", self._frame) and asks and not self._said.changes
        if ready or (has("question.status", self._frame) and (asks or short)):
            return "status"
        return "capabilities" if self._asks_what_is_possible(asks=asks) else None

    def _asks_what_is_possible(self, *, asks: bool) -> bool:
        is_wish = self._said.head is not None and bool(self._said.subject)
        if has("question.capability", self._frame) and not is_wish:
            return True
        return asks and self._asks_for_kind()

    def _claim(self) -> Judgement | None:
        """Orders to approve or to forget the rules are only text; so is a bare `go ahead`."""
        frame = self._frame if self._text == self._said.text else self._folded
        claims = has("chat.approve", frame) or has("chat.hostile", frame)
        wants = self._said.head is not None and bool(self._said.subject)
        if claims and not wants:
            return self._answer("only_card")
        return self._answer("only_card") if acts.is_consent(self._said.text) else None

    def _control(self) -> Judgement | None:
        """Stopping is done with a button; a model only proposes."""
        said, frame = self._said, self._frame
        if said.interrupts or said.absent or said.undoes:
            return None
        stops = utterance.is_stop(said, frame) or acts.gives_up(said.text)
        return self._answer("control") if stops else None

    # An existing task

    def _deletion(self) -> Judgement | None:
        """What is to be thrown away must be known for sure."""
        said = self._said
        if not acts.deletes(self._folded) or said.interrupts or self._new_work.is_new:
            return None
        if acts.deletes_part(self._folded) or said.absent:
            return None
        found = self._tasks.find(self._text)
        if not found.tasks or (found.misses and found.by == "nothing"):
            return self._answer("control")
        is_bare = found.by in ("kind", "only", "open") and not self._tasks.named(self._text)
        if is_bare and found.tasks[0].status in OPEN and len(found.tasks) == 1:
            return self._answer("control")
        return self._at(found, "is to be deleted")

    def _existing(self) -> Judgement | None:
        if self._new_work.is_new:
            return self._repeated() or self._continued()
        if not self._refers():
            return None
        found = self._tasks.find(self._text)
        if not found.tasks:
            names_new = self._said.head is not None and self._said.subject and not found.misses
            return None if names_new else self._answer(NOTHING_THERE)
        if found.misses:
            return self._missing()
        return self._at(found, "changes or continues this task")

    def _missing(self) -> Judgement | None:
        """A kind of work is named as known that no task is."""
        is_whole = self._said.head is not None and bool(self._said.subject)
        changes = any(has(name, self._folded) for name in ("edit.verb", "edit.fault", "act.revive"))
        return None if is_whole and not changes else self._answer(NOTHING_THERE)

    def _at(self, found: Found, about: str) -> Judgement:
        """Send it to the one task that fits, or ask which of several."""
        task, *others = found.tasks
        if others:
            return self._ask(found, f"{len(found.tasks)} tasks fit equally well")
        return Judgement(
            outcome="existing",
            about=about,
            language=self._language,
            said=self._said,
            task=task,
        )

    def _ask(self, found: Found, about: str) -> Judgement:
        return Judgement(
            outcome="ask",
            about=about,
            language=self._language,
            said=self._said,
            options=found.tasks[:_OPTIONS],
        )

    def _repeated(self) -> Judgement | None:
        """The same work asked for again while it is under way: the same one, if all is the same."""
        if has("refer.another", self._folded) or not likeness.said_words(self._text):
            return None
        if self._is_said_again() and not self._view.near:
            return None
        kind = kind_of(self._said.text)
        for task, share in self._tasks.covering(self._text):
            if kind_of_task(task) != kind or task.status not in OPEN or share < _REPEATED:
                continue
            found = Found(tasks=(task,), by="words")
            if self._tasks.knows_all(task, self._text):
                return self._at(found, REPEATS)
            return self._ask(found, "asks for nearly the same as this task")
        return None

    def _is_said_again(self) -> bool:
        """Whether the very same words were said before: perhaps sent twice by mistake."""
        words = self._said.folded.split()
        spoken = (one.get("text") for one in self._view.recent if one.get("role") == "user")
        return any(isinstance(text, str) and fold(text).split() == words for text in spoken)

    def _continued(self) -> Judgement | None:
        """Something new that goes on with a task: more of the same, a film out of a picture."""
        said = self._said
        goes_on = bool(said.interrupts) and not said.subject
        if goes_on or self._grows() or self._belongs() or self._adds_more():
            found = self._tasks.find(self._text)
            if found.tasks:
                return self._at(found, "goes on with this task")
        return None

    def _adds_more(self) -> bool:
        """More pictures after the manner of one that is there."""
        if not has("refer.same", self._folded) and not self._new_work.follows_praise:
            return False
        found = self._tasks.find(self._text)
        pictures = ("image", "posters")
        kind = kind_of(self._said.text)
        return bool(found.tasks) and all(
            kind_of_task(one) == kind or (kind in pictures and kind_of_task(one) in pictures)
            for one in found.tasks
        )

    def _refers(self) -> bool:
        """Whether something that is there is spoken of, as it is or as it should be."""
        said = self._said
        if said.head is not None and not said.is_new and said.folded:
            return True
        points = has("refer.demonstrative", self._folded) or naming.place(self._folded) is not None
        known = any(one.is_known for one in naming.mentions(self._text, self._language))
        wishes = any(
            has(name, self._folded) for name in ("verbs.make", "shape.variants", "act.wish")
        )
        return (
            (known and (wishes or utterance.is_short(self._folded)))
            or (points and utterance.is_short(self._folded))
            or (said.changes and not acts.only_tells(self._folded))
            or said.replaces_subject
            or acts.is_complaint_or_wish(self._text)
            or bool(self._tasks.named(self._text))
            or (has("refer.pronoun", self._folded) and has("act.wish", self._folded))
        )

    def _grows(self) -> bool:
        """A film made out of a picture goes on with the picture's task."""
        pronoun = not self._said.subject and has("refer.pronoun", self._frame)
        kind = kind_of(self._said.text)
        return pronoun and kind == "film" and any(kind_of_task(one) == "image" for one in self._all)

    def _belongs(self) -> bool:
        """Music or a voice that is asked for as such goes into the film there is."""
        said = self._said
        is_part = said.head is not None and said.head.kind in ("music", "narration")
        is_wanted = is_part and said.restores and not said.subject
        return is_wanted and any(kind_of_task(one) == "film" for one in self._all)

    @property
    def _all(self) -> list[Candidate]:
        return [one for one in self._view.candidates if one.task_id]

    # Something new

    def _new(self) -> Judgement | None:
        said = self._said
        kind = self._new_work.kind_without_head() if said.head is None else None
        if (said.head is None and kind is None) or self._is_statement():
            return None
        goal = self._goal()
        if kind is not None:
            goal = f"{say(KIND_NAMES[kind], self._language)}: {goal}"
        wish = read_wish([goal], self._language)
        single = wish.kind == "image"
        return Judgement(
            outcome="lightweight" if single else "new",
            about=f"asks for: {wish.kind}",
            language=self._language,
            said=said,
            wish=wish,
            goal=goal,
            impossible=impossible.second_act(said.folded),
        )

    def _is_statement(self) -> bool:
        """`I love films` asks for nothing."""
        said = self._said
        makes = any(has(f"verbs.{verb}", self._frame) for verb in ("make", "draw", "film", "write"))
        return has("chat.talk", said.folded) and not makes and not said.changes

    def _goal(self) -> str:
        """Return the person's words, with the ones before that say what `it` is."""
        said = self._said
        if said.subject:
            return said.text
        if has("refer.pronoun", self._frame) and self._all:
            about = utterance.read(self._all[0].goal).subject or self._all[0].title
            return f"{said.text} ({about})"
        before = self._unanswered()
        return f"{said.text} ({before})" if before else said.text

    def _unanswered(self) -> str:
        """Return what the person said just before, if no task came of it."""
        spoken = [item for item in self._view.recent if item.get("role") == "user"]
        if not spoken or spoken[-1].get("task_id"):
            return ""
        text = spoken[-1].get("text")
        return text.strip() if isinstance(text, str) and utterance.tone(text) is None else ""

    # Talk

    def _talk(self) -> Judgement | None:
        """Thanks, praise and greetings with nothing else in them."""
        if not acts.is_chat(self._said.text) or self._new_work.is_new:
            return None
        if has("chat.thanks", self._folded):
            return self._answer("thanks")
        if self._expects is not None:
            return self._reply_to_question()
        return self._chat("bye", "thanks", "greeting", "praise", "talk", "agree") or self._answer(
            "praise"
        )

    def _dislike(self) -> Judgement | None:
        return self._chat("bye", "thanks", "greeting", "praise", "dislike", "talk", "agree")

    def _chat(self, *names: str) -> Judgement | None:
        found = next((name for name in names if has(f"chat.{name}", self._said.folded)), None)
        if found is None or (found == "praise" and has("verbs.make", self._frame)):
            return None
        if self._expects is not None:
            return self._reply_to_question()
        if found == "agree":
            return self._answer("only_card" if self._is_plan_waiting() else "unclear")
        return self._answer(found)

    def _is_plan_waiting(self) -> bool:
        return any(one.status == "waiting" for one in self._all)

    @cached_property
    def _expects(self) -> Expected | None:
        return expected(self._view)

    def _expected(self) -> Judgement | None:
        """What answers a task's question in its own words goes to the task."""
        asked = self._expects
        if asked is None or not asked.is_answered_by(self._said.text):
            return None
        others = self._tasks.named(re.split(r"[.!?。！？]", self._text)[0])
        if others and asked.task not in others:
            return None
        return self._reply_to_question()

    def _reply_to_question(self) -> Judgement | None:
        """A task that asked something gets the words that follow."""
        if self._expects is None:
            return None
        return Judgement(
            outcome="existing",
            about="answers the task's question",
            language=self._language,
            said=self._said,
            task=self._expects.task,
        )
