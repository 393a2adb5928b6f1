"""Judge the sound: loudness, silence, whether each line of narration is heard. Pure."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from infra.media.loudness import FILTER as LOUDNESS
from infra.media.loudness import Loudness
from infra.media.probe import Probe
from infra.media.timeline import TimelineNarration
from workspace.delivery.findings import Finding, Severity, clock
from workspace.delivery.measure import BAND_RATE, SILENCE
from workspace.delivery.plan import FilmPlan

LOUDNESS_WARNING_LU, LOUDNESS_ERROR_LU = 0.5, 1.0
PEAK_WARNING_DB, PEAK_ERROR_DB = 0.3, 1.0
MODULATION = 0.5
"""Of the speech band: speech reaches 0.7 to 0.85, music alone 0.4."""
CORRELATION = 0.6
"""Between the envelopes of a line as recorded and as heard in the film."""
_ENDS_APART_WARNING_S, _ENDS_APART_ERROR_S = 0.1, 0.5
_SILENCE_S = 3.0
_ENVELOPE_S = 0.02
_LEAD_S, _TAIL_S = 0.08, 0.3
_SHIFT = 5
_FEWEST = 10

type Wave = NDArray[np.float64]


def judge_loudness(loudness: Loudness, plan: FilmPlan) -> Iterator[Finding]:
    """Compare loudness and true peak with the delivery's target."""
    timeline = plan.timeline
    if not plan.expects_sound:
        return
    tool = f"FFmpeg {LOUDNESS}"
    if loudness.integrated_lufs is None:
        yield Finding(
            check="mute",
            severity=Severity.ERROR,
            message="The film is mute, although sound was planned.",
            tool=tool,
            limit=f"{timeline.loudness_lufs:g} LUFS",
        )
        return
    apart = loudness.integrated_lufs - timeline.loudness_lufs
    if abs(apart) > LOUDNESS_WARNING_LU:
        grave = abs(apart) > LOUDNESS_ERROR_LU
        yield Finding(
            check="loudness",
            severity=Severity.ERROR if grave else Severity.WARNING,
            message=f"The film is {abs(apart):.1f} LU too {'loud' if apart > 0 else 'quiet'}.",
            tool=tool,
            measured=f"{loudness.integrated_lufs:.1f} LUFS",
            limit=f"{timeline.loudness_lufs:g} LUFS, {LOUDNESS_ERROR_LU:g} LU either way",
        )
    over = (loudness.true_peak_db or -99.0) - timeline.true_peak_db
    if over > PEAK_WARNING_DB:
        yield Finding(
            check="true_peak",
            severity=Severity.ERROR if over > PEAK_ERROR_DB else Severity.WARNING,
            message=f"The loudest moment is {over:.1f} dB above the limit and may distort.",
            tool=tool,
            measured=f"{loudness.true_peak_db:.1f} dBTP",
            limit=f"{timeline.true_peak_db:g} dBTP",
        )


def judge_silence(spans: tuple[tuple[float, float], ...], plan: FilmPlan) -> Iterator[Finding]:
    """Report silence where something should be heard."""
    timeline = plan.timeline
    if not plan.expects_sound:
        return
    for start, open_end in spans:
        end = min(open_end, timeline.duration_s)
        spoken = sum(_overlap(start, end, line) for line in timeline.narration)
        if spoken < 1.0 and (timeline.music is None or end - start < _SILENCE_S):
            continue
        yield Finding(
            check="silence",
            severity=Severity.ERROR if spoken >= 1.0 else Severity.WARNING,
            message=(
                f"It is silent from {clock(start)} to {clock(end)}, where "
                f"{'narration' if spoken >= 1.0 else 'music'} was planned."
            ),
            tool=f"FFmpeg {SILENCE}",
            measured=f"{end - start:.1f} s",
            limit="1 s",
            start_s=start,
            end_s=end,
        )


def judge_narration(band: Wave, plan: FilmPlan, recordings: dict[str, Wave]) -> Iterator[Finding]:
    """Report lines that are not heard where they were planned.

    With the recording of a line its envelope must be found again; without it, the band of speech
    must at least be as lively as speech is.
    """
    for line in plan.timeline.narration:
        start = round((line.start_s + _LEAD_S) * BAND_RATE)
        end = round((line.end_s - _TAIL_S) * BAND_RATE)
        heard = envelope(band[start:end])
        lively = modulation(heard)
        if line.key in recordings:
            recorded = envelope(recordings[line.key][round(_LEAD_S * BAND_RATE) :])
            alike = correlation(heard, recorded)
            present, measured = alike >= CORRELATION, f"correlation {alike:.2f}"
            limit = f"correlation {CORRELATION:g}"
        else:
            present, measured = lively >= MODULATION, f"modulation {lively:.2f}"
            limit = f"modulation {MODULATION:g}"
        if present:
            continue
        yield Finding(
            check="narration_missing",
            severity=Severity.ERROR,
            message=(
                f"A planned line is not heard at {clock(line.start_s)}: \u201c{line.text}\u201d"
            ),
            tool="envelope of the band 300-3400 Hz in frames of 20 ms",
            measured=f"{measured} (modulation {lively:.2f})",
            limit=limit,
            start_s=line.start_s,
            end_s=line.end_s,
        )


def judge_ends(found: Probe) -> Iterator[Finding]:
    """Report picture and sound that do not end together."""
    if not found.video or not found.audio:
        return
    picture = found.video[0].start_s + found.video[0].duration_s
    sound = found.audio[0].start_s + found.audio[0].duration_s
    apart = abs(picture - sound)
    if apart > _ENDS_APART_WARNING_S:
        yield Finding(
            check="ends_apart",
            severity=Severity.ERROR if apart > _ENDS_APART_ERROR_S else Severity.WARNING,
            message=f"Picture and sound end {apart:.2f} s apart.",
            tool="PyAV demux",
            measured=f"{apart:.2f} s",
            limit=f"{_ENDS_APART_WARNING_S:g} s",
            start_s=min(picture, sound),
            end_s=max(picture, sound),
        )


def envelope(wave: Wave) -> Wave:
    """Return the level of a signal in frames of 20 ms."""
    frame = round(_ENVELOPE_S * BAND_RATE)
    count = len(wave) // frame
    return np.sqrt(np.square(wave[: count * frame].reshape(count, frame)).mean(axis=1))


def modulation(levels: Wave) -> float:
    """Return how lively a signal is: the spread of its level over its mean."""
    mean = float(levels.mean()) if len(levels) else 0.0
    return float(levels.std()) / mean if mean > 1e-6 else 0.0  # noqa: PLR2004 - silence


def correlation(heard: Wave, recorded: Wave) -> float:
    """Return the best agreement of two envelopes within a tenth of a second, from -1 to 1."""
    best = 0.0
    for shift in range(-_SHIFT, _SHIFT + 1):
        one, other = (heard[shift:], recorded) if shift >= 0 else (heard, recorded[-shift:])
        count = min(len(one), len(other))
        if count < _FEWEST or one[:count].std() < 1e-7 or other[:count].std() < 1e-7:  # noqa: PLR2004
            continue
        best = max(best, float(np.corrcoef(one[:count], other[:count])[0, 1]))
    return best


def _overlap(start: float, end: float, line: TimelineNarration) -> float:
    return max(min(end, line.end_s) - max(start, line.start_s), 0.0)
