"""Cues keep the reading rules whatever is said, and never lose a word."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infra.media.subtitles import GAP_FRAMES, LONGEST_S, MAX_LINES, Cue, reading_rules
from infra.providers.local.cues.build import Frame, build_cues
from infra.providers.local.cues.pieces import Piece, Word, cut

ENGLISH = [
    "the",
    "a",
    "of",
    "and",
    "before",
    "harbour",
    "fog",
    "lifts,",
    "slowly",
    "boats",
    "leave.",
    "morning?",
    "“light”;",
    "www.a-very-long-address-without-any-space-in-it.example.com",
    "internationalization",
    "3.5",
]
CHINESE = [*"晨雾慢从港口散去第一批船驶向大海的了在", "2024年", "海。", "去，"]
SHAPES = {"wide": (1280, 720), "square": (720, 720), "tall": (720, 1280)}


@st.composite
def narrations(
    draw: st.DrawFn, *, words: list[str], separator: str
) -> list[tuple[str, list[Word]]]:
    """Return lines of narration that follow each other, spoken slowly or very fast."""
    at_s = draw(st.floats(0, 2))
    lines: list[tuple[str, list[Word]]] = []
    for _ in range(draw(st.integers(1, 3))):
        chosen = draw(st.lists(st.sampled_from(words), min_size=1, max_size=40))
        pace = draw(st.floats(0.03, 0.12))
        spoken: list[Word] = []
        for text in chosen:
            length = pace * len(text) + 0.02
            spoken.append(Word(text=text, start_s=at_s, end_s=at_s + length))
            at_s += length + draw(st.sampled_from([0.0, 0.0, 0.05, 0.4]))
        lines.append((separator.join(chosen), spoken))
        at_s += draw(st.floats(0.1, 2))
    return lines


def cues_of(
    lines: list[tuple[str, list[Word]]], language: str, shape: str, fps: float = 24.0
) -> tuple[list[Cue], list[list[Piece]], Frame]:
    width, height = SHAPES[shape]
    rules = reading_rules(language, width=width, height=height)
    last = max(word.end_s for _, words in lines for word in words)
    frame = Frame(rules=rules, duration_s=last + 2.0, fps=fps)
    pieces = [cut(text, words, language, longest=rules.line_characters) for text, words in lines]
    return build_cues(pieces, frame), pieces, frame


def letters(texts: list[str]) -> str:
    return "".join("".join(text.split()) for text in texts)


@settings(deadline=None, max_examples=60)
@given(
    lines=narrations(words=ENGLISH, separator=" "),
    shape=st.sampled_from(sorted(SHAPES)),
    fps=st.sampled_from([15.0, 24.0, 25.0, 29.97, 60.0]),
)
def test_english_cues_keep_the_rules(
    lines: list[tuple[str, list[Word]]], shape: str, fps: float
) -> None:
    cues, _, frame = cues_of(lines, "en", shape, fps)

    check_rules(cues, frame)
    assert letters([cue.text for cue in cues]) == letters([text for text, _ in lines])


@settings(deadline=None, max_examples=60)
@given(lines=narrations(words=CHINESE, separator=""), shape=st.sampled_from(sorted(SHAPES)))
def test_chinese_cues_keep_the_rules(lines: list[tuple[str, list[Word]]], shape: str) -> None:
    cues, _, frame = cues_of(lines, "zh", shape)

    check_rules(cues, frame)
    assert letters([cue.text for cue in cues]) == letters([text for text, _ in lines])


def check_rules(cues: list[Cue], frame: Frame) -> None:
    assert cues
    for cue in cues:
        assert 1 <= len(cue.lines) <= MAX_LINES
        assert max(len(line) for line in cue.lines) <= frame.rules.line_characters
        assert all(line == line.strip() != "" for line in cue.lines)
        assert 0 <= cue.start_s < cue.end_s <= frame.duration_s
        assert cue.duration_s <= LONGEST_S + 0.001
    for before, after in pairwise(cues):
        assert after.start_s - before.end_s >= GAP_FRAMES / frame.fps - 0.0005


@settings(deadline=None, max_examples=40)
@given(narrations(words=ENGLISH, separator=" "))
def test_speech_at_a_human_pace_can_be_read(lines: list[tuple[str, list[Word]]]) -> None:
    # 0.06 s a character is 16 a second, as fast as narration is said here.
    slow = [
        (
            text,
            [
                Word(text=word.text, start_s=start, end_s=start + 0.06 * len(word.text))
                for word, start in zip(words, _starts(words), strict=True)
            ],
        )
        for text, words in lines[:1]
    ]
    cues, _, frame = cues_of(slow, "en", "wide")

    assert max(cue.characters_per_second for cue in cues) <= frame.rules.characters_per_second + 1


def _starts(words: list[Word]) -> list[float]:
    starts, at_s = [], 0.0
    for word in words:
        starts.append(at_s)
        at_s += 0.06 * (len(word.text) + 1)
    return starts


def timed(text: str, pace: float = 0.065) -> list[Word]:
    words, at_s = [], 0.5
    for token in text.split():
        words.append(Word(text=token, start_s=at_s, end_s=at_s + pace * len(token)))
        at_s += pace * (len(token) + 1) + (0.3 if token[-1] in ",.;" else 0)
    return words


def test_lines_break_at_phrases_not_after_articles() -> None:
    text = "The smell of fresh bread fills the narrow street behind the old church."
    cues, _, _ = cues_of([(text, timed(text))], "en", "wide")

    ends = [line.split()[-1] for cue in cues for line in cue.lines]
    assert not {"the", "of", "behind"} & set(ends)


def test_cues_end_with_sentences() -> None:
    text = "Nobody speaks. Everyone listens to the water. Then the first boat leaves for the sea."
    cues, _, _ = cues_of([(text, timed(text))], "en", "wide")

    assert all(cue.text.endswith(".") for cue in cues)


def test_cues_appear_with_their_first_word() -> None:
    text = "Nobody speaks. Everyone listens to the water. Then the first boat leaves for the sea."
    words = timed(text)
    cues, _, _ = cues_of([(text, words)], "en", "wide")

    starts = {word.start_s for word in words}
    assert all(min(abs(cue.start_s - start) for start in starts) < 0.0015 for cue in cues)


def test_the_last_word_of_a_sentence_does_not_stand_alone() -> None:
    text = "정오가 되면 시장은 소금과 햇살 냄새로 가득합니다."
    cues, _, _ = cues_of([(text, timed(text, 0.13))], "ko", "tall")

    assert min(cue.characters for cue in cues) > 8


def test_a_word_longer_than_a_line_is_cut_not_dropped() -> None:
    text = "x" * 100
    cues, _, frame = cues_of([(text, [Word(text=text, start_s=0, end_s=6)])], "en", "wide")

    check_rules(cues, frame)
    assert letters([cue.text for cue in cues]) == text


@pytest.mark.parametrize(
    ("language", "shape", "line", "speed"),
    [
        ("en", "wide", 42, 20),
        ("de-AT", "tall", 26, 20),
        ("ko", "wide", 18, 9),
        ("zh-Hant", "tall", 13, 9),
        ("ja", "square", 16, 9),
    ],
)
def test_rules_follow_script_and_frame(language: str, shape: str, line: int, speed: float) -> None:
    width, height = SHAPES[shape]
    rules = reading_rules(language, width=width, height=height)

    assert (rules.line_characters, rules.characters_per_second) == (line, speed)
