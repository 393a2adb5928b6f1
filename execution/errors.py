"""What can go wrong in the execution record, by who is told.

AppError                        (roots: infra.errors)
├── ToolRefusedError            told to the model: it may try another way
│   ├── CapabilityError         the system cannot do this
│   ├── PermissionDeniedError   the person has not allowed it (yet)
│   ├── BudgetExhaustedError    the production cannot afford it
│   └── InvalidCallError        the arguments are wrong
├── ConflictError               told to an API client, with a stable code
│   ├── AlreadyDecidedError · SupersededError · ExpiredError · NotPossibleNowError
│   └── ClientIdReusedError · AlreadyReadError
├── NotFoundError               told to an API client
└── FatalRunError               ends this run, never the task
    ├── StaleLeaseError         another worker holds the thread
    └── DiscardedDecisionError  what the model read was withdrawn: infer again
"""

from infra.errors import AppError, FatalRunError, ToolRefusedError


class CapabilityError(ToolRefusedError):
    """This installation cannot do that."""

    code = "capability"


class PermissionDeniedError(ToolRefusedError):
    """The person has not allowed that."""

    code = "permission"


class BudgetExhaustedError(ToolRefusedError):
    """The approved budget does not cover that."""

    code = "budget"


class InvalidCallError(ToolRefusedError):
    """The arguments of the call are not valid."""

    code = "invalid"


class ConflictError(AppError):
    """The state has changed since it was read."""

    code = "conflict"


class AlreadyDecidedError(ConflictError):
    """This question has already been answered."""

    code = "already_decided"


class SupersededError(ConflictError):
    """What this question asked about has changed; a new question takes its place."""

    code = "superseded"


class ExpiredError(ConflictError):
    """The time to answer this question is over."""

    code = "expired"


class NotPossibleNowError(ConflictError):
    """That is not possible in the present state."""

    code = "not_possible_now"


class ClientIdReusedError(ConflictError):
    """Another message was sent with this client_id; give each message an id of its own."""

    code = "client_id_reused"


class AlreadyReadError(ConflictError):
    """The agent has read this message already; write another one instead."""

    code = "already_read"


class NotFoundError(AppError):
    """There is nothing with this id."""

    code = "not_found"


class StaleLeaseError(FatalRunError):
    """Another worker holds this thread now."""

    code = "stale_lease"


class DiscardedDecisionError(FatalRunError):
    """A message that the model had read was withdrawn; the decision is discarded."""

    code = "decision_discarded"
