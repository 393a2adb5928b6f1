"""`python -m evals.routing.fit`: fits the weights of the rehearsal router.

Only the half that rules are written against is read. First every part of it is routed with weights
that were fitted to the others, a situation wholly in one part, and the figures of that are printed;
then the weights are fitted to all of it and written beside the router.
"""

import argparse
import asyncio
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.console import Console

from evals.routing import cases, layout, report
from evals.routing.cases import Case, Label
from evals.routing.metrics import Got, Judged
from evals.routing.report import Run
from infra import clock
from infra.language import load_language_model
from infra.providers.rehearsal import features, weighing
from infra.providers.rehearsal.evidence import Evidence
from infra.providers.rehearsal.judging import evidence_of
from infra.providers.rehearsal.routing import route
from infra.providers.rehearsal.weighing import WANTS

type Numbers = NDArray[np.float64]
type Figures = Mapping[str, float]

PARTS = 8
OUT = Path(weighing.__file__).parent / "weights.json"
THRESHOLDS = {"agreed": 5.0, "wrong": 7.0, "delete": 12.0, "option": 0.4}
_ROUNDS = 200
_FIT_STRENGTH, _WANT_STRENGTH, _SURE_STRENGTH = 2.0, 6.0, 10.0
"""How strongly weights are held small: more than the few cases of a figure could say."""
_FIGURES, _MEANING = 0.5, 6.0
"""How large figures and the vector's numbers are taken: how freely each is weighed."""
_PLAIN = 6
"""So often a plain message counts: most that people write is plain, and little of `dev` is."""
_WIDE = 0.15
_DIGITS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A message whose place is known, with everything that is seen of it."""

    situation: str
    case: Case
    keys: Sequence[str]
    """The situation's keys of the tasks that are seen."""
    seen: Evidence

    @property
    def label(self) -> Label:
        """Where it belongs."""
        return self.case.expect

    @property
    def is_plain(self) -> bool:
        """Whether nothing in it is indirect."""
        return self.situation.startswith("plain-")

    @property
    def meant(self) -> Numbers | None:
        """Return how likely each task is meant; None where no task is."""
        named = [self.label.task] if self.label.task else self.label.options
        if not named or not set(named) <= set(self.keys):
            return None
        return np.array([float(key in named) / len(named) for key in self.keys])

    @property
    def want(self) -> int:
        """Return the place of what it wants."""
        outcome = self.label.outcome
        return WANTS.index("task" if outcome in ("existing", "ask") else outcome)


def rows() -> list[Row]:
    """Return the messages of `dev` that a router is asked about."""
    found: list[Row] = []
    for situation in cases.load("dev"):
        for case in situation.cases:
            if case.sent_with is not None:
                continue
            seen = evidence_of(layout.view(situation, case))
            keys = [task.task_id for task in seen.tasks]
            found.append(Row(situation=situation.id, case=case, keys=keys, seen=seen))
    return found


def fit(listed: Sequence[Row]) -> dict[str, Any]:
    """Return the weights that fit these messages best, as they are kept."""
    listed = [one for one in listed for _ in range(_PLAIN if one.is_plain else 1)]
    kept: dict[str, Any] = {"thresholds": THRESHOLDS}
    pointing = [one for one in listed if one.meant is not None and one.seen.fit]
    table = _table([figures for one in pointing for figures in one.seen.fit])
    kept["fit"] = table.kept(_meant(table, pointing)[:, None], np.zeros(1))
    chances = [weighing.read({**_EMPTY, **kept}).chances(one.seen.fit) for one in listed]
    wanting = [
        {**one.seen.message, **features.of_tasks(one.seen.tasks, one.seen.fit, chance)}
        for one, chance in zip(listed, chances, strict=True)
    ]
    table = _table(wanting)
    vectors = np.array([one.seen.vector for one in listed], dtype=np.float64) * _MEANING
    want = _several(
        np.hstack([table.scaled, vectors, np.ones((len(listed), 1))]),
        np.eye(len(WANTS))[[one.want for one in listed]],
        _WANT_STRENGTH,
    )
    size = len(table.names)
    kept["want"] = table.kept(want[:size], want[-1])
    kept["meaning"] = _rounded(want[size:-1] * _MEANING)
    kept["sure"] = _sure(listed, chances)
    return kept


_EMPTY: dict[str, Any] = {
    name: {"figures": {"-": [0, 1, 0]}, "constant": [0]} for name in ("fit", "want", "sure")
} | {"meaning": [], "thresholds": {}}


def _sure(listed: Sequence[Row], chances: Sequence[Sequence[float]]) -> dict[str, Any]:
    """Fit whether the likeliest task alone is meant, where any is and there are several."""
    choices: list[Figures] = []
    right: list[float] = []
    for one, chance in zip(listed, chances, strict=True):
        if one.meant is None or len(one.keys) < 2:  # noqa: PLR2004 - between two
            continue
        choices.append(features.of_choice(one.seen.folded, one.seen.fit, chance))
        right.append(float(one.label.task == one.keys[int(np.argmax(chance))]))
    table = _table(choices)
    target = np.array([[0.0, is_right] for is_right in right])
    target[:, 0] = 1.0 - target[:, 1]
    both = _several(np.hstack([table.scaled, np.ones((len(choices), 1))]), target, _SURE_STRENGTH)
    weights = both[:, 1] - both[:, 0]
    return table.kept(weights[:-1, None], weights[-1:])


@dataclass(frozen=True, slots=True, kw_only=True)
class _Table:
    names: tuple[str, ...]
    middle: Numbers
    scale: Numbers
    scaled: Numbers

    def kept(self, weights: Numbers, constant: Numbers) -> dict[str, Any]:
        """Return the weights of figures as they are kept: middle, scale, then one per sum."""
        columns = np.hstack([self.middle[:, None], self.scale[:, None], weights])
        return {
            "figures": dict(zip(self.names, _rounded(columns), strict=True)),
            "constant": _rounded(constant),
        }


def _table(listed: Sequence[Figures]) -> _Table:
    names = tuple(sorted({name for one in listed for name in one}))
    plain = np.array([[one.get(name, 0.0) for name in names] for one in listed])
    middle, scale = plain.mean(axis=0), (plain.std(axis=0) + _WIDE) / _FIGURES
    return _Table(names=names, middle=middle, scale=scale, scaled=(plain - middle) / scale)


def _rounded(numbers: Numbers) -> Any:
    return np.round(numbers, _DIGITS).tolist()


def _meant(table: _Table, pointing: Sequence[Row]) -> Numbers:
    """Fit which of the candidates is meant: the chances of one message add up to 1."""
    ends = np.cumsum([len(one.keys) for one in pointing])
    starts = np.concatenate([[0], ends[:-1]])
    which = np.repeat(np.arange(len(pointing)), [len(one.keys) for one in pointing])
    target = np.concatenate([one.meant for one in pointing if one.meant is not None])

    def slope(weights: Numbers) -> Numbers:
        sums = (table.scaled @ weights)[:, 0]
        found = np.exp(sums - np.maximum.reduceat(sums, starts)[which])
        found /= np.add.reduceat(found, starts)[which]
        return table.scaled.T @ (found - target)[:, None]

    return _descend(table.scaled, slope, 1, _FIT_STRENGTH)[:, 0]


def _several(table: Numbers, target: Numbers, strength: float) -> Numbers:
    """Fit chances of several outcomes that add up to 1."""

    def slope(weights: Numbers) -> Numbers:
        sums = table @ weights
        found = np.exp(sums - sums.max(axis=1, keepdims=True))
        return table.T @ (found / found.sum(axis=1, keepdims=True) - target)

    return _descend(table, slope, target.shape[1], strength)


def _descend(
    table: Numbers, slope: Callable[[Numbers], Numbers], columns: int, strength: float
) -> Numbers:
    """Go down a convex slope by Nesterov's steps; weights cost the square of their size."""
    direction, length = np.ones(table.shape[1]), 0.0
    for _ in range(20):
        direction = table.T @ (table @ direction)
        length = float(np.linalg.norm(direction))
        direction /= length
    step = 1.0 / (0.55 * length + strength)
    weights = ahead = np.zeros((table.shape[1], columns))
    pace = 1.0
    for _ in range(_ROUNDS):
        last, weights = weights, ahead - step * (slope(ahead) + strength * ahead)
        pace, before = (1.0 + np.sqrt(1.0 + 4.0 * pace * pace)) / 2.0, pace
        ahead = weights + (before - 1.0) / pace * (weights - last)
    return weights


def parts(listed: Sequence[Row]) -> dict[str, int]:
    """Return the part that each situation belongs to."""
    known = dict.fromkeys(one.situation for one in listed)
    return {situation: number % PARTS for number, situation in enumerate(known)}


def crossed(listed: Sequence[Row]) -> list[Judged]:
    """Return where each message goes with weights that were fitted without its part."""
    of = parts(listed)
    found: list[Judged] = []
    for left in range(PARTS):
        weights = weighing.read(fit([one for one in listed if of[one.situation] != left]))
        found += [
            Judged(
                situation=one.situation,
                case=one.case,
                language=one.seen.view.language,
                got=_got(one, route(one.seen.view, weights)),
            )
            for one in listed
            if of[one.situation] == left
        ]
    return found


def _got(one: Row, proposal: Mapping[str, Any]) -> Got:
    """Return where a proposal leads; what rests is asked about first."""
    resting = {t.task_id for t in one.seen.tasks if t.archived or t.status == "stopped"}
    options = list(proposal["options"])
    task = proposal["task_id"]
    if task in resting:
        return Got(outcome="ask", options=[task], brings_back=task)
    return Got(outcome=proposal["outcome"], task=task, options=options)


def write(path: Path, kept: Mapping[str, Any]) -> None:
    """Write weights, each figure in a line of its own."""
    text = json.dumps(kept, ensure_ascii=False)
    path.write_text(
        re.sub(r"(?<=\]), (?=[\[\"])|(?<=\}), (?=\")", ",\n", text) + "\n", encoding="utf-8"
    )


def main() -> None:
    """Fit, print how well that does where it was not fitted, and write the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="write the weights and judge nothing")
    options = parser.parse_args()
    asyncio.run(load_language_model())
    listed = rows()
    if not options.quick:
        began = clock.monotonic()
        judged = crossed(listed)
        seconds = clock.monotonic() - began
        run = Run(model="rehearsal, crossed", half="dev", seconds=seconds, judged=judged)
        report.show(Console(highlight=False), run)
    write(OUT, {"from": f"evals.routing.fit: {len(listed)} messages of dev", **fit(listed)})


if __name__ == "__main__":
    main()
