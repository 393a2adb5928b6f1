"""Where a picture's words stand when captions will lie over its lower part."""

import pytest

from infra.media.subtitles import Cue
from infra.providers.local.cues import style
from infra.providers.local.pictures.brief import read_brief
from infra.providers.local.pictures.composition import arrange
from infra.providers.local.pictures.noise import generator
from infra.providers.local.pictures.typography import set_words
from infra.providers.local.request import LocalRequest

SIZES = [(1280, 720), (1920, 1080), (720, 1280), (1080, 1080), (960, 1280)]
LONG = "The quiet harbour where the old boats are painted in spring"
PROMPTS = ["a harbour, wide view", "a cup on a table, close view", "mountains at dawn"]


def _words_end(size: tuple[int, int], seed: int, prompt: str, *, captions: bool) -> int:
    """Return where the lowest letter ends, in pixels from the top."""
    inputs = {"prompt": prompt, "title": LONG, "width": size[0], "height": size[1]}
    inputs |= {"caption_room": captions}
    brief = read_brief(LocalRequest(operation="image", seed=seed, inputs=inputs))
    stage = arrange(brief, generator(seed, "stage"))
    setting = set_words(
        title=LONG, subtitle="", language="en", stage=stage, look="", moods=brief.moods
    )
    assert setting is not None
    return setting.box[3]


def _captions_begin(size: tuple[int, int]) -> float:
    """Return where the box of two lines of captions begins, in pixels from the top."""
    cues = [Cue(start_s=0, end_s=2, lines=("A first line of words", "and a second one"))]
    width, height = size
    look = style.choose_look(cues, width=width, height=height)
    file = style.styled(cues, look, width=width, height=height, language="en")
    drawn = file.styles["Default"]
    return height - drawn.marginv - 2 * drawn.fontsize - drawn.shadow


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("prompt", PROMPTS)
def test_words_stay_clear_of_the_captions(size: tuple[int, int], prompt: str) -> None:
    ends = [_words_end(size, seed, prompt, captions=True) for seed in range(12)]
    assert max(ends) <= _captions_begin(size)


@pytest.mark.parametrize("prompt", PROMPTS)
def test_on_tall_frames_the_subject_stands_above_the_captions(prompt: str) -> None:
    for title in ("", LONG):
        for seed in range(12):
            inputs = {"prompt": prompt, "title": title, "width": 720, "height": 1280}
            inputs |= {"caption_room": True}
            brief = read_brief(LocalRequest(operation="image", seed=seed, inputs=inputs))
            stage = arrange(brief, generator(seed, "stage"))
            assert stage.horizon < stage.hero_y <= _captions_begin((720, 1280))


def test_without_captions_words_may_stand_at_the_bottom() -> None:
    ends = [_words_end(SIZES[0], seed, PROMPTS[0], captions=False) for seed in range(12)]
    assert max(ends) > _captions_begin(SIZES[0])
