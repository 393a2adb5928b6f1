"""What a work is about and what it is called: nothing of the wish around it, and whole phrases."""

import pytest

from infra.language import detect_language
from infra.providers.rehearsal.brief import Wish, read_wish, title_of
from infra.providers.rehearsal.titles import shortened


def read(text: str) -> Wish:
    return read_wish([text], detect_language(text))


KOREAN = (
    "고양이 아이 바다 나라 도로 종이 은하 사과 회의 강의 정의 가을 마을 노을 거리 어린이 "
    "놀이 제주도 민주주의 엄마와 아기 이야기 나이 오이 무늬 소나기"
)


@pytest.mark.parametrize("noun", KOREAN.split())
def test_korean_nouns_that_end_like_a_particle_stay_whole(noun: str) -> None:
    for text in (f"{noun} 영화 20초", f"{noun}의 영화", f"{noun}에 대한 20초 영화"):
        assert read(text).brief.subject == noun, text


@pytest.mark.parametrize(
    "noun", ["ふるさと", "忘れもの", "かに", "きもの", "まんが", "花", "海の家"]
)
def test_japanese_nouns_that_end_like_a_particle_stay_whole(noun: str) -> None:
    for text in (f"{noun}の映画、20秒", f"{noun}についての映画"):
        assert read(text).brief.subject == noun, text


@pytest.mark.parametrize("noun", ["人生目的", "的士司机", "外婆的生日"])
def test_chinese_words_with_a_particle_s_sign_stay_whole(noun: str) -> None:
    for text in (f"{noun}的短片，20秒", f"关于{noun}的短片"):
        assert read(text).brief.subject == noun, text


SUBJECTS = [
    ("Ein Film über die letzte Straßenbahn, ruhig und ernst, Hochformat", "die letzte Straßenbahn"),
    ("Ein Film über Wale, stimmungsvoll, langsam und nachdenklich", "Wale"),
    ("Imagefilm für die Zahnarztpraxis Dr. Meier, freundlich", "die Zahnarztpraxis Dr. Meier"),
    ("Ein Film zum 15. Geburtstag unserer Katze, verspielt", "15. Geburtstag unserer Katze"),
    ("A film about the bakery of J. S. Bell, calm", "the bakery of J. S. Bell"),
    ("A film about an old harbour, vertical, 10 seconds", "an old harbour"),
    ("A film about friends, family and the sea, joyful and tender", "friends, family and the sea"),
    ("Un film sur le dernier marché de Noël, tendre, en français", "le dernier marché de Noël"),
    ("Un film sur la mer, calme et pensif", "la mer"),
    ("Haz un vídeo sobre la noche de San Juan, sin palabras", "la noche de San Juan"),
    ("Un cortometraggio su mia nonna e il suo orto, tenero e ironico", "mia nonna e il suo orto"),
    ("Um vídeo sobre a saudade, melancólico e lento", "a saudade"),
    ("한국의 가을, 잔잔하고 따뜻한 20초 영상", "한국의 가을"),
    ("東京の銭湯の朝、静かで落ち着いた30秒の映画", "東京の銭湯の朝"),
    ("东京的早晨，安静的30秒短片", "东京的早晨"),
    ("给孩子们讲光合作用的30秒短片，活泼", "光合作用"),
    ("子ども向けに光合成を説明する30秒の動画", "光合成"),
    ("Explain the Krebs cycle in a 30-second film", "the Krebs cycle"),
    ("Erkläre die Blockchain in einem Film von 30 Sekunden", "die Blockchain"),
    ("一部关于最后一家照相馆的默片，20秒，竖屏", "最后一家照相馆"),
    ("Make something about the moon landing, 20 seconds film", "the moon landing"),
    ("A horror short about an elevator, 20 seconds", "an elevator"),
    ("Wie entsteht ein Regenbogen? Ein Film für Kinder", "Wie entsteht ein Regenbogen"),
    ("Comment fonctionne une éolienne ? Film de 30 secondes", "Comment fonctionne une éolienne"),
    ("¿Cómo funciona un volcán? Película para niños", "Cómo funciona un volcán"),
    ("彩虹是怎么形成的？给孩子看的30秒动画", "彩虹是怎么形成的"),
    ('a music video for our song "Paper Boats", dreamy', "our song Paper Boats"),
]


@pytest.mark.parametrize(("text", "subject"), SUBJECTS)
def test_a_subject_has_none_of_the_wish_at_its_ends(text: str, subject: str) -> None:
    wish = read(text)
    assert (wish.kind, wish.brief.subject) == ("film", subject)


def test_a_quotation_after_a_film_is_its_title() -> None:
    wish = read('a 24 second short film "Hôtel du Lac", a ghost story, eerie')
    assert (wish.title, wish.brief.subject, wish.brief.width) == (
        "Hôtel du Lac",
        "a ghost story",
        1280,
    )


def test_a_story_of_so_many_seconds_is_a_film() -> None:
    wish = read("Hôtel du Lac, a ghost story, 24 seconds")
    assert (wish.kind, wish.brief.duration_s) == ("film", 24)


TITLES = [
    ("Ein Kurzfilm über zwei Socken, die sich in der Waschmaschine verlieben", "Zwei Socken"),
    (
        "Um filme sobre a despedida do meu pai, que vai para a reforma depois de trinta anos",
        "Despedida do meu pai",
    ),
    (
        "A film about the history of the little harbour town of Whitby and its fishermen",
        "The history of the little harbour town",
    ),
    (
        "Film sobre el ciclo del agua para niños de primaria",
        "El ciclo del agua para niños de primaria",
    ),
    (
        "Un film sur la vie quotidienne des pêcheurs de sardines dans un petit port de Bretagne",
        "La vie quotidienne des pêcheurs",
    ),
    (
        "Ein Film über die Geschichte der Donaudampfschifffahrtsgesellschaft und ihrer Kapitäne",
        "Donaudampfschifffahrtsgesellschaft",
    ),
    ("서울 변두리에서 삼대째 이어 온 작은 두부 가게의 하루에 대한 영화", "작은 두부 가게의 하루"),
    (
        "東京の下町で三代続く小さな豆腐屋の朝から夜までの一日についての映画",
        "東京の下町で三代続く小さな豆腐屋",
    ),
]


@pytest.mark.parametrize(("text", "title"), TITLES)
def test_long_subjects_give_titles_of_whole_phrases(text: str, title: str) -> None:
    assert title_of(read(text)) == title


@pytest.mark.parametrize(
    "text",
    [
        "the story of how my grandmother crossed the Alps on foot with a goat in the winter",
        "der lange Weg von unserem Dorf in die Stadt und wieder zurück nach Hause im Schnee",
        "el viaje de mi abuelo desde un pueblo de la sierra hasta el mar con su burro",
        "la storia di una famiglia di pescatori che vive in una casa sul mare di Liguria",
    ],
)
def test_a_title_never_ends_in_a_small_word(text: str) -> None:
    words = text.split()
    for count in range(1, len(words) + 1):
        title = shortened(" ".join(words[:count]))
        assert len(title) <= 42
        small = {"the", "of", "on", "with", "a", "in", "der", "von", "und", "die", "de", "un"}
        assert title.split()[-1] not in small - ({words[0]} if count == 1 else set())
