"""Everything that is seen of a message, and what it comes to: an outcome, or a question.

Where no task is meant surely enough the person is asked, and where a message may delete something,
more surety is wanted than where it changes something.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from infra.providers.embedding import Vector
from infra.providers.rehearsal import features, pointing
from infra.providers.rehearsal.fitting import Figures, Fitting
from infra.providers.rehearsal.lexicon import fold
from infra.providers.rehearsal.meaning import meaning_of
from infra.providers.rehearsal.pointing import Pointed
from infra.providers.rehearsal.reference import bare
from infra.providers.rehearsal.state import Candidate, MainView
from infra.providers.rehearsal.utterance import Said
from infra.providers.rehearsal.weighing import Model, Start, Weighed

type Outcome = Literal["answer", "lightweight", "existing", "new", "ask"]

_OPTIONS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What is seen, before anything is weighed."""

    view: MainView
    folded: str
    tasks: Sequence[Candidate]
    fit: Sequence[Figures]
    """The figures of each task."""
    message: Figures
    """The figures of the message by itself, of the talk before it, and what the rules say."""
    vector: Vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What came of it."""

    outcome: Outcome
    task: Candidate | None = None
    options: tuple[Candidate, ...] = ()


def evidence(
    view: MainView, said: Said, language: str, *, rules: Figures, pointed: Pointed
) -> Evidence:
    """Return what is seen of a message."""
    fitting = Fitting(view, language, pointed)
    return Evidence(
        view=view,
        folded=fold(bare(view.message)),
        tasks=fitting.tasks,
        fit=fitting.figures,
        message={
            **features.of_message(view.message, said, language),
            **features.of_talk(view),
            **pointing.of_message(pointed),
            **rules,
        },
        vector=meaning_of(said.text),
    )


def weigh(seen: Evidence, model: Model) -> Weighed:
    """Return what a message wants and which tasks it may mean."""
    chances = model.chances(seen.fit)
    ordered = sorted(range(len(chances)), key=lambda one: -chances[one])
    row = {**seen.message, **features.of_tasks(seen.tasks, seen.fit, chances)}
    wants = model.wants(row, seen.vector)
    return Weighed(
        wants=wants,
        tasks=tuple((seen.tasks[one], chances[one]) for one in ordered),
        surety=model.surety(features.of_choice(seen.folded, seen.fit, chances)) if ordered else 0.0,
    )


def choose(
    found: Weighed,
    thresholds: Mapping[str, float],
    *,
    deletes: bool,
    agreed: Candidate | None = None,
) -> Choice:
    """Return the outcome that is likeliest right.

    A wrong task costs several times what a right one is worth, and more where something may be
    deleted: so it is only gone on with where that is very likely, and what is likeliest of all
    else is done where it is not. That may be to ask the person which one is meant. What the rules
    would go on with too, `agreed`, costs less.
    """
    wanted = found.wants["task"]
    likely: dict[Start, float] = {
        "answer": found.wants["answer"],
        "new": found.wants["new"],
        "lightweight": found.wants["lightweight"],
    }
    best = max(likely, key=lambda one: likely[one])
    if not found.tasks:
        return Choice(outcome=best)
    first, _ = found.tasks[0]
    known = wanted * (found.surety if len(found.tasks) > 1 else 1.0)
    cost = thresholds["delete" if deletes else "agreed" if first == agreed else "wrong"]
    doubtful = wanted - known
    if known - cost * (1.0 - known) >= max(likely[best], doubtful):
        return Choice(outcome="existing", task=first)
    if likely[best] >= doubtful:
        return Choice(outcome=best)
    return Choice(outcome="ask", options=_likely(found, thresholds["option"]))


def _likely(found: Weighed, least: float) -> tuple[Candidate, ...]:
    best = found.tasks[0][1]
    likely = [task for task, chance in found.tasks if chance >= least * best]
    return tuple(likely[:_OPTIONS] if len(likely) > 1 else [task for task, _ in found.tasks[:2]])
