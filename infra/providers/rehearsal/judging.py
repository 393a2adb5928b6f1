"""Judges a message: where does it belong, and why?

A judgement is made once and used twice: the router turns it into the arguments of `route`, and
Main's own answer says what it found. What a message claims about orders, rights or approvals is
never part of it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from infra.providers.rehearsal import utterance
from infra.providers.rehearsal.brief import Wish, WorkKind, kind_of, read_wish
from infra.providers.rehearsal.lexicon import (
    LETTER,
    SPEAKS,
    clip,
    entries,
    fold,
    has,
    is_unspaced,
    language_of,
    pattern,
    words,
)
from infra.providers.rehearsal.state import Candidate, MainView
from infra.providers.rehearsal.utterance import Said

type Outcome = Literal["answer", "lightweight", "existing", "new", "ask"]

OPEN = frozenset({"active", "waiting", "paused"})
_OPTIONS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Judgement:
    """Where a message belongs, and why."""

    outcome: Outcome
    about: str
    """What it is: wish, change, price, impossible …; names the answer for `answer`."""
    language: str
    said: Said
    wish: Wish | None = None
    goal: str = ""
    task: Candidate | None = None
    options: tuple[Candidate, ...] = ()
    impossible: str | None = None
    """What of it cannot be done: print, ship, live …"""


def judge(view: MainView) -> Judgement:
    """Judge a message."""
    text = clip(view.message)
    said = utterance.read(text)
    judge_ = _Judge(view, said, _language(view, text))
    return judge_.judge()


class _Judge:
    """One message with everything that is asked about it."""

    def __init__(self, view: MainView, said: Said, language: str) -> None:
        self._view = view
        self._said = said
        self._language = language
        self._frame = _frame(said)

    def judge(self) -> Judgement:
        return (
            self._nothing()
            or self._impossible()
            or self._question()
            or self._claim()
            or self._control()
            or self._existing()
            or self._new()
            or self._talk()
            or self._reply_to_question()
            or self._answer("unclear")
        )

    def _answer(self, about: str, impossible: str | None = None) -> Judgement:
        return Judgement(
            outcome="answer",
            about=about,
            language=self._language,
            said=self._said,
            impossible=impossible,
        )

    def _nothing(self) -> Judgement | None:
        if not re.search(r"\w", self._said.folded):
            return self._answer("empty")
        return None

    def _impossible(self) -> Judgement | None:
        """A wish is impossible if its first act is, or if it names nothing that can be made."""
        head = self._said.head
        for what, place in _impossible_acts(self._frame):
            is_first = what in _ACTS and head is not None and place < head.start
            is_program = what == "code" and head is not None and head.verb == "write"
            if head is None or is_first or is_program:
                return self._answer("impossible", what)
        return None

    def _question(self) -> Judgement | None:
        asks = self._said.text.rstrip().endswith(("?", "？", "吗", "か"))
        short = utterance.is_short(self._said.folded)
        if has("question.price_sure", self._frame) or (
            has("question.price_maybe", self._frame) and asks
        ):
            return self._answer("price")
        if has("question.identity", self._frame) and not self._said.head:
            return self._answer("identity")
        is_wish = self._said.head is not None and bool(self._said.subject)
        if has("question.status", self._frame) and (asks or short):
            return self._answer("status")
        if has("question.status_maybe", self._frame) and asks and not self._said.changes:
            return self._answer("status")
        if has("question.capability", self._frame) and not is_wish:
            return self._answer("capabilities")
        bare = self._said.head is not None and not self._said.subject and not self._said.changes
        return self._answer("capabilities") if asks and bare else None

    def _claim(self) -> Judgement | None:
        """Orders to approve or to forget the rules are only text; so is a bare `go ahead`."""
        claims = has("chat.approve", self._frame) or has("chat.hostile", self._frame)
        wants = self._said.head is not None and bool(self._said.subject)
        return self._answer("only_card") if claims and not wants else None

    def _control(self) -> Judgement | None:
        """Stopping is done with a button; a model only proposes."""
        said, frame = self._said, self._frame
        if said.interrupts or said.absent or said.undoes:
            return None
        deletes = pattern("chat.delete").match(frame.lstrip(" .!¡")) is not None
        deletes = deletes or (is_unspaced(frame) and has("chat.delete", frame))
        deletes = deletes and utterance.is_short(frame) and not (said.head and said.is_new)
        asks = utterance.is_stop(said, frame) or deletes
        return self._answer("control") if asks else None

    # An existing task

    def _existing(self) -> Judgement | None:
        if not self._refers():
            return None
        found = self._fitting()
        if not found:
            names_new = self._said.head is not None and (self._said.is_new or self._said.subject)
            return None if names_new else self._answer("nothing_to_change")
        if len(found) > 1:
            return Judgement(
                outcome="ask",
                about=f"{len(found)} tasks fit equally well",
                language=self._language,
                said=self._said,
                options=tuple(found[:_OPTIONS]),
            )
        return Judgement(
            outcome="existing",
            about="changes or continues this task",
            language=self._language,
            said=self._said,
            task=found[0],
        )

    def _refers(self) -> bool:
        said = self._said
        if utterance.tone(said.text) in _TALKS:
            return False
        if said.head is not None and said.is_new:
            goes_on = bool(said.interrupts) and not said.subject
            return self._grows() or self._belongs() or goes_on
        if said.head is not None:
            return True
        changes = said.changes or any(has(name, said.folded) for name in _CHANGE_WORDS)
        return changes or said.replaces_subject or self._names_task()

    def _names_task(self) -> bool:
        """Whether a statement is about what a task is called (`the fox should look left`)."""
        is_new = pattern("refer.indefinite").match(self._said.folded) is not None
        if is_new or self._said.text.rstrip().endswith(("?", "？")):
            return False
        named = _words(self._said.text)
        return any(named & _words(one.title) for one in self._tasks())

    def _grows(self) -> bool:
        """A film made out of a picture goes on with the picture's task."""
        pronoun = not self._said.subject and has("refer.pronoun", self._frame)
        kind = kind_of(self._said.text)
        return pronoun and kind == "film" and any(_kind(one) == "image" for one in self._tasks())

    def _belongs(self) -> bool:
        """Music or a voice that is asked for as such goes into the film there is."""
        said = self._said
        is_part = said.head is not None and said.head.kind in ("music", "narration")
        is_wanted = is_part and said.restores and not said.subject
        return is_wanted and any(_kind(one) == "film" for one in self._tasks())

    def _tasks(self) -> list[Candidate]:
        return [one for one in self._view.candidates if one.task_id]

    def _fitting(self) -> list[Candidate]:
        """Return the tasks that fit best, equally well."""
        found = self._by_kind(self._tasks())
        named = _words(self._said.text)
        overlaps = {one.task_id: len(named & _words(f"{one.title} {one.goal}")) for one in found}
        best = max(overlaps.values(), default=0)
        if best == 0 and self._names_another():
            return []
        found = [one for one in found if overlaps[one.task_id] == best]
        if live := [one for one in found if one.status in OPEN]:
            return self._continued(live, least=2)
        return self._continued(found, least=1)

    def _names_another(self) -> bool:
        """Whether a definite work is named by a subject that no task has (`the film about tea`)."""
        said = self._said
        changes = said.changes or any(has(name, said.folded) for name in _CHANGE_WORDS)
        return said.head is not None and bool(said.subject) and not changes

    def _by_kind(self, tasks: Sequence[Candidate]) -> list[Candidate]:
        wanted = kind_of(self._said.text)
        if wanted is None:
            return list(tasks)
        for group in _alike(wanted):
            if found := [one for one in tasks if _kind(one) in group]:
                return found
        return list(tasks)

    def _continued(self, tasks: list[Candidate], *, least: int) -> list[Candidate]:
        """Prefer the task that the conversation is about, if the last words were all about it."""
        spoken = [item.get("task_id") for item in self._view.recent if item.get("role") == "user"]
        last = set(spoken[-least:])
        if len(tasks) < 2 or len(spoken) < least or len(last) != 1:  # noqa: PLR2004 - a choice
            return tasks
        return [one for one in tasks if one.task_id in last] or tasks

    # Something new

    def _new(self) -> Judgement | None:
        said = self._said
        if said.head is None or self._is_statement():
            return None
        goal = self._goal()
        wish = read_wish([goal], self._language)
        single = wish.kind == "image"
        return Judgement(
            outcome="lightweight" if single else "new",
            about=f"asks for: {wish.kind}",
            language=self._language,
            said=said,
            wish=wish,
            goal=goal,
            impossible=_second_act(said.folded),
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
        if has("refer.pronoun", self._frame) and (tasks := self._tasks()):
            about = utterance.read(tasks[0].goal).subject or tasks[0].title
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
        found = next((name for name in _CHAT if has(f"chat.{name}", self._said.folded)), None)
        if found is None or (found == "praise" and has("verbs.make", self._frame)):
            return None
        if self._waits_for_words():
            return self._reply_to_question()
        if found == "agree":
            return self._answer("only_card" if self._is_plan_waiting() else "unclear")
        return self._answer(found)

    def _is_plan_waiting(self) -> bool:
        return any(one.status == "waiting" for one in self._tasks())

    def _waits_for_words(self) -> bool:
        last = self._view.recent[-1] if self._view.recent else {}
        text = last.get("text")
        asked = isinstance(text, str) and text.rstrip().endswith(("?", "？", "か。"))
        return last.get("role") == "assistant" and asked and bool(last.get("task_id"))

    def _reply_to_question(self) -> Judgement | None:
        """A task that asked something gets the words that follow."""
        if not self._waits_for_words():
            return None
        asked = self._view.recent[-1].get("task_id")
        task = next((one for one in self._tasks() if one.task_id == asked), None)
        if task is None:
            return None
        return Judgement(
            outcome="existing",
            about="answers the task's question",
            language=self._language,
            said=self._said,
            task=task,
        )


_ACTS = frozenset({"print", "ship", "publish", "buy", "live"})
_TALKS = frozenset(
    {"thanks", "praise", "greeting", "agree", "approve", "question", "stop", "empty"}
)
_CHAT = ("bye", "thanks", "greeting", "praise", "dislike", "talk", "agree")
_CHANGE_WORDS = (
    "change.comparative",
    "change.shorter",
    "change.longer",
    "change.again",
    "change.cheaper",
    "change.more",
    "change.fewer",
    "chat.dislike",
    "change.other",
    "change.with_thing",
)


def _alike(kind: WorkKind) -> list[frozenset[WorkKind]]:
    """Return which kinds of tasks a named kind may mean, the nearest first."""
    pictures: frozenset[WorkKind] = frozenset({"image", "posters"})
    own: frozenset[WorkKind] = frozenset({kind})
    film: frozenset[WorkKind] = frozenset({"film"})
    return [own, pictures, film] if kind in pictures else [own, film]


def _kind(task: Candidate) -> WorkKind | None:
    return kind_of(task.goal) or kind_of(task.title)


def _frame(said: Said) -> str:
    """Return the folded text without what the work is about: a film about prices asks no price."""
    makes = said.head is not None and said.head.verb != "write"
    place = said.text.find(said.subject) if said.subject and makes else -1
    if place < 0:
        return said.folded
    end = place + len(said.subject)
    return said.folded[:place] + " " * len(said.subject) + said.folded[end:]


def _impossible_acts(frame: str) -> Iterator[tuple[str, int]]:
    """Yield what cannot be done, in the order in which it is named."""
    found = [
        (match.start(), what)
        for what in entries("impossible")
        if (match := pattern(f"impossible.{what}").search(frame)) is not None
    ]
    for place, what in sorted(found):
        yield what, place


def _second_act(folded: str) -> str | None:
    """Return what cannot be done in `… and print it`."""
    small = r"\b(?:and then|and|then|und dann|und|dann|y|luego|et|ensuite|e|poi|depois)\s"
    joints = rf"(?:{small}|[,，、]\s*(?:然后|并且?|그리고)?|하고|して)\s*"
    for what in sorted(_ACTS):
        listed = pattern(f"impossible.{what}").pattern
        if re.search(rf"{joints}(?:{listed})", folded):
            return what
    return None


_LONG_ENOUGH = 3


def _words(text: str) -> frozenset[str]:
    """Return the words that name a subject: stems in Latin scripts, pairs of signs elsewhere."""
    folded = fold(clip(text))
    folded = re.sub(_known_words(), " ", folded)
    small = {word for tag in entries("function") for word in words(f"function.{tag}").split("|")}
    found = {w for w in re.findall(f"[{LETTER}]+", folded) if len(w) >= _LONG_ENOUGH}
    found = {word[:6] for word in found - small}
    signs = re.findall(r"[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]{2,}", folded)
    found |= {run[i : i + 2] for run in signs for i in range(len(run) - 1)}
    return frozenset(found)


def _known_words() -> re.Pattern[str]:
    """Words of form, not of subject."""
    kinds = [f"kinds.{kind}" for kind in entries("kinds")]
    changes = [f"change.{name}" for name in entries("change")]
    units = [f"unit.{name}" for name in entries("unit")]
    moods = [f"mood.{name}" for name in entries("mood")]
    names = [f"language.{name}" for name in entries("language")]
    return pattern(*kinds, *changes, *units, *moods, *names, "verbs.make", "spec.polite")


def _language(view: MainView, text: str) -> str:
    """Return the language of the conversation; a word or two are judged by what was said before."""
    tagged = view.language or "en"
    found = language_of(text, tagged)
    if is_unspaced(text) or found != tagged or _speaks(text, found):
        return found
    for item in reversed(view.recent):
        before = item.get("text")
        if item.get("role") == "user" and isinstance(before, str) and not is_unspaced(before):
            spoken = language_of(before, tagged)
            return spoken if _speaks(before, spoken) else found
    return found


def _speaks(text: str, tag: str) -> bool:
    """Whether a text has any small word of a language."""
    listed = entries("function").get(tag)
    if listed is None:
        return tag not in SPEAKS
    found = set(re.findall(f"[{LETTER}]+", fold(clip(text))))
    return not found.isdisjoint(words(f"function.{tag}").split("|"))
