"""Four-legged animals: a dog and a horse."""

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, curve, moved, path
from infra.providers.local.pictures.layer import linear
from infra.providers.local.pictures.noise import chance
from infra.providers.local.pictures.scene import Scene, Sway

_FUR: tuple[Colour, ...] = ((0.52, 0.34, 0.20), (0.24, 0.18, 0.15), (0.72, 0.56, 0.38))

_DOG = (
    # far legs, tail, body with head, ear
    (
        "-.16,-.34 -.20,-.16 -.16,0 -.09,0 -.10,-.15 -.05,-.30",
        ".20,-.34 .22,-.16 .23,0 .30,0 .29,-.16 .29,-.34",
    ),
    "-.33,-.52 -.42,-.60 -.50,-.72 -.475,-.735 -.39,-.64 -.29,-.58",
    (
        "-.34,-.52 -.36,-.40 -.31,-.28 -.33,-.14 -.28,0 -.19,0 -.21,-.13 -.17,-.27 0,-.28 "
        ".16,-.27 .19,-.12 .18,0 .27,0 .28,-.13 .31,-.32 .36,-.48 .42,-.60 .52,-.605 .62,-.645 "
        ".625,-.69 .56,-.725 .49,-.79 .41,-.815 .345,-.77 .31,-.68 .24,-.585 .05,-.555 -.18,-.575"
    ),
    ".405,-.80 .35,-.775 .315,-.66 .335,-.59 .385,-.61 .42,-.72",
)
_HORSE = (
    (
        "-.22,-.46 -.27,-.30 -.22,-.16 -.25,0 -.19,0 -.16,-.17 -.13,-.36",
        ".20,-.44 .27,-.26 .36,-.20 .34,-.06 .39,-.05 .42,-.23 .34,-.32 .30,-.46",
    ),
    "-.37,-.66 -.46,-.60 -.50,-.42 -.47,-.24 -.44,-.27 -.42,-.44 -.35,-.56",
    (
        "-.37,-.69 -.42,-.56 -.38,-.44 -.42,-.27 -.34,-.15 -.37,0 -.30,0 -.27,-.16 -.31,-.27 "
        "-.24,-.40 -.05,-.41 .13,-.40 .16,-.24 .12,-.13 .11,0 .18,0 .20,-.13 .24,-.26 .27,-.44 "
        ".33,-.60 .40,-.76 .45,-.80 .54,-.735 .61,-.665 .645,-.70 .60,-.79 .52,-.91 .485,-.965 "
        ".47,-.92 .42,-.905 .33,-.83 .22,-.70 .02,-.665 -.18,-.70"
    ),
    ".475,-.955 .42,-.93 .34,-.86 .25,-.74 .18,-.67 .22,-.60 .28,-.68 .34,-.76 .41,-.83 .46,-.87",
)


def draw_dog(scene: Scene) -> None:
    """Draw a dog that stands and looks ahead."""
    _draw(scene, _DOG, share=0.78)


def draw_horse(scene: Scene) -> None:
    """Draw a horse at a walk, its mane and tail in the wind."""
    _draw(scene, _HORSE, share=1.0)


def _draw(scene: Scene, outline: tuple[tuple[str, ...], str, str, str], *, share: float) -> None:
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("beast")
    near = stage.view == "close"
    size = stage.hero_size * share * {"close": 1.7, "medium": 1.0, "wide": 0.62}[stage.view]
    flip = chance(rng, 0.5)
    # Close to, the head is what is looked at: the body runs out of the picture.
    x = stage.hero_x - (0.36 * size * (-1 if flip else 1) if near else 0.0)
    y = stage.hero_y + (0.42 * size if near else 0.0)
    layer = scene.layer(0.62, sway=Sway(y=0.003 * stage.unit, period_s=3.0))
    fur = palette.stuff(_FUR[int(rng.integers(len(_FUR)))], 0.25)
    fur = relight(fur, lift={"night": -0.16, "dusk": -0.10}.get(stage.hour, 0.02))

    def smooth(text: str) -> Points:
        return moved(curve(path(text), closed=True), x, y, scale=size, mirror=flip)

    far, tail, body, mane = outline
    ground = frame.disc(x, y + 0.01 * size, 0.42 * size, squash=0.10)
    if not near:
        layer.fill(frame.blurred(ground, 0.03 * size), palette.deep, 0.45)
    shade = relight(mix(fur, palette.deep, 0.20), lift=-0.04)
    layer.fill(frame.shapes_of([smooth(leg) for leg in far]), shade)
    layer.fill(frame.shape_of(smooth(tail)), shade)
    mask = frame.shape_of(smooth(body))
    bright = relight(mix(fur, palette.glow, 0.22), lift=0.05)
    layer.fill(mask, linear((0, y - 0.8 * size), (0, y), bright, fur, shade))
    belly = frame.disc(
        x - (0.02 if not flip else -0.02) * size, y - 0.30 * size, 0.30 * size, squash=0.25
    )
    layer.tint(frame.blurred(belly, 0.06 * size).inside(mask), shade, 0.6)
    ear = frame.shape_of(smooth(mane))
    layer.fill(ear, relight(mix(fur, palette.deep, 0.5), lift=-0.06))
    layer.rim(mask, stage.toward_light(x, y - size), 0.012 * size, palette.glow, 0.65)
    layer.rim(ear, stage.toward_light(x, y - size), 0.006 * size, palette.glow, 0.4)
    head = (0.505, -0.725) if outline is _DOG else (0.515, -0.865)
    nose = (0.612, -0.672) if outline is _DOG else (0.612, -0.70)
    for (px, py), radius in ((head, 0.013), (nose, 0.016 if outline is _DOG else 0.008)):
        spot = moved(path(f"{px},{py}"), x, y, scale=size, mirror=flip)[0]
        layer.fill(frame.disc(float(spot[0]), float(spot[1]), radius * size), palette.deep)
