"""The pages that a person has open: the first one is looked at, all of them hear everything."""

import asyncio
from dataclasses import dataclass, field
from datetime import datetime

import httpx

from evals.scenarios.client import Tab
from evals.scenarios.view import Told
from infra.supervision import Supervisor


@dataclass
class Tabs:
    """Open pages of one person."""

    http: httpx.AsyncClient
    began: datetime
    supervisor: Supervisor
    tabs: list[Tab] = field(default_factory=list[Tab])

    async def open(self) -> None:
        """Open a page, which hears everything from the beginning."""
        tab = Tab(http=self.http, began=self.began)
        self.tabs.append(tab)
        self.supervisor.start(tab.follow(), name=f"tab {len(self.tabs)}")

    async def reload(self) -> None:
        """Load the page that is looked at anew."""
        self.tabs[0].drop()

    def drop(self) -> None:
        """Break every connection."""
        for tab in self.tabs:
            tab.drop()

    def take(self) -> list[Told]:
        """Return what the page that is looked at has heard since."""
        heard: list[Told] = []
        while not self.tabs[0].heard.empty():
            heard.append(self.tabs[0].heard.get_nowait())
        return heard

    async def wait(self, seconds: float) -> None:
        """Wait a moment; what arrives meanwhile is there to be taken."""
        await asyncio.sleep(seconds)

    @property
    def gaps(self) -> list[str]:
        """What any page has heard twice, late or not at all."""
        last = self.tabs[0].after
        behind = [f"tab {n} ends at {tab.after} of {last}" for n, tab in enumerate(self.tabs, 1)]
        return [gap for tab in self.tabs for gap in tab.gaps] + [
            told for told, tab in zip(behind, self.tabs, strict=True) if tab.after != last
        ]
