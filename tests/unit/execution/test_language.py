"""The language of a message is data: scripts decide where they can, words otherwise."""

import pytest

from infra.language import FALLBACK, detect_language, surely


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Make a short film about a lighthouse keeper in winter.", "en"),
        ("Mach bitte einen kurzen Film über einen Leuchtturmwärter im Winter.", "de"),
        ("Haz un cortometraje sobre un farero en invierno, por favor.", "es"),
        ("Fais un court métrage sur un gardien de phare en hiver.", "fr"),
        ("등대지기에 대한 짧은 영화를 만들어 주세요", "ko"),
        ("冬の灯台守の短い映画を作ってください", "ja"),
        ("请做一部关于守塔人的短片", "zh"),
        ("Сделай короткий фильм про маяк зимой", "ru"),
        ("اصنع فيلما قصيرا عن حارس منارة", "ar"),
        ("תעשה סרט קצר על שומר מגדלור", "he"),
        ("카페 poster 3장, A4, 따뜻한 느낌", "ko"),
        ("東京タワーの写真", "ja"),
        ("猫動画", "ja"),
        ("東京五輪映画20秒", "ja"),
        ("山手線駅前広場", "ja"),
        ("東京五輪電影", "zh"),
        ("做三張海報，關於動物和氣候變化", "zh"),
        ("画一张黑白照片", "zh"),
    ],
)
def test_a_message_is_in_the_language_of_its_words(text: str, tag: str) -> None:
    assert detect_language(text) == tag


@pytest.mark.parametrize("text", ["", "   ", "123 + 456", "🎬🎬🎬", "\n\t", "???"])
def test_a_text_without_letters_has_the_default_language(text: str) -> None:
    assert detect_language(text) == FALLBACK


def test_one_foreign_name_does_not_change_the_language() -> None:
    assert detect_language("Please draw the Han River (한강) at dawn with many small boats") == "en"


def test_a_very_long_text_is_judged_by_its_beginning() -> None:
    assert detect_language("Ein Film über das Meer und den Wind. " * 100 + "end " * 10**6) == "de"


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("Mach mir ein englisches Poster", "de"),
        ("Erstelle einen Film in englischer Sprache über unsere Bäckerei", "de"),
        ("Make a poster in French about tea please", "en"),
        ("Haz un póster en inglés sobre el té", "es"),
        ("Fais-moi une affiche en anglais", "fr"),
        ("Fammi un poster in tedesco", "it"),
        ("Quero um cartaz em alemão", "pt"),
        ("英語のポスターを作って", "ja"),
        ("给我做一张德语海报", "zh"),
        ("영어 포스터 만들어 줘", "ko"),
        ('Mach daraus bitte ein Plakat: "The quick brown fox jumps over the lazy dog"', "de"),
    ],
)
def test_words_that_leave_no_doubt_are_surely_in_their_language(text: str, tag: str) -> None:
    assert surely(text) == tag


@pytest.mark.parametrize(
    "text",
    [
        "ok",
        "make it blue",
        "東京五輪電影",  # Han alone, and few: Chinese or Japanese
        "Kan du göra en film om havet på engelska",  # a language that is not among ours
        "Udělej mi plakát o čaji v angličtině",
        "Сделай короткий фильм про маяк зимой",  # one of several with these letters
        "https://atelier.example/die/schöne/bäckerei/in/der/stadt",
        "> Please make a long film about our new bakery in the town\nok",
        "Mach daraus bitte einen Film:\nA lighthouse keeper spends the winter alone with a cat.",
        "",
    ],
)
def test_words_that_leave_doubt_are_surely_in_none(text: str) -> None:
    assert surely(text) is None
