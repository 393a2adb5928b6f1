"""One workspace on an empty database, as for the execution record."""

from tests.integration.execution.conftest import world
from tests.integration.execution.shared_database import database_url, shared_database

__all__ = ["database_url", "shared_database", "world"]
