"""Tools that put a film together: captions and the master, from the plan's results.

The model names only the step. Which shots, lines, music and captions go in is read from the ledger
by slot, so a missing result is a refusal that says what is missing. A film is shorter than planned
only without those shots, and their lines, that a person has agreed to leave out.
"""

import json
from dataclasses import dataclass
from typing import Annotated, Any
from uuid import UUID

from pydantic import BaseModel, Field

from execution.authorization import Risk
from execution.errors import InvalidCallError
from execution.progress import ItemProgress, Plan
from infra.ids import ObjectId
from infra.media.timeline import Timeline, TimelineCaptions, TimelineMusic
from tools.generate import input_of
from tools.orders import resting_on
from tools.tool import Order, Tool, ToolContext
from workspace import objects
from workspace.assembly.timeline import FilmFormat, Shot, SpokenLine, build_timeline
from workspace.dependencies import LENGTH, WHOLE
from workspace.objects import ObjectVersion


class MakeCaptions(BaseModel):
    """Arguments of `make_captions`."""

    step: Annotated[str, Field(max_length=40)]
    name: Annotated[str, Field(min_length=1, max_length=120)]
    language: Annotated[str, Field(max_length=20)]


class AssembleFilm(BaseModel):
    """Arguments of `assemble_film`."""

    step: Annotated[str, Field(max_length=40)]
    name: Annotated[str, Field(min_length=1, max_length=120)]
    title: Annotated[str, Field(max_length=200)]
    burn_captions: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line:
    """A spoken line: its sound, its words with their times, and what was to be said."""

    slot: int
    audio: ObjectVersion
    timings: dict[str, Any]
    text: str

    @property
    def key(self) -> str:
        """Its key in the timeline."""
        return f"narration.{self.slot}"


async def make_captions(context: ToolContext, arguments: MakeCaptions) -> Order:
    """Order captions for the narration as it lies under the shots."""
    plan = _plan(context)
    lines = await _lines(context, plan)
    film = await _timeline(context, plan, lines)
    words = {line.key: line.timings["words"] for line in lines}
    return Order(
        operation="captions",
        payload={
            "language": arguments.language,
            "duration_s": film.duration_s,
            "width": film.width,
            "height": film.height,
            "fps": film.fps,
            "lines": [
                {"start_s": placed.start_s, "text": placed.text, "words": words[placed.key]}
                for placed in film.narration
            ],
        },
        name=arguments.name,
        title=arguments.name,
        rests_on=await _under_captions(context, plan),
        step_key=arguments.step,
        slot=1,
    )


async def _under_captions(context: ToolContext, plan: Plan) -> list[dict[str, Any]]:
    """Return what captions rest on: the words and their times, and how long each shot is."""
    return [
        resting_on(stored, part)
        for kind, role, part in (
            ("narration", "narration", WHOLE),
            ("narration", "timings", WHOLE),
            ("shots", "clip", LENGTH),
        )
        for _, stored in await _results(context, plan, kind, role)
    ]


async def assemble_film(context: ToolContext, arguments: AssembleFilm) -> Order:
    """Order the master from everything that the plan's steps have made."""
    plan = _plan(context)
    lines = await _lines(context, plan)
    inputs = await _inputs(context, plan, lines)
    film = await _timeline(
        context,
        plan,
        lines,
        title=arguments.title,
        has_music="music" in inputs,
        has_captions="captions" in inputs,
        burn_captions=arguments.burn_captions,
    )
    return Order(
        operation="render",
        payload={"timeline": film.to_json()},
        name=arguments.name,
        title=arguments.name,
        inputs=inputs,
        step_key=arguments.step,
        slot=1,
    )


def _plan(context: ToolContext) -> Plan:
    if context.plan is None or not context.plan.is_approved:
        message = "There is no approved plan to assemble from."
        raise InvalidCallError(message)
    return context.plan


async def _timeline(
    context: ToolContext,
    plan: Plan,
    lines: list[_Line],
    *,
    title: str = "",
    has_music: bool = False,
    has_captions: bool = False,
    burn_captions: bool = False,
) -> Timeline:
    """Return the film's timeline from what the slots hold."""
    shots = await _results(context, plan, "shots", "clip")
    numbers = {slot for slot, _ in shots}
    asked = _asked_seconds(plan)
    form = plan.checklist.format
    return build_timeline(
        title=title or plan.checklist.title,
        language=str(form["language"]),
        film_format=FilmFormat(
            width=int(form["width"]), height=int(form["height"]), fps=float(form["fps"])
        ),
        shots=[
            Shot(
                key=f"shot.{slot}",
                name=shot.name,
                # Services make whole seconds; what is beyond the planned length is cut off.
                duration_s=min(float(shot.meta["duration_s"]), asked[slot]),
            )
            for slot, shot in shots
        ],
        lines=[
            SpokenLine(
                key=line.key,
                text=line.text,
                duration_s=float(line.timings["duration_s"]),
                shot_key=f"shot.{line.slot}" if line.slot in numbers else None,
            )
            for line in lines
        ],
        music=TimelineMusic() if has_music else None,
        captions=TimelineCaptions() if has_captions else None,
        burn_captions=burn_captions,
    )


async def _inputs(
    context: ToolContext, plan: Plan, lines: list[_Line]
) -> dict[str, dict[str, Any]]:
    """Return every object version that goes into the master, by its key in the timeline."""
    inputs: dict[str, dict[str, Any]] = {}
    for slot, shot in await _results(context, plan, "shots", "clip"):
        inputs[f"shot.{slot}"] = input_of(shot)
    for line in lines:
        inputs[line.key] = input_of(line.audio)
    for kind, role in (("music", "music"), ("captions", "captions"), ("captions", "captions_ass")):
        for _, found in await _results(context, plan, kind, role):
            inputs[role] = input_of(found)
    return inputs


async def _lines(context: ToolContext, plan: Plan) -> list[_Line]:
    silent = {slot for item in _items(plan, "shots") for slot in item.in_state("left_out")}
    spoken = [
        (slot, audio)
        for slot, audio in await _results(context, plan, "narration", "narration")
        if slot not in silent
    ]
    timings = dict(await _results(context, plan, "narration", "timings"))
    texts = _spoken_texts(plan)
    return [
        _Line(
            slot=slot,
            audio=audio,
            timings=json.loads(await context.deps.blobs.read(timings[slot].blob_sha256)),
            text=texts[slot],
        )
        for slot, audio in spoken
    ]


def _asked_seconds(plan: Plan) -> dict[int, float]:
    """Return how long each shot was ordered to be, by slot."""
    return {
        slot.number: float((slot.entry.request or {})["payload"]["duration_s"])
        for item in _items(plan, "shots")
        for slot in item.slots
        if slot.entry is not None
    }


def _spoken_texts(plan: Plan) -> dict[int, str]:
    return {
        slot.number: str((slot.entry.request or {})["payload"]["text"])
        for item in _items(plan, "narration")
        for slot in item.slots
        if slot.entry is not None
    }


async def _results(
    context: ToolContext, plan: Plan, kind: str, role: str
) -> list[tuple[int, ObjectVersion]]:
    """Return the results in a role of the steps of a kind, by slot, in order.

    Each as it is now: what a person has put in its place goes in.

    Raises:
        InvalidCallError: a slot has no result and nobody has left it out; the message says which.
    """
    found: list[tuple[int, ObjectVersion]] = []
    for item in _items(plan, kind):
        if absent := item.absent_slots:
            message = (
                f"Incomplete: {item.count('done')} of {item.item.expected_count} of "
                f"'{item.item.title}' are there; without a result are {absent}. Only the person "
                "can agree to finish without exactly these (leave_out)."
            )
            raise InvalidCallError(message)
        for slot in item.slots:
            for output in slot.outputs:
                if output["role"] == role:
                    stored = await objects.get(
                        context.tx.conn,
                        context.tx.workspace_id,
                        ObjectId(UUID(output["object_id"])),
                    )
                    found.append((slot.number, stored))
    return found


def _items(plan: Plan, kind: str) -> list[ItemProgress]:
    return [item for item in plan.items if item.item.kind == kind]


MAKE_CAPTIONS = Tool(
    name="make_captions",
    description="Make captions for the film's narration; needs all shots and lines.",
    arguments=MakeCaptions,
    risk=Risk.PAID,
    call=make_captions,
)
ASSEMBLE_FILM = Tool(
    name="assemble_film",
    description="Render the master from all results of the plan's steps.",
    arguments=AssembleFilm,
    risk=Risk.PAID,
    call=assemble_film,
)
