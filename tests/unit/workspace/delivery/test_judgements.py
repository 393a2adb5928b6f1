"""What validation and audit say of what was measured; no media here."""

from dataclasses import replace

import numpy as np
import pytest

from infra.media.loudness import Loudness
from infra.media.probe import AudioStream, Probe, VideoStream
from infra.media.subtitles import Cue
from infra.media.timeline import (
    Timeline,
    TimelineCaptions,
    TimelineMusic,
    TimelineNarration,
    TimelineShot,
)
from workspace.delivery import sound_checks
from workspace.delivery.caption_checks import judge_captions, judge_script
from workspace.delivery.findings import Finding, Severity, refuses_delivery
from workspace.delivery.measure import BAND_RATE, parse_signals
from workspace.delivery.picture_checks import judge_black, judge_frozen, judge_likeness
from workspace.delivery.plan import FilmPlan, PartKind, PartState, PlannedPart, parts_of
from workspace.delivery.resemblance import Likeness
from workspace.delivery.validate import judge_file, judge_parts

TEXT = "The smell of fresh bread fills the narrow street."
TIMELINE = Timeline(
    title="Bread",
    language="en",
    width=1280,
    height=720,
    fps=24,
    duration_s=8.0,
    shots=(
        TimelineShot(key="shot.1", name="Oven", start_s=0, duration_s=4, transition_s=0.5),
        TimelineShot(key="shot.2", name="Street", start_s=4, duration_s=4, transition_s=0.5),
    ),
    narration=(TimelineNarration(key="narration.1", start_s=1, duration_s=3.4, text=TEXT),),
    music=TimelineMusic(),
    captions=TimelineCaptions(),
)
PLAN = FilmPlan(timeline=TIMELINE, parts=parts_of(TIMELINE), script=(TEXT,))
CUE = Cue(start_s=1.08, end_s=4.2, lines=("The smell of fresh bread fills", "the narrow street."))
VIDEO = VideoStream(
    codec="h264",
    profile="High",
    pixel_format="yuv420p",
    width=1280,
    height=720,
    fps=24.0,
    sample_aspect=1.0,
    frames=192,
    start_s=0.0,
    duration_s=8.0,
    color_space="bt709",
    color_range="tv",
)
AUDIO = AudioStream(
    codec="aac", rate=48000, channels=2, start_s=0.0, duration_s=8.0, language="eng"
)
PROBE = Probe(
    container="mov,mp4",
    duration_s=8.0,
    size=1000,
    video=(VIDEO,),
    audio=(AUDIO,),
    subtitles=(),
    chapters=2,
    fast_start=True,
)
BARE = replace(PLAN, timeline=replace(TIMELINE, captions=None))


def checks(findings: list[Finding]) -> dict[str, Severity]:
    return {finding.check: finding.severity for finding in findings}


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (PartState.RUNNING, "is still being made"),
        (PartState.FAILED, "could not be made: the vendor refused"),
        (PartState.MISSING, "was never made"),
    ],
)
def test_an_absent_part_refuses_delivery_and_says_why(state: PartState, words: str) -> None:
    part = PlannedPart(
        kind=PartKind.SHOT,
        key="shot.3",
        name="Market",
        state=state,
        reason="the vendor refused" if state is PartState.FAILED else "",
    )
    findings = list(judge_parts(replace(PLAN, parts=(*PLAN.parts, part))))

    assert refuses_delivery(findings)
    assert f"Market is not in the work; it {words}" in findings[0].message


def test_a_part_that_was_made_but_left_out_refuses_delivery() -> None:
    part = PlannedPart(kind=PartKind.SHOT, key="shot.3", name="Market", state=PartState.DONE)

    assert checks(list(judge_parts(replace(PLAN, parts=(*PLAN.parts, part))))) == {
        "part_not_used": Severity.ERROR
    }


def test_a_file_as_planned_has_no_findings() -> None:
    assert list(judge_file(PROBE, BARE)) == []


@pytest.mark.parametrize(
    ("probe", "check"),
    [
        (replace(PROBE, fast_start=False), "fast_start"),
        (replace(PROBE, container="matroska"), "container"),
        (replace(PROBE, video=()), "video_streams"),
        (replace(PROBE, audio=()), "audio_streams"),
        (replace(PROBE, video=(replace(VIDEO, codec="hevc"),)), "video_codec"),
        (replace(PROBE, video=(replace(VIDEO, pixel_format="yuv444p"),)), "pixel_format"),
        (replace(PROBE, video=(replace(VIDEO, width=640),)), "frame_width"),
        (replace(PROBE, video=(replace(VIDEO, sample_aspect=1.2),)), "sample_aspect"),
        (replace(PROBE, video=(replace(VIDEO, color_space="smpte170m"),)), "color_space"),
        (replace(PROBE, video=(replace(VIDEO, fps=30.0),)), "fps"),
        (replace(PROBE, video=(replace(VIDEO, frames=150),)), "frames"),
        (replace(PROBE, video=(replace(VIDEO, duration_s=7.0),)), "duration"),
        (replace(PROBE, video=(replace(VIDEO, start_s=0.5),)), "start_time"),
        (replace(PROBE, video=(replace(VIDEO, gaps=(2.0,)),)), "frame_gap"),
        (replace(PROBE, audio=(replace(AUDIO, codec="mp3"),)), "audio_codec"),
        (replace(PROBE, audio=(replace(AUDIO, rate=44100),)), "audio_rate"),
        (replace(PROBE, audio=(replace(AUDIO, channels=1),)), "audio_channels"),
        (replace(PROBE, audio=(replace(AUDIO, duration_s=5.0),)), "audio_duration"),
    ],
)
def test_each_departure_from_the_plan_is_an_error(probe: Probe, check: str) -> None:
    assert checks(list(judge_file(probe, BARE))) == {check: Severity.ERROR}


def test_a_planned_caption_track_must_be_there() -> None:
    assert checks(list(judge_file(PROBE, PLAN))) == {"subtitle_stream": Severity.ERROR}


def test_fades_at_the_ends_are_not_black() -> None:
    assert list(judge_black(((0.0, 0.4), (7.6, 8.0)), PLAN)) == []


def test_black_within_the_film_is() -> None:
    [finding] = judge_black(((4.5, 6.0),), PLAN)

    assert finding.severity is Severity.ERROR
    assert finding.shot == "shot.2"


def test_a_film_that_opens_black_for_long_is() -> None:
    assert checks(list(judge_black(((0.0, 2.0),), PLAN))) == {"black": Severity.ERROR}


def test_a_frozen_shot_is_found_unless_it_is_meant_to_be_still() -> None:
    spans = ((4.2, 7.9),)

    assert checks(list(judge_frozen(spans, PLAN))) == {"frozen": Severity.ERROR}
    assert list(judge_frozen(spans, replace(PLAN, still_shots=frozenset({"shot.2"})))) == []


def test_swapped_shots_are_told_apart_from_strange_ones() -> None:
    def seen(key: str, **distances: float) -> Likeness:
        named = {name.replace("_", "."): far for name, far in distances.items()}
        return Likeness(key=key, seen=True, start_s=0, end_s=4, distances=named)

    swapped, strange, fine = (
        list(judge_likeness([likeness], PLAN))
        for likeness in (
            seen("shot.1", shot_1=0.5, shot_2=0.02),
            seen("shot.1", shot_1=0.5, shot_2=0.6),
            seen("shot.1", shot_1=0.02, shot_2=0.5),
        )
    )

    assert swapped[0].message == "Where Oven should be, Street is seen."
    assert strange[0].message == "Oven does not show the clip that was made for it."
    assert fine == []


def test_a_shot_past_the_end_of_the_film_is_missing() -> None:
    likeness = Likeness(key="shot.2", seen=False, start_s=4, end_s=8, distances={})

    [finding] = judge_likeness([likeness], PLAN)

    assert finding.severity is Severity.ERROR
    assert "ends before it" in finding.message


@pytest.mark.parametrize(
    ("lufs", "severity"),
    [(-16.2, None), (-15.4, Severity.WARNING), (-9.2, Severity.ERROR), (-30.1, Severity.ERROR)],
)
def test_loudness_is_held_to_its_target(lufs: float, severity: Severity | None) -> None:
    loudness = Loudness(integrated_lufs=lufs, range_lu=3.0, true_peak_db=-2.0)

    found = checks(list(sound_checks.judge_loudness(loudness, PLAN)))

    assert found == ({} if severity is None else {"loudness": severity})


def test_a_mute_film_is_an_error_only_where_sound_was_planned() -> None:
    mute = Loudness(integrated_lufs=None, range_lu=None, true_peak_db=None)
    silent_film = replace(PLAN, timeline=replace(TIMELINE, narration=(), music=None))

    assert checks(list(sound_checks.judge_loudness(mute, PLAN))) == {"mute": Severity.ERROR}
    assert list(sound_checks.judge_loudness(mute, silent_film)) == []


def test_a_peak_above_the_limit_is_an_error() -> None:
    loudness = Loudness(integrated_lufs=-16.0, range_lu=3.0, true_peak_db=0.4)

    assert checks(list(sound_checks.judge_loudness(loudness, PLAN))) == {
        "true_peak": Severity.ERROR
    }


def test_silence_under_a_planned_line_is_an_error() -> None:
    assert checks(list(sound_checks.judge_silence(((0.5, 5.0),), PLAN))) == {
        "silence": Severity.ERROR
    }
    assert list(sound_checks.judge_silence(((5.0, 6.5),), PLAN)) == []


def test_a_line_is_heard_only_where_its_own_envelope_is() -> None:
    rng = np.random.default_rng(3)
    frames = rng.uniform(0, 1, 170)
    recording = np.repeat(frames, 320) * rng.standard_normal(170 * 320)
    other = np.repeat(rng.uniform(0, 1, 170), 320) * rng.standard_normal(170 * 320)
    music = 0.1 * rng.standard_normal(8 * BAND_RATE)

    def film(voice: np.ndarray) -> np.ndarray:
        mixed = music.copy()
        mixed[BAND_RATE : BAND_RATE + len(voice)] += voice
        return mixed

    judge = sound_checks.judge_narration
    assert list(judge(film(recording), PLAN, {"narration.1": recording})) == []
    for wrong in (film(other), music, np.zeros(8 * BAND_RATE)):
        assert checks(list(judge(wrong, PLAN, {"narration.1": recording}))) == {
            "narration_missing": Severity.ERROR
        }


def test_without_a_recording_liveliness_decides() -> None:
    steady = np.random.default_rng(1).standard_normal(8 * BAND_RATE)
    syllables = steady * (np.sin(np.arange(8 * BAND_RATE) / BAND_RATE * 25) > 0)

    assert list(sound_checks.judge_narration(syllables, PLAN, {})) == []
    assert checks(list(sound_checks.judge_narration(steady, PLAN, {}))) == {
        "narration_missing": Severity.ERROR
    }


def test_picture_and_sound_must_end_together() -> None:
    late = replace(PROBE, audio=(replace(AUDIO, duration_s=6.0),))

    assert checks(list(sound_checks.judge_ends(late))) == {"ends_apart": Severity.ERROR}
    assert list(sound_checks.judge_ends(PROBE)) == []


def test_good_captions_have_no_findings() -> None:
    assert judge_captions([CUE], PLAN) == []


@pytest.mark.parametrize(
    ("cues", "check", "severity"),
    [
        ([], "captions_coverage", Severity.ERROR),
        ([replace(CUE, end_s=2.5)], "captions_coverage", Severity.ERROR),
        ([replace(CUE, end_s=1.9)], "caption_too_fast", Severity.ERROR),
        ([replace(CUE, end_s=9.0)], "caption_past_end", Severity.ERROR),
        ([replace(CUE, lines=(TEXT,))], "caption_line_length", Severity.WARNING),
        (
            [replace(CUE, lines=("The smell", "of fresh bread fills", "the narrow street."))],
            "caption_lines",
            Severity.WARNING,
        ),
        (
            [CUE, Cue(start_s=4.22, end_s=4.6, lines=("!",))],
            "caption_gap",
            Severity.WARNING,
        ),
        ([CUE, Cue(start_s=4.0, end_s=5.0, lines=("!",))], "caption_overlap", Severity.ERROR),
        ([CUE, Cue(start_s=4.4, end_s=4.6, lines=("!",))], "caption_too_short", Severity.WARNING),
    ],
)
def test_each_fault_of_captions_is_found(cues: list[Cue], check: str, severity: Severity) -> None:
    assert checks(judge_captions(cues, PLAN))[check] is severity


def test_words_that_captions_leave_out_are_named() -> None:
    [finding] = judge_script([replace(CUE, lines=("The smell of bread fills the street.",))], PLAN)

    assert finding.severity is Severity.ERROR
    assert "2 words" in finding.message
    assert "fresh narrow" in finding.message


def test_words_in_another_order_are_found() -> None:
    swapped = [
        replace(CUE, lines=("the narrow street.",), end_s=2.0),
        Cue(start_s=2.1, end_s=4.0, lines=("The smell of fresh bread fills",)),
    ]

    assert refuses_delivery(list(judge_script(swapped, PLAN)))


def test_signs_case_and_line_breaks_do_not_count() -> None:
    cue = replace(CUE, lines=("THE SMELL — of fresh", "bread fills the nar", "row street"))

    assert list(judge_script([cue], PLAN)) == []


def test_chinese_is_compared_character_by_character() -> None:
    plan = replace(PLAN, script=("新鲜面包的香气弥漫在街道上。",))
    cue = replace(CUE, lines=("新鲜面包的香气弥漫", "在街道。"))

    [finding] = judge_script([cue], plan)

    assert "1 words" in finding.message
    assert "上" in finding.message


def test_an_open_freeze_lasts_until_the_end() -> None:
    log = (
        "[freezedetect @ 1] lavfi.freezedetect.freeze_start: 2.5\n"
        "[silencedetect @ 2] silence_start: 1.5\n"
        "[silencedetect @ 2] silence_end: 3.25 | silence_duration: 1.75\n"
        "[blackdetect @ 3] black_start:0 black_end:0.5 black_duration:0.5\n"
    )
    signals = parse_signals(log, duration_s=8.0)

    assert signals.frozen == ((2.5, 8.0),)
    assert signals.silent == ((1.5, 3.25),)
    assert signals.black == ((0.0, 0.5),)
