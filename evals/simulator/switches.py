"""How an order ends: told for each submission by its number, or for all.

`lost` and its kin are about the answer, the others about the job.
"""

from dataclasses import dataclass, field
from typing import Literal

type Told = Literal[
    "made",  # answered with an id; ready at the first look
    "slow",  # answered with an id; works until it is released
    "never",  # answered with an id; works for ever
    "lost",  # a job is made, and the connection is closed before the answer
    "lost_before",  # the connection is closed, and no job is made
    "half",  # a job is made, and the answer breaks off in its middle
    "nonsense",  # a job is made, and the answer is no JSON
    "accepted_500",  # a job is made, and the answer is 500
    "refused_503",  # no job is made, and the answer is 503
    "timeout",  # a job is made, and no answer ever comes
    "rejected",  # a definite no
    "unauthorized",  # the key is not accepted
    "policy",  # refused by policy before a job is made
    "policy_after",  # a job is made and then refused by policy, free of charge
    "policy_billed",  # a job is made and then refused by policy, and charged
    "quota",  # no credit
    "rate_limited",  # too many at once, with a time to come back
    "busy",  # the vendor itself is in trouble, where it says so in other words than that
    "failed",  # a job fails, free of charge
    "failed_charged",  # a job fails and is charged
    "expired",  # a job is made, but its result is gone before it is fetched
    "broken_file",  # a job is made and charged, but its file is no picture
    "cut_file",  # a job is made and charged, but its file breaks off each time
    "elsewhere",  # a job is made and charged, but its file is said to be at another host
]

type Hook = Literal[
    "on_time",  # after the answer
    "duplicate",  # twice
    "out_of_order",  # the end before the start
    "early",  # before the answer
    "late",  # not before it is told to
    "missing",  # never
    "wrong_signature",
]

WITHOUT_A_JOB: frozenset[Told] = frozenset(
    {
        "lost_before",
        "refused_503",
        "rejected",
        "unauthorized",
        "policy",
        "quota",
        "rate_limited",
    }
)
FREE: frozenset[Told] = frozenset({"failed", "policy_after", "never"})
RETRY_AFTER_S = 7


@dataclass(kw_only=True)
class Switches:
    """What is told; submissions are counted from one."""

    by_number: dict[int, Told] = field(default_factory=dict[int, Told])
    default: Told = "made"
    hook: Hook = "on_time"
    shows_late: bool = False
    """Whether lists do not show the newest jobs yet."""
    is_out: bool = False
    """Whether every request is answered with 503 and nothing else is done, whatever it asks."""
    submissions: int = 0
    """The highest number that was asked about."""

    def of(self, number: int) -> Told:
        """Return how the submission of this number ends."""
        self.submissions = max(self.submissions, number)
        return self.by_number.get(number, self.default)
