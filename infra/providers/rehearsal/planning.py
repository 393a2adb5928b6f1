"""Lays out a wish as the steps of a plan, in the shape that `propose_plan` takes."""

from typing import Any

from infra.providers.rehearsal.brief import Wish

type Arguments = dict[str, Any]


def plan_of(wish: Wish, *, title: str, keep: list[str]) -> Arguments:
    """Return the arguments of `propose_plan` for a wish."""
    brief = wish.brief
    steps = _film(wish) if wish.kind == "film" else _pictures(wish)
    return {
        "title": title,
        "summary": title,
        "language": brief.work_language,
        "width": brief.width,
        "height": brief.height,
        "fps": brief.fps,
        "duration_s": brief.duration_s if wish.kind == "film" else 0,
        "steps": steps,
        "keep": keep,
    }


def _film(wish: Wish) -> list[Arguments]:
    shots, seconds = wish.brief.shot_count, wish.brief.duration_s
    return [
        _step("script", "Script", "script"),
        _step("keyframes", "Keyframes", "keyframes", count=shots, needs=["script"]),
        _step("shots", "Shots", "shots", count=shots, needs=["keyframes"], seconds=seconds),
        _step("narration", "Narration", "narration", count=shots, needs=["script"]),
        _step("music", "Music", "music", needs=["script"], seconds=seconds),
        _step("captions", "Captions", "captions", needs=["shots", "narration"]),
        _step(
            "master",
            "Finished film",
            "master",
            needs=["shots", "narration", "music", "captions"],
            seconds=seconds,
        ),
    ]


def _pictures(wish: Wish) -> list[Arguments]:
    return [
        _step("concept", "Concept", "document"),
        _step("posters", "Posters", "image", count=wish.count, needs=["concept"]),
    ]


def _step(
    key: str,
    title: str,
    kind: str,
    *,
    count: int = 1,
    needs: list[str] | None = None,
    seconds: float = 0,
) -> Arguments:
    return {
        "key": key,
        "title": title,
        "kind": kind,
        "count": count,
        "depends_on": needs or [],
        "seconds": seconds,
        "review": False,
    }
