"""Moods, harmony and form of the music bed."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.providers.local.sound.compose import Composer, Note
from infra.providers.local.sound.form import plan_form
from infra.providers.local.sound.harmony import OCTAVE, SCALES, chord, voice
from infra.providers.local.sound.moods import MOODS, find_mood

ANY_MOOD = st.sampled_from(sorted(MOODS))


def compose(mood: str, duration_s: float, seed: int) -> list[Note]:
    form = plan_form(duration_s, MOODS[mood])
    return Composer(form=form, mood=MOODS[mood], rng=np.random.default_rng(seed)).write()


@pytest.mark.parametrize(
    ("text", "mood"),
    [
        ("calm, peaceful piano", "calm"),
        ("ruhig und sanft", "calm"),
        ("épique et puissant", "dramatic"),
        ("divertida y alegre", "playful"),
        ("malinconico", "melancholic"),
        ("energiczna, szybka", "energetic"),
        ("신비로운 분위기", "mysterious"),
        ("温暖而充满希望", "warm"),
        ("穏やかで静か", "calm"),
        ("тёплая надежда", "warm"),
        ("", "documentary"),
        ("xyzzy", "documentary"),
    ],
)
def test_mood_is_understood_in_many_languages(text: str, mood: str) -> None:
    assert find_mood(text).name == mood


def test_the_mood_that_most_words_mean_wins() -> None:
    assert find_mood("energetic but calm, gentle and quiet").name == "calm"


@given(mood=ANY_MOOD, duration_s=st.floats(0.5, 600))
def test_the_last_chord_begins_so_that_it_can_ring_out(mood: str, duration_s: float) -> None:
    form = plan_form(duration_s, MOODS[mood])

    assert form.seconds(form.end_beat) + form.ring_s == pytest.approx(duration_s)


@given(mood=ANY_MOOD, duration_s=st.floats(20, 600))
def test_tempo_stays_near_that_of_the_mood(mood: str, duration_s: float) -> None:
    form = plan_form(duration_s, MOODS[mood])

    assert 60 / form.beat_s == pytest.approx(MOODS[mood].tempo, rel=0.16)


@given(
    scale=st.sampled_from(sorted(SCALES)),
    degrees=st.lists(st.integers(1, 7), min_size=2, max_size=12),
)
def test_voices_of_a_chord_move_by_small_steps(scale: str, degrees: list[int]) -> None:
    laid = None
    voicings = []
    for degree in degrees:
        laid = voice(chord(48, scale, degree), laid)
        voicings.append(laid)

    for before, after in pairwise(voicings):
        assert max(min(abs(note - old) for old in before) for note in after) <= 5


@given(mood=ANY_MOOD, seed=st.integers(0, 2**32))
def test_a_piece_ends_on_its_home_chord(mood: str, seed: int) -> None:
    notes = compose(mood, 30.0, seed)
    form = plan_form(30.0, MOODS[mood])
    last = form.seconds(form.end_beat)
    ending = {note.pitch % OCTAVE for note in notes if note.pitch and note.start_s >= last - 0.001}
    bass = [note.pitch for note in notes if note.instrument == "bass"][-1]

    assert ending <= {(bass + step) % OCTAVE for step in chord(0, MOODS[mood].scale, 1)}


def test_another_seed_is_another_piece() -> None:
    assert compose("warm", 30.0, 1) != compose("warm", 30.0, 2)


def test_the_same_seed_is_the_same_piece() -> None:
    assert compose("warm", 30.0, 1) == compose("warm", 30.0, 1)
