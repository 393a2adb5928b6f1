"""Pictures without words: who says so gets none, who only speaks of words gets what they wrote."""

from typing import Any

import pytest

from infra.providers.rehearsal.brief import read_wish
from infra.providers.rehearsal.phrases import say
from infra.providers.rehearsal.production import concept_text, produce
from tests.unit.infra.rehearsal.studio import Studio

WITHOUT = [
    ("en", "Two posters about jazz without any text", "jazz"),
    ("en", "A poster with no words at all, about the sea", "the sea"),
    ("en", "3 text-free posters about tea", "tea"),
    ("en", "Draw a fox, don't put any lettering on it", "a fox"),
    ("en", "A poster of a mountain – completely without writing", "a mountain"),
    ("en", "I want a poster for my café but there should be no text", "my café"),
    ("en", "A poster with no text or logos about rain", "rain"),
    ("de", "Zwei Plakate über einen Leuchtturm, ohne Text", "einen Leuchtturm"),
    ("de", "Ich möchte drei Poster über Bienen, auf denen kein Text steht", "Bienen"),
    ("de", "Ein Plakat ohne Schrift über Jazz, blau", "Jazz"),
    ("de", "Plakat zum Sommerfest, keinerlei Beschriftung", "Sommerfest"),
    ("fr", "3 affiches sur la mer, sans texte", "la mer"),
    ("fr", "Une affiche sans aucun texte pour un concert", "un concert"),
    ("es", "Un cartel sin letras sobre el mar", "el mar"),
    ("es", "Tres carteles del mar, no quiero ningún texto", "mar"),
    ("it", "Un manifesto senza scritte per una festa", "una festa"),
    ("it", "Tre manifesti sul mare senza testo", "mare"),
    ("pt", "Um cartaz para uma festa, sem letras nem título", "uma festa"),
    ("pt", "Dois cartazes sobre o mar sem texto", "o mar"),
    ("pt", "Cartaz de montanhas, sem nada escrito", "montanhas"),
    ("ko", "바다에 대한 포스터, 글자 없이", "바다"),
    ("ko", "글씨 없는 바다 포스터 세 장", "바다"),
    ("ko", "바다 포스터 하나, 텍스트는 넣지 마세요", "바다"),
    ("zh", "画一张没有文字的大海海报", "大海"),
    ("zh", "做三张关于茶的海报，上面不要有任何文字", "茶"),
    ("ja", "海についてのポスター、文字なし", "海"),
    ("ja", "文字を入れないで海のポスターを3枚", "海"),
    ("ja", "テキストなしの山のポスター", "山"),
]
LATER = [
    ("en", "Two posters about the sea", "no text please"),
    ("en", "Two posters about the sea", "remove the title"),
    ("de", "Zwei Plakate über das Meer", "aber ohne Schrift bitte"),
    ("de", "Zwei Plakate über das Meer", "lass den Titel weg"),
    ("fr", "Deux affiches sur la mer", "mais sans texte s'il te plaît"),
    ("es", "Dos carteles sobre el mar", "pero sin texto, por favor"),
    ("it", "Due manifesti sul mare", "però senza testo"),
    ("pt", "Dois cartazes sobre o mar", "mas sem texto, por favor"),
    ("ko", "바다 포스터 두 장", "글자는 빼 주세요"),
    ("zh", "两张关于大海的海报", "把文字去掉"),
    ("ja", "海のポスターを2枚", "文字はなしで"),
]
NEAR = [
    ("en", "A poster about a phone without text messages in it"),
    ("en", "A poster about a world without words"),
    ("en", "A poster about a world with no words"),
    ("en", "A poster about a phone, no text-to-speech voice"),
    ("en", "A poster about jazz with the text: Jazz by the lake"),
    ("de", "Ein Plakat über ein Handy ohne Textnachrichten"),
    ("de", "Ein Plakat zum Sommerfest, Text: Alle sind eingeladen"),
    ("fr", "Une affiche pour un livre sans mots"),
    ("es", "Un cartel sin mensajes de texto sobre el mar"),
    ("ko", "글자 없는 시대에 대한 포스터"),
    ("zh", "一张关于没有文字的时代的海报"),
    ("zh", "一张关于钟表的海报，不要数字"),
    ("ja", "文字のない時代についてのポスター"),
    ("ja", "絵文字なしの海のポスター"),
]


def pictures(*said: str, language: str) -> list[dict[str, Any]]:
    """Return what is ordered of the generator in the end."""
    studio = Studio(kind="lightweight", language=language)
    for text in said:
        studio.say(text)
    answer = studio.act()
    return answer.named("generate_image")


@pytest.mark.parametrize(("language", "said", "subject"), WITHOUT)
def test_no_words_stand_in_a_picture_that_is_to_have_none(
    language: str, said: str, subject: str
) -> None:
    ordered = pictures(said, language=language)
    assert {(one["title"], one["subtitle"]) for one in ordered} == {("", "")}
    assert read_wish([said], language).brief.subject == subject


@pytest.mark.parametrize(("language", "first", "later"), LATER)
def test_words_are_left_out_when_that_is_said_later(language: str, first: str, later: str) -> None:
    assert all(one["title"] for one in pictures(first, language=language))
    assert not any(one["title"] for one in pictures(first, later, language=language))


@pytest.mark.parametrize(("language", "first", "later"), LATER)
def test_a_plan_says_that_no_words_were_asked_for(language: str, first: str, later: str) -> None:
    studio = Studio(language=language)
    studio.say(first)
    (plan,) = studio.act().named("propose_plan")
    understood = say("plan_unlettered", language)
    assert understood not in plan["summary"]
    studio.say(later)
    (plan,) = studio.act().named("propose_plan")
    assert understood in plan["summary"]


@pytest.mark.parametrize(("language", "said"), NEAR)
def test_words_that_a_work_is_about_are_no_wish_for_none(language: str, said: str) -> None:
    assert read_wish([said], language).absent == frozenset()
    assert all(one["title"] for one in pictures(said, language=language))


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("A poster about jazz with the text: Jazz by the lake", "Jazz by the lake"),
        ("Ein Plakat mit dem Text „Jazz“, kein weiterer Text", "Jazz"),
        ('A poster saying "No Words"', "No Words"),
        ("Un cartel con texto: Feliz cumpleaños", "Feliz cumpleaños"),
        ("一张关于大海的海报，文字：大海在呼唤", "大海在呼唤"),
    ],
)
def test_words_that_are_given_stand_there_and_no_others(said: str, words: str) -> None:
    (one,) = pictures(said, language="en")
    assert (one["title"], one["subtitle"]) == (words, "")


@pytest.mark.parametrize(
    ("said", "later"),
    [
        ("Two posters about the sea without text", "put the title back"),
        ("Zwei Plakate über das Meer ohne Text", "doch, mit Text bitte"),
        ("Deux affiches sur la mer sans texte", "finalement avec un titre"),
        ("바다 포스터 두 장, 글자 없이", "글자를 다시 넣어 주세요"),
        ("海のポスターを2枚、文字なし", "やっぱり文字を入れて"),
        ("两张关于大海的海报，不要文字", "还是加上文字吧"),
    ],
)
def test_words_come_back_when_they_are_asked_for(said: str, later: str) -> None:
    assert read_wish([said], "en").absent == {"lettering"}
    assert read_wish([said, later], "en").absent == frozenset()


@pytest.mark.parametrize(
    ("language", "said", "absent"),
    [
        ("de", "Ein Film über Bienen ohne Untertitel", {"captions"}),
        ("de", "Ein Film über Bienen ohne Musik", {"music"}),
        ("de", "Ein Film über Bienen ohne Text im Bild", {"captions", "lettering"}),
        ("en", "A film about bees without titles", {"lettering"}),
        ("en", "A film about bees without text or music", {"captions", "lettering", "music"}),
        ("en", "A film about bees without text messages", set()),
        ("it", "Un film sulle api senza parole", {"narration"}),
        ("zh", "一部关于蜜蜂的短片，不要字幕", {"captions"}),
        ("ko", "벌에 대한 영화, 음악 없이", {"music"}),
    ],
)
def test_a_film_tells_captions_titles_and_speech_apart(
    language: str, said: str, absent: set[str]
) -> None:
    wish = read_wish([said], language)
    assert wish.absent == absent
    shown = any(shot.title for shot in produce(wish, language).script.shots)
    assert shown == ("lettering" not in absent)


def test_what_is_refused_besides_makes_no_series() -> None:
    assert read_wish(["A poster about the sea, no text or logos"], "en").kind == "image"


def test_a_concept_without_words_has_no_line_for_them() -> None:
    wish = read_wish(["Three posters about the sea, no text"], "en")
    assert "**Words:**" not in concept_text(produce(wish, "en"))
