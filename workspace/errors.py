"""What can go wrong in the workspace.

ConflictError                (execution.errors)
└── VersionConflictError     someone wrote first: read again, then write
"""

from execution.errors import ConflictError


class VersionConflictError(ConflictError):
    """Someone changed this object since you read it."""

    code = "version_conflict"

    def __init__(self, *, current_version: int) -> None:
        self.current_version = current_version
        super().__init__(
            "Someone changed this object since you read it; "
            f"it is at version {current_version} now."
        )
