"""Palettes follow what was asked for, and colours mix without surprises."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from infra.providers.local.pictures.colour import (
    Colour,
    contrast,
    from_hex,
    from_lch,
    luminance,
    mix,
    to_hex,
    to_lch,
)
from infra.providers.local.pictures.palette import HOURS, Palette, choose

part = st.floats(0, 1)


def _palette(**asked: object) -> Palette:
    given_by_default: dict[str, object] = {
        "given": [],
        "named": [],
        "moods": [],
        "subjects": [],
        "hour": "day",
        "rng": np.random.default_rng(1),
    }
    return choose(**(given_by_default | asked))  # pyright: ignore[reportArgumentType]


@given(st.tuples(part, part, part))
def test_a_colour_survives_oklch(colour: Colour) -> None:
    assert from_lch(*to_lch(colour)) == pytest.approx(colour, abs=0.02)


@given(st.tuples(part, part, part), st.tuples(part, part, part), part)
def test_a_mix_lies_between_its_ends_in_lightness(one: Colour, other: Colour, share: float) -> None:
    low, high = sorted((to_lch(one)[0], to_lch(other)[0]))
    assert low - 0.02 <= to_lch(mix(one, other, share))[0] <= high + 0.02


def test_contrast_is_the_one_of_wcag() -> None:
    assert contrast(luminance((0, 0, 0)), luminance((1, 1, 1))) == pytest.approx(21.0)
    grey = from_hex("#767676")
    assert grey is not None
    assert contrast(luminance(grey), luminance((1, 1, 1))) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("text", ["#12", "blue", "#12345g", ""])
def test_what_is_no_colour_is_none(text: str) -> None:
    assert from_hex(text) is None


def test_given_colours_make_the_ramp() -> None:
    asked = [colour for text in ("#0b3d2e", "#f4a259", "#f2e8cf") if (colour := from_hex(text))]
    palette = _palette(given=asked)
    assert set(asked) <= set(palette.base)
    assert to_hex(max(palette.base, key=lambda colour: to_lch(colour)[1])) == "#f4a259"


def test_a_named_colour_gives_the_picture_its_hue() -> None:
    hue = to_lch(_palette(named=["#3a6ea5"]).base[1])[2]
    assert hue == pytest.approx(to_lch((0x3A / 255, 0x6E / 255, 0xA5 / 255))[2], abs=0.06)


def test_moods_choose_other_colours() -> None:
    assert _palette(moods=["neon"]).base != _palette(moods=["calm"]).base


@pytest.mark.parametrize("hour", list(HOURS))
def test_far_is_lighter_than_near_at_every_hour(hour: str) -> None:
    palette = _palette(hour=hour)
    lightness = [to_lch(c)[0] for c in (palette.far, palette.middle, palette.near, palette.deep)]
    assert lightness == sorted(lightness, reverse=True)
    assert contrast(luminance(palette.paper), luminance(palette.ink)) > 12
