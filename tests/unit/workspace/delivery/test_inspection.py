"""A film is held against what went into it, its captions against the file that is handed over."""

from pathlib import Path
from typing import Any, cast

import pytest

from execution.progress import derive
from infra.blobs import BlobStore
from infra.media.timeline import Timeline
from tests.unit.execution.entries import checklist, entry, item
from workspace.assembly.timeline import FilmFormat, Shot, build_timeline
from workspace.delivery import inspection
from workspace.delivery.plan import FilmPlan, FilmSources

STEPS = [item("shots", kind="shots"), item("subs", kind="captions"), item("film", kind="master")]


class Shelf:
    """Blobs that lie under their sums."""

    async def open(self, sha256: str) -> Path:
        return Path(sha256)


def named(object_id: str, role: str, *, version: int = 1) -> dict[str, Any]:
    sha256 = f"{object_id}-{version}"
    return {"object_id": object_id, "version": version, "role": role, "sha256": sha256}


def timeline() -> Timeline:
    return build_timeline(
        title="Film",
        language="en",
        film_format=FilmFormat(width=64, height=64, fps=24),
        shots=[Shot(key="shot.1", name="One", duration_s=2.0)],
        lines=[],
    )


@pytest.mark.parametrize("handed_over", [1, 2])
async def test_captions_that_a_person_wrote_over_are_those_that_are_checked(
    monkeypatch: pytest.MonkeyPatch, handed_over: int
) -> None:
    held: list[FilmSources] = []

    async def look(path: Path, film: FilmPlan, sources: FilmSources) -> list[Any]:
        assert (path, film.timeline.duration_s) == (Path("film-1"), 2.0)
        held.append(sources)
        return []

    monkeypatch.setattr(inspection, "validate", look)
    monkeypatch.setattr(inspection, "audit", look)
    shot, subs = named("shot", "clip"), named("subs", "captions")
    request = {
        "payload": {"timeline": timeline().to_json()},
        "inputs": {"shot.1": shot, "captions": subs},
    }
    entries = [
        entry(step_key="shots", slot=1, result={"outputs": [shot]}),
        entry(step_key="subs", slot=1, result={"outputs": [subs]}),
        entry(
            step_key="film",
            slot=1,
            request=request,
            result={"outputs": [named("film", "master")]},
        ),
    ]
    newer = {
        "subs": named("subs", "captions", version=handed_over),
        "shot": named("shot", "clip", version=2),
    }
    plan = derive(checklist(), STEPS, entries, newer=newer)
    assert await inspection.inspect(plan, cast("BlobStore", Shelf())) == []
    assert [each.captions for each in held] == [Path(f"subs-{handed_over}")] * 2
    assert [each.shots for each in held] == [{"shot.1": Path("shot-1")}] * 2
    assert [each["version"] for each in inspection.files(plan)] == [1, handed_over, 2]
