"""A real generator that goes beyond its limits, as the executor and the person's money see it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infra.db.pool import Pools
from infra.providers.local.limits import LIMITS
from infra.providers.local.provider import LocalProvider
from tests.harness import open_machine
from tests.integration.graphs.stage import Model, Stage, Vendor, picture, routed

pytestmark = [pytest.mark.media, pytest.mark.timeout(120)]

PRICE = 4000


@pytest.mark.parametrize(
    ("changed", "size", "said"),
    [
        ({"memory_mib": 500}, {"width": 3840, "height": 3840}, "more memory than the 500 MiB"),
        ({"wall_s": 0.5}, {"width": 3840, "height": 3840}, "within the 0.5 seconds"),
    ],
)
async def test_a_picture_beyond_its_limit_fails_by_name_costs_nothing_and_the_next_is_made(
    *,
    changed: dict[str, Any],
    size: dict[str, int],
    said: str,
    database_url: str,
    pools: Pools,
    tmp_path: Path,
) -> None:
    tight = LIMITS | {"image": replace(LIMITS["image"], **changed)}
    provider = LocalProvider(tmp_path / "attempts", limits=tight)
    # The second try needs little: with the clock as the limit it is given its time back.
    loosen = {"image": LIMITS["image"]} if "wall_s" in changed else {}

    def second(state: dict[str, Any]) -> Any:
        tight.update(loosen)
        return picture(width=256, height=256)

    model = Model(route=routed("lightweight", acknowledgement="On it."))
    model.answers[:] = [picture(**size), second]
    async with open_machine(
        database_url, pools, tmp_path, model=model, provider=provider
    ) as machine:
        stage = Stage(machine=machine, vendor=Vendor(), model=model)
        task_id = await stage.begin("a picture of a harbour")
        assert (await stage.task(task_id))[0] == "completed"
        (told,) = model.states[1]["events"]
        assert "failed (job_failed)" in told["what_happened"]
        assert said in told["what_happened"]
        assert await stage.money() == (2 * PRICE, 0, PRICE, 0)
        phases = await machine.rows("select phase from jobs order by created_at")
        assert [phase for (phase,) in phases] == ["failed", "succeeded"]
