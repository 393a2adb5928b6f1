"""What the shots of every theme ask for is what their pictures hold."""

import re

import pytest

from infra.providers.local.pictures.brief import Brief, read_brief
from infra.providers.local.pictures.composition import (
    HELD,
    PERSONS,
    Setting,
    Stage,
    arrange,
    drawn_subjects,
)
from infra.providers.local.pictures.noise import generator
from infra.providers.local.pictures.words import Topic, meanings
from infra.providers.local.request import LocalRequest
from infra.providers.rehearsal.themes.shelf import THEMES

PROMPTS = [
    (beat.picture.replace("{thing}", theme.thing), theme.thing)
    for theme in THEMES.values()
    for beat in theme.beats
]
_PLACED = re.compile(
    r"^(?:at|on|in|over|with|before|between|behind|above|under|beside|through|from|to|for|near|"
    r"around|into|onto|after|against|across|along|inside|and|that|asleep|alone|almost|worn|open|"
    r"opened|unfinished|seen|turned|switched|half|small|far|very|still|\w+ing)$"
)
"""Words that end a noun phrase: what follows says where it is or what it does."""
_THINGS_IN_ING = frozenset({"building", "morning", "evening", "mooring", "ring", "spring"})
_PLACES_THAT_HOLD = {
    "beach": {"sea", "desert"},
    "harbour": {"sea", "city"},
    "lake": {"mountains"},
    "river": {"hills"},
    "road": {"hills"},
}
_IN_EVERY_LAND = frozenset({"sky", "horizon"})


def _staged(prompt: str, seed: int) -> tuple[Brief, Stage]:
    inputs: dict[str, object] = {"prompt": prompt, "language": "en", "width": 640, "height": 360}
    brief = read_brief(LocalRequest(operation="image", seed=seed, inputs=inputs, files={}))
    return brief, arrange(brief, generator(brief.seed, brief.prompt, brief.title, "stage"))


def _leading(prompt: str) -> str:
    """Return the first noun phrase with all its parts: "veins of a green leaf"."""
    kept: list[str] = []
    for word in re.findall(r"[a-z]+", prompt.split(",", maxsplit=1)[0].lower()):
        if kept and word not in _THINGS_IN_ING and _PLACED.match(word):
            break
        kept.append(word)
    return " ".join(kept)


def _shown(stage: Stage) -> set[str]:
    lands = set(stage.lands[:1])
    held = {other for land in lands for other in _PLACES_THAT_HOLD.get(land, ())}
    around = {Setting.ROOM: {"window"}, Setting.TABLE: {"table"}, Setting.LAND: _IN_EVERY_LAND}
    here = around.get(stage.setting, frozenset[str]())
    return {*drawn_subjects(stage), *lands, *held, *stage.skies, *here}


@pytest.mark.parametrize("seed", [1, 2])
def test_every_shot_of_every_theme_has_something_that_can_be_drawn(seed: int) -> None:
    empty: list[str] = []
    for prompt, _ in PROMPTS:
        brief, _stage = _staged(prompt, seed)
        if not (brief.subjects or brief.lands or brief.skies):
            empty.append(prompt)
    assert not empty


def test_nine_of_ten_shots_show_what_their_prompt_leads_with() -> None:
    missed: list[str] = []
    for prompt, _ in PROMPTS:
        _, stage = _staged(prompt, 1)
        lead = _leading(prompt)
        meant = {
            found
            for topic in (Topic.SUBJECTS, Topic.LANDS, Topic.SKIES)
            for found in meanings(lead, topic, "en")
        } | _IN_EVERY_LAND.intersection(lead.split())
        if not meant & _shown(stage):
            missed.append(f"{lead}: {prompt}")
    assert len(missed) <= len(PROMPTS) // 10, "\n".join(missed)


def test_people_who_lead_and_hands_that_are_named_are_in_the_picture() -> None:
    for prompt, _ in PROMPTS:
        brief, stage = _staged(prompt, 1)
        drawn = drawn_subjects(stage)
        if brief.subjects and brief.subjects[0] in PERSONS:
            assert brief.subjects[0] in drawn, prompt
        if brief.subjects and brief.subjects[0] in HELD and "hands" in brief.subjects:
            assert "hands" in drawn, prompt


def test_a_person_is_seen_beside_what_they_look_at() -> None:
    for prompt in ("a lighthouse and a figure on the shore", "a ship leaving, people on the quay"):
        _, stage = _staged(f"{prompt}, medium view", 1)
        assert PERSONS & set(drawn_subjects(stage)), prompt
