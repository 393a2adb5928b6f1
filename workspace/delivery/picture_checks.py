"""Judge the picture: black, frozen, and whether each shot shows what its clip shows. Pure."""

from collections.abc import Iterator

from infra.media.timeline import Timeline, TimelineShot
from workspace.delivery.findings import Finding, Severity, clock
from workspace.delivery.measure import BLACK, FROZEN
from workspace.delivery.plan import FilmPlan
from workspace.delivery.resemblance import Likeness

_END_FADE_S = 0.75
_FADE_SLACK_S = 0.2
_SHORT_BLACK_S = 0.5
STILL_S = 1.0
"""A shot that stands still for so long is found."""
_FROZEN_ERROR_S = 2.0
_FROZEN_SHARE = 0.5
MATCH = 0.12
"""Largest distance at which a frame still shows its clip; another clip is near 0.5."""
_CLEARLY_NEARER = 0.5


def judge_black(spans: tuple[tuple[float, float], ...], plan: FilmPlan) -> Iterator[Finding]:
    """Report black that is not the fade at either end."""
    timeline = plan.timeline
    opening = timeline.shots[0].transition_s + _FADE_SLACK_S
    closing = timeline.duration_s - _END_FADE_S
    for start, end in spans:
        if end <= opening or start >= closing:
            continue
        shot = shot_at(timeline, (start + end) / 2)
        short = end - start < _SHORT_BLACK_S
        yield Finding(
            check="black",
            severity=Severity.WARNING if short else Severity.ERROR,
            message=f"The picture is black from {clock(start)} to {clock(end)} ({shot.name}).",
            tool=f"FFmpeg {BLACK}",
            measured=f"{end - start:.2f} s",
            limit="none but the fades",
            start_s=start,
            end_s=end,
            shot=shot.key,
        )


def judge_frozen(spans: tuple[tuple[float, float], ...], plan: FilmPlan) -> Iterator[Finding]:
    """Report shots that stand still without being meant to."""
    for start, end in spans:
        for shot in plan.timeline.shots:
            still = min(end, shot.end_s) - max(start, shot.start_s)
            if still < STILL_S or shot.key in plan.still_shots:
                continue
            long = still >= min(_FROZEN_ERROR_S, _FROZEN_SHARE * shot.duration_s)
            yield Finding(
                check="frozen",
                severity=Severity.ERROR if long else Severity.WARNING,
                message=(
                    f"{shot.name} stands still for {still:.1f} s of its {shot.duration_s:.1f} s."
                ),
                tool=f"FFmpeg {FROZEN}",
                measured=f"{still:.2f} s",
                limit=f"less than {STILL_S:g} s",
                start_s=max(start, shot.start_s),
                end_s=min(end, shot.end_s),
                shot=shot.key,
            )


def judge_likeness(likenesses: list[Likeness], plan: FilmPlan) -> Iterator[Finding]:
    """Report shots that do not show their clip, and what they show instead."""
    for likeness in likenesses:
        name = plan.shot_name(likeness.key)
        own = likeness.distances.get(likeness.key)
        if not likeness.seen:
            yield _likeness_finding(
                likeness, Severity.ERROR, f"{name} is not in the film, which ends before it."
            )
            continue
        if own is None:
            yield _likeness_finding(
                likeness, Severity.WARNING, f"{name} could not be compared with its clip."
            )
            continue
        if own <= MATCH:
            continue
        others = {key: far for key, far in likeness.distances.items() if key != likeness.key}
        nearest = min(others, key=lambda key: others[key], default=None)
        if nearest is not None and others[nearest] <= min(MATCH, _CLEARLY_NEARER * own):
            message = f"Where {name} should be, {plan.shot_name(nearest)} is seen."
        else:
            message = f"{name} does not show the clip that was made for it."
        yield _likeness_finding(likeness, Severity.ERROR, message, distance=own)


def shot_at(timeline: Timeline, seconds: float) -> TimelineShot:
    """Return the shot that is seen at a time, the last one after the end."""
    return next((shot for shot in timeline.shots if seconds < shot.end_s), timeline.shots[-1])


def _likeness_finding(
    likeness: Likeness, severity: Severity, message: str, *, distance: float | None = None
) -> Finding:
    return Finding(
        check="wrong_shot",
        severity=severity,
        message=message,
        tool="dHash 16x16 of the upper part of three frames, and mean colour, against the clip",
        measured=None if distance is None else f"{distance:.3f}",
        limit=f"{MATCH:g}",
        start_s=likeness.start_s,
        end_s=likeness.end_s,
        shot=likeness.key,
    )
