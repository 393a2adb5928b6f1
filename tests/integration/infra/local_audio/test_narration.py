"""Narration as it is heard: times, loudness, length, languages."""

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from infra.media.loudness import measure_loudness
from infra.providers.local.narration import TextTooLongError
from infra.providers.local.request import InvalidInputError
from infra.providers.local.speech.voices import UnsupportedLanguageError
from infra.providers.local.speech.words import split_words
from tests.integration.infra.local_audio.runs import decibels, run, samples, timings

TEXTS = {
    "en": "In 1990, the old lighthouse cost $1,234.50 — really? Nobody speaks; everyone listens.",
    "de": "Am 3. Mai hebt sich der Nebel, und die ersten Boote fahren hinaus. Niemand spricht.",
    "es": "Cada mañana, una vieja panadera abre la puerta. El olor a pan llena la plaza.",
    "fr": "Chaque matin, une boulangère ouvre la porte. L'odeur du pain remplit la rue.",
    "it": "Ogni mattina, una fornaia apre la porta. Il profumo di pane riempie la strada.",
    "pt-BR": "Todas as manhãs, uma padeira abre a porta. O cheiro de pão enche a rua.",
    "nl": "Elke ochtend opent een bakster de deur. De geur van brood vult de straat.",
    "pl": "Każdego ranka piekarka otwiera drzwi. Zapach chleba wypełnia ulicę.",
    "ru": "Каждое утро пекарша открывает дверь. Запах хлеба наполняет улицу.",
    "ko": "매일 아침 제빵사가 가게 문을 엽니다. 오늘은 2024년 3월 5일입니다.",
    "zh": "每天早晨，老面包师打开店门。今天是2024年3月5日。",
}


@pytest.mark.parametrize("language", sorted(TEXTS))
def test_words_are_heard_when_their_times_say(language: str, tmp_path: Path) -> None:
    text = TEXTS[language]
    run("narration", tmp_path, text=text, language=language)
    wave = samples(tmp_path / "narration.wav")[:, 0]
    words = timings(tmp_path)["words"]
    spoken = np.zeros(len(wave), dtype=bool)
    for word in words:
        spoken[round(word["start_s"] * 48000) : round(word["end_s"] * 48000)] = True

    assert "".join(word["text"].replace(" ", "") for word in words) == "".join(text.split())
    assert all(after["start_s"] >= before["end_s"] - 0.001 for before, after in pairwise(words))
    assert decibels(wave[spoken]) - decibels(wave[~spoken]) > 12
    for word in words:
        part = wave[round(word["start_s"] * 48000) : round(word["end_s"] * 48000)]
        assert decibels(part) > -32, word


def test_a_pause_between_sentences_is_no_word(tmp_path: Path) -> None:
    run("narration", tmp_path, text="Nobody speaks. Everyone listens.", language="en")
    words = timings(tmp_path)["words"]

    assert words[2]["start_s"] - words[1]["end_s"] > 0.2


@pytest.mark.parametrize("language", ["en", "ko"])
def test_narration_has_its_loudness_and_length(language: str, tmp_path: Path) -> None:
    result = run("narration", tmp_path, text=TEXTS[language], language=language)
    wave = samples(tmp_path / "narration.wav")
    loudness = measure_loudness(tmp_path / "narration.wav")

    assert wave.shape[1] == 1
    assert len(wave) / 48000 == pytest.approx(result.measured["duration_s"], abs=1e-3)
    assert timings(tmp_path)["duration_s"] == pytest.approx(len(wave) / 48000, abs=1e-3)
    assert loudness.integrated_lufs == pytest.approx(-20, abs=0.5)
    assert loudness.true_peak_db is not None
    assert loudness.true_peak_db < -1
    assert decibels(wave[:2400]) < -50
    assert decibels(wave[-2400:]) < -45


def test_a_single_short_word_is_not_whispered_or_shouted(tmp_path: Path) -> None:
    run("narration", tmp_path, text="Hi!", language="en")

    assert -26 < decibels(samples(tmp_path / "narration.wav")) < -14


def test_the_same_request_gives_the_same_bytes(tmp_path: Path) -> None:
    request = tmp_path / "request.json"
    inputs = {"text": TEXTS["de"], "language": "de", "max_duration_s": 6.0}
    request.write_text(
        json.dumps({"operation": "narration", "seed": 1, "inputs": inputs}), encoding="utf-8"
    )
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        command = [sys.executable, "-m", "infra.providers.local", str(request)]
        subprocess.run([*command, str(tmp_path / name)], check=True, capture_output=True)

    for file in ("narration.wav", "timings.json"):
        assert (tmp_path / "a" / file).read_bytes() == (tmp_path / "b" / file).read_bytes()


def test_a_text_is_said_faster_to_fit(tmp_path: Path) -> None:
    calm = run("narration", tmp_path / "calm", text=TEXTS["de"], language="de")
    limit = 0.82 * calm.measured["duration_s"]

    fast = run(
        "narration", tmp_path / "fast", text=TEXTS["de"], language="de", max_duration_s=limit
    )

    assert calm.measured["sped_up"] == 1
    assert fast.measured["duration_s"] <= limit
    assert 1.1 < fast.measured["sped_up"] <= 1.35


def test_a_text_that_does_not_fit_is_refused_with_what_does(tmp_path: Path) -> None:
    with pytest.raises(TextTooLongError, match=r"About \d+ of its 15 words fit") as refusal:
        run("narration", tmp_path, text=TEXTS["de"], language="de", max_duration_s=2.5)

    assert refusal.value.code == "text_too_long"
    assert list(tmp_path.iterdir()) == []


def test_an_unspoken_language_is_refused_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(UnsupportedLanguageError, match=r"Hebrew \(he\).*nearest"):
        run("narration", tmp_path, text="שלום", language="he")


def test_a_text_without_words_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="nothing in the text"):
        run("narration", tmp_path, text="🎉 — …", language="en")


@pytest.mark.media
def test_japanese_is_read_from_its_characters(tmp_path: Path) -> None:
    words = split_words("今日は東京へ行きます。", "ja")
    run("narration", tmp_path, text="今日は東京へ行きます。", language="ja")

    assert [(word.text, word.spoken) for word in words] == [
        ("今日は", "キョーワ"),
        ("東京へ", "トーキョーエ"),
        ("行きます。", "イキマス。"),
    ]
    # espeak-ng alone says "Chinese letter" for each character: more than twice as long.
    assert timings(tmp_path)["duration_s"] < 3.2
