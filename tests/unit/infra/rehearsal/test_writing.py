"""What a film's script says and shows: of its brief and not of anything, at the hour it names."""

import re

import pytest

from infra.language import detect_language
from infra.providers.rehearsal.brief import read_wish
from infra.providers.rehearsal.production import produce
from infra.providers.rehearsal.script_types import FilmScript
from infra.providers.rehearsal.themes import shelf
from infra.providers.rehearsal.themes.beats import LANGUAGES


def script(text: str) -> FilmScript:
    language = detect_language(text)
    return produce(read_wish([text], language), language).script


OWN_WORDS = [
    ("A 30-second film about losing my keys in the snow", ("keys", "snow")),
    ("Ein Film von 30 Sekunden über den Umzug unserer Buchhandlung", ("Umzug", "Buchhandlung")),
    ("Un film de 30 secondes sur l'horloger du village", ("horloger", "village")),
    ("Haz un vídeo sobre la siesta en Alicante, 30 segundos", ("siesta", "Alicante")),
    ("Un film di 30 secondi sulla vendemmia nelle Langhe", ("vendemmia", "Langhe")),
    ("Um filme de 30 segundos sobre o elétrico 28 em Lisboa", ("elétrico 28", "Lisboa")),
    ("손톱깎이의 행방에 대한 30초 영화", ("손톱깎이", "행방")),
    ("做一部关于雨伞的去向的30秒短片", ("雨伞", "去向")),
    ("東京の銭湯についての30秒の映画", ("東京", "銭湯")),
]


@pytest.mark.parametrize(("text", "named"), OWN_WORDS)
def test_a_film_that_no_theme_knows_speaks_and_shows_what_its_brief_names(
    text: str, named: tuple[str, str]
) -> None:
    made = script(text)
    lines = [shot.narration for shot in made.shots]
    about = [line for line in lines if any(word.casefold() in line.casefold() for word in named)]
    assert len(about) * 2 >= len(lines)
    said = " ".join(lines).casefold()
    assert all(word.casefold() in said for word in named)
    pictures = " ".join(shot.picture for shot in made.shots)
    assert "abstract" not in pictures
    assert named[0] in pictures
    assert named[0].casefold() in made.title.casefold()


THEMES = [
    ("A film about our cat's 15th birthday", "celebration"),
    ("Un film sur le mariage de ma sœur", "celebration"),
    ("할아버지 생일에 대한 영화", "celebration"),
    ("Explain the Krebs cycle for kids in a 30-second film", "explaining"),
    ("A film about how vaccines work", "explaining"),
    ("Ein Erklärfilm über die Photosynthese", "explaining"),
    ("光合成のしくみについての映画", "explaining"),
    ("Hôtel du Lac, a ghost story, a film of 24 seconds", "mystery"),
    ("Una película sobre un fantasma en el desván", "mystery"),
    ("一部关于老宅里的幽灵的短片", "mystery"),
]


@pytest.mark.parametrize(("text", "theme"), THEMES)
def test_occasions_explanations_and_mysteries_have_lines_of_their_own(
    text: str, theme: str
) -> None:
    language = detect_language(text)
    listed = {
        beat.segments(one)[0].strip(" .。")
        for beat in shelf.THEMES[theme].beats
        for one in LANGUAGES
        if one == language
    }
    lines = [shot.narration for shot in script(text).shots]
    told = [line for line in lines if any(first in line for first in listed)]
    assert len(told) >= len(lines) - 1


_LATE = re.compile(r"\b(?:dusk|sunset|evening|night|moon|stars?|midday|afternoon)\b")
_EARLY = re.compile(r"\b(?:dawn|sunrise|morning|midday|afternoon)\b")
HOURS = [
    ("A 60-second film about a lighthouse keeper at dawn", _LATE),
    ("A film about our cat, at dawn, 40 seconds", _LATE),
    ("Ein Film über einen Hafen im Morgengrauen, 40 Sekunden", _LATE),
    ("Un film sur un marché à l'aube, 40 secondes", _LATE),
    ("Un film sulla vendemmia all'alba, 40 secondi", _LATE),
    ("새벽 시장에 대한 40초 영화", _LATE),
    ("関東の夜明けについての40秒の映画", _LATE),
    ("A 40-second film about a village at dusk", _EARLY),
    ("Ein Film über eine Bäckerei bei Nacht, 40 Sekunden", _EARLY),
    ("Haz un vídeo sobre la noche de San Juan, 40 segundos", re.compile(r"\bsun\b")),
]


@pytest.mark.parametrize(("text", "wrong"), HOURS)
def test_a_film_at_one_hour_shows_no_other(text: str, wrong: re.Pattern[str]) -> None:
    for shot in script(text).shots:
        assert wrong.search(shot.picture) is None, shot.picture
        assert wrong.search(shot.narration) is None, shot.narration


def test_a_pigeon_is_not_the_dawn() -> None:
    pictures = [shot.picture for shot in script("Ein Film über eine Taube, 40 Sekunden").shots]
    assert sum("dawn" in picture for picture in pictures) < len(pictures)


def test_a_day_that_is_not_named_runs_from_morning_to_night() -> None:
    shots = script("A 60-second film about a village from dawn to dusk").shots
    pictures = " ".join(shot.picture for shot in shots)
    assert "night" in pictures or "dusk" in pictures
