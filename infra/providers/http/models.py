"""What a vendor's models are called, take, give and cost: one row for each operation of ours.

Prices are the vendor's list prices in millionths of a US dollar, with their source and day: an
installation that counts in another currency cannot be quoted by them. The quote is the most that a
call may cost; what it did cost comes from the vendor's own count of units where it gives one.
"""

import base64
import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from infra.media_types import HEAD_BYTES, media_type_of
from infra.providers.ports import UNKNOWN_LIMITS, Attempt, Charge, OperationLimits, RejectedError

type Inputs = Callable[[dict[str, Any]], dict[str, Any]]
type Units = Callable[[dict[str, Any]], float]

CURRENCY = "USD"
"""What all of these vendors charge in."""
_SEED_BITS = 31
_MEGAPIXEL = 1_000_000
_USUAL_SIZE = (1280, 720)
"""What a picture is priced as in a list of prices, which names no size: that of our tool."""
MOST_FILE_BYTES = 6 << 20
"""An input travels inside the request, a third larger than it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """A further thing that a model's calls are charged for."""

    unit: str
    unit_micros: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One model of a vendor.

    `seed_field` is where its seed goes. The seed that is sent is made of the attempt's id: so a
    listed request whose answer was lost can be told from every other, alike as they may be.
    `shown_as` is what a call without further facts is priced for, where that is not one unit.
    """

    operation: str
    address: str
    inputs: Inputs
    unit: str
    unit_micros: int
    most_units: Units
    role: str
    media_type: str
    source: str
    as_of: str
    seed_field: str | None = "seed"
    file_fields: Mapping[str, str] = field(default_factory=dict[str, str])
    most_file_bytes: int = MOST_FILE_BYTES
    rates: tuple[Rate, ...] = ()
    shown_as: str = ""
    limits: OperationLimits = UNKNOWN_LIMITS

    def quote_micros(self, payload: dict[str, Any]) -> int:
        """Return the most that a call may cost."""
        return math.ceil(round(self.most_units(payload) * self.unit_micros, 6))

    def charge(self, units: float) -> Charge:
        """Return what the vendor's own count of units costs."""
        return Charge(amount_micros=round(units * self.unit_micros), basis="units_price")

    def marked(self, attempt_id: UUID, payload: dict[str, Any]) -> dict[str, Any]:
        """Return the model's input without files, with the seed that only this attempt has."""
        marker = {self.seed_field: seed_of(attempt_id)} if self.seed_field else {}
        return {**self.inputs(payload), **marker}


def seed_of(attempt_id: UUID) -> int:
    """Return the seed that an attempt is known by."""
    digest = hashlib.sha256(attempt_id.bytes).digest()
    return int.from_bytes(digest[:8]) >> (64 - _SEED_BITS)


def whole_megapixels(payload: dict[str, Any]) -> float:
    """Return a picture's size in megapixels, counted up as image models are billed."""
    width, height = _USUAL_SIZE
    return math.ceil(payload.get("width", width) * payload.get("height", height) / _MEGAPIXEL)


def one(payload: dict[str, Any]) -> float:
    """Return the units of a call that makes one thing."""
    del payload
    return 1


def model_for(models: Mapping[str, Model], vendor: str, operation: str) -> Model:
    """Return the model that does an operation.

    Raises:
        RejectedError: the vendor has none.
    """
    model = models.get(operation)
    if model is None:
        message = f"{vendor} has no model for '{operation}'."
        raise RejectedError(message)
    return model


def request_of(model: Model, attempt: Attempt) -> dict[str, Any]:
    """Return the whole input of an attempt, its files inside as data URLs; reads them.

    Raises:
        RejectedError: the model takes no such file, or none so large.
    """
    sent = model.marked(attempt.attempt_id, attempt.payload)
    for name, path in attempt.files.items():
        if name not in model.file_fields:
            message = f"{model.address} takes no '{name}'."
            raise RejectedError(message)
        sent[model.file_fields[name]] = _data_url(model, path)
    return sent


def _data_url(model: Model, path: Path) -> str:
    if path.stat().st_size > model.most_file_bytes:
        message = f"An input of {model.address} is larger than {model.most_file_bytes >> 20} MB."
        raise RejectedError(message)
    data = path.read_bytes()
    return f"data:{media_type_of(data[:HEAD_BYTES])};base64,{base64.b64encode(data).decode()}"


def is_same_request(listed: Any, sent: dict[str, Any]) -> bool:
    """Return whether a listed input is the one that was sent, defaults filled in or not."""
    if not isinstance(listed, dict) or not sent:
        return False
    held = cast("dict[str, Any]", listed)
    return all(name in held and held[name] == value for name, value in sent.items())


def checked_key(vendor: str, key: str) -> str:
    """Return a key that can be a header's value.

    Raises:
        ValueError: it cannot be one.
    """
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        message = f"the key of {vendor} is not one line of plain characters"
        raise ValueError(message)
    return key
