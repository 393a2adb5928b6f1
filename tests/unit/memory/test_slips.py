"""A word and the same with one slip of the finger are each other's; nothing else is."""

import pytest

from memory.slips import MOST, one_slip_away

SLIPPED = [
    ("veli", "velri"),  # lost
    ("morrgo", "morgo"),  # doubled
    ("stlepi", "stelpi"),  # swapped
    ("latern", "labern"),  # another letter hit
    ("велосиед", "велосипед"),
]


@pytest.mark.parametrize(("typed", "meant"), SLIPPED)
def test_a_slip_leads_back_to_the_word_that_was_meant(typed: str, meant: str) -> None:
    assert meant in one_slip_away(typed)
    assert typed in one_slip_away(meant)


@pytest.mark.parametrize("word", ["fox", "2026", "パン屋", "3d", "", "a" * (MOST + 1), "exeлent"])
def test_short_long_and_other_words_have_no_slips(word: str) -> None:
    assert one_slip_away(word) == []


@pytest.mark.parametrize("word", ["abba", "velri", "морковь", "z" * MOST])
def test_no_slip_is_the_word_itself_and_all_are_of_about_its_length(word: str) -> None:
    found = one_slip_away(word)
    assert word not in found
    assert len(found) == len(set(found)) < 70 * (MOST + 1)
    assert all(abs(len(one) - len(word)) <= 1 for one in found)
