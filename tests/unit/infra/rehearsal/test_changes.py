"""What later words change about a wish, and what they leave as it was."""

from dataclasses import replace

import pytest

from infra.providers.rehearsal.brief import read_wish
from infra.providers.rehearsal.production import produce

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


@pytest.mark.parametrize(
    ("language", "change", "colour"),
    [
        ("en", "Make the posters red", "#c0392b"),
        ("en", "No, make the posters blue", "#2f5d9b"),
        ("en", "Turn the pictures green, please", "#4d8a50"),
        ("en", "The posters should be blue", "#2f5d9b"),
        ("de", "Die Plakate sollen rot sein", "#c0392b"),
        ("es", "Que los carteles sean azules", "#2f5d9b"),
        ("fr", "Rends les affiches rouges", "#c0392b"),
    ],
)
def test_a_colour_said_of_the_pictures_is_that_of_the_work(
    language: str, change: str, colour: str
) -> None:
    assert read_wish([POSTERS, change], language).brief.palette == (colour,)


@pytest.mark.parametrize("change", ["Make the fox red", "A poster with a red fox", "Red posters"])
def test_a_colour_said_of_a_thing_is_not(change: str) -> None:
    assert read_wish([POSTERS, change], "en").brief.palette == ()


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
    assert read_wish([POSTERS, "6 instead"], "en").count == 6


WITHOUT_MUSIC = [
    ("en", FILM + ", without music", "yes, with music please"),
    ("en", FILM + ", no music", "put the music back"),
    ("de", "Ein Film von 20 Sekunden über Bienen, ohne Musik", "ja, aber mit Musik"),
    ("de", "Ein Film über Bienen ohne Musik", "nimm die Musik wieder rein"),
    ("fr", "Un film sur les abeilles, sans musique", "oui, mais avec de la musique"),
    ("es", "Una película sobre las abejas, sin música", "sí, pero con música"),
    ("it", "Un film sulle api, senza musica", "sì, ma con la musica"),
    ("pt", "Um filme sobre as abelhas, sem música", "sim, mas com música"),
    ("ko", "벌에 대한 20초 영화, 음악 없이", "네, 그런데 음악을 넣어 주세요"),
    ("zh", "做一部关于蜜蜂的20秒短片，不要音乐", "好，但是要有音乐"),
    ("ja", "蜂についての20秒の映画、音楽なしで", "はい、でも音楽を入れてください"),
]


@pytest.mark.parametrize(("language", "film", "answer"), WITHOUT_MUSIC)
def test_what_was_left_out_comes_back_when_it_is_asked_for(
    language: str, film: str, answer: str
) -> None:
    before, after = (read_wish(said, language) for said in ([film], [film, answer]))
    assert (before.kind, before.absent) == ("film", frozenset({"music"}))
    assert after == replace(before, absent=frozenset(), extras=after.extras)


@pytest.mark.parametrize(
    ("said", "absent"),
    [
        ("remove the narration", {"narration"}),
        ("drop the music", {"music"}),
        ("lass die Musik weg", {"music"}),
        ("enlève la musique", {"music"}),
        ("quita la narración", {"narration"}),
        ("togli la musica", {"music"}),
        ("tira a música", {"music"}),
        ("음악은 빼 줘", {"music"}),
        ("把音乐去掉", {"music"}),
        ("音楽を消して", {"music"}),
        ("sin palabras", {"narration"}),
        ("ohne Worte", {"narration"}),
        ("narration yes, music no", {"music"}),
    ],
)
def test_parts_of_a_film_are_left_out_on_demand(said: str, absent: set[str]) -> None:
    assert read_wish([FILM, said], "en").absent == absent


@pytest.mark.parametrize(
    "said", ["add a picture of my dog", "with a song instead of silence", "mit Musik bitte"]
)
def test_what_is_added_to_a_film_does_not_replace_it(said: str) -> None:
    assert read_wish([FILM, said], "en").kind == "film"


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("the title should be Paper Boats please", "Paper Boats"),
        ("Der Titel soll Brot und Licht lauten", "Brot und Licht"),
        ("le titre doit être Le Fournil", "Le Fournil"),
        ("el título debe ser Migas", "Migas"),
        ("il titolo deve essere Briciole", "Briciole"),
        ("o título deve ser Migalhas", "Migalhas"),
        ("제목은 빵과 빛으로 해 줘", "빵과 빛"),
        ("标题改成面包与光", "面包与光"),
        ("タイトルはパンと光にして", "パンと光"),
    ],
)
def test_a_title_needs_no_quotation_marks(said: str, title: str) -> None:
    before, after = (read_wish(words, "en") for words in ([FILM], [FILM, said]))
    assert after == replace(before, title=title)


@pytest.mark.parametrize(
    "undo",
    [
        "undo that",
        "mach das rückgängig",
        "annule ça",
        "deshaz eso",
        "annulla la modifica",
        "desfaz isso",
        "되돌려 줘",
        "撤销",
        "元に戻して",
    ],
)
def test_the_newest_change_is_taken_back(undo: str) -> None:
    assert read_wish([FILM, "warmer", "no music", "thanks!", undo], "en") == read_wish(
        [FILM, "warmer"], "en"
    )
    assert read_wish([FILM, undo], "en") == read_wish([FILM], "en")


def test_what_is_said_besides_taking_back_counts() -> None:
    said = [FILM, "make it 60 seconds", "undo that, and make it vertical"]
    assert read_wish(said, "en") == read_wish([FILM, "make it vertical"], "en")
    said = [FILM, "warmer", "no music", "go back to the first version"]
    assert read_wish(said, "en") == read_wish([FILM], "en")


def test_a_first_wish_is_never_taken_back_by_its_own_words() -> None:
    assert read_wish(["A film about a town as it was before"], "en").kind == "film"


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("longer by 10 seconds", 30),
        ("um 5 Sekunden kürzer", 15),
        ("延长10秒", 30),
        ("5초 줄여", 15),
    ],
)
def test_a_length_may_be_a_difference(said: str, seconds: float) -> None:
    assert read_wish([FILM, said], "en").brief.duration_s == seconds


CHANGED_SHOTS = [
    ("en", FILM, "replace the second shot by a harbour", 2, "a harbour"),
    ("en", FILM, "show a harbour in the last shot", 4, "a harbour"),
    ("en", FILM, "the second shot should show her hands", 2, "her hands"),
    (
        "de",
        "Ein Film über Bienen",
        "ersetze die 2. Einstellung durch einen Hafen",
        2,
        "einen Hafen",
    ),
    ("fr", "Un film sur les abeilles", "remplace le deuxième plan par un port", 2, "un port"),
    ("es", "Un vídeo sobre abejas", "cambia el tercer plano por un puerto", 3, "un puerto"),
    ("it", "Un film sulle api", "sostituisci la seconda scena con un porto", 2, "un porto"),
    ("pt", "Um filme sobre abelhas", "troca a primeira cena por um porto", 1, "um porto"),
    ("ko", "벌에 대한 영화", "두 번째 장면을 항구로 바꿔 줘", 2, "항구"),
    ("zh", "一部关于蜜蜂的短片", "把第二个镜头换成港口", 2, "港口"),
    ("ja", "蜂についての映画", "2番目のカットを港に変えて", 2, "港"),
]


@pytest.mark.parametrize(("language", "film", "said", "number", "what"), CHANGED_SHOTS)
def test_one_shot_is_changed_and_no_other(
    language: str, film: str, said: str, number: int, what: str
) -> None:
    before, after = (
        produce(read_wish(words, language), language).script.shots
        for words in ([film], [film, said])
    )
    changed = [new for old, new in zip(before, after, strict=True) if old != new]
    assert [shot.number for shot in changed] == [number]
    assert changed[0].picture.startswith(what)


@pytest.mark.parametrize(
    "said",
    [
        "replace the first two shots",
        "die letzten drei Einstellungen sind schön, aber ändere den Ton",
        "最后一个镜头改成夜晚的森林",
        "前两个镜头要更暗",
        "最初の2カットを暗くして",
    ],
)
def test_shots_that_are_only_named_are_not_counted(said: str) -> None:
    assert read_wish([FILM, said], "en").brief.shot_count == 4


def test_the_mood_of_one_shot_is_not_that_of_the_film() -> None:
    made = produce(read_wish([FILM, "make shot 2 darker"], "en"), "en")
    assert made.wish.brief.moods == ("calm",)
    assert [shot.number for shot in made.script.shots if shot.picture.endswith("dark")] == [2]
