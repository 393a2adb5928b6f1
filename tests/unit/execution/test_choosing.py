"""Which option was typed: by number, place, words of its own or "something new"; else silence."""

import pytest

from execution.choosing import chosen

TITLES = [
    "Tea poster",
    "Rain over Lisbon",
    "Der Hafen bei Nacht",
    "비 오는 서울",
    "茶馆海报",
    "静かな港の映画",
]
OPTIONS = [{"id": f"t{number}", "label": title} for number, title in enumerate(TITLES, start=1)]
OPTIONS.append({"id": "new", "label": "Something new"})

PLACES = [
    ("1", "t1"), ("2.", "t2"), ("#3", "t3"), ("number 2", "t2"), ("Nummer 4", "t4"), ("2번", "t2"),
    ("3番", "t3"), ("the first", "t1"), ("The second one, please", "t2"), ("das erste", "t1"),
    ("die zweite bitte", "t2"), ("el primero", "t1"), ("la segunda", "t2"), ("le premier", "t1"),
    ("la troisième", "t3"), ("il primo", "t1"), ("la seconda", "t2"), ("a primeira", "t1"),
    ("o segundo", "t2"), ("첫 번째", "t1"), ("두 번째 걸로 해주세요", "t2"), ("第一个", "t1"),
    ("第二个", "t2"), ("最初の", "t1"), ("二番目です", "t2"), ("the last one", "new"),
]  # fmt: skip
NEW = [
    "something new", "a new one", "New one please", "etwas Neues", "ein neues",
    "lieber etwas Neues", "algo nuevo", "una nueva", "quelque chose de nouveau", "un nouveau",
    "qualcosa di nuovo", "algo novo", "새로운 거", "새 작업", "新的", "新的任务", "新しいの",
    "新しい作業", "something else",
]  # fmt: skip
WORDS = [
    ("tea", "t1"), ("the tea poster", "t1"), ("the tea one", "t1"), ("Lisbon", "t2"),
    ("rain over lisbon", "t2"), ("der Hafen", "t3"), ("den Hafen bitte", "t3"), ("서울", "t4"),
    ("서울 걸로", "t4"), ("茶馆", "t5"), ("茶馆那个", "t5"), ("静かな港の方", "t6"),
    ("Something new", "new"),
]  # fmt: skip
SILENT = [
    "", "the", "please", "8", "0", "make the tea poster darker", "tea and rain", "the blue one",
    "two posters about tea", "a new film about Lisbon", "first make it darker", "yes", "noch eins",
    "add 2", "3 posters", "ein neues Poster über Tee", "做一张新的海报", "새로운 영화 만들어줘",
    "港をもっと暗く",
    "1 2", "x" * 200, "tea " * 30, "馆",
]  # fmt: skip


@pytest.mark.parametrize(("text", "option"), PLACES)
def test_a_number_or_a_place_names_an_option(text: str, option: str) -> None:
    assert chosen(text, OPTIONS) == (option, "place")


@pytest.mark.parametrize("text", NEW)
def test_something_new_is_an_option(text: str) -> None:
    found = chosen(text, OPTIONS)
    assert found is not None
    assert found[0] == "new"


@pytest.mark.parametrize(("text", "option"), WORDS)
def test_words_that_only_one_label_has_name_it(text: str, option: str) -> None:
    assert chosen(text, OPTIONS) == (option, "words")


@pytest.mark.parametrize("text", SILENT)
def test_what_says_more_or_is_not_sure_names_nothing(text: str) -> None:
    assert chosen(text, OPTIONS) is None


def test_words_that_two_labels_have_name_neither() -> None:
    two = [{"id": "a", "label": "Tea poster"}, {"id": "b", "label": "Rain poster"}]
    assert chosen("the poster", two) is None
    assert chosen("the rain poster", two) == ("b", "words")
    assert chosen("new", two) is None
