"""What can be wrong with the database, each as a sentence for the person who runs the process.

OperatorError
└── DatabaseError
    ├── DatabaseUnreachableError   nothing answers at the address
    ├── RoleWithoutLimitsError     behind a pooler, and its role may wait for ever
    ├── EmbeddedPostgresError
    │   ├── PostgresMissingError       no programs where they should be
    │   ├── DataFolderUnusableError    rights, file system, or made by another Postgres
    │   ├── DataFolderBusyError        another process holds it and does not get ready
    │   └── PostgresFailedError        it ended or never got ready; the log's last lines
    └── MigrationError
        ├── MigrationChangedError      a file that has run is not the same any more
        ├── MigrationOrderError        a new file sorts before one that has run
        ├── MigrationUnknownError      the database is newer than this code
        ├── MigrationLockedError       another process is migrating and does not finish
        └── MigrationFailedError       Postgres refused a statement
"""

from collections.abc import Mapping
from pathlib import Path

from psycopg.conninfo import conninfo_to_dict

from infra.errors import OperatorError


def describe_dsn(dsn: str) -> str:
    """Return where a connection string leads, without its password."""
    parts = conninfo_to_dict(dsn)
    where = parts.get("host") or "the default host"
    return f"database {parts.get('dbname') or 'postgres'} at {where}"


class DatabaseError(OperatorError):
    """The database cannot be used."""

    code = "database"


class DatabaseUnreachableError(DatabaseError):
    """Nothing answers at the database's address."""

    code = "database_unreachable"

    def __init__(self, dsn: str, reason: str) -> None:
        self.where = describe_dsn(dsn)
        super().__init__(f"The {self.where} does not answer: {reason}.")


class RoleWithoutLimitsError(DatabaseError):
    """Sessions are shared through a pooler, and the role's own limits are missing."""

    code = "role_without_limits"

    def __init__(self, role: str, missing: Mapping[str, float]) -> None:
        self.missing = dict(missing)
        told = " ".join(
            f"alter role \"{role}\" set {name} = '{round(most * 1000)}ms';"
            for name, most in missing.items()
        )
        super().__init__(
            "Behind ATELIER_POOLER_URL the limits must stand at the role, as sessions are shared."
            f" Run as its owner: {told}"
        )


class EmbeddedPostgresError(DatabaseError):
    """The embedded Postgres cannot be used."""

    code = "embedded_postgres"


class PostgresMissingError(EmbeddedPostgresError):
    """The programs of Postgres are not where they should be."""

    code = "postgres_missing"

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder
        where = f"in {folder}" if folder else "among the installed packages"
        super().__init__(
            f"The programs postgres and initdb are not {where}. Install the locked requirements,"
            " set ATELIER_POSTGRES_BIN, or set DATABASE_URL to a Postgres of yours."
        )


class DataFolderUnusableError(EmbeddedPostgresError):
    """The data folder cannot hold a database."""

    code = "data_folder_unusable"

    def __init__(self, folder: Path, reason: str) -> None:
        self.folder = folder
        super().__init__(f"The data folder {folder} cannot be used: {reason}.")


class DataFolderBusyError(EmbeddedPostgresError):
    """Another process holds the data folder."""

    code = "data_folder_busy"

    def __init__(self, folder: Path, holder: str) -> None:
        self.folder = folder
        self.holder = holder
        super().__init__(
            f"The data folder {folder} is held by process {holder}, whose database does not get"
            " ready. End that process, or choose another folder with ATELIER_DATA_DIR."
        )


class PostgresFailedError(EmbeddedPostgresError):
    """The embedded Postgres ended or did not get ready."""

    code = "postgres_failed"

    def __init__(self, what: str, log: Path, tail: str) -> None:
        self.log = log
        self.tail = tail
        super().__init__(f"{what}; its log {log} ends with: {tail or 'nothing'}")


class MigrationError(DatabaseError):
    """The database's tables cannot be brought up to date."""

    code = "migration"

    def __init__(self, name: str, message: str) -> None:
        self.name = name
        super().__init__(message)


class MigrationChangedError(MigrationError):
    """A migration that has run is not the same any more."""

    code = "migration_changed"

    def __init__(self, name: str) -> None:
        super().__init__(
            name,
            f"The migration {name} has already run in this database and has been changed since."
            " Restore it and put the change into a new file.",
        )


class MigrationOrderError(MigrationError):
    """A new migration sorts before one that has run."""

    code = "migration_order"

    def __init__(self, name: str, last: str) -> None:
        self.last = last
        super().__init__(
            name,
            f"The migration {name} is new but sorts before {last}, which has run. Renumber it.",
        )


class MigrationUnknownError(MigrationError):
    """The database was migrated by a newer version."""

    code = "migration_unknown"

    def __init__(self, name: str) -> None:
        super().__init__(
            name,
            f"This database has run the migration {name}, which this version does not know."
            " Start the newer version.",
        )


class MigrationLockedError(MigrationError):
    """Another process is migrating and does not finish."""

    code = "migration_locked"

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(
            "", f"Another process has been migrating this database for more than {seconds:.0f} s."
        )


class MigrationFailedError(MigrationError):
    """Postgres refused a migration."""

    code = "migration_failed"

    def __init__(self, name: str, reason: str) -> None:
        self.reason = reason
        super().__init__(name, f"The migration {name} failed and left nothing behind: {reason}")
