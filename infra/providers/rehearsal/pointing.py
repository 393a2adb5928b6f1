"""What the rules point at, as figures: the tasks that they find, name, expect or would offer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import get_args

from infra.providers.rehearsal.expecting import Expected
from infra.providers.rehearsal.reference import By, Found, Referents
from infra.providers.rehearsal.state import Candidate

_WAYS: tuple[By, ...] = get_args(By.__value__)
_MANY = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Pointed:
    """The tasks that the rules point at, each in its own way."""

    found: Found
    named: Sequence[Candidate]
    """Those whose own words are said."""
    chosen: Candidate | None
    """The one that the rules would go on with."""
    offered: Sequence[Candidate]
    """Those among which the person would be asked to choose."""
    expects: Candidate | None
    """The one that asked something just now."""
    answered: bool
    """Whether its question is answered in its own words."""


def read(
    tasks: Referents,
    text: str,
    *,
    chosen: Candidate | None,
    offered: Sequence[Candidate],
    expects: Expected | None,
) -> Pointed:
    """Return the tasks that a text points at.

    Args:
        tasks: those that it may be about.
        text: the message, without what it quotes.
        chosen: the one that the rules would go on with.
        offered: those that they would offer.
        expects: what was asked just now.
    """
    return Pointed(
        found=tasks.find(text),
        named=tasks.named(text),
        chosen=chosen,
        offered=offered,
        expects=expects.task if expects else None,
        answered=expects is not None and expects.is_answered_by(text),
    )


def of_tasks(pointed: Pointed, tasks: Sequence[Candidate]) -> dict[str, list[float]]:
    """Return the figures of each task."""
    found = _shares(pointed.found.tasks, tasks)
    expects = [float(one == pointed.expects) for one in tasks]
    alone = len(pointed.found.tasks) == 1
    return {
        "found": found,
        "found_alone": [one * alone for one in found],
        **{f"found_by_{way}": [one * (way == pointed.found.by) for one in found] for way in _WAYS},
        "chosen": [float(one == pointed.chosen) for one in tasks],
        "offered": _shares(pointed.offered, tasks),
        "named": [float(one in pointed.named) for one in tasks],
        "named_share": _shares(pointed.named, tasks),
        "expects": expects,
        "answered": [one * pointed.answered for one in expects],
    }


def _shares(some: Sequence[Candidate], tasks: Sequence[Candidate]) -> list[float]:
    return [float(one in some) / len(some) if some else 0.0 for one in tasks]


def of_message(pointed: Pointed) -> Mapping[str, float]:
    """Return the figures of the message: how many tasks are pointed at, and by what."""
    found = pointed.found
    return {
        "pointed.found": float(min(len(found.tasks), _MANY)),
        "pointed.named": float(min(len(pointed.named), _MANY)),
        "pointed.offered": float(min(len(pointed.offered), _MANY)),
        "pointed.misses": float(found.misses),
        "pointed.expects": float(pointed.expects is not None),
        "pointed.answered": float(pointed.answered),
        **{f"pointed.by_{way}": float(way == found.by) for way in _WAYS},
    }
