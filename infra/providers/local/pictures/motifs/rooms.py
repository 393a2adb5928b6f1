"""What rooms are made of: a door with light behind it, stairs, a chair."""

import numpy as np

from infra.providers.local.pictures.colour import Colour, mix, relight
from infra.providers.local.pictures.geometry import Points, box, curve, moved, path, points
from infra.providers.local.pictures.layer import Layer, linear, radial
from infra.providers.local.pictures.noise import chance, clouds
from infra.providers.local.pictures.raster import Stroke
from infra.providers.local.pictures.scene import Scene

_WOOD: Colour = (0.45, 0.30, 0.20)
_STONE: Colour = (0.58, 0.55, 0.52)


def lay_room(scene: Scene, *, floor: float) -> Layer:
    """Draw a wall with light on it down to the floor, a skirting and boards that lead inward."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    layer = scene.layer(0.10)
    wall = mix(palette.tone(0.66), palette.horizon, 0.35)
    wall = relight(wall, lightness={"night": 0.20, "dusk": 0.34}.get(stage.hour, 0.66))
    lit = relight(mix(wall, palette.glow, 0.30), lift=0.05)
    paint = radial(
        stage.light_x, 0.35 * stage.height, stage.width, lit, wall, relight(wall, lift=-0.07)
    )
    layer.fill(frame.everything(), paint)
    plaster = clouds(scene.rng("plaster"), frame.shape, cell=0.25 * stage.unit, octaves=5)
    layer.tint(frame.everything().times(plaster), relight(wall, lift=-0.05), 0.3)
    ground = frame.below(floor)
    board = _wood(scene, lift=-0.06)
    layer.fill(
        ground,
        linear((0, floor), (0, stage.height), relight(board, lift=0.04), board, palette.deep),
    )
    joints: list[Stroke] = []
    for share in np.arange(-1.2, 2.2, 0.13).tolist():
        x = share * stage.width
        away = (x - 0.5 * stage.width) * 1.9 + 0.5 * stage.width
        joints.append((points((x, floor), (away, stage.height)), np.array([0.7, 2.4])))
    layer.tint(frame.lines(joints), palette.deep, 0.4)
    skirting = frame.shape_of(
        box(frame.left - 9, floor - 0.03 * stage.unit, stage.width + 18, 0.03 * stage.unit)
    )
    layer.fill(skirting, relight(wall, lift=0.07))
    return layer


def _wood(scene: Scene, *, lift: float = 0.0) -> Colour:
    dark = {"night": -0.18, "dusk": -0.10}.get(scene.stage.hour, 0.0)
    return relight(scene.palette.stuff(_WOOD, 0.32), lift=lift + dark)


def draw_door(scene: Scene) -> None:
    """Draw a door that stands ajar; light comes through and falls across the floor."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("door")
    floor = stage.hero_y - 0.02 * stage.height
    layer = lay_room(scene, floor=floor)
    tall = min(
        stage.hero_size * {"close": 1.25, "medium": 1.15, "wide": 1.05}[stage.view], 0.9 * floor
    )
    wide, x, way = 0.46 * tall, stage.hero_x, int(rng.choice([-1, 1]))
    top = floor - tall
    trim = 0.05 * tall
    frame_wood = relight(mix(_wood(scene), palette.paper, 0.35), lift=0.03)
    outer = box(x - wide / 2 - trim, top - trim, wide + 2 * trim, tall + trim)
    layer.fill(
        frame.shape_of(outer),
        linear((0, top), (0, floor), frame_wood, relight(frame_wood, lift=-0.08)),
    )
    opening = frame.shape_of(box(x - wide / 2, top, wide, tall))
    warm = mix(palette.glow, (1.0, 0.80, 0.52), 0.4)
    layer.fill(opening, linear((0, top), (0, floor), mix(warm, palette.horizon, 0.3), warm))
    spill = points(
        (x - wide / 2, floor),
        (x + wide / 2, floor),
        (x + wide * 1.15 + way * 0.3 * wide, stage.height + 9),
        (x - wide * 1.15 + way * 0.3 * wide, stage.height + 9),
    )
    light = frame.blurred(frame.shape_of(spill), 0.012 * stage.unit).faded(
        lambda _xs, ys: np.clip(1.05 - (ys - floor) / (stage.height - floor + 1), 0, 1)
    )
    layer.fill(light, warm, 0.55)
    layer.light(frame.glow(x, floor - 0.5 * tall, 1.3 * tall, power=2.2), warm, 0.35)
    _leaf(scene, x=x, top=top, wide=wide, tall=tall, way=way)


def _leaf(scene: Scene, *, x: float, top: float, wide: float, tall: float, way: int) -> None:
    """Hang the door's leaf, half open, seen at an angle."""
    frame, palette = scene.frame, scene.palette
    layer = scene.layer(0.46)
    hinge, edge = x - way * wide / 2, x - way * wide * 0.02
    rise = 0.045 * tall
    leaf = points((hinge, top), (edge, top - rise), (edge, top + tall + rise), (hinge, top + tall))
    mask = frame.shape_of(leaf)
    wood = mix(_wood(scene), scene.palette.accent, 0.25)
    layer.fill(
        mask, linear((hinge, 0), (edge, 0), relight(wood, lift=-0.05), relight(wood, lift=0.04))
    )
    for low, high in ((0.07, 0.42), (0.50, 0.92)):
        panel = points(
            (hinge + (edge - hinge) * 0.18, top + low * tall),
            (hinge + (edge - hinge) * 0.82, top + low * tall - 0.6 * rise),
            (hinge + (edge - hinge) * 0.82, top + high * tall + 0.6 * rise),
            (hinge + (edge - hinge) * 0.18, top + high * tall),
        )
        inner = frame.shape_of(panel)
        layer.fill(inner, relight(wood, lift=-0.07))
        layer.rim(inner, (0.0, 1.0), 0.006 * tall, palette.glow, 0.3)
    knob = frame.disc(hinge + (edge - hinge) * 0.90, top + 0.53 * tall, 0.018 * tall)
    layer.fill(knob, relight(palette.accent, lightness=0.72))
    layer.rim(mask, (float(way), 0.0), 0.008 * tall, palette.glow, 0.7)


def draw_stairs(scene: Scene) -> None:
    """Draw a flight of steps that rises into the light, a rail along it."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    rng = scene.rng("stairs")
    foot = min(stage.hero_y + 0.10 * stage.height, 0.97 * stage.height)
    lay_room(scene, floor=foot - 0.04 * stage.height)
    layer = scene.layer(0.50)
    way = 1 if stage.light_x > stage.width / 2 else -1
    stone = scene.palette.stuff(_STONE, 0.4) if chance(rng, 0.5) else _wood(scene, lift=0.08)
    stone = relight(stone, lift={"night": -0.26, "dusk": -0.14}.get(stage.hour, 0.0))
    steps = {"close": 5, "medium": 9, "wide": 12}[stage.view]
    rise, run = 0.86 * stage.height / steps, 0.60 * max(stage.width, stage.unit) / steps
    start = stage.hero_x - way * 0.5 * run * steps
    for number in range(steps):
        x, y = start + way * number * run, foot - (number + 1) * rise * 0.80
        end = start + way * (steps + 8) * run
        shade = number / steps
        face = frame.shape_of(
            points((x, y), (end, y), (end, stage.height + 9), (x, stage.height + 9))
        )
        front = mix(relight(stone, lift=-0.12), palette.glow, 0.10 + 0.16 * shade)
        layer.fill(face, linear((0, y), (0, y + 2.2 * rise), front, relight(front, lift=-0.10)))
        tread = frame.shape_of(
            box(min(x - way * 0.03 * run, end), y - 0.10 * rise, abs(end - x), 0.16 * rise)
        )
        layer.fill(tread, relight(mix(stone, palette.glow, 0.28 + 0.2 * shade), lift=0.05))
        layer.shadow(frame.blurred(tread.shifted(0, 0.18 * rise), 0.05 * rise), palette.deep, 0.28)
    top = (start + way * steps * run, foot - steps * rise * 0.80)
    layer.light(frame.glow(top[0], top[1], 0.9 * stage.unit, power=2.0), palette.glow, 0.5)
    rail = scene.layer(0.58)
    high = 0.24 * stage.unit
    strokes: list[Stroke] = [
        (
            points(
                (start, foot - high - 0.8 * rise), (top[0] + way * run, top[1] - high - 0.8 * rise)
            ),
            0.016 * stage.unit,
        )
    ]
    for number in range(0, steps + 1, 1):
        x, y = start + way * (number + 0.4) * run, foot - (number + 1) * rise * 0.80
        strokes.append((points((x, y), (x, y - high)), 0.007 * stage.unit))
    rail.fill(frame.lines(strokes), mix(palette.deep, palette.near, 0.3))


def lay_window_light(scene: Scene, layer: Layer, *, x: float, size: float) -> None:
    """Let the light of a window that is out of the picture lie on the wall, pane by pane."""
    stage, frame, palette = scene.stage, scene.frame, scene.palette
    way = 1 if stage.light_x > stage.width / 2 else -1
    left, top = x - way * 0.75 * size, 0.16 * stage.height
    wide, tall, slant = 0.30 * size, 0.34 * size, 0.14 * size
    panes: list[Points] = []
    for column in range(2):
        for row in range(2):
            start = left - way * column * (wide + 0.03 * size)
            high = top + row * (tall + 0.03 * size) + column * slant * 0.5
            panes.append(
                points(
                    (start, high),
                    (start - way * wide, high + slant * 0.45),
                    (start - way * wide, high + tall + slant * 0.45),
                    (start, high + tall),
                )
            )
    light = frame.blurred(frame.shapes_of(panes), 0.006 * stage.unit)
    layer.fill(light, mix(palette.glow, palette.horizon, 0.2), 0.30 if stage.is_dark else 0.55)


def draw_chair(scene: Scene) -> None:
    """Draw one wooden chair that stands turned to the light, its shadow long on the floor."""
    stage, palette, frame = scene.stage, scene.palette, scene.frame
    size = min(
        stage.hero_size * {"close": 1.05, "medium": 0.86, "wide": 0.66}[stage.view],
        0.85 * stage.hero_y,
    )
    x, y = stage.hero_x, stage.hero_y
    room = lay_room(scene, floor=y - 0.20 * size)
    lay_window_light(scene, room, x=x, size=size)
    layer = scene.layer(0.60)
    side, _ = stage.toward_light(x, y - size)
    flip = side < 0

    def at(text: str) -> Points:
        return moved(path(text), x, y, scale=size, mirror=flip)

    shadow = points(
        (x - 0.3 * size, y),
        (x + 0.3 * size, y),
        (x - side * 1.1 * size + 0.2 * size, y + 0.10 * size),
        (x - side * 1.1 * size - 0.3 * size, y + 0.10 * size),
    )
    layer.fill(frame.blurred(frame.shape_of(shadow), 0.025 * size), palette.deep, 0.42)
    wood = _wood(scene, lift=0.05)
    back_legs = [
        (at("-.25,-.99 -.21,-.46 -.25,.0"), 0.040 * size),
        (at(".02,-1.03 .05,-.52 .04,-.05"), 0.036 * size),
    ]
    layer.fill(frame.lines(back_legs), relight(wood, lift=-0.06))
    rails = [
        (curve(at(f"-.245,{h} -.11,{h - 0.045} .025,{h - 0.04}"), closed=False), 0.050 * size)
        for h in (-0.94, -0.80, -0.66)
    ]
    slats = frame.lines(rails)
    layer.fill(slats, wood)
    front = [(at(".30,-.44 .31,.05"), 0.042 * size), (at("-.03,-.42 -.03,.09"), 0.044 * size)]
    legs = frame.lines(front)
    layer.fill(legs, wood)
    bars = [(at("-.22,-.17 -.03,-.12"), 0.022 * size), (at("-.03,-.16 .30,-.19"), 0.022 * size)]
    layer.fill(frame.lines(bars), relight(wood, lift=-0.04))
    seat = frame.shape_of(at("-.27,-.485 .05,-.53 .34,-.475 -.02,-.405"))
    layer.fill(seat, relight(mix(wood, palette.glow, 0.25), lift=0.05))
    edge = frame.shape_of(at("-.27,-.485 -.02,-.405 .34,-.475 .34,-.445 -.02,-.37 -.27,-.45"))
    layer.fill(edge, relight(wood, lift=-0.08))
    for mask in (slats, legs, seat):
        layer.rim(mask, (side, -0.6), 0.010 * size, palette.glow, 0.6)
