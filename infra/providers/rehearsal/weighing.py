"""Weighs what is seen of a message and of each candidate into chances, and these into an outcome.

Three sums of weighed figures, none of them a rule: which task is meant if one is (`fitting`), what
the message wants (`features`, its meaning, and the best of the candidates), and whether one task is
meant surely enough. The weights are in `weights.json`, fitted by `evals/routing/fit.py`.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from infra.providers.embedding import Vector
from infra.providers.rehearsal.state import Candidate

type Figures = Mapping[str, float]
type Numbers = NDArray[np.float64]
type Start = Literal["answer", "new", "lightweight"]
type Want = Start | Literal["task"]

WANTS: tuple[Want, ...] = ("answer", "new", "lightweight", "task")
_WEIGHTS = Path(__file__).parent / "weights.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """The weights of some figures: centred and scaled, then summed, for one sum or several."""

    names: tuple[str, ...]
    middle: Numbers
    scale: Numbers
    weights: Numbers
    constant: Numbers

    def sums(self, rows: Sequence[Figures]) -> Numbers:
        """Return the sums of each row of figures; one that a row does not have counts as 0."""
        table = np.array([[row.get(name, 0.0) for name in self.names] for row in rows])
        return (table - self.middle) / self.scale @ self.weights + self.constant


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """All weights, and from which chance on something is done rather than asked."""

    fit: Weights
    want: Weights
    meaning: Numbers
    """The weights of the message's vector, one column for each want."""
    sure: Weights
    thresholds: Mapping[str, float]

    def chances(self, rows: Sequence[Figures]) -> list[float]:
        """Return how likely each candidate is meant, if one is."""
        return [float(one) for one in softmax(self.fit.sums(rows)[:, 0])] if rows else []

    def wants(self, row: Figures, vector: Vector) -> dict[Want, float]:
        """Return how likely a message wants what."""
        sums = self.want.sums([row])[0] + vector.astype(np.float64) @ self.meaning
        return dict(zip(WANTS, (float(one) for one in softmax(sums)), strict=True))

    def surety(self, row: Figures) -> float:
        """Return how likely it is that the best candidate alone is meant, if any is."""
        return float(1.0 / (1.0 + np.exp(-self.sure.sums([row])[0, 0])))


@dataclass(frozen=True, slots=True, kw_only=True)
class Weighed:
    """What a message wants, and which tasks it may mean, the likeliest first."""

    wants: Mapping[Want, float]
    tasks: tuple[tuple[Candidate, float], ...]
    surety: float


def softmax(sums: Numbers) -> Numbers:
    """Return chances that add up to 1."""
    found = np.exp(sums - sums.max())
    return found / found.sum()


@cache
def model() -> Model:
    """Return the weights that are kept beside this module."""
    return read(json.loads(_WEIGHTS.read_text(encoding="utf-8")))


def read(kept: Mapping[str, Any]) -> Model:
    """Return the weights of their file."""
    return Model(
        fit=_weights(kept["fit"]),
        want=_weights(kept["want"]),
        meaning=np.array(kept["meaning"], dtype=np.float64),
        sure=_weights(kept["sure"]),
        thresholds=kept["thresholds"],
    )


def _weights(kept: Mapping[str, Any]) -> Weights:
    figures: Mapping[str, Sequence[float]] = kept["figures"]
    rows = np.array([*figures.values()], dtype=np.float64)
    return Weights(
        names=tuple(figures),
        middle=rows[:, 0],
        scale=rows[:, 1],
        weights=rows[:, 2:],
        constant=np.array(kept["constant"], dtype=np.float64),
    )
