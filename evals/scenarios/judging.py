"""Whether a trial passed: what its scenario expects, and the gates of all measures."""

from collections.abc import Mapping, Sequence

from evals import metrics
from evals.scenarios.conditions import Facts
from evals.scenarios.schema import Fault, Scenario
from evals.scenarios.trial import End
from evals.trials import Check


def checks(scenario: Scenario, end: End, facts: Facts, figures: Mapping[str, float]) -> list[Check]:
    """Return everything that must hold at the end, and whether it does."""
    expect = scenario.expect
    found = [
        Check(
            name="ends",
            passed=end.ended == expect.ends,
            told=f"{end.ended}, and {expect.ends} was expected: {end.reason}",
        )
    ]
    found += [
        Check(
            name=str(each),
            passed=each.holds(facts),
            told=f"it is {facts.get(each.name, 'not there')}",
        )
        for each in expect.state
    ]
    found += [
        Check(
            name=f"{each.id}: {each.say}",
            passed=each.check.holds(facts),
            told=f"{each.check}: it is {facts.get(each.check.name, 'not there')}",
        )
        for each in scenario.user.requirements
    ]
    gates = {**metrics.GATES, **expect.metrics}
    found += [
        Check(
            name=name,
            passed=figures[name] <= most,
            told=f"{figures[name]:g}, at most {most:g}",
        )
        for name, most in gates.items()
    ]
    return found


def of_faults(listed: Sequence[Fault], undone: Sequence[Fault]) -> list[Check]:
    """Return whether what should have befallen the service has: else nothing was survived."""
    if not listed:
        return []
    told = "; ".join(each.told for each in undone)
    return [
        Check(
            name="faults",
            passed=not undone,
            told=f"never happened: {told}" if undone else f"all {len(listed)} have happened",
        )
    ]
