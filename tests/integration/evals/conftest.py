"""All tests of this folder take turns on one database."""

from tests.integration.execution.shared_database import database_url, shared_database

__all__ = ["database_url", "shared_database"]
