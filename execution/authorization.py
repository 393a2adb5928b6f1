"""May this call run, may this plan begin: code decides from persisted facts, no model.

Kept apart: the autonomy level (what a person wants to be asked), the allowances and the plan's
budget (what may be spent), the plan (what was agreed), and the review points, which stop the work
after a step whatever this module says. A refusal names its category, because "cannot", "may not
yet" and "not affordable" call for different answers: capability, permission or budget.

- cautious: each paid call outside an approved plan asks. The yes to a plan and its budget is the
  yes to the calls that it names; who wants to look in between sets review points.
- balanced: a paid call outside a plan runs within the allowances; every plan asks.
- free: so does a task's first plan, if each of its calls and all of it are within the allowances,
  or a person has added as much to the task's own budget, and so does a plan that only makes again
  what something has changed under.

At every level what goes beyond the approved plan or its budget asks again, what cannot be undone
always asks, and what comes over the open API is confirmed call by call.
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
    WITHIN_ALLOWANCE = "within_allowance"
    """By a plan that began without a question: its calls take from the allowances, one by one."""
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
    confirms_each_call: bool
    """Whether words that came over the open API have a part in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFacts:
    """What the decision about a proposed plan rests on, in micro-units."""

    is_first: bool
    maximum_micros: int
    dearest_call_micros: int
    autonomy: AutonomyLevel
    per_call_allowance_micros: int
    daily_allowance_micros: int
    spent_today_micros: int
    confirms_each_call: bool
    is_rework: bool = False
    """Whether it only makes again what something has changed under, and leaves the rest agreed."""
    added_micros: int = 0
    """What is free on the task's account, if a person has added to that for this plan; else 0."""
    carved_micros: int | None = None
    """Of a child: what is left of the money that was carved for it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Authorization:
    """The decision; `grant_micros` is what a standing allowance adds to the task's limit."""

    verdict: Literal["allow", "ask", "refuse"]
    category: Literal["permission", "budget"] | None = None
    reason: str = ""
    grant_micros: int = 0


CANNOT_BE_UNDONE = Authorization(
    verdict="ask", category="permission", reason="This cannot be undone."
)


def authorize(facts: AuthorizationFacts) -> Authorization:
    """Decide about one call."""
    match facts.risk:
        case Risk.READ | Risk.WRITE:
            return Authorization(verdict="allow")
        case Risk.IRREVERSIBLE:
            return CANNOT_BE_UNDONE
        case Risk.PAID:
            decided = _authorize_paid(facts)
    if decided.verdict == "allow" and facts.confirms_each_call:
        return Authorization(
            verdict="ask",
            category="permission",
            reason="Calls that come over the open API are confirmed one by one.",
        )
    return decided


def authorize_plan(facts: PlanFacts) -> Authorization:
    """Decide whether a proposed plan begins without a question; it is never refused here."""
    is_dear = facts.maximum_micros > facts.added_micros and (
        facts.dearest_call_micros > facts.per_call_allowance_micros
        or facts.spent_today_micros + facts.maximum_micros > facts.daily_allowance_micros
    )
    if not facts.is_first and not facts.is_rework:
        return Authorization(
            verdict="ask", category="permission", reason="This changes what was agreed."
        )
    if facts.autonomy is not AutonomyLevel.FREE or facts.confirms_each_call:
        return Authorization(
            verdict="ask", category="permission", reason="A plan begins only with a person's yes."
        )
    if is_dear:
        return Authorization(
            verdict="ask",
            category="budget",
            reason="This plan costs more than may be spent without asking.",
        )
    if facts.carved_micros is not None and facts.maximum_micros > max(
        facts.carved_micros, facts.added_micros
    ):
        return Authorization(
            verdict="ask",
            category="budget",
            reason="This plan costs more than was set aside for it.",
        )
    return Authorization(verdict="allow")


def _authorize_paid(facts: AuthorizationFacts) -> Authorization:
    match facts.cover:
        case PlanCover.COVERED if facts.quote_micros <= facts.free_micros:
            return Authorization(verdict="allow")
        case PlanCover.COVERED:
            return Authorization(
                verdict="ask", category="budget", reason="The approved budget does not cover this."
            )
        case PlanCover.WITHIN_ALLOWANCE if facts.quote_micros <= facts.free_micros:
            return Authorization(verdict="allow")
        case PlanCover.WITHIN_ALLOWANCE | PlanCover.NO_PLAN:
            return _authorize_by_allowance(facts)
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
