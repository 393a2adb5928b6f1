"""Where a vendor's files may be fetched from: a vendor's answer must not send us anywhere else.

Only `https` to hosts that the adapter names; plain `http` only to an exact origin on this machine,
which is where simulators and a local ComfyUI are.
"""

import ipaddress
from dataclasses import dataclass

import httpx


def is_loopback(url: str) -> bool:
    """Return whether an address is on this machine."""
    try:
        host = httpx.URL(url).host
    except httpx.InvalidURL:
        return False
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def origin_of(url: str) -> str:
    """Return scheme, host and port of an address; empty if it is none."""
    try:
        parsed = httpx.URL(url)
    except httpx.InvalidURL:
        return ""
    if not parsed.host or parsed.userinfo:
        return ""
    port = f":{parsed.port}" if parsed.port else ""
    return f"{parsed.scheme}://{parsed.host}{port}"


@dataclass(frozen=True, slots=True)
class Places:
    """Hosts and origins; `*.fal.media` is every host below, `http://127.0.0.1:8188` an origin."""

    names: tuple[str, ...]

    def allow(self, url: str) -> bool:
        """Return whether an address may be asked for a file."""
        origin = origin_of(url)
        if not origin:
            return False
        if origin in self.names:
            return origin.startswith("https://") or is_loopback(url)
        if not origin.startswith("https://"):
            return False
        host = origin.removeprefix("https://")
        return any(
            host == name or (name.startswith("*.") and host.endswith(name[1:]))
            for name in self.names
        )

    def and_at(self, url: str | None) -> "Places":
        """Return these and the origin of an address, if there is one: that of a simulator."""
        return Places((*self.names, origin_of(url))) if url else self
