"""The guide to what this installation can do, made of what its providers declare.

Everything in it is read from the providers when it is asked for: operations, limits, sizes,
languages, prices, how long work usually takes. So it cannot promise what is not there.
"""

from collections.abc import Iterable

from execution import effects
from execution.effects import Offer
from infra.deps import Deps
from infra.money import Money
from infra.providers.ports import OperationLimits
from tools.guides.texts import Guide
from tools.orders import STEP_KINDS
from tools.plan import MAX_FILM_SECONDS

NAME = "installation"
ABOUT = "What can be made here: operations, services, limits, sizes, voices, prices and times."


def installation_guide(deps: Deps) -> Guide:
    """Return the guide as things are now."""
    offers = effects.offers(deps)
    lines = [
        "# What this installation can do",
        "",
        ABOUT,
        "",
        "The first service whose limits take a call does it; after a failure the next one.",
        "A price is the most that one unit costs; the plan's card says what the whole comes to.",
        f"A film is at most {MAX_FILM_SECONDS} s long, whatever each of its parts may be.",
    ]
    for operation, kinds in STEP_KINDS.items():
        lines += _section(operation, kinds, offers, deps.settings.currency)
    lines += ["", "Texts (`script`, `document`) are written by you and cost nothing."]
    return Guide(name=NAME, about=ABOUT, text="\n".join(lines))


def _section(
    operation: str, kinds: tuple[str, ...], offers: Iterable[Offer], currency: str
) -> list[str]:
    named = ", ".join(f"`{kind}`" for kind in kinds)
    of_this = [offer for offer in offers if offer.operation == operation]
    heading = ["", f"## `{operation}`: steps of the kind {named}", ""]
    if not of_this:
        return [*heading, "Nobody here can do it: plan no such step."]
    return heading + [line for offer in of_this for line in _told(offer, currency)]


def _told(offer: Offer, currency: str) -> list[str]:
    price = Money(offer.price_micros, currency).format()
    lines = [f"- {offer.provider}: {price} for one {offer.unit}; usually {_time(offer.limits)}"]
    lines += [f"  - {limit}" for limit in _limits(offer.limits)]
    if offer.languages:
        lines.append(f"  - voices: {', '.join(sorted(offer.languages))}")
    return lines


def _time(limits: OperationLimits) -> str:
    if not limits.typical_per_second:
        return f"{limits.typical_s:g} s"
    return f"{limits.typical_s:g} s and {limits.typical_per_second:g} s for each second of it"


def _limits(limits: OperationLimits) -> list[str]:
    said: list[str] = []
    if limits.seconds:
        said.append(f"{limits.seconds[0]:g} to {limits.seconds[1]:g} s at once")
    if limits.sides:
        said.append(f"sides of {limits.sides[0]} to {limits.sides[1]} pixels")
    if limits.frames:
        said.append(f"made in the nearest of {', '.join(limits.frames)}")
    if limits.characters:
        said.append(f"at most {limits.characters} characters at once")
    return said
