"""What a job is taken to cost where its provider does not say."""

from infra.providers.ports import (
    Capabilities,
    Charge,
    ContentPolicyError,
    JobFailedError,
    ProviderError,
)


def whole(hold_micros: int) -> Charge:
    """Return the whole hold: the most that a job may have cost."""
    return Charge(amount_micros=hold_micros, basis="assumed_max")


def of_failure(
    error: ProviderError, declared: Capabilities, hold_micros: int, *, was_accepted: bool = False
) -> Charge | None:
    """Return what a failure without a stated charge is taken to cost; None when it is free.

    A job that existed may have been charged unless its price is derived from results; a refusal by
    policy unless the provider declares it free.
    """
    if isinstance(error, ContentPolicyError):
        return None if declared.policy_block_billed == "no" else whole(hold_micros)
    if was_accepted or isinstance(error, JobFailedError):
        return None if declared.charge == "derived" else whole(hold_micros)
    return None
