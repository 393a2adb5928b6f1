"""The calls that fill the slots of a plan: one pure function of wish, plan and edited script.

The script is derived anew every time, so nothing has to be remembered between two answers. Lines
that the person has edited in the script document win over the derived ones.
"""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from infra.providers.rehearsal import concept, looks
from infra.providers.rehearsal.brief import Wish, title_of
from infra.providers.rehearsal.changes import of_slot, shot_change
from infra.providers.rehearsal.lexicon import fold
from infra.providers.rehearsal.phrases import say
from infra.providers.rehearsal.script_types import FilmScript, ShotScript
from infra.providers.rehearsal.shortening import shortened
from infra.providers.rehearsal.state import PlanStep, PlanView, StoredObject
from infra.providers.rehearsal.writing import (
    ParsedShot,
    line_about,
    read_document_text,
    write_document_text,
    write_film,
)

type ProposedCall = tuple[str, dict[str, Any]]

BREATH_S = 0.4
"""How much shorter than its shot a narration must be."""
_PROMPT, _WORDS, _NAME, _TEXT = 1900, 300, 110, 1900
_SHORT_PROMPT = 160
_LINE = 64
_FORMS = (
    "symmetrical composition, much empty space",
    "close view, strong diagonal",
    "wide view from above, small figures",
    "low view, large shape in front",
    "quiet composition, horizon in the lower third",
    "bold silhouette against a bright ground",
    "layered depth, frame within the frame",
    "centered motif, radiating light",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why a slot's last attempt failed, and what share of its text would fit if that is known."""

    code: str
    share: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Production:
    """A wish with the script that is made from it, ready to be asked for shot by shot."""

    wish: Wish
    script: FilmScript
    language: str
    """Of the person: names are theirs, words in the work are in the work's language."""

    @property
    def title(self) -> str:
        """The work's title."""
        return self.wish.title or self.script.title

    def shot(self, slot: int) -> ShotScript:
        """Return the script of a slot; a slot beyond the script's end repeats its last shot."""
        shots = self.script.shots
        return shots[max(0, min(slot, len(shots)) - 1)]


def produce(wish: Wish, language: str, *, edited: Sequence[ParsedShot] = ()) -> Production:
    """Write the script of a wish, with the lines that a person has edited."""
    brief = wish.brief
    if wish.kind in ("posters", "image"):
        brief = replace(brief, shot_count=wish.count, duration_s=max(1, wish.count) * 4.5)
    script = write_film(brief)
    if wish.title:
        shots = [
            replace(shot, title=wish.title if shot.title == script.title else shot.title)
            for shot in script.shots
        ]
        script = replace(script, title=wish.title, shots=tuple(shots))
    script = _with_lines(_with_changes(script, wish), edited)
    if wish.kind == "film" and "narration" in wish.absent:
        script = replace(script, shots=tuple(replace(s, narration="") for s in script.shots))
    if "lettering" in wish.absent:
        script = replace(script, shots=tuple(replace(s, title="") for s in script.shots))
    return Production(wish=wish, script=script, language=language)


def _with_changes(script: FilmScript, wish: Wish) -> FilmScript:
    """Put what the person wants in single shots there, and leave the other shots as they are."""
    shots = list(script.shots)
    for extra in wish.extras:
        change = shot_change(extra)
        for place, shot in enumerate(shots):
            if change is None or not of_slot(change, shot.number, len(shots)):
                continue
            if change.what:
                line = line_about(wish.brief, change.what, shot.frames / wish.brief.fps)
                words = f"{change.what}, {shot.size} view"
                shots[place] = replace(shot, picture=words, narration=line or shot.narration)
            else:
                words = f"{shot.picture}, {_wished(extra)}"
                shots[place] = replace(shot, picture=words)
    return replace(script, shots=tuple(shots))


def _wished(extra: str) -> str:
    """Return the look that a wish asks for in English words, or the wish itself."""
    folded = fold(extra)
    look = [*looks.moods(folded).wanted, looks.style(folded)]
    return ", ".join(part for part in look if part) or extra


def _seen(wish: Wish) -> list[str]:
    """Return the free wishes that are about all pictures: not about one shot, nor about sound."""
    return [
        extra
        for extra in wish.extras
        if shot_change(extra) is None and not looks.mentioned(fold(extra))
    ]


def _with_lines(script: FilmScript, edited: Sequence[ParsedShot]) -> FilmScript:
    lines = {line.number: line for line in edited}
    shots = [
        replace(
            shot,
            narration=_edited(lines[shot.number], shot.narration),
            picture=lines[shot.number].picture or shot.picture,
        )
        if shot.number in lines
        else shot
        for shot in script.shots
    ]
    return replace(script, shots=tuple(shots))


def _edited(line: ParsedShot, written: str) -> str:
    """Return a shot's words after a person's hand; a line that was emptied stays empty."""
    return "" if line.is_silent else line.narration or written


def planned(wish: Wish, plan: PlanView) -> Wish:
    """Return the wish in the format that was planned, whatever was said since."""
    pictures = plan.first("image") or plan.first("model3d")
    counted = plan.first("shots") or plan.first("keyframes") or plan.first("narration")
    return replace(
        wish,
        count=pictures.count if pictures else wish.count,
        brief=replace(
            wish.brief,
            width=plan.width,
            height=plan.height,
            fps=plan.fps,
            duration_s=plan.duration_s or wish.brief.duration_s,
            work_language=plan.language or wish.brief.work_language,
            shot_count=max(1, counted.count) if counted else wish.brief.shot_count,
        ),
    )


def edited_lines(
    plan: PlanView, objects: Sequence[StoredObject], documents: Sequence[Mapping[str, Any]]
) -> list[ParsedShot]:
    """Return the lines of the newest script document that a person has edited."""
    step = plan.first("script")
    ids = [item.object_id for item in objects if step and item.step == step.key]
    if not ids:
        return []
    for document in documents:
        version = document.get("version")
        text = document.get("text")
        if document.get("object_id") == ids[-1] and isinstance(text, str):
            is_edited = isinstance(version, int) and version > 1
            return read_document_text(text) if is_edited else []
    return []


def slot_call(
    made: Production,
    plan: PlanView,
    step: PlanStep,
    slot: int,
    *,
    objects: Sequence[StoredObject] = (),
    failure: Failure | None = None,
) -> ProposedCall | None:
    """Return the call that fills a slot, simpler after each failure; None if no tool fills it."""
    tries = step.attempts.get(slot, 0)
    match step.kind:
        case "script" | "document":
            return _document(made, step)
        case "image" | "keyframes" | "characters":
            draw = _keyframe if step.kind == "keyframes" else _poster
            return ("generate_image", draw(made, plan, step, slot, tries=tries))
        case "shots":
            return ("generate_clip", _clip(made, plan, step, slot, tries=tries, objects=objects))
        case "model3d":
            return ("generate_model", _object(made, step, slot, tries=tries))
        case "narration":
            return ("generate_narration", _narration(made, plan, step, slot, failure=failure))
        case _:
            return _whole(made, plan, step)


def _whole(made: Production, plan: PlanView, step: PlanStep) -> ProposedCall | None:
    """Return the call of a step that has one result for the whole film."""
    if step.kind not in ("music", "captions", "master"):
        return None
    seconds = max(1.0, min(600.0, plan.duration_s or made.wish.brief.duration_s))
    place = {"step": step.key, "name": _name(made, step.kind)}
    match step.kind:
        case "music":
            more = {"mood": made.script.music_mood[:_WORDS], "duration_s": seconds}
            return ("generate_music", place | more)
        case "captions":
            return ("make_captions", place | {"language": made.wish.brief.work_language[:20]})
        case _:
            title = made.title[:190]
            place["name"] = (title or place["name"])[:_NAME]
            return ("assemble_film", place | {"title": title, "burn_captions": True})


def _document(made: Production, step: PlanStep) -> ProposedCall:
    is_concept = step.kind == "document" and made.wish.kind in ("posters", "image")
    text = concept_text(made) if is_concept else write_document_text(made.wish.brief, made.script)
    kind = "concept" if is_concept else "script" if step.kind == "script" else "text"
    name = f"{_name(made, kind)}: {made.title}" if made.title else _name(made, kind)
    return ("write_document", {"step": step.key, "name": name[:_NAME], "text": text})


def _keyframe(
    made: Production, plan: PlanView, step: PlanStep, slot: int, *, tries: int
) -> dict[str, Any]:
    shot = made.shot(slot)
    return {
        "step": step.key,
        "slot": slot,
        "name": say("name_keyframe", made.language, k=slot),
        **_look(made, _pictured(made, shot.picture), tries=tries),
        "title": "" if tries else shot.title[:_WORDS],
        "width": plan.width,
        "height": plan.height,
    }


def _clip(
    made: Production,
    plan: PlanView,
    step: PlanStep,
    slot: int,
    *,
    tries: int,
    objects: Sequence[StoredObject],
) -> dict[str, Any]:
    """A clip that starts from a keyframe has its title in the picture already."""
    shot = made.shot(slot)
    keyframe = _keyframe_of(plan, slot, objects)
    return {
        "step": step.key,
        "slot": slot,
        "name": say("name_shot", made.language, k=slot),
        **_look(made, _pictured(made, shot.picture), tries=tries),
        "title": "" if tries or keyframe else shot.title[:_WORDS],
        "image_object_id": keyframe,
        "duration_s": _seconds(made, plan, slot),
        "camera": shot.camera if tries < _SIMPLEST else "drift",
        "width": plan.width,
        "height": plan.height,
        "fps": plan.fps,
    }


_SIMPLEST = 2


def _keyframe_of(plan: PlanView, slot: int, objects: Sequence[StoredObject]) -> str | None:
    keys = {step.key for step in plan.steps if step.kind == "keyframes"}
    found = [
        item.object_id
        for item in objects
        if item.kind == "image" and item.step in keys and item.slot == slot and item.object_id
    ]
    return found[-1] if found else None


def _seconds(made: Production, plan: PlanView, slot: int) -> float:
    return min(60.0, max(0.5, made.shot(slot).frames / plan.fps))


def _narration(
    made: Production, plan: PlanView, step: PlanStep, slot: int, *, failure: Failure | None
) -> dict[str, Any]:
    tries = step.attempts.get(slot, 0)
    text, room = _spoken(made, plan, step, slot)
    if tries or failure is not None:
        share = failure.share if failure is not None and failure.share else None
        text = shortened(text, (share or 0.75) ** 1 * 0.8 ** max(0, tries - 1))
    return {
        "step": step.key,
        "slot": slot,
        "name": say("name_narration", made.language, k=slot),
        "text": text[:_TEXT],
        "language": made.wish.brief.work_language[:20],
        "max_duration_s": room,
    }


def _spoken(
    made: Production, plan: PlanView, step: PlanStep, slot: int
) -> tuple[str, float | None]:
    """Return what is spoken in a slot, and the room it has; without pictures it has any."""
    shots = plan.first("shots")
    if shots is not None or plan.first("keyframes") is not None:
        lines = _spoken_lines([shot.narration for shot in made.script.shots])
        text = lines[max(0, min(slot, len(lines)) - 1)] or made.title
        room = max(0.5, round(_seconds(made, plan, slot) - BREATH_S, 3))
        return text or "…", room
    if made.wish.text:
        return _part(re.findall(r"[^.!?。！？]+[.!?。！？]*\s*", made.wish.text), step, slot), None
    return _part([f"{shot.narration} " for shot in made.script.shots], step, slot), None


_SENTENCE = re.compile(r"[^.!?。！？…]+(?:[.!?。！？…]+[\"”»’」]*\s*|$)")


def _spoken_lines(lines: list[str]) -> list[str]:
    """Return the words of every slot: a shot without words of its own takes a neighbour's sentence.

    Every slot of a plan is to be filled, and nothing may be said that is not in the script.
    """
    spoken = list(lines)
    for place, line in enumerate(spoken):
        if line:
            continue
        near = [*range(place - 1, -1, -1), *range(place + 1, len(spoken))]
        for other in near:
            sentences = _SENTENCE.findall(spoken[other])
            if len(sentences) > 1:
                given = sentences.pop(-1 if other < place else 0)
                spoken[place], spoken[other] = given.strip(), "".join(sentences).strip()
                break
    return spoken


def _part(lines: Sequence[str], step: PlanStep, slot: int) -> str:
    """Return the lines of one of several recordings."""
    each = max(1, math.ceil(len(lines) / max(1, step.count)))
    text = "".join(lines[(slot - 1) * each : slot * each]).strip()
    return text or "".join(lines[:1]).strip() or "…"


def _pictured(made: Production, picture: str) -> str:
    """Return a picture's words, with the subject if they do not name any of it."""
    replaced = [change.what for e in made.wish.extras if (change := shot_change(e)) is not None]
    if any(what and picture.startswith(what) for what in replaced):
        return picture
    subject = made.wish.brief.subject
    longest = max(re.findall(r"\w+", fold(subject)), key=len, default="")
    is_named = longest in fold(picture)
    parts = [picture, "" if is_named else subject, *_seen(made.wish)]
    return ", ".join(part for part in parts if part)


def _look(made: Production, prompt: str, *, tries: int) -> dict[str, Any]:
    brief = made.wish.brief
    if tries:
        prompt = _first_clauses(prompt)
    return {
        "prompt": prompt[:_PROMPT].strip() or made.title or "picture",
        "style": brief.style[:_WORDS] if tries < _SIMPLEST else "",
        "mood": ", ".join(brief.moods)[:_WORDS],
        "palette": list(brief.palette[:8]) if tries < _SIMPLEST else [],
    }


def _object(made: Production, step: PlanStep, slot: int, *, tries: int) -> dict[str, Any]:
    """An object in space; of several the number stands in the words, so that they differ."""
    wish = made.wish
    parts = [wish.brief.subject, *_seen(wish), str(slot) if step.count > 1 else ""]
    prompt = ", ".join(part for part in parts if part)
    several = say("name_model3d", made.language, k=slot) if step.count > 1 else ""
    name = several or title_of(wish) or say("step_model3d", made.language)
    return {
        "step": step.key,
        "slot": slot,
        "name": name[:_NAME],
        **_look(made, prompt or made.title, tries=tries),
    }


def _first_clauses(prompt: str) -> str:
    short = prompt[:_SHORT_PROMPT]
    return short.rpartition(",")[0] or short if len(prompt) > _SHORT_PROMPT else prompt


def _poster(
    made: Production, plan: PlanView, step: PlanStep, slot: int, *, tries: int
) -> dict[str, Any]:
    key = "name_poster" if made.wish.is_poster else "name_picture"
    name = say(key, made.language, k=slot) if step.count > 1 else title_of(made.wish)
    picture = single_picture(made, slot, tries=tries)
    return picture | {
        "step": step.key,
        "slot": slot,
        "name": (name or say("step_image", made.language))[:_NAME],
        "width": plan.width,
        "height": plan.height,
    }


def single_picture(made: Production, slot: int, *, tries: int) -> dict[str, Any]:
    """Return the arguments of a picture that stands for itself, outside of any film."""
    wish, shot = made.wish, made.shot(slot)
    subject = wish.brief.subject
    changes = [change for extra in wish.extras if (change := shot_change(extra)) is not None]
    is_replaced = any(one.what and of_slot(one, slot, wish.count) for one in changes)
    parts = ["" if is_replaced else subject, *_seen(wish)]
    if wish.count > 1 or not subject:
        parts.append(shot.picture)
        parts.append(_form(slot))
    if wish.is_poster:
        parts.append("poster")
    title, subtitle = _lettering(made, shot)
    name = title_of(wish) or say("step_image", made.language)
    return {
        "step": None,
        "slot": 1,
        "name": name[:_NAME],
        **_look(made, ", ".join(part for part in parts if part), tries=tries),
        "title": "" if tries else title[:_WORDS],
        "subtitle": "" if tries else subtitle[:_WORDS],
        "width": wish.brief.width,
        "height": wish.brief.height,
    }


def _lettering(made: Production, shot: ShotScript) -> tuple[str, str]:
    """Return the words in a picture: those asked for, and on posters its title."""
    wish = made.wish
    if "lettering" in wish.absent:
        return "", ""
    if wish.lettering:
        return (wish.title, wish.lettering) if wish.title else (wish.lettering, "")
    if not wish.is_poster:
        return wish.title, ""
    title = wish.title or _own_title(made)
    line = shot.narration if wish.count > 1 and len(shot.narration) <= _LINE else ""
    return title, line


def _own_title(made: Production) -> str:
    """Return a poster's title: from the subject, if it is in the language of the work."""
    brief = made.wish.brief
    own = title_of(made.wish)
    return own if own and brief.subject_language == brief.work_language else made.script.title


def concept_text(made: Production) -> str:
    """Return the concept of a series as a document."""
    wish = made.wish
    sketches = [_sketch(made, slot) for slot in range(1, wish.count + 1)]
    is_unlettered = "lettering" in wish.absent
    return concept.document(
        wish, _own_title(made) or made.title, sketches, is_unlettered=is_unlettered
    )


def _sketch(made: Production, slot: int) -> concept.Sketch:
    wish, picture = made.wish, single_picture(made, slot, tries=0)
    changes = [
        (change.what or extra, bool(change.what))
        for extra in wish.extras
        if (change := shot_change(extra)) is not None and of_slot(change, slot, wish.count)
    ]
    subject = [] if any(replaces for _, replaces in changes) else [wish.brief.subject]
    return concept.Sketch(
        prompt=picture["prompt"],
        about=(*subject, *(what for what, _ in changes), *_seen(wish)),
        form=_form(slot) if wish.count > 1 or not wish.brief.subject else "",
        thought=made.shot(slot).narration,
        words=tuple(part for part in (picture["title"], picture["subtitle"]) if part),
    )


def _form(slot: int) -> str:
    return _FORMS[(slot - 1) % len(_FORMS)]


def _name(made: Production, kind: str) -> str:
    return say(f"step_{kind}", made.language)[:_NAME]
