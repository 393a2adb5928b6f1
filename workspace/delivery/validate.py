"""Is the work well formed and complete? Rules over the plan, and over the film's container.

A result that is missing, failed or still running is named; nothing is quietly left out.
"""

from av.error import FFmpegError

from execution.checklist import Plan
from infra.media.probe import probe_film
from workspace.delivery.film import FilmPlan
from workspace.delivery.findings import Finding, Severity

_RATE = 48_000
_CHANNELS = 2
_FPS_TOLERANCE = 0.01
_CLOCK_S = 0.002
_PLAN_TOLERANCE_S = 0.5
_END_TOLERANCE_S = 0.12


def validate_plan(plan: Plan) -> list[Finding]:
    """Return a finding for every expected result that is not there."""
    return [
        Finding(
            check="complete",
            severity=Severity.ERROR,
            message=f"Result {slot.number} of {item.item.expected_count} of '{item.item.title}' "
            f"is {slot.state}.",
            measured=f"{item.count('done')} of {item.item.expected_count}",
            limit=item.item.expected_count,
            shot=f"{item.item.key}.{slot.number}",
        )
        for item in plan.items
        for slot in item.slots
        if slot.state != "done"
    ]


async def validate_film(film: FilmPlan) -> list[Finding]:
    """Return a finding for everything about the container that is not as it was planned."""
    try:
        facts = await probe_film(film.master)
    except FFmpegError as error:
        return [
            Finding(
                check="readable",
                severity=Severity.ERROR,
                message=f"The master cannot be read: {error}",
                tool="PyAV",
            )
        ]
    frame_s = 1 / float(film.timeline["fps"])
    checks: list[tuple[str, bool, object, object, str]] = [
        ("video_codec", facts.video_codec == "h264", facts.video_codec, "h264", "codec"),
        ("pixel_format", facts.pixel_format == "yuv420p", facts.pixel_format, "yuv420p", "pixels"),
        ("audio_codec", facts.audio_codec == "aac", facts.audio_codec, "aac", "sound codec"),
        ("sample_rate", facts.sample_rate == _RATE, facts.sample_rate, _RATE, "sampling rate"),
        ("channels", facts.channels == _CHANNELS, facts.channels, _CHANNELS, "channels"),
        (
            "size",
            (facts.width, facts.height) == (film.timeline["width"], film.timeline["height"]),
            f"{facts.width}x{facts.height}",
            f"{film.timeline['width']}x{film.timeline['height']}",
            "picture size",
        ),
        (
            "fps",
            facts.fps is not None and abs(facts.fps - film.timeline["fps"]) < _FPS_TOLERANCE,
            facts.fps,
            film.timeline["fps"],
            "frame rate",
        ),
        (
            "duration",
            abs(facts.video_duration_s - film.duration_s) <= frame_s + _CLOCK_S,
            facts.video_duration_s,
            film.duration_s,
            "length",
        ),
        (
            "planned_duration",
            not film.planned_duration_s
            or abs(film.duration_s - film.planned_duration_s) <= _PLAN_TOLERANCE_S,
            film.duration_s,
            film.planned_duration_s,
            "length against the approved plan",
        ),
        (
            "sound_and_picture_end",
            abs(facts.video_duration_s - facts.audio_duration_s) <= _END_TOLERANCE_S,
            facts.audio_duration_s,
            facts.video_duration_s,
            "end of the sound",
        ),
        ("start", abs(facts.start_s) <= frame_s, facts.start_s, 0.0, "start"),
        (
            "gaps",
            facts.largest_gap_s <= 2 * frame_s,
            round(facts.largest_gap_s, 4),
            round(2 * frame_s, 4),
            "largest gap between pictures",
        ),
        ("faststart", facts.faststart, facts.faststart, True, "index before the media"),
    ]
    return [
        Finding(
            check=name,
            severity=Severity.ERROR,
            message=f"The master's {what} is {measured}, it must be {limit}.",
            tool="PyAV",
            measured=measured,
            limit=limit,
        )
        for name, passed, measured, limit, what in checks
        if not passed
    ]
