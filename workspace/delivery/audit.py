"""Audit: does the finished film make sense as a work?

Owns the order of measuring; the judging is in `picture_checks`, `sound_checks` and
`caption_checks`. Promises that nothing which could not be measured counts as good: it is a finding.
One pass over the film finds black, frozen, silent and loud; shots are compared with their clips,
narration with its recordings, captions with the script.
"""

import asyncio
from collections.abc import Awaitable
from pathlib import Path

from infra.media.probe import Probe, ProbeError, probe
from infra.media.subtitles import read_srt
from workspace.delivery import caption_checks, picture_checks, sound_checks
from workspace.delivery.findings import Finding, Severity
from workspace.delivery.measure import MeasureError, measure_signals, speech_band
from workspace.delivery.plan import FilmPlan, FilmSources
from workspace.delivery.resemblance import compare_shots


async def audit(master: Path, plan: FilmPlan, sources: FilmSources) -> list[Finding]:
    """Return everything that does not make sense in the finished film."""
    try:
        found = await asyncio.to_thread(probe, master)
    except ProbeError as error:
        return [_unmeasured("film", str(error))]
    # One after the other: each of these already uses every processor.
    findings = await _guarded("film", _signals(master, found, plan))
    findings += await _guarded("narration", _narration(master, found, plan, sources))
    findings += await _shots(master, found, plan, sources)
    findings += await _captions(plan, sources)
    return findings


async def _signals(master: Path, found: Probe, plan: FilmPlan) -> list[Finding]:
    if not found.video:
        return [_unmeasured("picture", "The film has no picture.")]
    signals = await measure_signals(
        master, duration_s=plan.timeline.duration_s, has_audio=bool(found.audio)
    )
    return [
        *picture_checks.judge_black(signals.black, plan),
        *picture_checks.judge_frozen(signals.frozen, plan),
        *sound_checks.judge_silence(signals.silent, plan),
        *sound_checks.judge_loudness(signals.loudness, plan),
        *sound_checks.judge_ends(found),
    ]


async def _narration(
    master: Path, found: Probe, plan: FilmPlan, sources: FilmSources
) -> list[Finding]:
    if not plan.timeline.narration or not found.audio:
        return []
    band = await speech_band(master)
    recordings = {
        line.key: await speech_band(sources.narration[line.key])
        for line in plan.timeline.narration
        if line.key in sources.narration
    }
    return list(sound_checks.judge_narration(band, plan, recordings))


async def _shots(master: Path, found: Probe, plan: FilmPlan, sources: FilmSources) -> list[Finding]:
    if not found.video:
        return []
    likenesses = await asyncio.to_thread(compare_shots, master, plan.timeline, sources.shots)
    return list(picture_checks.judge_likeness(likenesses, plan))


async def _captions(plan: FilmPlan, sources: FilmSources) -> list[Finding]:
    if plan.timeline.captions is None:
        return []
    if sources.captions is None:
        return [_unmeasured("captions", "There is no caption file.")]
    try:
        cues = await asyncio.to_thread(read_srt, sources.captions)
    except (ValueError, OSError) as error:
        return [_unmeasured("captions", str(error))]
    return caption_checks.judge_captions(cues, plan)


async def _guarded(what: str, measuring: Awaitable[list[Finding]]) -> list[Finding]:
    try:
        return await measuring
    except MeasureError as error:
        return [_unmeasured(what, error.message)]


def _unmeasured(what: str, reason: str) -> Finding:
    return Finding(
        check=f"unmeasured_{what}",
        severity=Severity.ERROR,
        message=f"The {what} could not be checked: {reason}",
    )
