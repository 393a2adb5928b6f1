"""What a task has asked, and whether a text answers it in the question's own words."""

import re
from dataclasses import dataclass

from infra.providers.rehearsal import acts, likeness
from infra.providers.rehearsal.lexicon import LETTER, entries, fold, words
from infra.providers.rehearsal.state import Candidate, MainView

_ASKS = ("?", "？", "か。", "か", "까요.", "세요.")
_PAIR = 2
_LONG_ENOUGH = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A task's question that nothing has been said to yet."""

    task: Candidate
    question: str

    def is_answered_by(self, text: str) -> bool:
        """Whether a text begins with one of the things that were asked about."""
        if acts.is_question(text):
            return False
        first = re.split(r"[.!?。！？\n]", text.strip())[0]
        return not _offered(self.question).isdisjoint(_offered(first))


def expected(view: MainView) -> Expected | None:
    """Return the question of a task that was the last thing said, None if there is none."""
    last = view.recent[-1] if view.recent else {}
    text = last.get("text")
    if last.get("role") != "assistant" or not isinstance(text, str):
        return None
    asked = next((one for one in view.candidates if one.task_id == last.get("task_id")), None)
    if asked is None or not asked.task_id or not _asks(text):
        return None
    return Expected(task=asked, question=_last_question(text))


def _asks(text: str) -> bool:
    return text.rstrip(" \"”»」').").endswith(("?", "？")) or text.rstrip().endswith(_ASKS)


def _last_question(text: str) -> str:
    pieces = [one for one in re.split(r"(?<=[.!。！])\s*", text.strip()) if one.strip()]
    return pieces[-1] if pieces else text


def _offered(text: str) -> frozenset[str]:
    """Return the words that a question and its answer may share."""
    folded = fold(text)
    small = {one for tag in entries("function") for one in words(f"function.{tag}").split("|")}
    found = {
        likeness.stem(word)
        for word in re.findall(f"[{LETTER}]+", folded)
        if len(word) >= _LONG_ENOUGH and word not in small
    }
    for run in re.findall(r"[\u3400-\u9fff\u30a0-\u30ff\uac00-\ud7af]+", folded):
        found |= {run[i : i + _PAIR] for i in range(len(run) - 1)}
    return frozenset(found)
