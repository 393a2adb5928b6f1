"""What a judge is given and what it answers."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from execution.judgements import NewJudgement
from execution.progress import Plan
from workspace.delivery.findings import Finding


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """A picture of a result: the result itself, or a clip of which a moment can be seen."""

    step: str
    slot: int
    name: str
    path: Path
    sha256: str
    is_moving: bool = False

    @property
    def label(self) -> str:
        """How a judge names the result."""
        return f"{self.step}.{self.slot}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Results that are to be delivered: the plan that holds them, what was measured, the brief."""

    plan: Plan
    findings: Sequence[Finding]
    shown: Sequence[Shown]
    brief: Sequence[str]


class Judge(Protocol):
    """Looks at a work and proposes; answers also when it could not look, and says why."""

    async def judge(self, work: Work) -> NewJudgement: ...
