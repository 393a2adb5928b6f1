"""Addresses at which providers tell us that a job has news: unguessable, one for each attempt.

The address carries the attempt's id and a MAC over it, so a call at it proves who was given it and
which attempt it is about, even from a provider that signs nothing. Owns `callback_keys`.
"""

import hashlib
import hmac
from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from infra.db.query import Conn, fetch_value

PATH = "/hooks"
_MAC_CHARS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Callbacks:
    """Writes and knows the addresses below `public_url`, which is where providers reach us."""

    public_url: str
    key: bytes

    def of(self, provider: str) -> Callable[[UUID], str]:
        """Return how a provider's attempts get their addresses."""
        base = f"{self.public_url.rstrip('/')}{PATH}/{provider}"
        return lambda attempt_id: f"{base}/{attempt_id}.{self._mac(provider, attempt_id)}"

    def attempt_in(self, provider: str, tag: str) -> UUID | None:
        """Return the attempt that an address was made for, or None if we did not make it."""
        name, _, mac = tag.partition(".")
        try:
            attempt_id = UUID(name)
        except ValueError:
            return None
        wanted = self._mac(provider, attempt_id)
        is_ours = mac.isascii() and hmac.compare_digest(wanted, mac)
        return attempt_id if is_ours and str(attempt_id) == name else None

    def _mac(self, provider: str, attempt_id: UUID) -> str:
        told = f"{provider}/{attempt_id}".encode()
        return hmac.new(self.key, told, hashlib.sha256).hexdigest()[:_MAC_CHARS]


async def read_key(conn: Conn) -> bytes:
    """Return this installation's key, which its database made with its tables."""
    return await fetch_value(conn, "select key from callback_keys", {})
