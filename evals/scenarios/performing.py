"""Carries out what a person does, over the public interface, and keeps what came of it."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from PIL import Image

from evals.scenarios.client import Answer, Browser
from evals.scenarios.policies import Doing, answer_to
from evals.scenarios.schema import Act, Edit
from evals.scenarios.view import Json, View

_NOT_THERE = Answer(status=0, body={"detail": "there is nothing to do that to"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a person did, and what the service said to it; the labels are those of `act`."""

    at_s: float
    act: Act
    answer: Answer
    task_id: str | None = None
    message_id: str | None = None
    question: Json | None = None
    apart: bool = False
    shown: dict[str, Any] = field(default_factory=dict[str, Any])
    """What was to be seen at that moment, as far as a measure asks for it."""

    @property
    def told(self) -> str:
        """It in a line."""
        said = _sentence(self.act, self.question)
        return said if self.answer.is_success else f"{said} – refused: {self.answer.told}"


@dataclass
class Hands:
    """What the person does with their browser."""

    browser: Browser
    view: View
    open_tab: Callable[[], Awaitable[None]]
    reload: Callable[[], Awaitable[None]]
    done: list[Done] = field(default_factory=list[Done])

    async def perform(self, doing: Doing) -> Done:
        """Do it now."""
        act, view = doing.act, self.view
        key = act.to or act.stop or act.pause or act.resume or act.accept
        key = act.edit.work if act.edit else key
        task_id = view.task_of(key) if key else (doing.question or {}).get("task_id")
        shown = {
            "questions": len(view.pending),
            "jobs": view.open_jobs,
            "open_tasks": len(view.open_tasks),
            "needs_person": view.needs_person,
        }
        at_s = view.now_s
        answer = await self._do(doing, task_id)
        done = Done(
            at_s=at_s,
            act=act,
            answer=answer,
            task_id=task_id,
            message_id=answer.body.get("message_id") if act.say is not None else None,
            question=doing.question,
            apart=doing.apart,
            shown=shown,
        )
        if act.begins and done.message_id:
            view.begun_by[act.begins] = done.message_id
        self.done.append(done)
        return done

    async def _do(self, doing: Doing, task_id: str | None) -> Answer:
        act = doing.act
        match act.what:
            case "say" | "decide" as what:
                return await (self._say(doing, task_id) if what == "say" else self._decide(doing))
            case "accept":
                return await self._accept(task_id, act)
            case "stop" | "pause" | "resume":
                path = f"/v1/tasks/{task_id}/{act.what}"
                return await self.browser.post(path, times=act.times) if task_id else _NOT_THERE
            case "edit" | "upload":
                return await self._change(act, task_id)
            case "withdraw":
                return await self._withdraw()
            case "open_tab":
                await self.open_tab()
            case "reload":
                await self.reload()
            case _:
                pass
        return Answer(status=200, body={})

    async def _say(self, doing: Doing, task_id: str | None) -> Answer:
        act = doing.act
        about = doing.question if act.about_question else None
        return await self.browser.say(
            act.say or "",
            task_id=task_id if act.to else None,
            approval_id=about["id"] if about else None,
            times=act.times,
        )

    async def _decide(self, doing: Doing) -> Answer:
        """Answer a question as it is shown by now; `approve` takes what is offered where that fits.

        Another question may have taken its place meanwhile, or none: then the button is gone.
        """
        question = self.view.questions.get((doing.question or {}).get("id", ""))
        if question is None or question["status"] != "pending":
            return _NOT_THERE
        act = doing.act
        if act.decide == "approve" and "approve" not in question["actions"]:
            act = answer_to(question)
        body = {
            "decision": act.decide,
            "args_hash": question["args_hash"],
            "choice": _choice(act, question),
            "edited": act.edited,
            "note": act.note,
        }
        path = f"/v1/approvals/{question['id']}"
        if not doing.apart:
            return await self.browser.post(path, body, times=doing.act.times)
        presses = (self.browser.post(path, body) for _ in range(doing.act.times))
        answers = await asyncio.gather(*presses)
        return next((each for each in answers if each.is_success), answers[0])

    async def _accept(self, task_id: str | None, act: Act) -> Answer:
        card = (self.view.tasks.get(task_id or "") or {}).get("acceptance")
        if card is None:
            return _NOT_THERE
        body = {"decision": "accept", "revision": card["revision"], "args_hash": card["args_hash"]}
        return await self.browser.post(f"/v1/tasks/{task_id}/acceptance", body, times=act.times)

    async def _change(self, act: Act, task_id: str | None) -> Answer:
        """Change a text as it is shown, or bring a picture."""
        if act.edit is None:
            picture = await asyncio.to_thread(_picture)
            return await self.browser.upload(act.upload or "", picture, task_id=task_id)
        text = text_of(act.edit, self.view)
        if text is None:
            return _NOT_THERE
        lines = (await self.browser.text(text["url"])).splitlines()
        line = next((each for each in lines if act.edit.behind in each), None)
        if line is None:
            return _NOT_THERE
        kept = line.partition(act.edit.behind)[0] + act.edit.behind
        edits = [{"find": line, "replace": f"{kept} {act.edit.put}"}]
        path = f"/v1/objects/{text['id']}"
        return await self.browser.patch(path, {"edits": edits}, version=text["version"])

    async def _withdraw(self) -> Answer:
        said = [each.message_id for each in self.done if each.message_id]
        return await self.browser.delete(f"/v1/messages/{said[-1]}") if said else _NOT_THERE


def text_of(edit: Edit, view: View) -> Json | None:
    """Return the newest text of a work that is meant, as it is shown."""
    task_id = view.task_of(edit.work)
    shown = [each for each in view.objects.values() if each["task_id"] == task_id]
    texts = [each for each in shown if (each["kind"], each["role"]) == ("document", edit.role)]
    return texts[-1] if texts and task_id else None


def _picture() -> bytes:
    made = BytesIO()
    Image.linear_gradient("L").save(made, "PNG")
    return made.getvalue()


def _choice(act: Act, question: Json) -> str | None:
    """Return the option that is meant, by its id or by a part of its label; else the words."""
    if act.choice is None:
        return None
    for option in question["options"]:
        if act.choice == option["id"] or act.choice.lower() in str(option["label"]).lower():
            return str(option["id"])
    return act.choice


def _sentence(act: Act, question: Json | None) -> str:
    match act.what:
        case "say":
            return f"“{act.say}”" + (f" (×{act.times})" if act.times > 1 else "")
        case "decide":
            title = (question or {}).get("title", "a question")
            words = f" “{act.choice or act.note}”" if act.choice or act.note else ""
            times = f" (×{act.times})" if act.times > 1 else ""
            return f"{act.decide}: {title}{words}{times}"
        case "stop" | "pause" | "resume" | "accept" as what:
            return f"{what}: {act.stop or act.pause or act.resume or act.accept}"
        case "edit" if act.edit is not None:
            return f"edits the {act.edit.role}: {act.edit.behind} {act.edit.put}"
        case what:
            return what.replace("_", " ")
