"""Tools that order generated media: pictures, clips, narration, music, objects in space.

Each resolves its arguments to exactly what would run, down to the object versions that go in;
whether it runs is decided outside.
"""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field

from execution.authorization import Risk
from execution.errors import InvalidCallError, NotFoundError
from infra.ids import ObjectId
from tools.tool import Order, Tool, ToolContext
from workspace import objects

type Camera = Literal[
    "push_in", "pull_out", "pan_left", "pan_right", "tilt_up", "tilt_down", "drift", "orbit"
]
type Side = Annotated[int, Field(ge=256, le=3840, multiple_of=2)]
type Slot = Annotated[int, Field(ge=1, le=60, description="which of the step's results this is")]
type StepKey = Annotated[str, Field(max_length=40, description="key of the plan's step")]
type Name = Annotated[str, Field(min_length=1, max_length=120)]
type Prompt = Annotated[str, Field(min_length=1, max_length=2000)]
type Words = Annotated[str, Field(max_length=300)]
type References = Annotated[
    list[Annotated[str, Field(max_length=60)]],
    Field(max_length=8, description="pictures of the characters and things that are to be seen"),
]


class Look(BaseModel):
    """How a picture should look."""

    prompt: Prompt
    style: Words = ""
    mood: Words = ""
    palette: list[Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]] = Field(
        default_factory=list, max_length=8
    )
    title: Words = ""


class GenerateImage(Look):
    """Arguments of `generate_image`."""

    step: StepKey | None = None
    slot: Slot = 1
    name: Name
    reference_object_ids: References = []
    subtitle: Words = ""
    width: Side = 1280
    height: Side = 720


class GenerateClip(Look):
    """Arguments of `generate_clip`."""

    step: StepKey
    slot: Slot = 1
    name: Name
    image_object_id: str | None = Field(
        default=None, description="picture that the clip starts from"
    )
    reference_object_ids: References = []
    duration_s: Annotated[float, Field(ge=0.5, le=60)]
    camera: Camera = "drift"
    width: Side = 1280
    height: Side = 720
    fps: Annotated[int, Field(ge=12, le=60)] = 24


class GenerateNarration(BaseModel):
    """Arguments of `generate_narration`."""

    step: StepKey
    slot: Slot = 1
    name: Name
    text: Annotated[str, Field(min_length=1, max_length=2000)]
    language: Annotated[str, Field(max_length=20)]
    max_duration_s: Annotated[float, Field(ge=0.5, le=600)] | None = None


class GenerateMusic(BaseModel):
    """Arguments of `generate_music`."""

    step: StepKey
    name: Name
    mood: Words
    duration_s: Annotated[float, Field(ge=1, le=600)]


class GenerateModel(BaseModel):
    """Arguments of `generate_model`."""

    step: StepKey
    slot: Slot = 1
    name: Name
    prompt: Prompt
    style: Words = ""
    mood: Words = ""
    palette: list[Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]] = Field(
        default_factory=list, max_length=8
    )
    detail: Literal["low", "medium", "high"] = "medium"
    height_m: Annotated[
        float | None, Field(ge=0.001, le=10_000, description="its height; its natural one if null")
    ] = None


async def generate_image(context: ToolContext, arguments: GenerateImage) -> Order:
    """Order a picture."""
    payload = arguments.model_dump(exclude={"step", "slot", "name", "reference_object_ids"})
    return Order(
        operation="image",
        payload={**payload, **_of_the_work(context)},
        name=arguments.name,
        title=arguments.name,
        references=await _references(context, arguments),
        step_key=arguments.step,
        slot=arguments.slot if arguments.step else None,
    )


async def generate_clip(context: ToolContext, arguments: GenerateClip) -> Order:
    """Order a clip, from a picture when one is named."""
    payload = arguments.model_dump(
        exclude={"step", "slot", "name", "image_object_id", "reference_object_ids"}
    )
    inputs: dict[str, dict[str, Any]] = {}
    if arguments.image_object_id is not None:
        inputs["image"] = await _input(context, arguments.image_object_id, arguments.step)
    return Order(
        operation="clip",
        payload={**payload, **_of_the_work(context)},
        name=arguments.name,
        title=arguments.name,
        inputs=inputs,
        references=await _references(context, arguments),
        step_key=arguments.step,
        slot=arguments.slot,
    )


async def generate_narration(context: ToolContext, arguments: GenerateNarration) -> Order:
    """Order a spoken text."""
    del context
    return Order(
        operation="narration",
        payload=arguments.model_dump(exclude={"step", "slot", "name"}),
        name=arguments.name,
        title=arguments.name,
        step_key=arguments.step,
        slot=arguments.slot,
    )


async def generate_music(context: ToolContext, arguments: GenerateMusic) -> Order:
    """Order a music bed."""
    del context
    return Order(
        operation="music",
        payload=arguments.model_dump(exclude={"step", "name"}),
        name=arguments.name,
        title=arguments.name,
        step_key=arguments.step,
        slot=1,
    )


async def generate_model(context: ToolContext, arguments: GenerateModel) -> Order:
    """Order an object in space."""
    payload = arguments.model_dump(exclude={"step", "slot", "name"})
    return Order(
        operation="model3d",
        payload={**payload, "language": _of_the_work(context)["language"]},
        name=arguments.name,
        title=arguments.name,
        step_key=arguments.step,
        slot=arguments.slot,
    )


def _of_the_work(context: ToolContext) -> dict[str, Any]:
    """Return what the plan says of every picture: its language, and whether captions lie on it."""
    if context.plan is None:
        return {"language": context.task.language, "caption_room": False}
    plan = context.plan
    return {
        "language": str(plan.checklist.format.get("language", context.task.language)),
        "caption_room": any(progress.item.kind == "captions" for progress in plan.items),
    }


async def _references(
    context: ToolContext, arguments: GenerateImage | GenerateClip
) -> list[dict[str, Any]]:
    """Return the pictures that an order names as references, each once."""
    named = dict.fromkeys(arguments.reference_object_ids)
    return [await _input(context, object_id, arguments.step) for object_id in named]


async def _input(context: ToolContext, object_id: str, step: str | None) -> dict[str, Any]:
    """Return a picture as an order's input.

    Raises:
        InvalidCallError: there is no such picture, or the plan makes it again or has done so.
    """
    try:
        identity = ObjectId(UUID(object_id))
        found = await objects.get(context.tx.conn, context.tx.workspace_id, identity)
    except (ValueError, NotFoundError):
        message = f"There is no object {object_id} in this workspace."
        raise InvalidCallError(message) from None
    if found.kind != "image":
        message = f"The object '{found.name}' is a {found.kind}, not an image."
        raise InvalidCallError(message)
    if step is not None:
        _check_current(context, found)
    return input_of(found)


def _check_current(context: ToolContext, found: objects.ObjectVersion) -> None:
    """Refuse to make a result of the plan from one that its slot does not hold any more."""
    item = context.plan.find(found.step_key or "") if context.plan is not None else None
    if item is None or found.task_id != context.task_id or found.slot is None:
        return
    slot = next((each for each in item.slots if each.number == found.slot), None)
    if slot is None:
        return
    made = [each["object_id"] for each in slot.outputs]
    if str(found.object_id) in made:
        return
    there = f"it holds {made[0]} now" if made else "it is made again"
    message = f"'{found.name}' fills slot {found.slot} of '{item.item.key}' no more: {there}."
    raise InvalidCallError(message)


def input_of(found: objects.ObjectVersion) -> dict[str, Any]:
    """Return an object version as an order's input."""
    return {
        "object_id": str(found.object_id),
        "version": found.version,
        "sha256": found.blob_sha256,
        "media_type": found.media_type,
    }


GENERATE_IMAGE = Tool(
    name="generate_image",
    description="Make one picture. Without a step it is a single picture outside any plan.",
    arguments=GenerateImage,
    risk=Risk.PAID,
    call=generate_image,
)
GENERATE_CLIP = Tool(
    name="generate_clip",
    description="Make one moving shot with a camera move, best from a picture made before.",
    arguments=GenerateClip,
    risk=Risk.PAID,
    call=generate_clip,
)
GENERATE_NARRATION = Tool(
    name="generate_narration",
    description="Speak a text; max_duration_s is the room it has in the film.",
    arguments=GenerateNarration,
    risk=Risk.PAID,
    call=generate_narration,
)
GENERATE_MUSIC = Tool(
    name="generate_music",
    description="Make a music bed of exactly this length.",
    arguments=GenerateMusic,
    risk=Risk.PAID,
    call=generate_music,
)
GENERATE_MODEL = Tool(
    name="generate_model",
    description=(
        "Make one 3D object as a GLB file with a preview picture; name the one thing that it shows."
    ),
    arguments=GenerateModel,
    risk=Risk.PAID,
    call=generate_model,
)
