"""A documentary with three characters, of which one becomes another after five of eight shots."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import override
from uuid import UUID

import pytest

from evals.chat_server.filmmaker import CAST, FRAMES, MASTER, SHOTS, ByState, film_with_cast
from infra.media.ffmpeg import run_ffmpeg
from infra.providers.ports import Artifact, Attempt, Charge, JobRef, Snapshot
from tests.database import DatabaseClock
from tests.integration.graphs.crew import Crew, Film, OpenStage
from tests.integration.graphs.stage import PRICE, Behaviour, Vendor, routed

pytestmark = [pytest.mark.media, pytest.mark.timeout(180)]

COUNT = 8
SHOWS = {slot: [1 + (slot - 1) % 3] for slot in range(1, COUNT + 1)}
BEN = 2
BENS = [slot for slot, who in SHOWS.items() if BEN in who]
IMAGES = 3 + COUNT
ROLES = {"clip": "clip", "render": "master"}


@dataclass
class Studio(Vendor):
    """A vendor whose clips and films are two seconds of real video."""

    video: bytes = b""
    _ordered: dict[UUID, str] = field(default_factory=dict[UUID, str])

    @override
    def _take(self, attempt: Attempt, told: Behaviour) -> JobRef | Snapshot:
        self._ordered[attempt.attempt_id] = attempt.operation
        return super()._take(attempt, told)

    @override
    def _make(self, attempt_id: UUID, told: Behaviour, charge: Charge) -> Snapshot:
        role = ROLES.get(self._ordered[attempt_id])
        if role is None:
            return super()._make(attempt_id, told, charge)
        made = Artifact(role=role, location=f"video {attempt_id}", media_type="video/mp4")
        return Snapshot(phase="terminal", outcome="succeeded", artifacts=(made,), charge=charge)

    @override
    async def fetch(self, artifact: Artifact) -> AsyncIterator[bytes]:
        if artifact.media_type == "video/mp4":
            yield self.video
            return
        async for chunk in super().fetch(artifact):
            yield chunk


def two_seconds(path: Path) -> bytes:
    source = ["-f", "lavfi", "-i", "testsrc2=size=64x64:rate=24:duration=2"]
    run_ffmpeg([*source, "-pix_fmt", "yuv420p", str(path)])
    return path.read_bytes()


async def test_only_what_shows_the_changed_character_is_made_again(
    open_stage: OpenStage, database_clock: DatabaseClock, tmp_path: Path
) -> None:
    vendor = Studio(
        operations=frozenset({"image", "clip", "render"}),
        video=await asyncio.to_thread(two_seconds, tmp_path / "clip.mp4"),
        behaviours={IMAGES + number: "quota" for number in (6, 7, 8)},
        quota_for_s=300.0,
    )
    by_state = ByState(steps=film_with_cast(COUNT), shows=SHOWS, remakes=True)
    model = Crew(route=routed(), by_state=by_state)
    async with open_stage(model, vendor) as stage:
        made = await Film(stage).made()
        plan = await made.plan()
        shots = plan.find(SHOTS)
        assert shots is not None
        assert (shots.count("done"), shots.count("running")) == (5, 3)
        await stage.machine.rows("update workspaces set autonomy = 'free' returning 1")
        before = {slot: await made.object_of(FRAMES, slot) for slot in SHOWS}

        await made.edit(await made.object_of(CAST, BEN))
        assert await made.marked() == sorted(
            [(FRAMES, slot) for slot in BENS] + [(SHOTS, slot) for slot in BENS if slot <= 5]
        )
        for _ in range(4):
            await database_clock.advance(timedelta(minutes=10))
            await stage.machine.drain()

        assert await made.marked() == []
        remade = [(FRAMES, slot) for slot in BENS] + [(SHOTS, slot) for slot in BENS]
        assert sorted(set(await made.marked("remade"))) == sorted(remade)
        after = {slot: await made.object_of(FRAMES, slot) for slot in SHOWS}
        assert [slot for slot in SHOWS if after[slot].object_id != before[slot].object_id] == BENS
        ben = await made.object_of(CAST, BEN)
        for slot in BENS:
            used = {(each["object_id"], each["version"]) for each in after[slot].inputs}
            assert (str(ben.object_id), 2) in used
        film_inputs = {each["object_id"] for each in (await made.object_of(MASTER)).inputs}
        held = {str((await made.object_of(SHOTS, slot)).object_id) for slot in SHOWS}
        assert film_inputs == held
        orders = IMAGES + COUNT + 2 * len(BENS) + 1
        assert len(vendor.orders) == orders
        assert (await stage.money())[1:] == (0, orders * PRICE, 0)
        said = await stage.machine.rows("select count(*) from messages where role = 'user'")
        assert said == [(1,)], "nobody has said to go on"
        answered = await stage.machine.rows("select kind from approvals where status = 'approved'")
        assert answered == [("plan",)], "the rework is within what is allowed without asking"
        await stage.check()
