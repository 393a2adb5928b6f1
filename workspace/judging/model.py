"""The judge that sees: a chat model is shown the pictures and proposes by result.

Only with `ATELIER_JUDGE`. Pictures are small JPEGs inside the request; of a clip it is the moment
in its middle. What it answers about results that do not exist is dropped. When it does not answer,
that is recorded and nothing waits for it.
"""

import asyncio
import base64
import hashlib
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import av
import av.error
from langchain_core.messages import HumanMessage, SystemMessage
from PIL import Image
from pydantic import BaseModel, Field, ValidationError

from execution import effects
from execution.effects import Inference, ModelUnavailableError
from execution.judgements import Advice, NewJudgement, Proposal
from execution.model_calls import Asker
from infra.deps import Deps
from infra.providers.models import ModelRole
from infra.sanitize import clean_text
from workspace.judging.ports import Shown, Work

MOST_PICTURES = 12
_SIDE = 512
_QUALITY = 80
_MOST_PROPOSALS = 24
_WHOLE = "work"
_RULES = (Path(__file__).parent / "judge.md").read_text(encoding="utf-8").strip()
VERSION = hashlib.sha256(_RULES.encode()).hexdigest()[:12]


class _Proposed(BaseModel):
    result: str
    advice: Advice
    aspect: Annotated[str, Field(max_length=60)]
    reason: Annotated[str, Field(min_length=1, max_length=600)]


class _Answer(BaseModel):
    proposals: Annotated[list[_Proposed], Field(max_length=_MOST_PROPOSALS)]


_SCHEMA: dict[str, Any] = {
    "type": "function",
    "function": {
        "name": "judge",
        "description": "Propose what should become of results; an empty list if all are good.",
        "parameters": _Answer.model_json_schema(),
    },
}


class ModelJudge:
    """Asks the chat model that is set as the judge, on the account of the task."""

    def __init__(self, deps: Deps, asker: Asker, *, spec: str) -> None:
        self._deps = deps
        self._asker = asker
        self._spec = spec

    async def judge(self, work: Work) -> NewJudgement:
        """Return what the model proposes, or why it did not."""
        seen = [*_spread(work.shown)]
        parts = await asyncio.to_thread(_parts, work, seen)
        proposals: list[Proposal] = []
        failure: str | None = None
        try:
            inference = await effects.infer(
                self._deps,
                ModelRole.JUDGE,
                [SystemMessage(_RULES), HumanMessage(content=parts)],
                asker=self._asker,
                tools=[_SCHEMA],
                tool_choice="judge",
            )
            proposals = _proposals(inference, work)
        except ModelUnavailableError as error:
            failure = error.message
        except ValidationError as error:
            failure = f"Its answer is none: {error.errors(include_url=False)[0]['msg']}"
        return NewJudgement(
            judge="model",
            model=self._spec,
            version=VERSION,
            proposals=proposals,
            looked_at=[each.sha256 for each in seen],
            failure=failure,
        )


def _spread(shown: Sequence[Shown]) -> Sequence[Shown]:
    """Return at most so many results as are shown, from all over the work.

    Where there are clips, the pictures that they were made from are not looked at beside them.
    """
    shown = [each for each in shown if each.is_moving] or shown
    if len(shown) <= MOST_PICTURES:
        return shown
    last = len(shown) - 1
    return [shown[round(place * last / (MOST_PICTURES - 1))] for place in range(MOST_PICTURES)]


def _parts(work: Work, seen: Sequence[Shown]) -> list[str | dict[Any, Any]]:
    facts = {
        "brief": list(work.brief),
        "plan": {
            "title": work.plan.checklist.title,
            "summary": work.plan.checklist.summary,
            "format": work.plan.checklist.format,
            "steps": [
                {
                    "key": item.item.key,
                    "title": item.item.title,
                    "kind": item.item.kind,
                    "done": item.count("done"),
                    "expected": item.item.expected_count,
                }
                for item in work.plan.items
            ],
        },
        "measured": [f"{each.severity}: {each.message}" for each in work.findings],
        "shown": [each.label for each in seen],
        "not_shown": [each.label for each in work.shown if each not in seen],
    }
    parts: list[str | dict[Any, Any]] = [
        {"type": "text", "text": json.dumps(facts, ensure_ascii=False)}
    ]
    for each in seen:
        parts.append({"type": "text", "text": f"{each.label}:"})
        if (picture := _picture(each)) is not None:
            url = f"data:image/jpeg;base64,{base64.b64encode(picture).decode()}"
            parts.append({"type": "image_url", "image_url": {"url": url}})
        else:
            parts.append({"type": "text", "text": "(it cannot be opened)"})
    return parts


def _picture(shown: Shown) -> bytes | None:
    """Return a result as a small picture."""
    try:
        image = _middle(shown.path) if shown.is_moving else Image.open(shown.path)
        small = image.convert("RGB")
    except (OSError, av.error.FFmpegError, IndexError, StopIteration):
        return None
    small.thumbnail((_SIDE, _SIDE))
    written = io.BytesIO()
    small.save(written, "JPEG", quality=_QUALITY)
    return written.getvalue()


def _middle(path: Path) -> Image.Image:
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        if container.duration:
            container.seek(container.duration // 2)
        frame: av.VideoFrame = next(container.decode(stream))
        return Image.fromarray(frame.to_ndarray(format="rgb24"))


def _proposals(inference: Inference, work: Work) -> list[Proposal]:
    """Return what was proposed of results that exist.

    Raises:
        ValidationError: the answer has another shape.
    """
    proposed = next((call.arguments for call in inference.calls if call.name == "judge"), None)
    answer = _Answer.model_validate(proposed or {})
    places: dict[str, tuple[str | None, int | None]] = {
        f"{item.item.key}.{slot.number}": (item.item.key, slot.number)
        for item in work.plan.items
        for slot in item.slots
    }
    places |= {item.item.key: (item.item.key, None) for item in work.plan.items}
    places[_WHOLE] = (None, None)
    return [
        Proposal(
            advice=each.advice,
            aspect=clean_text(each.aspect),
            reason=clean_text(each.reason),
            step=places[each.result][0],
            slot=places[each.result][1],
        )
        for each in answer.proposals
        if each.result in places
    ]
