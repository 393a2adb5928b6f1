"""One workspace on a fresh database, as for the execution record."""

from tests.integration.execution.conftest import world

__all__ = ["world"]
