"""From a brief to a scene, and from a scene to pixels.

Owns the order in which a picture is drawn: sky, land, room, subject, what is near the lens, what
moves. `paint` lays the stack together as it stands at a moment; at moment 0 it is the still.
"""

import math

import numpy as np

from infra.providers.local.pictures.brief import Brief
from infra.providers.local.pictures.composition import (
    IN_FRONT,
    Setting,
    arrange,
    beside,
    companion_of,
)
from infra.providers.local.pictures.motifs.foregrounds import draw_frame
from infra.providers.local.pictures.motifs.living import draw_dust, draw_weather
from infra.providers.local.pictures.motifs.registry import LANDS, SUBJECTS
from infra.providers.local.pictures.motifs.skies import draw_sky
from infra.providers.local.pictures.motifs.tables import draw_table_setting
from infra.providers.local.pictures.motifs.weather import (
    draw_mist,
    draw_ray,
    draw_storm_sky,
    draw_wind,
)
from infra.providers.local.pictures.noise import Field, chance, generator
from infra.providers.local.pictures.palette import choose, weathered
from infra.providers.local.pictures.raster import Frame, Patch
from infra.providers.local.pictures.scene import Pulse, Scene, Sheet, Stream
from infra.providers.local.pictures.texture import look_of

_BARE = frozenset({"sea", "beach", "harbour", "desert", "city"})


def empty_scene(brief: Brief) -> Scene:
    """Return the scene of a brief with its stage and palette and nothing drawn yet."""
    stage = arrange(brief, generator(brief.seed, brief.prompt, brief.title, "stage"))
    palette = choose(
        given=brief.palette,
        named=brief.colours,
        moods=brief.moods,
        subjects=[*brief.subjects[:1], *brief.lands[:1], *brief.skies[:1]],
        hour=stage.hour,
        rng=generator(brief.seed, brief.prompt, "palette"),
    )
    palette = weathered(palette, hour=stage.hour, skies=stage.skies)
    return Scene(frame=Frame(brief.width, brief.height), brief=brief, stage=stage, palette=palette)


def build_scene(brief: Brief) -> Scene:
    """Draw everything that the brief asks for, words excepted."""
    scene = empty_scene(brief)
    stage = scene.stage
    outdoors = stage.setting in {Setting.LAND, Setting.ROOM}
    if outdoors or (stage.lands and stage.setting in {Setting.TABLE, Setting.STUDIO}):
        _draw_outside(scene)
    indoors = stage.setting in {Setting.TABLE, Setting.ROOM}
    if indoors and scene.items:
        draw_weather(scene)
    if stage.setting is Setting.TABLE:
        draw_table_setting(scene)
    _draw_subjects(scene)
    if outdoors and "fog" in stage.skies:
        draw_mist(scene, near=True)
    _draw_air(scene, indoors=indoors)
    return scene


def _draw_outside(scene: Scene) -> None:
    """Draw the sky with its weather and the land under it."""
    stage = scene.stage
    draw_sky(scene)
    if "storm" in stage.skies:
        draw_storm_sky(scene)
    for land in stage.lands[:1]:
        LANDS[land](scene)
    if "fog" in stage.skies:
        draw_mist(scene, near=False)


def _draw_air(scene: Scene, *, indoors: bool) -> None:
    """Draw what the air carries before the subject: grasses, wind, rain, snow or dust."""
    stage = scene.stage
    open_land = stage.setting is Setting.LAND and not _BARE & set(stage.lands)
    if open_land and chance(scene.rng("frame?"), 0.45):
        draw_frame(scene)
    if "dust" in stage.skies:
        draw_ray(scene)
    if "wind" in stage.skies and not indoors:
        draw_wind(scene)
    if indoors or not draw_weather(scene):
        draw_dust(scene)


def _draw_subjects(scene: Scene) -> None:
    """Draw the first subject, and behind it a second one that can share its place."""
    stage = scene.stage
    if not stage.subjects:
        if stage.setting is Setting.ABSTRACT:
            SUBJECTS["geometry"](scene)
        return
    lead = stage.subjects[0]
    second = companion_of(stage)
    in_front = second in IN_FRONT
    if second is not None and not in_front:
        _draw_beside(scene, second)
    SUBJECTS[lead](scene)
    if second is not None and in_front:
        _draw_beside(scene, second)


def _draw_beside(scene: Scene, second: str) -> None:
    stage = scene.stage
    scene.stage = beside(stage)
    SUBJECTS[second](scene)
    scene.stage = stage


def paint(scene: Scene, *, at_s: float = 0.0) -> Field:
    """Return the three planes of the scene at a moment, without camera."""
    planes = np.zeros((3, *scene.frame.shape), dtype=np.float32)
    for item in scene.items:
        match item:
            case Sheet():
                if look_of(scene).sheets_cast_shadows and item.layer.depth > 0:
                    _cast_shadow(scene, planes, item)
                item.layer.over(planes)
            case Stream():
                _lay_stream(scene, planes, item, at_s)
            case Pulse():
                _lay_pulse(planes, item, at_s)
    return planes


def stream_mask(scene: Scene, stream: Stream, at_s: float) -> tuple[Field, slice, slice]:
    """Return where a stream shows at a moment, and the rows and columns of the frame."""
    if stream.through is None:
        rows, columns = slice(0, scene.frame.shape[0]), slice(0, scene.frame.shape[1])
        through: Field | float = 1.0
    else:
        mask = stream.through.mask
        top, left = stream.through.y, stream.through.x
        rows, columns = slice(top, top + mask.shape[0]), slice(left, left + mask.shape[1])
        through = mask
    height, width = stream.tile.shape
    down, across = round(stream.speed[1] * at_s), round(stream.speed[0] * at_s)
    ys = (np.arange(rows.stop - rows.start) - down) % height
    xs = (np.arange(columns.stop - columns.start) - across) % width
    return stream.tile[np.ix_(ys, xs)] * through, rows, columns


def pulse_strength(pulse: Pulse, at_s: float) -> float:
    """Return how bright a pulse is at a moment; never twice the same in a row."""
    turn = at_s / pulse.period_s * math.tau
    wave = 0.5 + 0.3 * math.sin(turn) + 0.2 * math.sin(turn * 2.7 + 1.0)
    return pulse.low + (pulse.high - pulse.low) * wave


def _cast_shadow(scene: Scene, planes: Field, sheet: Sheet) -> None:
    """Let a sheet of cut paper throw a soft shadow on what is behind it."""
    reach = scene.unit * 0.010
    cover = Patch(0, 0, sheet.layer.cover)
    soft = scene.frame.blurred(cover, reach).shifted(reach * 0.4, reach * 0.7)
    planes *= 1 - 0.38 * soft.sampled_like(cover)


def _lay_stream(scene: Scene, planes: Field, stream: Stream, at_s: float) -> None:
    mask, rows, columns = stream_mask(scene, stream, at_s)
    strength = mask * np.float32(stream.opacity)
    for plane, value in zip(planes, stream.colour, strict=True):
        part = plane[rows, columns]
        part += (value - part) * strength


def _lay_pulse(planes: Field, pulse: Pulse, at_s: float) -> None:
    strength = pulse_strength(pulse, at_s)
    patch = pulse.patch
    top, left = patch.y, patch.x
    rows = slice(top, top + patch.mask.shape[0])
    columns = slice(left, left + patch.mask.shape[1])
    for plane, value in zip(planes, pulse.colour, strict=True):
        part = plane[rows, columns]
        part += (1 - part) * patch.mask * np.float32(value * strength)
