"""A film from real parts: as planned, and passed by validation and audit."""

from pathlib import Path

import av
import opentimelineio
import pytest

from infra.media.ffmpeg import FfmpegError, run_ffmpeg
from infra.media.loudness import measure_loudness
from infra.media.probe import ProbeError, moov_before_mdat, probe
from infra.media.subtitles import read_srt
from infra.providers.local import render
from infra.providers.local.request import InvalidInputError
from tests.integration.workspace.delivery.films import (
    FPS,
    SHOT_S,
    SIZE,
    Film,
    clip,
    generate,
    render_film,
)
from workspace.delivery.audit import audit
from workspace.delivery.resemblance import compare_shots
from workspace.delivery.validate import validate

pytestmark = pytest.mark.media


async def test_a_good_film_passes_without_any_remark(film: Film) -> None:
    assert await validate(film.master, film.plan, film.sources) == []
    assert await audit(film.master, film.plan, film.sources) == []


def test_master_has_exactly_the_planned_frames(film: Film) -> None:
    found = probe(film.master)

    assert found.video[0].frames == round(3 * SHOT_S * FPS) == film.timeline.frames
    assert (found.video[0].width, found.video[0].height) == SIZE
    assert found.video[0].profile == "High"
    assert found.video[0].duration_s == pytest.approx(3 * SHOT_S, abs=0.001)
    assert found.audio[0].duration_s == pytest.approx(3 * SHOT_S, abs=0.03)
    assert found.chapters == 3
    assert found.fast_start
    assert moov_before_mdat(film.master)
    assert found.subtitles[0].cues == len(read_srt(film.files["captions"]))
    assert found.audio[0].language == "eng"


def test_master_has_its_loudness(film: Film) -> None:
    loudness = measure_loudness(film.master)

    assert loudness.integrated_lufs == pytest.approx(-16, abs=0.5)
    assert loudness.true_peak_db is not None
    assert loudness.true_peak_db <= -1.5 + 0.2
    assert film.measured["captions_burned"] is True


def test_title_and_chapters_keep_their_signs(film: Film) -> None:
    with av.open(str(film.master)) as container:
        titles = [chapter["metadata"]["title"] for chapter in container.chapters()]
        assert container.metadata["title"] == "Bread; the oven = #1"

    assert titles == ["Scene 1", "Scene 2", "Scene 3"]


def test_a_shot_is_like_its_clip_and_unlike_the_others(film: Film) -> None:
    for likeness in compare_shots(film.master, film.timeline, film.sources.shots):
        others = [far for key, far in likeness.distances.items() if key != likeness.key]

        assert likeness.distances[likeness.key] < 0.06
        assert min(others) > 0.3


def test_export_for_editors_names_the_objects(film: Film) -> None:
    timeline = opentimelineio.adapters.read_from_file(str(film.master.parent / "timeline.otio"))
    picture, narration, music = timeline.tracks

    clips = [item for item in picture if isinstance(item, opentimelineio.schema.Clip)]
    assert [item.media_reference.target_url for item in clips] == ["shot.1", "shot.2", "shot.3"]
    assert picture.duration().to_seconds() == pytest.approx(film.timeline.duration_s)
    assert music[0].media_reference.target_url == "music"
    voices = [item for item in narration if isinstance(item, opentimelineio.schema.Clip)]
    assert [item.name for item in voices] == [line.text for line in film.timeline.narration]
    assert sum(len(item.markers) for item in clips) == 3


def test_clips_of_any_size_rate_and_length_fit_the_film(film: Film, tmp_path: Path) -> None:
    other = clip(tmp_path / "other.mp4", "testsrc2=s={size}:r=30", size=(200, 300), seconds=1.5)
    again = render_film(film.timeline, film.files | {"shot.2": other}, tmp_path / "film")

    found = probe(again.master)
    assert found.video[0].frames == film.timeline.frames
    assert (found.video[0].width, found.video[0].height) == SIZE


def test_a_film_is_the_same_each_time(film: Film, tmp_path: Path) -> None:
    assert_same(film, render_film(film.timeline, film.files, tmp_path / "film"), tmp_path)


def test_a_film_of_more_than_its_limit_of_bits_is_the_same_each_time(
    film: Film, tmp_path: Path
) -> None:
    snow = "testsrc2=s={size}:r=24,noise=alls=60:allf=t"
    files = film.files | {"shot.2": clip(tmp_path / "snow.mp4", snow, size=SIZE, seconds=2)}
    first, second = (render_film(film.timeline, files, tmp_path / name) for name in ("a", "b"))
    assert_same(first, second, tmp_path)


def assert_same(film: Film, again: Film, tmp_path: Path) -> None:
    # The muxer's order of packets depends on its threads; what is in them does not.
    for stream in ("0:v", "0:a", "0:s"):
        assert packets(film.master, stream, tmp_path) == packets(again.master, stream, tmp_path)


def packets(master: Path, stream: str, folder: Path) -> str:
    hashes = folder / "hashes.txt"
    run_ffmpeg(["-i", str(master), "-map", stream, "-c", "copy", "-f", "framemd5", str(hashes)])
    return hashes.read_text()


def test_a_missing_file_stops_the_render_with_its_name(film: Film, tmp_path: Path) -> None:
    files = {key: path for key, path in film.files.items() if key != "shot.2"}

    with pytest.raises(InvalidInputError, match=r"'shot\.2' is missing"):
        render_film(film.timeline, files, tmp_path)


def test_a_broken_clip_stops_the_render_with_a_sentence(film: Film, tmp_path: Path) -> None:
    broken = tmp_path / "broken.mp4"
    broken.write_bytes(b"\x00" * 4000)

    with pytest.raises(FfmpegError, match="FFmpeg ended with code"):
        render_film(film.timeline, film.files | {"shot.2": broken}, tmp_path / "film")


def test_what_is_no_timeline_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInputError, match="timeline must be an object"):
        generate(render.generate, tmp_path, {"timeline": 5})


def test_what_is_no_media_cannot_be_probed(tmp_path: Path) -> None:
    path = tmp_path / "text.mp4"
    path.write_text("not a film")

    with pytest.raises(ProbeError, match="cannot be read as media"):
        probe(path)
