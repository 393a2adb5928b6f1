"""Judge captions: can they be read, do they cover the speech, do they say the script. Pure."""

import unicodedata
from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import pairwise

from infra.media.subtitles import (
    GAP_FRAMES,
    LONGEST_S,
    MAX_LINES,
    SHORTEST_S,
    Cue,
    ReadingRules,
    reading_rules,
)
from workspace.delivery.findings import Finding, Severity, clock
from workspace.delivery.plan import FilmPlan

COVERAGE = 0.95
_COVERAGE_ERROR = 0.75
_SPEED_ERROR = 1.3
_SLACK_S = 0.004
_LEAD_S, _TAIL_S = 0.12, 0.40
_SHOWN_WORDS = 8
_TOOL = "cues of the SRT file"


def judge_captions(cues: list[Cue], plan: FilmPlan) -> list[Finding]:
    """Return every fault of the captions."""
    timeline = plan.timeline
    rules = reading_rules(timeline.language, width=timeline.width, height=timeline.height)
    findings = [finding for cue in cues for finding in _judge_cue(cue, rules, plan)]
    findings += _judge_distances(cues, plan)
    findings += _judge_coverage(cues, plan)
    findings += judge_script(cues, plan)
    return findings


def judge_script(cues: list[Cue], plan: FilmPlan) -> Iterator[Finding]:
    """Report words of the script that the captions leave out, and words that they add.

    Compared are letters and digits only, so that neither line breaks nor signs count.
    """
    script = list(plan.script) or [line.text for line in plan.timeline.narration]
    wanted = _words(" ".join(script))
    shown = _words(" ".join(cue.text for cue in cues))
    if "".join(wanted) == "".join(shown):
        return
    missing: list[str] = []
    added: list[str] = []
    for kind, a, b, c, d in SequenceMatcher(None, wanted, shown, autojunk=False).get_opcodes():
        # A word that was cut in two to fit a line has the same letters in both.
        if kind != "equal" and "".join(wanted[a:b]) != "".join(shown[c:d]):
            missing += wanted[a:b]
            added += shown[c:d]
    if missing:
        yield Finding(
            check="script_missing",
            severity=Severity.ERROR,
            message=f"The captions lack {len(missing)} words of the script: {_sample(missing)}.",
            tool=_TOOL,
            measured=f"{len(wanted) - len(missing)} of {len(wanted)} words",
            limit="all words, in order",
        )
    elif added:
        yield Finding(
            check="script_added",
            severity=Severity.WARNING,
            message=f"The captions have {len(added)} words that no script has: {_sample(added)}.",
            tool=_TOOL,
        )


def _judge_cue(cue: Cue, rules: ReadingRules, plan: FilmPlan) -> Iterator[Finding]:
    film_s = plan.timeline.duration_s
    longest = max((len(line) for line in cue.lines), default=0)
    speed, fastest = cue.characters_per_second, rules.characters_per_second
    if cue.end_s > film_s + _SLACK_S:
        yield _of(
            cue,
            "past_end",
            Severity.ERROR,
            "stands past the end of the film",
            measured=cue.end_s,
            limit=film_s,
        )
    if cue.duration_s > LONGEST_S + _SLACK_S:
        yield _of(
            cue,
            "too_long",
            Severity.WARNING,
            "stands too long",
            measured=cue.duration_s,
            limit=LONGEST_S,
        )
    if cue.duration_s < SHORTEST_S - _SLACK_S:
        yield _of(
            cue,
            "too_short",
            Severity.WARNING,
            "stands too short",
            measured=cue.duration_s,
            limit=SHORTEST_S,
        )
    if speed > fastest + 0.1:
        grave = speed > fastest * _SPEED_ERROR
        yield _of(
            cue,
            "too_fast",
            Severity.ERROR if grave else Severity.WARNING,
            "goes by too fast to be read",
            measured=speed,
            limit=fastest,
        )
    if longest > rules.line_characters:
        yield _of(
            cue,
            "line_length",
            Severity.WARNING,
            "has too long a line",
            measured=longest,
            limit=rules.line_characters,
        )
    if len(cue.lines) > MAX_LINES:
        yield _of(
            cue,
            "lines",
            Severity.WARNING,
            "has too many lines",
            measured=len(cue.lines),
            limit=MAX_LINES,
        )


def _judge_distances(cues: list[Cue], plan: FilmPlan) -> Iterator[Finding]:
    least = GAP_FRAMES / plan.timeline.fps
    for before, after in pairwise(cues):
        gap = after.start_s - before.end_s
        if gap < -_SLACK_S:
            yield _of(
                after,
                "overlap",
                Severity.ERROR,
                "covers the one before it",
                measured=gap,
                limit=least,
            )
        elif gap < least - _SLACK_S:
            yield _of(
                after,
                "gap",
                Severity.WARNING,
                "follows the one before it too closely",
                measured=gap,
                limit=least,
            )


def _judge_coverage(cues: list[Cue], plan: FilmPlan) -> Iterator[Finding]:
    for line in plan.timeline.narration:
        start, end = line.start_s + _LEAD_S, line.end_s - _TAIL_S
        if end <= start:
            continue
        least = GAP_FRAMES / plan.timeline.fps
        covered = 0.0
        for cue in cues:
            # The short gap after a cue belongs to it: it is there by rule.
            covered += max(min(cue.end_s + least, end) - max(cue.start_s, start), 0.0)
        share = min(covered / (end - start), 1.0)
        if share < COVERAGE:
            yield Finding(
                check="captions_coverage",
                severity=Severity.ERROR if share < _COVERAGE_ERROR else Severity.WARNING,
                message=(
                    f"The line at {clock(line.start_s)} is captioned for only "
                    f"{share:.0%} of its time: \u201c{line.text}\u201d"
                ),
                tool=_TOOL,
                measured=f"{share:.0%}",
                limit=f"{COVERAGE:.0%}",
                start_s=line.start_s,
                end_s=line.end_s,
            )


def _of(
    cue: Cue, check: str, severity: Severity, what: str, *, measured: float, limit: float
) -> Finding:
    return Finding(
        check=f"caption_{check}",
        severity=severity,
        message=f"The caption at {clock(cue.start_s)} {what}: \u201c{cue.text}\u201d",
        tool=_TOOL,
        measured=f"{measured:.2f}",
        limit=f"{limit:.2f}",
        start_s=cue.start_s,
        end_s=cue.end_s,
    )


def _words(text: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    cleaned = "".join(
        sign if unicodedata.category(sign)[0] in "LMN" else " " if sign.isspace() else ""
        for sign in folded
    )
    return [
        part for word in cleaned.split() for part in (list(word) if _is_unspaced(word) else [word])
    ]


def _is_unspaced(word: str) -> bool:
    return any("\u3040" <= sign <= "\u30ff" or "\u3400" <= sign <= "\u9fff" for sign in word)


def _sample(words: list[str]) -> str:
    shown = " ".join(words[:_SHOWN_WORDS])
    return f"\u201c{shown}{' …' if len(words) > _SHOWN_WORDS else ''}\u201d"
