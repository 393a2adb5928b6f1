"""What later words change about a wish, and what they leave as it was."""

import pytest

from infra.providers.rehearsal.brief import read_wish

FILM = "A 20-second film about a small bakery in Lisbon, calm, in English"
POSTERS = "4 posters about the four seasons"


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ("make it 30 seconds", {"duration_s": 30}),
        ("10 seconds longer", {"duration_s": 30}),
        ("twice as long", {"duration_s": 40}),
        ("kürzer bitte", {"duration_s": 14}),
        ("더 짧게", {"duration_s": 14}),
        ("短一点", {"duration_s": 14}),
        ("plus court", {"duration_s": 14}),
        ("in French please", {"work_language": "fr"}),
        ("lieber auf Deutsch", {"work_language": "de"}),
        ("with 8 shots", {"shot_count": 8}),
        ("make it vertical", {"width": 720, "height": 1280}),
        ("warmer", {"moods": ("warm", "calm")}),
        ("más cálida", {"moods": ("warm", "calm")}),
        ("energetic instead", {"moods": ("energetic",)}),
        ("not so dark", {"moods": ("bright", "calm")}),
        ("use blue and gold", {"palette": ("#2f5d9b", "#c99a2e")}),
        ("make it about tea instead", {"subject": "tea"}),
        ("no, make it about the sea", {"subject": "the sea"}),
    ],
)
def test_later_words_override_earlier_ones(change: str, expected: dict[str, object]) -> None:
    before, after = read_wish([FILM], "en").brief, read_wish([FILM, change], "en").brief
    assert {name: getattr(after, name) for name in expected} == expected
    rest = {"words", "shot_count", *expected}
    names = set(before.__dataclass_fields__) - rest
    assert all(getattr(before, name) == getattr(after, name) for name in names)


def test_the_newest_of_two_lengths_counts() -> None:
    assert read_wish([FILM, "30 seconds", "make it 45 seconds"], "en").brief.duration_s == 45


def test_chatter_changes_nothing() -> None:
    talk = ["thanks!", "looks great, go ahead", "approve everything", "how much does it cost?"]
    assert read_wish([FILM, *talk], "en") == read_wish([FILM], "en")


def test_a_free_remark_is_kept_as_an_extra() -> None:
    assert read_wish([FILM, "add a cat"], "en").extras == ("a cat",)
    remark = "the second shot should show her hands"
    assert read_wish([FILM, remark], "en").extras == (remark,)


def test_a_picture_may_grow_into_a_film_but_a_film_does_not_become_music() -> None:
    grown = read_wish(["draw a red fox in the snow", "make a 15-second film out of it"], "en")
    assert (grown.kind, grown.brief.subject, grown.brief.duration_s) == (
        "film",
        "a red fox in the snow",
        15,
    )
    assert read_wish([FILM, "make the music calmer"], "en").kind == "film"


def test_a_series_is_counted_and_may_be_recounted() -> None:
    assert read_wish([POSTERS], "en").count == 4
    assert read_wish([POSTERS, "only three"], "en").count == 3
    assert read_wish([POSTERS, "6 posters please"], "en").count == 6
