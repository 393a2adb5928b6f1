"""Does it make sense as a finished work? Measured on the rendered file, not asked of a model."""

import asyncio
import re
from pathlib import Path

from PIL import Image

from infra.media.ffmpeg import run_ffmpeg
from infra.media.loudness import measure_loudness
from workspace.delivery.film import FilmPlan
from workspace.delivery.findings import Finding, Severity

_BLACK = "blackdetect=d=0.4:pix_th=0.10:pic_th=0.98"
_FROZEN = "freezedetect=n=-60dB:d=1.0"
_EDGE_S = 0.8
_LOUDNESS_TOLERANCE_LU = 1.0
_PEAK_TOLERANCE_DB = 0.5
_LEAST_ENTROPY_BITS = 3.0


async def audit_film(film: FilmPlan) -> list[Finding]:
    """Return what speaks against delivering this film."""
    log = await asyncio.to_thread(
        run_ffmpeg,
        ["-i", str(film.master), "-vf", f"{_BLACK},{_FROZEN}", "-an", "-f", "null", "-"],
        log_level="info",
    )
    return [*_black(log, film), *_frozen(log), *await _loudness(film)]


def _black(log: str, film: FilmPlan) -> list[Finding]:
    spans = re.findall(r"black_start:([\d.]+) black_end:([\d.]+)", log)
    return [
        Finding(
            check="black",
            severity=Severity.ERROR,
            message=f"The picture is black from {start} to {end} s.",
            tool=f"ffmpeg {_BLACK}",
            measured=round(float(end) - float(start), 3),
            limit=0.4,
            start_s=float(start),
            end_s=float(end),
        )
        for start, end in spans
        if float(start) > _EDGE_S / 2 and float(end) < film.duration_s - _EDGE_S / 2
    ]


def _frozen(log: str) -> list[Finding]:
    starts = re.findall(r"freeze_start: ([\d.]+)", log)
    return [
        Finding(
            check="frozen",
            severity=Severity.ERROR,
            message=f"The picture stands still from {start} s on.",
            tool=f"ffmpeg {_FROZEN}",
            measured=float(start),
            start_s=float(start),
            end_s=float(start),
        )
        for start in starts
    ]


async def _loudness(film: FilmPlan) -> list[Finding]:
    measured = await asyncio.to_thread(measure_loudness, film.master)
    target = float(film.timeline["loudness_lufs"])
    peak = float(film.timeline["true_peak_db"])
    findings: list[Finding] = []
    if measured.integrated_lufs is None or (
        abs(measured.integrated_lufs - target) > _LOUDNESS_TOLERANCE_LU
    ):
        findings.append(
            Finding(
                check="loudness",
                severity=Severity.ERROR,
                message=f"The film's loudness is {measured.integrated_lufs} LUFS, not {target}.",
                tool="ffmpeg ebur128 (EBU R 128)",
                measured=measured.integrated_lufs,
                limit=target,
            )
        )
    if measured.true_peak_db is not None and measured.true_peak_db > peak + _PEAK_TOLERANCE_DB:
        findings.append(
            Finding(
                check="true_peak",
                severity=Severity.ERROR,
                message=f"The loudest peak is {measured.true_peak_db} dBTP, above {peak}.",
                tool="ffmpeg ebur128 (EBU R 128)",
                measured=measured.true_peak_db,
                limit=peak,
            )
        )
    return findings


async def audit_images(paths: list[Path]) -> list[Finding]:
    """Return what speaks against these pictures: one that is empty, or two that are the same."""
    return await asyncio.to_thread(_audit_images, paths)


def _audit_images(paths: list[Path]) -> list[Finding]:
    findings: list[Finding] = []
    for number, path in enumerate(paths, start=1):
        with Image.open(path) as image:
            entropy = image.convert("L").entropy()
        if entropy < _LEAST_ENTROPY_BITS:
            findings.append(
                Finding(
                    check="empty_picture",
                    severity=Severity.ERROR,
                    message=f"Picture {number} shows next to nothing.",
                    tool="Pillow entropy",
                    measured=round(entropy, 2),
                    limit=_LEAST_ENTROPY_BITS,
                )
            )
    if len(set(paths)) < len(paths):
        findings.append(
            Finding(
                check="duplicate_picture",
                severity=Severity.ERROR,
                message="Two of the pictures are the same file.",
            )
        )
    return findings
