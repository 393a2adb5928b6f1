"""Each defect that a film can have is caught by the check that is there for it."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from infra.media.ffmpeg import run_ffmpeg
from tests.integration.workspace.delivery.films import (
    FPS,
    Film,
    clip,
    cut_off,
    rerender,
    spoil_picture,
    spoil_sound,
    with_captions,
)
from workspace.delivery.audit import audit
from workspace.delivery.findings import Finding, Severity, refuses_delivery
from workspace.delivery.plan import PartKind, PartState, PlannedPart
from workspace.delivery.validate import validate

pytestmark = pytest.mark.media

type Spoil = Callable[[Film, Path], Film]
type Spoiled = Callable[[Spoil], Film]


@pytest.fixture(scope="session")
def spoiled(film: Film, tmp_path_factory: pytest.TempPathFactory) -> Spoiled:
    """Spoil the film in a way, once for all tests that look at it."""

    @cache
    def make(spoil: Spoil) -> Film:
        return spoil(film, tmp_path_factory.mktemp(spoil.__name__))

    return make


def black_shot(film: Film, out: Path) -> Film:
    return spoil_picture(film, out, "drawbox=t=fill:color=black:enable='between(t,3.5,7)'")


def frozen_shot(film: Film, out: Path) -> Film:
    return spoil_picture(film, out, "select='not(between(n,91,164))',loop=74:1:90,setpts=N/24/TB")


def missing_narration(film: Film, out: Path) -> Film:
    silence = out / "silence.wav"
    run_ffmpeg(["-f", "lavfi", "-i", "anullsrc=r=48000:cl=mono", "-t", "4", str(silence)])
    return rerender(film, out / "film", narration_2=silence)


def narration_in_the_wrong_place(film: Film, out: Path) -> Film:
    return rerender(
        film,
        out / "film",
        narration_1=film.files["narration.2"],
        narration_2=film.files["narration.1"],
    )


def mute(film: Film, out: Path) -> Film:
    return spoil_sound(film, out, "volume=0")


def silent_in_between(film: Film, out: Path) -> Film:
    return spoil_sound(film, out, "volume=0:enable='between(t,3.6,6.5)'")


def swapped_shots(film: Film, out: Path) -> Film:
    return rerender(film, out / "film", shot_1=film.files["shot.2"], shot_2=film.files["shot.1"])


def strange_shot(film: Film, out: Path) -> Film:
    other = clip(out / "other.mp4", "life=s={size}:r=24:mold=10:seed=4:life_color=#ffcc88")
    return rerender(film, out / "film", shot_3=other)


def cut_off_file(film: Film, out: Path) -> Film:
    return cut_off(film, out, 0.6)


def missing_end(film: Film, out: Path) -> Film:
    return spoil_picture(film, out, "null", "-t", "6.5")


def deleted_cue(film: Film, out: Path) -> Film:
    def change(text: str) -> str:
        blocks = text.strip().split("\n\n")
        return "\n\n".join([blocks[0], *blocks[2:]]) + "\n"

    return with_captions(film, out, change)


def wrong_word(film: Film, out: Path) -> Film:
    return with_captions(film, out, lambda text: text.replace("fresh", "stale"))


def no_captions(film: Film, out: Path) -> Film:
    return with_captions(film, out, lambda _: "")


def too_loud(film: Film, out: Path) -> Film:
    return spoil_sound(film, out, "volume=9dB")


def too_quiet(film: Film, out: Path) -> Film:
    return spoil_sound(film, out, "volume=-12dB")


def wrong_rate(film: Film, out: Path) -> Film:
    return spoil_picture(film, out, "fps=30", "-r", "30")


def sound_ends_early(film: Film, out: Path) -> Film:
    return spoil_sound(film, out, "atrim=end=8.5")


def wrong_size(film: Film, out: Path) -> Film:
    return spoil_picture(film, out, "scale=160:90")


def index_at_the_end(film: Film, out: Path) -> Film:
    master = out / "late.mp4"
    run_ffmpeg(["-i", str(film.master), "-map", "0", "-dn", "-c", "copy", str(master)])
    return replace(film, master=master)


def no_sound(film: Film, out: Path) -> Film:
    master = out / "silent.mp4"
    arguments = ["-i", str(film.master), "-map", "0:v", "-map", "0:s", "-c", "copy"]
    run_ffmpeg([*arguments, "-movflags", "+faststart", str(master)])
    return replace(film, master=master)


def absent_part(film: Film, out: Path) -> Film:
    part = PlannedPart(
        kind=PartKind.SHOT,
        key="shot.4",
        name="Scene 4",
        state=PartState.FAILED,
        reason="the vendor refused the prompt",
    )
    return replace(film, plan=replace(film.plan, parts=(*film.plan.parts, part)))


def absent_file(film: Film, out: Path) -> Film:
    return replace(film, master=out / "nothing.mp4")


DEFECTS: dict[Spoil, set[str]] = {
    black_shot: {"black", "wrong_shot"},
    frozen_shot: {"frozen"},
    missing_narration: {"narration_missing"},
    narration_in_the_wrong_place: {"narration_missing"},
    mute: {"mute", "silence", "narration_missing"},
    silent_in_between: {"silence", "narration_missing"},
    swapped_shots: {"wrong_shot"},
    strange_shot: {"wrong_shot"},
    cut_off_file: {"unmeasured_film", "frames", "wrong_shot"},
    missing_end: {"frames", "duration", "wrong_shot"},
    deleted_cue: {"captions_coverage", "script_missing"},
    wrong_word: {"script_missing"},
    no_captions: {"captions_file", "script_missing"},
    too_loud: {"loudness", "true_peak"},
    too_quiet: {"loudness"},
    wrong_rate: {"fps", "frames"},
    sound_ends_early: {"ends_apart", "audio_duration"},
    wrong_size: {"frame_width", "frame_height"},
    index_at_the_end: {"fast_start"},
    no_sound: {"audio_streams"},
    absent_part: {"part_absent"},
    absent_file: {"file"},
}


async def check(film: Film) -> list[Finding]:
    return [
        *await validate(film.master, film.plan, film.sources),
        *await audit(film.master, film.plan, film.sources),
    ]


@pytest.mark.parametrize("spoil", DEFECTS, ids=lambda spoil: spoil.__name__)
async def test_the_defect_refuses_delivery(spoiled: Spoiled, spoil: Spoil) -> None:
    findings = await check(spoiled(spoil))

    errors = {finding.check for finding in findings if finding.severity is Severity.ERROR}
    assert DEFECTS[spoil] <= errors
    assert refuses_delivery(findings)


async def test_only_the_spoiled_part_is_blamed(spoiled: Spoiled) -> None:
    findings = await check(spoiled(black_shot))

    assert {finding.shot for finding in findings} == {"shot.2"}
    black = next(finding for finding in findings if finding.check == "black")
    assert black.start_s == pytest.approx(3.5, abs=2 / FPS)
    assert black.end_s == pytest.approx(7.0, abs=2 / FPS)


async def test_only_the_lost_line_is_missed(spoiled: Spoiled) -> None:
    findings = await check(spoiled(missing_narration))

    missed = [finding.message for finding in findings if finding.check == "narration_missing"]
    assert len(missed) == 1
    assert "The smell of fresh bread" in missed[0]


async def test_swapped_shots_are_named(spoiled: Spoiled) -> None:
    findings = await check(spoiled(swapped_shots))

    messages = [finding.message for finding in findings if finding.check == "wrong_shot"]
    assert messages == [
        "Where Scene 1 should be, Scene 2 is seen.",
        "Where Scene 2 should be, Scene 1 is seen.",
    ]


async def test_a_still_shot_may_stand_still(spoiled: Spoiled) -> None:
    frozen = spoiled(frozen_shot)
    meant = replace(frozen, plan=replace(frozen.plan, still_shots=frozenset({"shot.2"})))

    checks = {finding.check for finding in await check(meant)}
    assert "frozen" not in checks
