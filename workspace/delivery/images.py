"""Audit of pictures: each can be read and shows something, and no two of a set are the same."""

import asyncio
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from workspace.delivery.findings import Finding, Severity

_LEAST_ENTROPY_BITS = 3.0
_LEAST_HASH_DISTANCE = 6  # of 256 bits; differently composed pictures differ in dozens
_HASH_SIDE = 16


async def audit_images(pictures: dict[str, Path]) -> list[Finding]:
    """Return what speaks against these pictures, named as given."""
    return await asyncio.to_thread(_audit, pictures)


def _audit(pictures: dict[str, Path]) -> list[Finding]:
    findings: list[Finding] = []
    hashes: dict[str, NDArray[np.bool_]] = {}
    for name, path in pictures.items():
        try:
            with Image.open(path) as image:
                grey = image.convert("L")
        except OSError:
            findings.append(
                Finding(
                    check="unreadable_picture",
                    severity=Severity.ERROR,
                    message=f"'{name}' cannot be read as a picture.",
                    tool="Pillow",
                    shot=name,
                )
            )
            continue
        entropy = grey.entropy()
        hashes[name] = _difference_hash(grey)
        if entropy < _LEAST_ENTROPY_BITS:
            findings.append(
                Finding(
                    check="empty_picture",
                    severity=Severity.ERROR,
                    message=f"'{name}' shows next to nothing.",
                    tool="Pillow entropy of grey levels",
                    measured=f"{entropy:.2f} bits",
                    limit=f"{_LEAST_ENTROPY_BITS} bits",
                    shot=name,
                )
            )
    return findings + _twins(hashes)


def _difference_hash(grey: Image.Image) -> NDArray[np.bool_]:
    small = np.asarray(grey.resize((_HASH_SIDE + 1, _HASH_SIDE), Image.Resampling.BOX), np.int16)
    return np.diff(small, axis=1) > 0


def _twins(hashes: dict[str, NDArray[np.bool_]]) -> list[Finding]:
    findings: list[Finding] = []
    for (one, first), (other, second) in combinations(hashes.items(), 2):
        distance = int(np.count_nonzero(first != second))
        if distance < _LEAST_HASH_DISTANCE:
            findings.append(
                Finding(
                    check="same_picture",
                    severity=Severity.WARNING,
                    message=f"'{one}' and '{other}' look the same.",
                    tool="dHash 16x16",
                    measured=f"{distance} of 256 bits differ",
                    limit=f"{_LEAST_HASH_DISTANCE}",
                    shot=other,
                )
            )
    return findings
