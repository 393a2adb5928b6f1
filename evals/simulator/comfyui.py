"""A ComfyUI server: the classic routes and its websocket, and `/api/jobs` of the newest ones.

As the real one does, it works on one job at a time, forgets everything but its files when it is
restarted, and answers a workflow that it has run before with the old files' names. It makes one job
for one `prompt_id`; that a real one runs the same id twice is not repeated here, as the books have
one order for each job.
"""

import asyncio
import contextlib
import json
import uuid
from email import message_from_bytes
from email.message import Message
from itertools import accumulate
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from evals.simulator import comfyui_graphs as graphs
from evals.simulator.comfyui_graphs import RefusedGraphError
from evals.simulator.jobs import Job, Vendor, picture
from evals.simulator.switches import RETRY_AFTER_S, WITHOUT_A_JOB, Told
from evals.simulator.wire import Wires
from infra import clock

_TICK_S = 0.02
_TYPES = {"png": "image/png", "mp4": "video/mp4", "flac": "audio/x-flac"}
_INVALID_ID = graphs.refusal("invalid_prompt_id", "prompt_id must be a valid UUID")
_FAILED_CHECK = graphs.refusal(*graphs.FAILED_CHECK)
_REFUSALS: dict[Told, tuple[int, Any]] = {
    "refused_503": (503, {"detail": "restarting"}),
    "rejected": (400, _FAILED_CHECK),
    "unauthorized": (401, {"detail": "Unauthorized"}),
    "policy": (400, _FAILED_CHECK),
    "quota": (429, {"detail": "Queue is full"}),
    "rate_limited": (429, {"detail": "Queue is full"}),
}
_FAILED = frozenset({"failed", "failed_charged", "policy_after", "policy_billed"})


class ComfyDialect:
    """Speaks as a ComfyUI server does; `is_newest` adds `/api/jobs`."""

    def __init__(self, vendor: Vendor, wires: Wires, *, is_newest: bool = False) -> None:
        self.vendor = vendor
        self._wires = wires
        self._is_newest = is_newest
        self._uploaded: dict[str, bytes] = {}
        self._files: dict[tuple[str, str], tuple[Told, str, bytes]] = {}
        self._cache: dict[str, dict[str, Any]] = {}
        self._sockets: dict[str, WebSocket] = {}
        self._working = asyncio.Lock()

    @property
    def routes(self) -> list[BaseRoute]:
        """What it answers to."""
        classic: list[BaseRoute] = [
            Route("/prompt", self.submit, methods=["POST"]),
            Route("/queue", self.queue),
            Route("/queue", self.drop_pending, methods=["POST"]),
            Route("/interrupt", self.interrupt, methods=["POST"]),
            Route("/history/{job_id}", self.history),
            Route("/upload/image", self.upload, methods=["POST"]),
            Route("/object_info/{node_class}", self.object_info),
            Route("/view", self.view),
            WebSocketRoute("/ws", self.listen),
        ]
        newest = [
            Route("/api/jobs/{job_id}", self.job),
            Route("/api/jobs/{job_id}/cancel", self.cancel, methods=["POST"]),
        ]
        return [*classic, *(newest if self._is_newest else [])]

    # ------------------------------------------------------------ submitting

    async def submit(self, request: Request) -> Response:
        """Queue a workflow under the caller's id."""
        body = await request.json()
        told = await self.vendor.submission()
        if told == "lost_before":
            return await self._wires.drop(request)
        if told in WITHOUT_A_JOB:
            status, problem = _REFUSALS[told]
            headers = {"Retry-After": str(RETRY_AFTER_S)} if told == "rate_limited" else {}
            return JSONResponse(problem, status, headers)
        job_id = str(body.get("prompt_id") or uuid.uuid4())
        if self._is_newest and str(uuid.UUID(job_id)) != job_id:
            return JSONResponse(_INVALID_ID, 400)
        try:
            graphs.check(body["prompt"], self._uploaded)
        except RefusedGraphError as error:
            return JSONResponse(error.answer, 400)
        taken = JSONResponse({"prompt_id": job_id, "number": 0, "node_errors": {}})
        if job_id in self.vendor.jobs:
            return await self._wires.answer(request, told, taken)
        extra: dict[str, Any] = {"client_id": body.get("client_id")}
        extra |= body.get("extra_data") or {}
        await self.vendor.make(
            Job(
                job_id=job_id,
                attempt=uuid.UUID(job_id),
                model="comfyui",
                given=body["prompt"],
                told=told,
                micros=0,
                facts={"extra_data": extra, "nodes": graphs.in_order(body["prompt"])},
            )
        )
        return await self._wires.answer(request, told, taken)

    async def upload(self, request: Request) -> Response:
        """Take an input file; one of the same name is replaced only when that is asked for."""
        head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
        form: dict[str, Message] = {}
        for part in message_from_bytes(head + await request.body()).get_payload():
            assert isinstance(part, Message)  # noqa: S101 - a form has parts
            form[str(part.get_param("name", header="content-disposition"))] = part
        file = form.get("image")
        if file is None or not file.get_filename():
            return Response(status_code=400)
        folder = _text(form.get("subfolder"))
        path = "/".join(filter(None, (folder, str(file.get_filename()))))
        if _text(form.get("overwrite")) not in ("true", "1") and path in self._uploaded:
            path = f"{path} (1)"
        self._uploaded[path] = _bytes(file)
        name = path.removeprefix(f"{folder}/")
        return JSONResponse({"name": name, "subfolder": folder, "type": "input"})

    async def object_info(self, request: Request) -> Response:
        """Describe a node, if there is such a one."""
        node_class = request.path_params["node_class"]
        return JSONResponse({node_class: {}} if graphs.is_known(node_class) else {})

    # ------------------------------------------------------------ telling

    async def queue(self, request: Request) -> Response:
        """List what runs and what waits."""
        del request
        await self._work()
        state: dict[str, list[Any]] = {"queue_running": [], "queue_pending": []}
        for job in self.vendor.jobs.values():
            if not job.is_over:
                name = "queue_running" if job.state == "running" else "queue_pending"
                state[name].append([0, job.job_id, job.given, job.facts["extra_data"], []])
        return JSONResponse(state)

    async def history(self, request: Request) -> Response:
        """Tell how a finished job went; nothing of any other."""
        job = await self._seen(request)
        if job is None or not job.is_over:
            return JSONResponse({})
        return JSONResponse({job.job_id: await self._finished(job)})

    async def view(self, request: Request) -> Response:
        """Give a file; files outlive the jobs that wrote them."""
        query = request.query_params
        found = self._files.get((query.get("subfolder", ""), query["filename"]))
        if found is None:
            return Response(status_code=404)
        told, ending, data = found
        answer = await self._wires.file(request, told, data)
        answer.headers["content-type"] = _TYPES[ending]
        return answer

    async def job(self, request: Request) -> Response:
        """Describe a job as the newest servers do."""
        job = await self._seen(request)
        if job is None:
            return JSONResponse({"error": "Job not found"}, 404)
        told: dict[str, Any] = {"id": job.job_id, "priority": 0, "outputs_count": 0}
        if not job.is_over:
            return JSONResponse(
                {**told, "status": "in_progress" if job.state == "running" else "pending"}
            )
        entry = await self._finished(job)
        status = "failed" if job.told in _FAILED else "completed"
        ended = {
            "status": "cancelled" if job.state == "cancelled" else status,
            "outputs": entry["outputs"],
            "execution_status": entry["status"],
        }
        return JSONResponse({**told, **ended})

    async def _seen(self, request: Request) -> Job | None:
        await self._work()
        return self.vendor.jobs.get(request.path_params["job_id"])

    # ------------------------------------------------------------ stopping

    async def drop_pending(self, request: Request) -> Response:
        """Take jobs out of the queue that wait in it, without a trace; answers with nothing."""
        for job_id in (await request.json()).get("delete", []):
            await self._drop(job_id)
        return Response()

    async def interrupt(self, request: Request) -> Response:
        """Stop the job that runs, if it is the named one."""
        await self._interrupt(str((await request.json()).get("prompt_id")))
        return Response()

    async def cancel(self, request: Request) -> Response:
        """Stop a job that has not ended; of any other, and of none, nothing is done."""
        job_id = request.path_params["job_id"]
        is_stopped = await self._drop(job_id) or await self._interrupt(job_id)
        return JSONResponse({"cancelled": is_stopped})

    async def _drop(self, job_id: str) -> bool:
        await self._work()
        job = self.vendor.jobs.get(job_id)
        if job is None or job.state != "queued":
            return False
        del self.vendor.jobs[job_id]
        return True

    async def _interrupt(self, job_id: str) -> bool:
        await self._work()
        job = self.vendor.jobs.get(job_id)
        if job is None or job.state != "running":
            return False
        job.facts["steps"] = self._steps(job)
        await self.vendor.cancel(job)
        return True

    def restart(self) -> None:
        """Start anew: everything is forgotten but the files."""
        self.vendor.jobs.clear()
        self._cache.clear()

    # ------------------------------------------------------------ working

    async def _work(self) -> None:
        """Let the jobs go on, one after the other, as far as they have come by now."""
        async with self._working:
            for job in list(self.vendor.jobs.values()):
                if job.is_over:
                    continue
                job.facts.setdefault("started_at", clock.monotonic())
                takes = graphs.seconds(job.given)
                if clock.monotonic() - job.facts["started_at"] < sum(takes.values()):
                    job.state = "running"
                    return
                await self.vendor.look(job)
                if not job.is_over:
                    return

    def _steps(self, job: Job) -> int:
        """Return how many of a job's nodes are done."""
        nodes = job.facts["nodes"]
        if "steps" in job.facts:
            return job.facts["steps"]
        if job.state == "done":
            return len(nodes)
        spent = clock.monotonic() - job.facts["started_at"]
        ends = list(accumulate(graphs.seconds(job.given).values()))
        return min(sum(end <= spent for end in ends), len(nodes) - 1)

    async def _finished(self, job: Job) -> dict[str, Any]:
        prompt_id = {"prompt_id": job.job_id}
        ending = _ending(job)
        said = {"node_type": "KSampler", "exception_message": "out of memory"}
        facts = {**prompt_id, **(said if ending == "execution_error" else {})}
        went_well = ending == "execution_success"
        return {
            "prompt": [0, job.job_id, job.given, job.facts["extra_data"], []],
            "outputs": await self._outputs(job) if went_well else {},
            "status": {
                "status_str": "success" if went_well else "error",
                "completed": went_well,
                "messages": [["execution_start", prompt_id], [ending, facts]],
            },
            "meta": {},
        }

    async def _outputs(self, job: Job) -> dict[str, Any]:
        """Write a job's files, unless the very workflow was run before: then name the old ones."""
        key = json.dumps(job.given, sort_keys=True)
        if key not in self._cache:
            noise = await picture(job.job_id)
            listed: dict[str, Any] = {}
            for each in graphs.outputs(job.given):
                data = await asyncio.to_thread(
                    graphs.rendered, job.given, each, noise, self._uploaded
                )
                name = self._name(each)
                self._files[each.folder, name] = (job.told, each.ending, data)
                file = {"filename": name, "subfolder": each.folder, "type": each.kind}
                listed[each.node] = {each.listed_as: [file]}
            self._cache[key] = listed
        return self._cache[key]

    def _name(self, output: graphs.Output) -> str:
        number = 1
        while (output.folder, f"{output.stem}_{number:05}_.{output.ending}") in self._files:
            number += 1
        return f"{output.stem}_{number:05}_.{output.ending}"

    # ------------------------------------------------------------ the websocket

    async def listen(self, socket: WebSocket) -> None:
        """Tell a client what becomes of its jobs from now on."""
        client_id = socket.query_params.get("clientId") or uuid.uuid4().hex
        await socket.accept()
        self._sockets[client_id] = socket
        told = {job_id: len(self._events(job)) for job_id, job in self.vendor.jobs.items()}
        status: Any = {"status": {"exec_info": {"queue_remaining": 0}}, "sid": client_id}
        with contextlib.suppress(WebSocketDisconnect):
            await socket.send_json({"type": "status", "data": status})
            while self._sockets.get(client_id) is socket:
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_TICK_S):
                        await socket.receive_text()
                await self._work()
                for job_id, job in list(self.vendor.jobs.items()):
                    if job.facts["extra_data"]["client_id"] in (client_id, None):
                        events = self._events(job)
                        for event in events[told.get(job_id, 0) :]:
                            await socket.send_json(event)
                        told[job_id] = len(events)

    def _events(self, job: Job) -> list[dict[str, Any]]:
        """Return everything that was ever to be told of a job; it only grows."""
        if job.state == "queued":
            return []
        nodes: list[str] = job.facts["nodes"]
        told: list[tuple[str, dict[str, Any]]] = [
            ("execution_start", {}),
            ("execution_cached", {"nodes": []}),
        ]
        done = self._steps(job)
        for step in range(done + (job.state == "running")):
            told.append(("progress_state", {"nodes": _states(nodes, step, is_running=True)}))
            told.append(("executing", {"node": nodes[step], "display_node": nodes[step]}))
            if step < done:
                told.append(("progress_state", {"nodes": _states(nodes, step, is_running=False)}))
        if job.is_over:
            told.append((_ending(job), {}))
            told.append(("executing", {"node": None}))
        return [{"type": kind, "data": {**facts, "prompt_id": job.job_id}} for kind, facts in told]


def _ending(job: Job) -> str:
    """Return the name of the last thing that happened to a job."""
    if job.state == "cancelled":
        return "execution_interrupted"
    return "execution_error" if job.told in _FAILED else "execution_success"


def _states(nodes: list[str], step: int, *, is_running: bool) -> dict[str, Any]:
    """Return how the nodes up to this one are."""
    states = {name: {"value": 1.0, "max": 1.0, "state": "finished"} for name in nodes[: step + 1]}
    if is_running:
        states[nodes[step]] = {"value": 0.0, "max": 1.0, "state": "running"}
    return states


def _bytes(part: Message | None) -> bytes:
    data = part.get_payload(decode=True) if part is not None else b""
    return data if isinstance(data, bytes) else b""


def _text(part: Message | None) -> str:
    return _bytes(part).decode()
