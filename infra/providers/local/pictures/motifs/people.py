"""People seen from behind."""

from dataclasses import dataclass

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.composition import PERSONS, Setting
from infra.providers.local.pictures.geometry import (
    Points,
    circle,
    curve,
    moved,
    path,
)
from infra.providers.local.pictures.layer import Layer, linear
from infra.providers.local.pictures.motifs.harbours import quay_wall
from infra.providers.local.pictures.motifs.mounds import lay_mound
from infra.providers.local.pictures.motifs.rooms import lay_room, lay_window_light
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.scene import Scene

_WET = frozenset({"harbour", "sea", "lake", "river"})
_LEVEL = frozenset({"beach", "road", "harbour", "city"})
"""Lands that a person can stand on without a rise or a rock of their own."""


def draw_figure(scene: Scene) -> None:
    """Draw a person seen from behind who looks at the land."""
    _draw(scene, [(0.0, 1.0)])


def draw_people(scene: Scene) -> None:
    """Draw two or three people who stand together, one of them smaller."""
    rng = scene.rng("people")
    small = float(rng.uniform(0.62, 0.9))
    group = [(-0.27, 1.0), (0.27, small)]
    if chance(rng, 0.5):
        group.append((0.68, float(rng.uniform(0.9, 1.03))))
    _draw(scene, [(across - 0.2 * (len(group) - 2), share) for across, share in group])


def _draw(scene: Scene, group: list[tuple[float, float]]) -> None:
    """Draw persons at their places beside the middle and with their heights, in shares of one."""
    stage = scene.stage
    rng = scene.rng("figure")
    leads = stage.subjects[0] in PERSONS
    indoors = stage.setting is Setting.STUDIO
    if indoors:
        floor = stage.hero_y - 0.05 * stage.height
        lay_window_light(scene, lay_room(scene, floor=floor), x=stage.hero_x, size=stage.hero_size)
    layer = scene.layer(0.64)
    near = stage.view == "close"
    size = stage.hero_size * {"close": 1.30, "medium": 0.80, "wide": 0.44}[stage.view]
    size *= 1.0 if len(group) == 1 else 0.86
    x, y = stage.hero_x, stage.hero_y + (0.50 * size if near else 0.0)
    if not leads:  # beside a larger thing, people stand nearer to the eye than it does
        y, size = max(y, 0.86 * stage.height), 1.6 * size
    if not near and not indoors and (leads or _WET & set(stage.lands)):
        _lay_ground(scene, layer, x=x, y=y, size=size, rocky=chance(rng, 0.6))
    for number, (across, share) in enumerate(group):
        one = scene.rng("figure", number) if number else rng
        person = _Person(x=x + across * size, y=y, size=size * share, flip=chance(one, 0.5))
        _legs(scene, layer, person)
        _coat(scene, layer, person, one, number)
        if chance(one, 0.45):
            _rucksack(scene, layer, person)
        _head(scene, layer, person, one)


def _lay_ground(
    scene: Scene, layer: Layer, *, x: float, y: float, size: float, rocky: bool
) -> None:
    """Give persons something to stand on where the land does not."""
    lands = set(scene.stage.lands)
    if "harbour" in lands:
        quay_wall(scene, layer, y=y - 0.06 * size)
    elif not _LEVEL & lands:
        wide = 0.55 * size + 0.2 * scene.unit
        lay_mound(scene, layer, x=x, y=y - 0.01 * size, wide=wide, rocky=rocky)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Person:
    """Where a person stands; outlines are given with the foot at 0 and the crown at -1."""

    x: float
    y: float
    size: float
    flip: bool

    def at(self, outline: Points) -> Points:
        return moved(outline, self.x, self.y, scale=self.size, mirror=self.flip)

    def smooth(self, text: str) -> Points:
        return self.at(curve(path(text), closed=True))


def _legs(scene: Scene, layer: Layer, person: _Person) -> None:
    palette, frame, size = scene.palette, scene.frame, person.size
    side, _ = scene.stage.toward_light(person.x, person.y)
    shade = frame.disc(
        person.x - side * 0.2 * size, person.y + 0.01 * size, 0.24 * size, squash=0.1
    )
    layer.shadow(frame.blurred(shade, 0.03 * size), palette.deep, 0.45)
    widths = np.array([0.095, 0.068, 0.05]) * size
    legs = [
        (person.at(path("-.05,-.45 -.056,-.22 -.062,-.01")), widths),
        (person.at(path(".05,-.45 .062,-.22 .075,-.01")), widths),
    ]
    layer.fill(frame.lines(legs), mix(palette.deep, palette.near, 0.2))
    shoes = [person.at(circle(px, -0.008, 0.042, squash=0.42)) for px in (-0.068, 0.084)]
    layer.fill(frame.shapes_of(shoes), palette.deep)


def _coat(
    scene: Scene, layer: Layer, person: _Person, rng: np.random.Generator, number: int
) -> None:
    """Draw coat and sleeves as one silhouette; the arms are told apart by their shade only."""
    palette, frame, stage, size = scene.palette, scene.frame, scene.stage, person.size
    cloth = (palette.accent, palette.second, palette.tone(0.45))[number]
    coat = relight(cloth, lightness=0.40 if stage.is_dark else 0.54)
    hem = float(rng.uniform(-0.38, -0.28))
    body = person.smooth(
        "-.045,-.835 -.10,-.81 -.150,-.775 -.178,-.70 -.192,-.56 -.197,-.44 -.165,-.415 "
        f"-.150,-.46 -.145,{hem:.3f} 0,{hem + 0.012:.3f} .150,{hem:.3f} .150,-.46 .165,-.415 "
        ".197,-.44 .192,-.56 .178,-.70 .150,-.775 .10,-.81 .045,-.835 0,-.842"
    )
    mask = frame.shape_of(body)
    side, _ = stage.toward_light(person.x, person.y - size)
    bright, dim = relight(mix(coat, palette.glow, 0.28), lift=0.03), relight(coat, lift=-0.13)
    left, right = (bright, dim) if side < 0 else (dim, bright)
    reach = 0.2 * size
    layer.fill(mask, linear((person.x - reach, 0), (person.x + reach, 0), left, coat, right))
    hands = [person.at(circle(px, -0.408, 0.021, squash=1.3)) for px in (-0.180, 0.180)]
    layer.fill(frame.shapes_of(hands), _skin(scene))
    seams = [
        (person.at(curve(path("-.128,-.70 -.140,-.58 -.148,-.44"), closed=False)), 0.010 * size),
        (person.at(curve(path(".128,-.70 .140,-.58 .148,-.44"), closed=False)), 0.010 * size),
        (person.at(np.array([[0.0, -0.66], [0.0, hem]])), 0.006 * size),
        (person.at(np.array([[-0.075, -0.52], [-0.085, hem]])), 0.006 * size),
        (person.at(np.array([[0.075, -0.52], [0.085, hem]])), 0.006 * size),
    ]
    dark = frame.blurred(frame.lines(seams), 0.003 * size)
    layer.tint(dark.inside(mask), relight(coat, lift=-0.17), 0.6)
    layer.rim(mask, stage.toward_light(person.x, person.y - size), 0.010 * size, palette.glow, 0.6)


def _rucksack(scene: Scene, layer: Layer, person: _Person) -> None:
    palette, frame, size = scene.palette, scene.frame, person.size
    bag = frame.shape_of(
        person.smooth("-.09,-.75 -.105,-.56 -.085,-.48 .085,-.48 .105,-.56 .09,-.75 0,-.775")
    )
    tint = relight(palette.second, lightness=0.46)
    high, low = person.y - 0.77 * size, person.y - 0.48 * size
    layer.fill(bag, linear((0, high), (0, low), tint, relight(tint, lift=-0.14)))
    lines = [
        (person.at(path("-.10,-.61 .10,-.61")), 0.008 * size),
        (person.at(path("-.05,-.61 -.05,-.55")), 0.010 * size),
        (person.at(path(".05,-.61 .05,-.55")), 0.010 * size),
    ]
    layer.tint(frame.lines(lines).inside(bag), relight(tint, lift=-0.2), 0.7)
    roll = frame.line(person.at(path("-.085,-.775 .085,-.775")), 0.05 * size)
    layer.fill(
        roll,
        linear(
            (0, high - 0.03 * size), (0, high + 0.03 * size), mix(tint, palette.paper, 0.5), tint
        ),
    )
    layer.rim(bag, scene.stage.toward_light(person.x, person.y), 0.008 * size, palette.glow, 0.5)


def _head(scene: Scene, layer: Layer, person: _Person, rng: np.random.Generator) -> None:
    palette, frame, size = scene.palette, scene.frame, person.size
    layer.fill(frame.line(person.at(path("0,-.82 0,-.87")), 0.056 * size), _skin(scene))
    hair = mix(palette.deep, palette.stuff((0.25, 0.15, 0.10), 0.3), 0.5)
    crown = frame.shape_of(person.at(circle(0.0, -0.925, 0.058, squash=1.2)))
    kind = str(rng.choice(["long hair", "bun", "hat"], p=[0.4, 0.3, 0.3]))
    if kind == "long hair":
        long = frame.shape_of(
            person.smooth("-.05,-.95 -.064,-.88 -.060,-.80 0,-.785 .060,-.80 .064,-.88 .05,-.95")
        )
        layer.fill(long, hair)
        layer.rim(
            long,
            scene.stage.toward_light(person.x, person.y - size),
            0.007 * size,
            palette.glow,
            0.5,
        )
    elif kind == "bun":
        layer.fill(frame.shape_of(person.at(circle(0.012, -0.985, 0.028))), hair)
    layer.fill(crown, hair)
    if kind == "hat":
        brim = frame.shape_of(person.at(circle(0.0, -0.945, 0.105, squash=0.2)))
        felt = relight(palette.second, lightness=0.34)
        layer.fill(
            frame.shape_of(person.smooth("-.058,-.945 -.05,-1.01 0,-1.02 .05,-1.01 .058,-.945")),
            felt,
        )
        layer.fill(brim, relight(felt, lift=0.05))
    scarf = frame.shape_of(
        person.smooth("-.068,-.862 0,-.85 .068,-.862 .072,-.826 0,-.808 -.072,-.826")
    )
    layer.fill(scarf, relight(palette.tone(0.8), lightness=0.72))
    light = scene.stage.toward_light(person.x, person.y - size)
    for part in (crown, scarf):
        layer.rim(part, light, 0.008 * size, palette.glow, 0.7)


def _skin(scene: Scene) -> Colour:
    skin = scene.palette.stuff((0.72, 0.50, 0.38), 0.3)
    return relight(skin, lift=-0.12) if scene.stage.is_dark else skin
