"""The one reader of the environment.

Every setting is a field here, read once at start from `ATELIER_<NAME>` (the database also from
`DATABASE_URL`), and documented in `docs/operations.md`. An unknown `ATELIER_` name or a value that
cannot be used is refused with a sentence: a misspelled limit must not silently be no limit.
"""

import difflib
import ipaddress
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    AliasChoices,
    BeforeValidator,
    Field,
    SecretStr,
    ValidationError,
    model_validator,
)
from pydantic_settings import BaseSettings, SettingsConfigDict

from infra.errors import ConfigurationError

PREFIX = "ATELIER_"
_FOR_TESTS = "ATELIER_TEST_"


def _loopback(host: str) -> str:
    if host != "localhost":
        try:
            is_loopback = ipaddress.ip_address(host).is_loopback
        except ValueError:
            is_loopback = False
        if not is_loopback:
            message = (
                f"Atelier has no accounts and listens on this machine only, so {host} is refused;"
                " use 127.0.0.1 and put a proxy with a sign-in before it"
            )
            raise ValueError(message)
    return host


def _address(url: str) -> str:
    parsed = urlsplit(url)
    if parsed.scheme not in ("http", "https") or not parsed.hostname or parsed.query:
        message = "it must be an address such as https://example.org"
        raise ValueError(message)
    return url.rstrip("/")


type _Address = Annotated[str, AfterValidator(_address)] | None


class Settings(BaseSettings):
    """All settings of a process; never changes after it was read."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="forbid")

    data_dir: Path = Path("data")
    """Folder for everything kept on this machine: the embedded database and the files."""
    blob_dir: Path = Path()
    """Folder of the blob store; `blobs` in the data folder unless set."""
    database_url: str | None = Field(
        default=None, validation_alias=AliasChoices("ATELIER_DATABASE_URL", "DATABASE_URL")
    )
    """Postgres to use; none means the embedded one."""
    pooler_url: str | None = None
    """Address of a pooler in transaction mode (pgbouncer) before `database_url`, for transactions.

    What needs a session of its own (LISTEN, the queue, renewals, migrations) goes past it.
    """
    postgres_bin: Path | None = None
    """Folder with Postgres 17 or newer programs, instead of those that come with the wheel."""

    host: Annotated[str, BeforeValidator(_loopback)] = "127.0.0.1"
    port: int = Field(default=8321, ge=0, le=65535)

    model: str = "rehearsal"
    """Chat model as `provider:name`, or `rehearsal`: deterministic, without a key."""
    judge: str = ""
    """Chat model that sees pictures and looks at finished works, as `provider:name`; none: rules.

    It proposes and decides nothing.
    """
    currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")

    providers: str = ""
    """Generation services in the order in which they are asked, such as `fal,local`."""
    public_url: _Address = None
    """Where services on the internet reach this server, for their calls to `/hooks`; none: polls.

    Only `/hooks` may be passed on from there.
    """
    comfyui_url: _Address = None
    """Address of a ComfyUI server."""
    fal_key: SecretStr | None = None
    fal_url: _Address = None
    """Another address than fal's own, such as a simulator's; so with each vendor."""
    replicate_token: SecretStr | None = None
    replicate_url: _Address = None
    replicate_webhook_secret: SecretStr | None = None
    """`whsec_…` of the account, with which Replicate signs its calls; without it there are none."""
    openai_images_key: SecretStr | None = None
    openai_images_url: _Address = None
    elevenlabs_key: SecretStr | None = None
    elevenlabs_url: _Address = None
    runway_key: SecretStr | None = None
    runway_url: _Address = None

    listed_days: int = Field(default=14, ge=1, le=3650)
    """How long a task that rests or has ended stays in the list: most come back in two weeks."""

    worker_slots: int = Field(default=4, ge=1, le=64)
    """Turns that one process runs at the same time."""
    executor_slots: int = Field(default=2, ge=1, le=64)
    """Jobs that one process runs on this machine at the same time."""
    away_slots: int = Field(default=8, ge=1, le=64)
    """Jobs of other machines that one process asks about at the same time."""
    lease_seconds: float = Field(default=30.0, ge=1.0)
    """How long a turn or job stays owned after its last renewal."""
    watchdog_seconds: float = Field(default=10.0, gt=0.0)
    """How often stalled work is looked for."""
    pool_size: int = Field(default=12, ge=2, le=200)
    """Connections of one process for our own tables."""
    checkpoint_pool_size: int = Field(default=4, ge=1, le=200)
    """Connections of one process for graph checkpoints."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["console", "json"] = "console"
    crash_at: str | None = None
    """Fault tests only: `<point>:<n>` of `infra.crash_points` at which the process kills itself."""

    @property
    def idle_transaction_seconds(self) -> float:
        """After this the database ends an idle transaction, long before a lease ends.

        So a worker frozen inside a transaction never blocks the takeover of its work.
        """
        return min(5.0, self.lease_seconds / 2)

    @model_validator(mode="before")
    @classmethod
    def _blobs_beside_the_database(cls, values: dict[str, object]) -> dict[str, object]:
        if not values.get("blob_dir"):
            values["blob_dir"] = Path(str(values.get("data_dir", "data"))) / "blobs"
        return values

    @model_validator(mode="after")
    def _renewals_fit_into_a_lease(self) -> Self:
        if self.watchdog_seconds > self.lease_seconds:
            message = "ATELIER_WATCHDOG_SECONDS must not be longer than ATELIER_LEASE_SECONDS"
            raise ValueError(message)
        return self


def load_settings() -> Settings:
    """Read the environment.

    Raises:
        ConfigurationError: a name is unknown or a value cannot be used; the message says which.
    """
    _refuse_unknown_names()
    try:
        return Settings()
    except ValidationError as error:
        raise ConfigurationError(_sentences(error)) from None


def _refuse_unknown_names() -> None:
    known = {PREFIX + name.upper() for name in Settings.model_fields}
    for name in sorted(os.environ):  # noqa: TID251 - this is the module the rule points to
        if name.startswith(PREFIX) and not name.startswith(_FOR_TESTS) and name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"Did you mean {close[0]}?" if close else "See docs/operations.md."
            message = f"There is no setting {name}. {hint}"
            raise ConfigurationError(message)


def _sentences(error: ValidationError) -> str:
    lines: list[str] = []
    for problem in error.errors(include_url=False):
        name = str(problem["loc"][0]).upper() if problem["loc"] else ""
        name = name if name.endswith("DATABASE_URL") or not name else PREFIX + name
        reason = _reason(problem)
        lines.append(f"{name}: {reason}." if name else f"{reason}.")
    return " ".join(lines)


def _reason(problem: Mapping[str, Any]) -> str:
    """Return what is wrong with a value, without the words of the validator."""
    limits = problem.get("ctx", {})
    match problem["type"]:
        case "int_parsing" | "int_from_float" | "int_parsing_size":
            wanted = "a whole number"
        case "float_parsing":
            wanted = "a number"
        case "greater_than_equal":
            wanted = f"{limits['ge']:g} or more"
        case "greater_than":
            wanted = f"more than {limits['gt']:g}"
        case "less_than_equal":
            wanted = f"{limits['le']:g} at most"
        case "literal_error":
            wanted = str(limits["expected"]).replace("'", "")
        case "string_pattern_mismatch":
            wanted = "three capital letters, such as USD"  # the currency is the only one
        case _:
            return str(problem["msg"]).removeprefix("Value error, ")
    return f"it must be {wanted}, not '{problem['input']}'"
