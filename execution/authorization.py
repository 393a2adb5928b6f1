"""May this call run: autonomy level, budget and plan, kept apart; code decides, no model.

A pure function over persisted facts. A refusal names its category, because "cannot", "may not yet"
and "not affordable" call for different answers: capability, permission or budget.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

from execution.workspaces import AutonomyLevel


class Risk(StrEnum):
    """What a tool does to the world; a tool that declares nothing is irreversible."""

    READ = "read"
    WRITE = "write"
    PAID = "paid"
    IRREVERSIBLE = "irreversible"


class PlanCover(StrEnum):
    """How a call relates to the approved plan."""

    COVERED = "covered"
    OUTSIDE = "outside"
    NOT_APPROVED = "not_approved"
    NO_PLAN = "no_plan"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationFacts:
    """What the decision rests on, in micro-units, as read in its transaction."""

    risk: Risk
    quote_micros: int
    cover: PlanCover
    free_micros: int
    autonomy: AutonomyLevel
    per_call_allowance_micros: int
    daily_allowance_micros: int
    spent_today_micros: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Authorization:
    """The decision; `grant_micros` is what a standing allowance adds to the task's limit."""

    verdict: Literal["allow", "ask", "refuse"]
    category: Literal["permission", "budget"] | None = None
    reason: str = ""
    grant_micros: int = 0


def authorize(facts: AuthorizationFacts) -> Authorization:
    """Decide about one call."""
    match facts.risk:
        case Risk.READ | Risk.WRITE:
            return Authorization(verdict="allow")
        case Risk.IRREVERSIBLE:
            return Authorization(
                verdict="ask", category="permission", reason="This cannot be undone."
            )
        case Risk.PAID:
            return _authorize_paid(facts)


def _authorize_paid(facts: AuthorizationFacts) -> Authorization:
    match facts.cover:
        case PlanCover.COVERED if facts.quote_micros <= facts.free_micros:
            return Authorization(verdict="allow")
        case PlanCover.COVERED:
            return Authorization(
                verdict="ask", category="budget", reason="The approved budget does not cover this."
            )
        case PlanCover.OUTSIDE:
            return Authorization(
                verdict="ask", category="permission", reason="This is outside the approved plan."
            )
        case PlanCover.NOT_APPROVED:
            return Authorization(
                verdict="refuse",
                category="permission",
                reason="The plan has not been approved yet; nothing of it may run before.",
            )
        case PlanCover.NO_PLAN:
            return _authorize_by_allowance(facts)


def _authorize_by_allowance(facts: AuthorizationFacts) -> Authorization:
    if facts.autonomy is AutonomyLevel.CAUTIOUS:
        return Authorization(
            verdict="ask", category="permission", reason="You want to be asked before paid calls."
        )
    if facts.quote_micros > facts.per_call_allowance_micros:
        return Authorization(
            verdict="ask",
            category="budget",
            reason="This costs more than a call may without asking.",
        )
    # What people allowed beyond it may have used it up and more; a call that is free takes nothing.
    if facts.quote_micros and facts.spent_today_micros + facts.quote_micros > (
        facts.daily_allowance_micros
    ):
        return Authorization(
            verdict="ask", category="budget", reason="Today's allowance is used up."
        )
    return Authorization(verdict="allow", grant_micros=facts.quote_micros)
