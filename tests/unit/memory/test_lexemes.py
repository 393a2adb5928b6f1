"""Words are compared across case, accents, inflection and slips; hostile texts stay small."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.lexemes import MOST_WORDS, lexemes, words

MOST_FORMS = 6
LONGEST = 40


def shared(one: str, other: str) -> set[str]:
    return set(lexemes(one)) & set(lexemes(other))


SAME = [
    ("Bäckerei", "BÄCKEREI"),
    ("Bäckerei", "Baeckerei"),
    ("Straße", "STRASSE"),
    ("café", "cafe"),
    ("Füchse", "fuchse"),
    ("ёж", "еж"),
    ("المَقْهى", "المقهى"),
    ("ポスター", "ﾎﾟｽﾀｰ"),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_word_written_differently_gives_the_same_lexemes(one: str, other: str) -> None:
    assert lexemes(one) == lexemes(other) != []


ALIKE = [
    ("bakery", "bakeries"),
    ("Fuchs", "Füchse"),
    ("Häuser", "Haus"),
    ("gatto", "gatti"),
    ("лиса", "лисой"),
    ("свадьба", "свадьбой"),
    ("Hochzeitseinladungen", "Einladung"),
    ("Bäckereiplakat", "Bäckerei"),
    ("مقهى", "المقهى"),
    ("パン屋の開店", "パン屋"),
    ("빵집의", "빵집"),
    ("面包店海报", "海报"),
    ("Laaquomar", "Laquomar"),
    ("Muncih", "Munich"),
    ("montaañs", "montañas"),
    ("शहर", "शहर"),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_inflected_compounded_and_mistyped_words_share_a_lexeme(one: str, other: str) -> None:
    assert shared(one, other)


DIFFERENT = [("fox", "owl"), ("Lisbon", "Vienna"), ("狐狸", "灯塔"), ("лиса", "маяк"), ("12", "13")]


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_different_words_share_nothing(one: str, other: str) -> None:
    assert not shared(one, other)


def test_a_text_without_words_has_none() -> None:
    assert lexemes("", " \n", "😀😀 …", "\u202e\u200b") == []


def test_the_first_text_is_kept_when_there_are_too_many_words() -> None:
    found = lexemes("harbour", " ".join(f"word{number}x" for number in range(500)))
    assert "harbour" in found


HOSTILE = [
    "x" * 100_000,
    "字" * 100_000,
    "a\u0301" * 50_000,
    "😀" * 50_000,
    "\u202e مرحبا " * 9000,
    "'); drop table tasks; --" * 4000,
    "\\'|&!:*()<->" * 9000,
    "\x00" * 1000,
    "e" * 31 + "\u0300" * 5000,
    " ".join(f"w{number}" for number in range(50_000)),
]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_texts_give_few_and_short_lexemes(text: str) -> None:
    is_bounded(text)


@given(st.text(max_size=4000))
def test_any_text_gives_few_and_short_lexemes(text: str) -> None:
    is_bounded(text)


def is_bounded(text: str) -> None:
    said = words(text)
    assert len(said) <= MOST_WORDS
    for word in said:
        assert 1 <= len(word.lexemes) <= MOST_FORMS
        assert 0 < sum(part for _, part in word.lexemes) <= 1.0 + 1e-9
        for lexeme, _ in word.lexemes:
            assert 0 < len(lexeme) <= LONGEST
            assert "\x00" not in lexeme
