"""From text to words: nothing is lost, and what is said is not always what is written."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.providers.local.speech.words import split_words, write_script

LETTERS = st.text(alphabet="abcÄß éñ12,.!?—“”()€$%&'’\n \t-…🎉дом", min_size=1, max_size=80)
CHINESE = st.text(alphabet="你好世界，。（）“”2024年abc ¥5%、\n", min_size=1, max_size=60)


def unspaced(text: str) -> str:
    return "".join(unicodedata.normalize("NFC", text).split())


def said(text: str, language: str) -> str:
    return " ".join(word.spoken for word in split_words(text, language))


@given(LETTERS)
def test_words_hold_all_of_a_spaced_text(text: str) -> None:
    words = split_words(text, "en")

    if words:
        assert unspaced("".join(word.text for word in words)) == unspaced(text)


@given(CHINESE)
def test_words_hold_all_of_a_chinese_text(text: str) -> None:
    words = split_words(text, "zh")

    if words:
        assert unspaced("".join(word.text for word in words)) == unspaced(text)


@given(LETTERS)
def test_every_word_has_something_to_say(text: str) -> None:
    for word in split_words(text, "en"):
        assert word.spoken.strip() == word.spoken != ""


@given(LETTERS)
def test_each_word_begins_where_the_script_says(text: str) -> None:
    words = split_words(text, "en")
    script = write_script(words)

    for word, start in zip(words, script.starts, strict=True):
        assert script.text[start : start + len(word.spoken)] == word.spoken


def test_a_text_of_signs_alone_has_no_words() -> None:
    assert split_words("— … “” 🎉", "en") == []


def test_signs_hang_on_their_neighbours() -> None:
    words = split_words("“Berlin” — really?", "en")

    assert [word.text for word in words] == ["“Berlin” —", "really?"]


def test_chinese_numbers_stay_whole() -> None:
    words = split_words("今天是2024年3月5日。", "zh")

    assert [word.text for word in words] == ["今", "天", "是", "2024年", "3月", "5日。"]


@pytest.mark.parametrize(
    ("language", "text", "spoken"),
    [
        ("en", "It cost $1,234.50 in 1990.", "It cost 1,234.50 dollars in 19 90."),
        (
            "en",
            "The 1980s, e.g. on Park Ave. here.",
            "The 19 eighties, for example on Park Ave here.",
        ),
        ("en", "Dr. Smith met J. Doe.", "Dr Smith met J Doe."),
        ("de", "Am 3. Mai kam der 21. Teil.", "Am dritten Mai kam der einundzwanzigste Teil."),
        ("de", "Am 20. Mai, z. B. heute.", "Am zwanzigsten Mai, zum Beispiel heute."),
        ("zh", "价格¥50", "价 格 50元"),
        ("zh", "涨了3.5%", "涨 了 百分之3.5"),
    ],
)
def test_written_forms_are_spelled_out(language: str, text: str, spoken: str) -> None:
    assert said(text, language) == spoken


def test_a_sentence_end_keeps_its_dot() -> None:
    assert said("I said no. He left.", "en") == "I said no. He left."


def test_a_line_without_a_dot_is_still_a_sentence() -> None:
    assert said("The end\nof all", "en") == "The end. of all"
