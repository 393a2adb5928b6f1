"""What can be seen in a message that tells what it wants, as figures; none decides by itself.

The vocabularies are those of `words.toml`, `talk.toml` and `works.toml`: words of grammar, of
making, changing, stopping, asking and greeting in nine languages. What weight each has is in
`weights.json`.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence

from infra.providers.rehearsal import acts, likeness, naming
from infra.providers.rehearsal.fitting import size
from infra.providers.rehearsal.lexicon import fold, has, is_unspaced
from infra.providers.rehearsal.reference import OPEN, bare
from infra.providers.rehearsal.state import Candidate, MainView
from infra.providers.rehearsal.utterance import Said

type Figures = Mapping[str, float]

WORDS = (
    *(f"act.{name}" for name in (
        "add", "all", "build", "consent", "delete", "exclaims", "give_up", "going_on", "next",
        "put", "revive", "self", "to_it", "wish",
    )),
    *(f"ask.{name}" for name in (
        "also", "aux", "aux_sure", "inside", "later", "request", "suggest", "wh",
    )),
    *(f"chat.{name}" for name in (
        "agree", "approve", "bye", "control", "delete", "dislike", "filler", "greeting", "halt",
        "hostile", "praise", "refuse", "talk", "thanks", "wait",
    )),
    *(f"change.{name}" for name in (
        "act", "again", "back", "cheaper", "comparative", "double", "fewer", "half", "instead",
        "longer", "more", "other", "return", "shorter", "undo", "undo_all", "with_thing",
    )),
    *(f"edit.{name}" for name in (
        "correction", "enough", "fault", "needless", "return", "seems", "verb",
    )),
    *(f"impossible.{name}" for name in (
        "buy", "code", "hologram", "live", "other", "physical", "print", "publish", "ship",
    )),
    *(f"part.{name}" for name in ("film", "image", "music", "text", "voice")),
    *(f"question.{name}" for name in (
        "capability", "identity", "price_maybe", "price_sure", "status", "status_maybe",
    )),
    *(f"refer.{name}" for name in (
        "about", "after_place", "another", "definite", "definite_cjk", "demonstrative",
        "indefinite", "known", "new", "not_a", "not_known", "one_more", "one_of", "other_one",
        "plural", "pronoun", "same",
    )),
    *(f"shape.{name}" for name in (
        "plural", "poster", "series", "square", "upright", "variants", "wide",
    )),
    *(f"time.{name}" for name in ("earlier", "month", "today", "week", "year", "yesterday")),
    *(f"unit.{name}" for name in ("half_minute", "minute", "second", "shot")),
    *(f"verbs.{name}" for name in ("compose", "draw", "film", "make", "speak", "write")),
    "anchor.strong",
    "chat_more.reward",
    "spec.polite",
    "state.stopped",
)  # fmt: skip
"""The vocabularies that are looked for."""


_ACTS: Mapping[str, Callable[[str], bool]] = {
    "is_question": acts.is_question,
    "is_chat": acts.is_chat,
    "is_garbled": acts.is_garbled,
    "is_consent": acts.is_consent,
    "gives_up": acts.gives_up,
    "is_complaint": acts.is_complaint_or_wish,
    "is_scene": acts.is_scene,
}
_FOLDED: Mapping[str, Callable[[str], bool]] = {
    "deletes": acts.deletes,
    "deletes_part": acts.deletes_part,
    "only_tells": acts.only_tells,
    "begins_with_length": acts.begins_with_length,
    "wants_one_more": acts.wants_one_more,
}


def of_message(text: str, said: Said, language: str) -> Figures:
    """Return the figures of a message by itself."""
    without = bare(text)
    folded = fold(without)
    found = {name: float(has(name, folded)) for name in WORDS}
    found |= {name: float(judged(without)) for name, judged in _ACTS.items()}
    found |= {name: float(judged(folded)) for name, judged in _FOLDED.items()}
    return {**found, **_form(text, folded), **_wish(said), **_kinds(without, language)}


def _form(text: str, folded: str) -> Figures:
    words = size(folded)
    last = text.rstrip(" \"”»」')")
    sentences = [one for one in re.split(r"[.!?。！？…\n]+", folded) if one.strip()]
    return {
        "size": math.log1p(words),
        "is_short": float(words <= 4),  # noqa: PLR2004
        "is_long": float(words > 30),  # noqa: PLR2004
        "sentences": math.log1p(len(sentences)),
        "ends_asking": float(last.endswith(("?", "？", "吗", "か"))),
        "asks_within": float("?" in last[:-1] or "？" in last[:-1]),
        "exclaims": float("!" in text or "！" in text),
        "quotes": float(any(True for _ in naming.quoted(text))),
        "colon": float(":" in text or "：" in text),
        "digits": float(any(one.isdigit() for one in text)),
        "begins_lower": float(text[:1].islower()),
        "is_unspaced": float(is_unspaced(folded)),
        "place": float(naming.place(folded) is not None),
        "negates": float(any(True for _ in naming.negated(fold(text)))),
    }


def _wish(said: Said) -> Figures:
    head = said.head
    kinds = ("film", "image", "narration", "music", "document", "model3d")
    return {
        **{f"head_{kind}": float(head is not None and head.kind == kind) for kind in kinds},
        "head": float(head is not None),
        "head_new": float(head is not None and said.is_new),
        "head_known": float(head is not None and not said.is_new),
        "head_verb": float(head is not None and bool(head.verb)),
        "subject": float(bool(said.subject)),
        "head_subject": float(head is not None and bool(said.subject)),
        "changes": float(said.changes),
        "replaces": float(said.replaces_subject),
        "restores": float(said.restores),
        "adds": float(said.adds),
        "stops": float(said.interrupts == "stop"),
        "waits": float(said.interrupts == "wait"),
        "undoes": float(said.undoes),
        "of_one_shot": float(said.is_of_one_shot),
        "remark": float(bool(said.remark)),
        "count": float(said.count is not None),
        "count_one": float(said.count == 1),
        "count_many": float(said.count is not None and said.count > 1),
        "seconds": float(said.seconds is not None),
        "seconds_delta": float(said.seconds_delta != 0),
        "size_named": float(said.size is not None),
        "language_named": float(said.language is not None),
        "moods": float(bool(said.moods.wanted or said.moods.unwanted or said.style)),
        "palette": float(bool(said.palette)),
        "title": float(bool(said.title)),
        "lettering": float(bool(said.lettering)),
        "absent": float(bool(said.absent)),
        "series": float(said.is_series),
        "is_poster": float(said.is_poster),
        "again": float(said.is_again),
    }


def _kinds(text: str, language: str) -> Figures:
    named = naming.mentions(text, language)
    first = named[0] if named else None
    families = {one.name.partition("_")[0] for one in named}
    return {
        "works": math.log1p(len(named)),
        "work_known": float(any(one.is_known is True for one in named)),
        "work_new": float(any(one.is_known is False for one in named)),
        "work_bare": float(any(one.is_known is None for one in named)),
        "first_known": float(first is not None and first.is_known is True),
        "first_new": float(first is not None and first.is_known is False),
        "first_early": float(first is not None and first.start <= 0.3 * len(text)),
        **{f"work_{family}": float(family in families) for family in naming.FAMILIES},
    }


def of_tasks(
    tasks: Sequence[Candidate], fit: Sequence[Figures], chances: Sequence[float]
) -> Figures:
    """Return the figures of the works there are, and of the one that is likeliest meant."""
    found: dict[str, float] = {
        "tasks": math.log1p(len(tasks)),
        "none": float(not tasks),
        "any_open": float(any(one.status in OPEN for one in tasks)),
        "any_waits": float(any(one.status == "waiting" for one in tasks)),
        "any_asks": float(any(one.asks for one in tasks)),
    }
    ordered = sorted(range(len(fit)), key=lambda one: -chances[one])
    best: Figures = fit[ordered[0]] if ordered else {}
    found |= {f"best.{name}": value for name, value in best.items() if "|" not in name}
    found |= {f"any.{name}": max((one[name] for one in fit), default=0.0) for name in _OF_ANY}
    top = [chances[one] for one in ordered[:2]] + [0.0, 0.0]
    return {**found, "best.chance": top[0], "best.ahead": top[0] - top[1]}


_OF_ANY = ("words", "best_word", "object", "meaning", "asked", "kind_known", "told")


def of_choice(folded: str, fit: Sequence[Figures], chances: Sequence[float]) -> Figures:
    """Return the figures that tell whether the likeliest task alone is meant."""
    ordered = sorted(range(len(fit)), key=lambda one: -chances[one])
    best = fit[ordered[0]]
    second = fit[ordered[1]] if len(ordered) > 1 else dict.fromkeys(best, 0.0)
    top = [chances[one] for one in ordered[:3]] + [0.0, 0.0]
    names = [name for name in best if "|" not in name]
    entropy = -sum(one * math.log(one + 1e-9) for one in chances)
    return {
        "chance": top[0],
        "odds": math.log((top[0] + 1e-3) / (top[1] + 1e-3)),
        "odds_third": math.log((top[1] + 1e-3) / (top[2] + 1e-3)),
        "rivals": float(sum(one >= _RIVAL * top[0] for one in chances)),
        "tasks": math.log1p(len(fit)),
        "spread": entropy,
        **{f"ahead.{name}": best[name] - second[name] for name in names},
        **{f"best.{name}": best[name] for name in names},
        **{name: float(has(name, folded)) for name in _OF_CHOICE},
        "place": float(naming.place(folded) is not None),
        "size": math.log1p(size(folded)),
    }


_RIVAL = 0.3
_OF_CHOICE = (
    "refer.plural", "refer.one_of", "refer.pronoun", "refer.demonstrative", "refer.other_one",
    "refer.definite", "act.delete", "chat.delete", "act.all",
)  # fmt: skip


def of_talk(view: MainView) -> Figures:
    """Return the figures of what was said last."""
    last = view.recent[-1] if view.recent else {}
    text = last.get("text")
    words = likeness.said_words(text) if isinstance(text, str) else likeness.Words()
    said = likeness.known_words(view.message)
    asks = isinstance(text, str) and text.rstrip(" \"”»」').").endswith(("?", "？", "か"))
    return {
        "recent": float(bool(view.recent)),
        "last_assistant": float(last.get("role") == "assistant"),
        "last_of_task": float(bool(last.get("task_id"))),
        "last_asks": float(last.get("role") == "assistant" and asks),
        "echoes": likeness.covered(words, said) if words else 0.0,
    }


def of_rules(outcome: str, about: str) -> Figures:
    """Return what the rules by themselves would do, as figures."""
    outcomes = ("answer", "lightweight", "existing", "new", "ask")
    abouts = (
        "capabilities", "control", "dislike", "greeting", "impossible", "nothing_to_change",
        "only_card", "praise", "price", "status", "talk", "thanks", "unclear", "bye", "identity",
        "empty",
    )  # fmt: skip
    return {
        **{f"rules.{name}": float(outcome == name) for name in outcomes},
        **{f"rules.about.{name}": float(outcome == "answer" and about == name) for name in abouts},
    }
