"""The worker's rules: from the state of a task to the calls that can be made now."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from infra.providers.rehearsal import planning
from infra.providers.rehearsal.brief import Wish, read_wish
from infra.providers.rehearsal.script_types import FilmScript
from infra.providers.rehearsal.state import Call, PlanStep, PlanView, WorkerView
from infra.providers.rehearsal.writing import write_document_text, write_film

MAX_CALLS = 16
_BREATH_S = 0.4

type ProposedCall = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """A short text, or none, and the calls."""

    text: str
    calls: tuple[ProposedCall, ...]


def work(view: WorkerView) -> Work:
    """Return what to do now; a slot that is running or done is never asked for again."""
    wish = read_wish(view.said or (view.goal,), view.language)
    asked = [entry for entry in view.story if isinstance(entry, Call)]
    if wish.kind == "image" and view.plan is None:
        return Work(text="", calls=() if asked else (_single(wish),))
    if view.plan is None:
        proposed = any(call.name == "propose_plan" for call in asked)
        if proposed:
            return Work(text="", calls=())
        plan = planning.plan_of(wish, title=view.title or wish.brief.subject, keep=[])
        return Work(text="", calls=(("propose_plan", plan),))
    if not view.plan.approved:
        return Work(text="", calls=())
    calls = tuple(_calls(view, view.plan, wish))[:MAX_CALLS]
    return Work(text="", calls=calls)


def _single(wish: Wish) -> ProposedCall:
    return (
        "generate_image",
        {
            "step": None,
            "slot": 1,
            "name": wish.brief.subject[:100] or "Picture",
            "prompt": wish.brief.subject or "Picture",
            "width": 1280,
            "height": 720,
        },
    )


def _calls(view: WorkerView, plan: PlanView, wish: Wish) -> Iterator[ProposedCall]:
    script = write_film(wish.brief)
    for step in plan.steps:
        if step.status in ("ready", "doing"):
            for slot in step.missing:
                yield _call(view, plan, step, slot, wish, script)


def _call(
    view: WorkerView, plan: PlanView, step: PlanStep, slot: int, wish: Wish, script: FilmScript
) -> ProposedCall:
    shot = script.shots[min(slot, len(script.shots)) - 1]
    look = {
        "prompt": shot.picture,
        "mood": " ".join(wish.brief.moods),
        "style": wish.brief.style,
        "palette": list(wish.brief.palette),
        "title": shot.title,
        "width": plan.width,
        "height": plan.height,
    }
    place = {"step": step.key, "slot": slot, "name": f"{step.title} {slot}"}
    seconds = shot.frames / plan.fps
    match step.kind:
        case "keyframes" | "image":
            return ("generate_image", place | look)
        case "shots":
            picture = next(
                (
                    item.object_id
                    for item in view.objects
                    if item.kind == "image" and item.slot == slot
                ),
                None,
            )
            more = {"image_object_id": picture, "duration_s": seconds, "fps": plan.fps}
            return ("generate_clip", place | look | more | {"camera": shot.camera})
        case "narration":
            more = {"text": shot.narration, "language": plan.language}
            return (
                "generate_narration",
                place | more | {"max_duration_s": max(0.5, seconds - _BREATH_S)},
            )
        case "music":
            more = {"mood": script.music_mood, "duration_s": plan.duration_s}
            return ("generate_music", {"step": step.key, "name": step.title} | more)
        case "captions":
            return (
                "make_captions",
                {"step": step.key, "name": step.title, "language": plan.language},
            )
        case "master":
            return (
                "assemble_film",
                {
                    "step": step.key,
                    "name": script.title or step.title,
                    "title": script.title,
                    "burn_captions": True,
                },
            )
        case _:
            text = write_document_text(wish.brief, script)
            return ("write_document", {"step": step.key, "name": step.title, "text": text})
