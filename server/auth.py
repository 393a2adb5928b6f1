"""Who is asking: the one place where a request gets a workspace.

In local mode there are no accounts: the server listens on this machine only, checks Host and
origin (`server.protection`), and everybody who reaches it is the owner of the one local
workspace. Every route takes a `Caller` and passes its `workspace_id` on, so accounts later
change this module alone.
"""

from dataclasses import dataclass
from typing import Annotated
from uuid import UUID

from fastapi import Depends

from execution.messages import Origin
from infra.ids import WorkspaceId

LOCAL_WORKSPACE = WorkspaceId(UUID("01980000-0000-7000-8000-000000000001"))
LOCAL_NAME = "Local workspace"


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Who is asking and the workspace they act in."""

    workspace_id: WorkspaceId
    name: str
    confirms_each_call: bool = False
    """Whether each paid call that comes of their words is confirmed: so it is for an API key."""

    @property
    def origin(self) -> Origin:
        """Where their words come in."""
        return Origin.API_KEY if self.confirms_each_call else Origin.PAGE


_OWNER = Principal(workspace_id=LOCAL_WORKSPACE, name="owner")


async def authenticate() -> Principal:
    """Return who is asking; in local mode always the owner."""
    return _OWNER


Caller = Annotated[Principal, Depends(authenticate)]
