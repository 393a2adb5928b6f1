"""Caption files: three formats with the same cues, and a look that can be burned."""

from pathlib import Path
from typing import Any

import pysubs2
import pytest

from infra.media.subtitles import read_srt
from infra.providers.local.cues.style import choose_look
from infra.providers.local.fonts import load_font
from infra.providers.local.request import InvalidInputError
from tests.integration.infra.local_audio.runs import run, timings

TEXTS = {
    "en": "Every morning, before the city wakes, an old baker opens the door of her small shop.",
    "de": "Jeden Morgen, bevor die Stadt erwacht, öffnet eine alte Bäckerin ihre schwere Tür.",
    "ko": "매일 아침 도시가 깨어나기 전에 늙은 제빵사가 작은 가게의 문을 엽니다.",
    "zh": "每天早晨，在城市醒来之前，一位老面包师打开她小店的门，点燃烤炉。",
}
SIZES = {"wide": (1280, 720), "tall": (1080, 1920)}


def spoken(tmp_path: Path, language: str) -> dict[str, Any]:
    run("narration", tmp_path / "voice", text=TEXTS[language], language=language)
    return {
        "start_s": 0.5,
        "text": TEXTS[language],
        "words": timings(tmp_path / "voice")["words"],
    }


@pytest.mark.parametrize("shape", sorted(SIZES))
@pytest.mark.parametrize("language", sorted(TEXTS))
def test_real_speech_becomes_readable_captions(language: str, shape: str, tmp_path: Path) -> None:
    width, height = SIZES[shape]
    line = spoken(tmp_path, language)
    result = run(
        "captions",
        tmp_path,
        language=language,
        duration_s=14.0,
        width=width,
        height=height,
        lines=[line],
    )

    assert result.measured["complete"] is True
    assert result.measured["too_fast"] == 0
    assert result.measured["burnable"] is True
    assert [artifact.role for artifact in result.artifacts] == [
        "captions",
        "captions_ass",
        "captions_vtt",
    ]
    cues = read_srt(tmp_path / "captions.srt")
    words = line["words"]
    assert cues[0].start_s == pytest.approx(0.5 + words[0]["start_s"], abs=0.002)
    assert 0 <= cues[-1].end_s - (0.5 + words[-1]["end_s"]) < 1.5
    for name in ("captions.vtt", "captions.ass"):
        other = pysubs2.load(str(tmp_path / name))
        assert [event.plaintext.split() for event in other] == [cue.text.split() for cue in cues]
        assert [event.start / 1000 for event in other] == pytest.approx(
            [cue.start_s for cue in cues], abs=0.011
        )
    look = choose_look(cues, width=width, height=height)
    font = load_font(look.face, look.em)
    assert max(font.getlength(text) for cue in cues for text in cue.lines) <= 0.9 * width
    assert look.em >= 0.03 * min(width, height)


def test_captions_end_with_the_film(tmp_path: Path) -> None:
    run(
        "captions",
        tmp_path,
        language="en",
        duration_s=2.0,
        width=1280,
        height=720,
        lines=[
            {
                "start_s": 1.0,
                "text": "The end",
                "words": [
                    {"text": "The", "start_s": 0.0, "end_s": 0.3},
                    {"text": "end", "start_s": 0.3, "end_s": 0.9},
                ],
            }
        ],
    )

    assert read_srt(tmp_path / "captions.srt")[-1].end_s == 2.0


def test_a_script_without_a_font_still_gets_its_text_files(tmp_path: Path) -> None:
    text = "\U00012000\U00012001"  # cuneiform
    result = run(
        "captions",
        tmp_path,
        language="akk",
        duration_s=3.0,
        width=1280,
        height=720,
        lines=[
            {
                "start_s": 0.0,
                "text": text,
                "words": [{"text": text, "start_s": 0.0, "end_s": 1.0}],
            }
        ],
    )

    assert result.measured["burnable"] is False
    assert "No installed font" in result.measured["not_burnable_because"]
    assert read_srt(tmp_path / "captions.srt")[0].text == text


@pytest.mark.parametrize(
    "lines",
    [
        [],
        [{"start_s": 0, "text": "a"}],
        [{"start_s": 0, "text": "a", "words": [{"text": "a", "start_s": 2, "end_s": 1}]}],
        [
            {
                "start_s": 0,
                "text": "a b",
                "words": [
                    {"text": "a", "start_s": 1, "end_s": 2},
                    {"text": "b", "start_s": 0, "end_s": 1},
                ],
            }
        ],
    ],
)
def test_lines_that_make_no_sense_are_refused(lines: list[Any], tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError):
        run(
            "captions",
            tmp_path,
            language="en",
            duration_s=3.0,
            width=1280,
            height=720,
            lines=lines,
        )
