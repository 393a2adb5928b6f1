"""A database of its own for the runs of the whole machine."""

from tests.integration.execution.shared_database import database_url, shared_database

__all__ = ["database_url", "shared_database"]
