"""The router's rules: a judgement as the arguments of `route`."""

from dataclasses import replace
from typing import Any

from infra.providers.rehearsal.brief import title_of
from infra.providers.rehearsal.comparing import KIND_NAMES
from infra.providers.rehearsal.judging import REPEATS, Judgement, judge
from infra.providers.rehearsal.phrases import join, say
from infra.providers.rehearsal.planning import note_of
from infra.providers.rehearsal.state import MainView
from infra.providers.rehearsal.weighing import Model

TWICE = "the same words a moment ago"
_GOAL = 600
_TITLE = 60


def route(view: MainView, weights: Model | None = None) -> dict[str, Any]:
    """Return the arguments of the tool `route`; with other weights than those that are kept."""
    found = _beside_near_ones(view, judge(view, weights))
    return {
        "outcome": found.outcome,
        "task_id": found.task.task_id if found.outcome == "existing" and found.task else None,
        "title": _title(view, found),
        "goal": _one_line(found.goal or view.message)[:_GOAL],
        "language": found.language[:20] or "en",
        "acknowledgement": _acknowledgement(found),
        "question": _question(found),
        "options": [task.task_id for task in found.options] if found.outcome == "ask" else [],
        "reason": found.about,
    }


def _beside_near_ones(view: MainView, found: Judgement) -> Judgement:
    """Ask whether the very same words a moment ago were a mistake; else it is another work."""
    if found.outcome not in ("new", "lightweight") and found.about != REPEATS:
        return found
    if again := tuple(task for task in view.near if task.same_words and task.task_id):
        return replace(found, outcome="ask", about=TWICE, options=again)
    if not view.near or found.about == REPEATS:
        return found
    return replace(found, about=f"{found.about}, another than these")


def _question(found: Judgement) -> str | None:
    if found.outcome != "ask":
        return None
    return say("twice" if found.about == TWICE else "which", found.language)


def _title(view: MainView, found: Judgement) -> str:
    if found.task is not None:
        return found.task.title[:_TITLE] or "…"
    if found.wish is None:
        return _one_line(view.message)[:_TITLE].strip() or "…"
    title = title_of(found.wish) or say(KIND_NAMES[found.wish.kind], found.language)
    return title[:_TITLE].strip()


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _acknowledgement(found: Judgement) -> str:
    language = found.language
    match found.outcome:
        case "existing":
            title = found.task.title if found.task is not None else ""
            stops = say("control", language) if found.said.interrupts == "stop" else ""
            return join([say("ack_existing", language, title=title), stops], language)
        case "lightweight":
            return join([say("ack_image", language), _but(found)], language)
        case "new":
            return join([_plan_comes(found), _but(found)], language)
        case "answer" | "ask":
            return ""


def _plan_comes(found: Judgement) -> str:
    wish = found.wish
    if wish is None or wish.kind not in ("film", "posters", "model3d") or not wish.brief.subject:
        return say("ack_plan", found.language)
    return say(f"ack_{wish.kind}", found.language, subject=wish.brief.subject)


def _but(found: Judgement) -> str:
    """Return what cannot be met of the wish, and what there will be instead."""
    sentences = [say(f"impossible_{found.impossible}", found.language)] if found.impossible else []
    sentences += [note_of(note, found.language) for note in found.wish.notes] if found.wish else []
    what = join(sentences, found.language)
    return say("but_not", found.language, what=what) if what else ""
