"""Which voice speaks which language."""

import pytest

from infra.providers.local.speech.voices import (
    UnsupportedLanguageError,
    find_voice,
    spoken_languages,
)


@pytest.mark.parametrize(
    ("tag", "name"),
    [
        ("en", "en-us"),
        ("en-GB", "en"),
        ("EN_au", "en"),
        ("de-AT", "de"),
        ("pt-BR", "pt-br"),
        ("pt-PT", "pt"),
        ("es-MX", "es-419"),
        ("es-ES", "es"),
        ("zh-Hans-CN", "cmn"),
        ("zh-Hant-HK", "yue"),
        ("cmn", "cmn"),
        ("nn-NO", "nb"),
    ],
)
def test_a_tag_finds_the_nearest_voice_of_its_language(tag: str, name: str) -> None:
    assert find_voice(tag).name == name


@pytest.mark.parametrize(
    ("tag", "nearest"), [("he", "English (en)"), ("gl-ES", "Portuguese (pt)"), ("qq", "(en)")]
)
def test_a_language_without_a_voice_is_refused_with_the_nearest(tag: str, nearest: str) -> None:
    with pytest.raises(UnsupportedLanguageError, match="No voice here speaks") as refusal:
        find_voice(tag)

    assert nearest in refusal.value.message
    assert refusal.value.code == "unsupported_language"


def test_languages_that_espeak_garbles_are_not_offered() -> None:
    assert not {"ar", "he", "fa", "ur", "th"} & set(spoken_languages())
