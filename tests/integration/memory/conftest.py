"""One workspace on an empty database."""

from tests.integration.execution.conftest import database_url, shared_database, world

__all__ = ["database_url", "shared_database", "world"]
