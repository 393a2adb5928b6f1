"""Words of grammar are told from words that mean a work, in the languages people write in."""

import pytest

from memory.filler import is_filler
from memory.lexemes import words


def kept(text: str) -> list[str]:
    first = [word.lexemes[0][0] for word in words(text)]
    return [one for one in first if not is_filler(one)]


SAID = [
    ("We need the poster for the bakery once more, please", ["poster", "bakery"]),
    ("Wir brauchen das Plakat für die Bäckerei noch einmal", ["plakat", "backerei"]),
    ("Il nous faut encore une fois cette affiche de la boulangerie", ["affiche", "boulangerie"]),
    ("Ci serve di nuovo il manifesto del panificio", ["manifesto", "panificio"]),
    ("Necesitamos otra vez el cartel de la panadería", ["cartel", "panaderia"]),
    ("Precisamos outra vez do cartaz da padaria", ["cartaz", "padaria"]),
    ("نحتاج الملصق مرة أخرى", ["ملصق"]),
    ("Нам снова нужен плакат для пекарни", ["плакат", "пекарни"]),
    ("我们的海报", ["海报"]),
    ("ポスターをしてください", ["ポス", "スタ", "ター", "ーを"]),
    ("포스터 다시 해 주세요", ["포스", "스터", "해"]),
]


@pytest.mark.parametrize(("text", "meant"), SAID)
def test_what_is_left_of_a_message_is_what_it_is_about(text: str, meant: list[str]) -> None:
    assert kept(text) == meant


@pytest.mark.parametrize("text", ["Morvel", "Лиссабон", "灯塔", "등대", "برلين", "2026", "3D", "x"])
def test_names_and_numbers_are_never_grammar(text: str) -> None:
    assert kept(text)
