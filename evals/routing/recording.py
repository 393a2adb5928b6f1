"""Keeps what the router was shown for each message, and judges it again without a database.

A recording is made once on the real tables: every message goes its way, and a stand-in for the
router writes down the prompt. With it are kept the tasks at work that a new one could repeat: which
of them are near depends on what a router proposes, so it is found out again, by the product's own
comparison. The rehearsal model is a pure function of what it is shown; code that comes after it
(what is put away is asked about first) is repeated here. Minutes instead of an hour, and nothing
but the rules can make a difference.
"""

import json
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from contextvars import ContextVar
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, override
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackManagerForLLMRun
from langchain_core.messages import AIMessageChunk, BaseMessage, HumanMessage, ToolCallChunk
from langchain_core.outputs import ChatGenerationChunk

from evals.routing.build import Built
from evals.routing.cases import Case, CasesError, Half, Situation
from evals.routing.metrics import Got, Judged
from infra.providers.models import REHEARSAL, ChatModels, ModelRole
from infra.providers.rehearsal.meaning import meaning_of
from infra.providers.rehearsal.model import RehearsalModel
from infra.providers.rehearsal.routing import route
from infra.providers.rehearsal.state import MainView, as_candidate, read_main, text_of
from memory import duplicates
from memory.candidates import nearest
from nodes.main.proposal import STARTS, Route, confirmed

_OFFERED = 4
_RESTING = "stopped"

type Router = Callable[[MainView], dict[str, Any]]
"""Proposes a route for what it is shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AtWork:
    """A task at work, with the text by which its meaning is compared."""

    task_id: UUID
    title: str
    goal: str
    status: str
    is_persistent: bool
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One message: what the router was shown, and what is needed to read its proposal."""

    case: str
    keys: dict[str, str]
    """The keys of the situation's tasks by their ids."""
    resting: list[str]
    """Tasks that are archived or stopped: asked about first."""
    prompt: str | None = None
    """What was shown; nothing if code alone had routed the message."""
    live: list[AtWork] = field(default_factory=list[AtWork])
    """The tasks at work that a new one could repeat, the newest first."""
    again: list[str] = field(default_factory=list[str])
    """Of all tasks at work those that the very same words had begun minutes before."""
    got: dict[str, Any] = field(default_factory=dict[str, Any])
    """Where it went; what counts where the router was not asked."""


_HEARD: ContextVar[list[str]] = ContextVar("heard")


class _Listener(RehearsalModel):
    """Writes down what a router is shown, and proposes an answer."""

    @override
    async def _astream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: AsyncCallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> AsyncIterator[ChatGenerationChunk]:
        if not any(tool["function"]["name"] == "route" for tool in kwargs.get("tools") or ()):
            async for chunk in super()._astream(messages, stop, run_manager, **kwargs):
                yield chunk
            return
        text = text_of(messages[-1])
        _HEARD.get().append(text)
        proposal = {"outcome": "answer", "reason": "listening"}
        call = ToolCallChunk(
            name="route",
            args=json.dumps(proposal, ensure_ascii=False),
            id="call_1",
            index=0,
            type="tool_call_chunk",
        )
        message = AIMessageChunk(content="", tool_call_chunks=[call], chunk_position="last")
        yield ChatGenerationChunk(message=message)


class ListeningModels(ChatModels):
    """The rehearsal model for everything but the router's part."""

    def __init__(self) -> None:
        super().__init__(REHEARSAL)
        self._listener = _Listener()

    @override
    def get(self, role: ModelRole) -> _Listener:
        """Return the model that listens."""
        del role
        return self._listener


def listen() -> list[str]:
    """Begin to write down what is heard from here on, in this coroutine and what it calls."""
    heard: list[str] = []
    _HEARD.set(heard)
    return heard


def recorded(
    situation: Situation,
    case: Case,
    built: Built,
    got: Got,
    *,
    heard: Sequence[str],
    live: list[AtWork],
    again: list[str],
) -> Recorded:
    """Return one message as it is kept."""
    return Recorded(
        case=f"{situation.id}.{case.id}",
        keys={str(task_id): key for key, task_id in built.tasks.items()},
        resting=[one.key for one in situation.tasks if one.archived or one.status == _RESTING],
        prompt=next(iter(heard), None),
        live=live,
        again=again,
        got=asdict(got),
    )


def path_of(folder: Path, half: Half) -> Path:
    """Return the file in which a half is kept."""
    return folder / f"{half}.json"


def write(path: Path, found: Iterable[Recorded]) -> None:
    """Keep these messages in a file, and nothing else."""
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = [asdict(one) for one in found]
    written = json.dumps(kept, ensure_ascii=False, indent=0, default=str)
    path.write_text(written + "\n", encoding="utf-8")


def read(path: Path) -> dict[str, Recorded]:
    """Return the messages of a file by their cases.

    Raises:
        CasesError: there is no such file, or it is none of these.
    """
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))
        return {one["case"]: _recorded(one) for one in listed}
    except (OSError, ValueError, TypeError, KeyError) as error:
        message = f"{path} is no recording: {error}. Make one with --record."
        raise CasesError(message) from error


def replay(
    known: dict[str, Recorded],
    situations: Sequence[Situation],
    *,
    is_wanted: Callable[[Situation, Case], bool] = lambda _, __: True,
    router: Router = route,
) -> list[Judged]:
    """Judge every wanted message by what the router was shown then.

    Raises:
        CasesError: a message is not in the recording, or was another one then.
    """
    judged: list[Judged] = []
    for situation in situations:
        for case in situation.cases:
            if not is_wanted(situation, case):
                continue
            one = known.get(f"{situation.id}.{case.id}")
            if one is None or not _is_same(one, case):
                message = f"{situation.id}.{case.id} is not in the recording. Record it anew."
                raise CasesError(message)
            got = went(one, router=router)
            language = situation.language_of(case)
            judged.append(Judged(situation=situation.id, case=case, language=language, got=got))
    return judged


def _recorded(kept: dict[str, Any]) -> Recorded:
    live = [AtWork(task_id=UUID(one.pop("task_id")), **one) for one in kept.pop("live")]
    return Recorded(**kept, live=live)


def view(one: Recorded) -> MainView | None:
    """Return what the router was shown, None if it was not asked."""
    return None if one.prompt is None else read_main([HumanMessage(one.prompt)])


def _is_same(one: Recorded, case: Case) -> bool:
    seen = view(one)
    return seen is None or seen.message == case.say.strip()


def went(one: Recorded, *, router: Router = route) -> Got:
    """Return where a message goes with the rules as they are now."""
    seen = view(one)
    if seen is None:
        return Got(**one.got)
    proposal = Route.model_validate(router(seen))
    near = _near(one, proposal) if proposal.outcome in STARTS else []
    beside = seen
    if near:
        beside = replace(seen, near=tuple(as_candidate(each) for each in near))
        proposal = confirmed(proposal, Route.model_validate(router(beside)), near)
    return _read(one, beside, proposal)


def _near(one: Recorded, proposal: Route) -> list[dict[str, Any]]:
    """Return the tasks at work that a proposal would repeat, by the product's own comparison."""
    again = [task for task in one.live if str(task.task_id) in one.again]
    if proposal.outcome == "lightweight":
        return duplicates.listed(again, [])
    live = [task for task in one.live if task.is_persistent]
    text = f"{proposal.title}\n{proposal.goal}"
    vector = meaning_of(text)
    alike = {task.task_id: float(meaning_of(task.text) @ vector) for task in live}
    return duplicates.listed(again, nearest(live, text, alike))


def _read(one: Recorded, seen: MainView, proposal: Route) -> Got:
    if proposal.outcome == "existing":
        key = one.keys.get(proposal.task_id or "", "?")
        if key not in one.resting:
            return Got(outcome="existing", task=key, reason=proposal.reason)
        others = [each for each in _latest(one, seen) if each != key]
        return Got(outcome="ask", options=[key, *others], brings_back=key, reason=proposal.reason)
    if proposal.outcome != "ask":
        return Got(outcome=proposal.outcome, reason=proposal.reason)
    shown = list(dict.fromkeys(task.task_id for task in (*seen.near, *seen.candidates)))
    asked = proposal.options or shown[:_OFFERED]
    keys = [one.keys.get(task_id, "?") for task_id in shown if task_id in asked]
    first = next(iter(keys), None)
    back = first if first in one.resting else None
    return Got(outcome="ask", options=keys, brings_back=back, reason=proposal.reason)


def _latest(one: Recorded, seen: MainView) -> list[str]:
    """Return the tasks that were active last, which are offered beside one that rests."""
    here = [task for task in seen.candidates if not task.archived]
    latest = sorted(here, key=lambda task: task.updated, reverse=True)[:_OFFERED]
    return [one.keys.get(task.task_id, "?") for task in latest]
