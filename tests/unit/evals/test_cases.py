"""The labelled cases hang together, and each half asks enough of every kind."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import get_args

import pytest

from evals.routing import cases
from evals.routing.cases import Case, CasesError, Half, Situation, Tag

HALVES: tuple[Half, ...] = get_args(Half.__value__)
LARGEST = ("en", "de", "fr", "es", "zh")
OTHERS = ("ja", "ko")
ALTERNATIVES = 0.08
LIKE = 0.35
GREETING = 8

GOOD = """
- id: harbour
  language: en
  subjects: [harbour]
  tasks:
    - {key: crane, title: Crane, goal: a film of a crane, age: 2 d, objects: [{key: shot, name: S}]}
  recent:
    - {role: user, text: words, task: crane, age: 1 h, key: words}
  shown: [shot]
  cases:
    - {id: one, say: higher, tags: [pronoun], expect: {outcome: existing, task: crane}}
"""


@cache
def load(half: Half) -> list[Situation]:
    return cases.load(half)


def every_case(half: Half) -> list[tuple[Situation, Case]]:
    return [(each, case) for each in load(half) for case in each.cases]


@pytest.mark.parametrize("half", HALVES)
def test_a_half_has_enough_of_everything(half: Half) -> None:
    found = every_case(half)
    languages = Counter(situation.language_of(case) for situation, case in found)
    tags = Counter(tag for _, case in found for tag in case.tags)
    outcomes = Counter(case.expect.outcome for _, case in found)
    risks = Counter(case.risk for _, case in found)
    assert len(found) >= 170
    assert len(load(half)) >= 35
    assert [language for language in LARGEST if languages[language] < 25] == []
    assert [language for language in OTHERS if languages[language] < 12] == []
    assert [tag for tag in get_args(Tag.__value__) if tags[tag] < 5] == []
    assert [name for name, count in outcomes.items() if count < 15] == []
    assert risks["spends"] >= 60
    assert risks["deletes"] >= 8


@pytest.mark.parametrize("half", HALVES)
def test_a_second_right_answer_is_the_exception(half: Half) -> None:
    found = every_case(half)
    assert sum(bool(case.accept) for _, case in found) < ALTERNATIVES * len(found)


@pytest.mark.parametrize("half", HALVES)
def test_what_looks_like_a_wrong_target_is_labelled_with_its_risk(half: Half) -> None:
    forgotten = [
        f"{situation.id}.{case.id}"
        for situation, case in every_case(half)
        if "deletion" in case.tags
        and case.expect.outcome in ("existing", "ask")
        and case.risk != "deletes"
    ]
    assert forgotten == []


def test_every_situation_and_every_message_is_there_once() -> None:
    everything = [each for half in HALVES for each in load(half)]
    ids = Counter(situation.id for situation in everything)
    assert [name for name, count in ids.items() if count > 1] == []
    texts = Counter(
        _plain(case.say)
        for situation in everything
        for case in situation.cases
        if case.sent_with is None
    )
    assert [text for text, count in texts.items() if count > 1] == []


def test_no_subject_and_no_name_is_in_both_halves() -> None:
    dev, unseen = ({*_names(load(half))} for half in HALVES)
    assert dev & unseen == set()


def test_the_halves_do_not_share_their_wording() -> None:
    """Nothing longer than a greeting is said in both halves in nearly the same way."""
    dev, unseen = ({case.say: _grams(case.say) for _, case in every_case(half)} for half in HALVES)
    alike = [
        (one, other)
        for one, ones in dev.items()
        for other, others in unseen.items()
        if ones == others or (len(ones) >= GREETING and _likeness(ones, others) > LIKE)
    ]
    assert alike == []


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("task: crane}}", "task: ship}}", "no task ship"),
        ("shown: [shot]", "shown: [other]", "no object other"),
        ("task: crane, age: 1 h", "task: ship, age: 1 h", "no task ship"),
        ("tags: [pronoun]", "tags: [nonsense]", "nonsense"),
        ("tags: [pronoun]", "tags: []", "at least 1"),
        ("{outcome: existing, task: crane}", "{outcome: existing}", "a task is named"),
        ("{outcome: existing, task: crane}", "{outcome: ask}", "options are named"),
        ("age: 2 d", "age: lately", "valid timedelta"),
        ("{key: shot, name: S}", "{key: crane, name: S}", "crane is there twice"),
        ("tags: [pronoun]", "tags: [pronoun], sent_with: {object: sail}", "sail"),
        ("tags: [pronoun]", "tags: [pronoun], sent_with: {}", "one of task"),
        ("tags: [pronoun]", "tags: [pronoun], answer: x", "answer"),
        ("tags: [pronoun]", "tags: [", "yaml"),
    ],
)
def test_what_does_not_hang_together_is_refused(
    tmp_path: Path, before: str, after: str, said: str
) -> None:
    path = tmp_path / "some.yaml"
    path.write_text(GOOD, encoding="utf-8")
    assert [each.id for each in cases.read(path)] == ["harbour"]
    assert before in GOOD
    path.write_text(GOOD.replace(before, after), encoding="utf-8")
    with pytest.raises(CasesError, match=re.escape(said)):
        cases.read(path)


def _names(situations: Iterable[Situation]) -> Iterable[str]:
    for situation in situations:
        yield from (situation.id, *map(_plain, situation.subjects))
        for task in situation.tasks:
            yield from map(_plain, (task.title, task.goal))
        yield from (_plain(said.text) for said in situation.recent)


def _grams(text: str) -> frozenset[str]:
    """Its runs of three letters."""
    plain = _plain(text)
    return frozenset(plain[place : place + 3] for place in range(max(len(plain) - 2, 1)))


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    if min(len(one), len(other)) <= LIKE * max(len(one), len(other)):
        return 0.0  # one is so much longer that they cannot be alike
    return len(one & other) / len(one | other)


def _plain(text: str) -> str:
    """A text without its case, spaces and signs."""
    return "".join(_letters(text)) or text


def _letters(text: str) -> Iterable[str]:
    return (sign for sign in text.casefold() if sign.isalnum())
