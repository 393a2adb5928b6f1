"""The local provider: real files made on this machine, one subprocess per job, no key needed.

Synchronous to its caller: `submit` runs the generator to its end and answers with a terminal
snapshot. The output folder is named by the attempt, a file lock in it is held by the generator for
as long as it lives, and its result appears by one rename; so `find` can always tell finished, still
running and provably absent apart, also after a kill or a freeze. Prices are this installation's own
accounting of compute (`prices.py`), not a vendor's.
"""

import asyncio
import fcntl
import json
import os
import re
import shutil
import signal
import sys
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any, cast
from uuid import UUID

from infra.providers.local import prices
from infra.providers.local.limits import LIMITS, Limits, too_long, too_much_work
from infra.providers.local.speech.voices import spoken_languages
from infra.providers.ports import (
    Artifact,
    Attempt,
    CancelResult,
    Capabilities,
    Charge,
    Correlation,
    Found,
    JobFailedError,
    JobRef,
    Lane,
    Lookup,
    OperationLimits,
    OutcomeUnknownError,
    RejectedError,
    ReportProgress,
    Snapshot,
)

NAME = "local"
OPERATIONS = frozenset({"image", "clip", "narration", "music", "captions", "render", "model3d"})
NARRATION_LANGUAGES = frozenset(
    {"de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "zh"}
)
"""Those in which words and their times are checked against each other."""
OPERATION_LIMITS: Mapping[str, OperationLimits] = {
    "image": OperationLimits(sides=(256, 4096), typical_s=5),
    "clip": OperationLimits(
        seconds=(0.1, 120), sides=(256, 4096), typical_s=4, typical_per_second=3
    ),
    "narration": OperationLimits(characters=20_000, typical_s=3),
    "music": OperationLimits(seconds=(0.5, 900), typical_s=3, typical_per_second=0.2),
    "captions": OperationLimits(typical_s=2),
    "render": OperationLimits(typical_s=4, typical_per_second=0.6),
    "model3d": OperationLimits(typical_s=6),
}
"""What the generators refuse beyond, and about how long they take on two processors."""
_CHUNK = 1 << 20
_PIECE = 1 << 16
_KEPT = 4000
_LONGEST_LINE = 200
_PROGRESS = re.compile(rb"progress (\d\.\d+)")
_REFUSALS = frozenset({"invalid_input", "unsupported_language", "text_too_long", "missing_glyphs"})

_ORDERED = {
    "busy": "This attempt is already running.",
    "made": "This attempt was made before, and its files are gone.",
}


class LocalProvider:
    """Runs the generators of this package in subprocesses below `work_dir`."""

    def __init__(self, work_dir: Path, *, limits: Mapping[str, Limits] = LIMITS) -> None:
        self._root = work_dir.absolute()
        self._limits = limits

    @property
    def name(self) -> str:
        """The provider's name in jobs and prices."""
        return NAME

    @property
    def capabilities(self) -> Capabilities:
        """What it can do: everything synchronous, every attempt found again by its id."""
        return Capabilities(
            operations=OPERATIONS,
            shape="sync",
            correlation=frozenset({Correlation.CLIENT_ID}),
            webhook="none",
            cancel="none",
            policy_block_billed="no",
            quote="exact",
            charge="derived",
            min_poll_s=1.0,
            max_poll_s=5.0,
            result_ttl_s=None,
            languages=frozenset(spoken_languages()),
            lane=Lane.HERE,
            limits=OPERATION_LIMITS,
        )

    def quote_micros(self, operation: str, payload: dict[str, Any]) -> int:
        """Return the price of an operation, in micro-units."""
        return prices.price_micros(operation, payload)

    def unit(self, operation: str) -> str:
        """Return what the operation's price is for."""
        return prices.RATES[operation].unit

    async def submit(self, attempt: Attempt, report: ReportProgress) -> JobRef | Snapshot:
        """Run the generator once, to its end.

        Raises:
            RejectedError: it refused the request.
            JobFailedError: it ran and failed.
            OutcomeUnknownError: the same attempt is running already, or was made and discarded.
        """
        out = self._folder(attempt)
        limits = self._limits[attempt.operation]
        await asyncio.to_thread(_prepare, out, attempt)
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "infra.providers.local.guard",
            str(out),
            *map(str, (os.getpid(), limits.cpu_s, limits.memory_bytes, limits.file_bytes)),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
        )
        try:
            async with asyncio.timeout(limits.wall_s):
                stderr = await _follow(process, report)
                await process.wait()
        except (TimeoutError, asyncio.CancelledError) as interruption:
            _kill(process)
            await process.wait()
            if isinstance(interruption, TimeoutError):
                raise JobFailedError(too_long(attempt.operation, limits)) from None
            raise
        return self._answer(out, attempt, stderr, process.returncode)

    def _answer(self, out: Path, attempt: Attempt, stderr: str, exit_code: int | None) -> Snapshot:
        result = out / "files" / "result.json"
        if result.exists():
            return _snapshot(out, attempt, self.quote_micros(attempt.operation, attempt.payload))
        error = out / "files" / "error.json"
        if error.exists():
            problem = json.loads(error.read_text())
            if problem["code"] in _REFUSALS:
                raise RejectedError(problem["message"])
            raise JobFailedError(problem["message"])
        if (said := stderr.strip()) in _ORDERED:
            raise OutcomeUnknownError(_ORDERED[said])
        raise JobFailedError(self._why_ended(attempt.operation, stderr, exit_code))

    def _why_ended(self, operation: str, stderr: str, exit_code: int | None) -> str:
        """Say why there is neither a result nor a reason: a limit, a signal or a fault of ours."""
        if exit_code == -signal.SIGXCPU:
            return too_much_work(operation, self._limits[operation].cpu_s)
        if exit_code == -signal.SIGKILL:
            return (
                f"The generator for '{operation}' was killed by the system, as happens when the "
                "whole machine has no memory left."
            )
        last = stderr.strip().splitlines()[-1:] or [f"exit code {exit_code}"]
        return f"The generator for '{operation}' ended without a result: {last[0]}"

    async def find(self, attempt: Attempt) -> Found | Lookup:
        """Look at the attempt's folder: finished, still running, or provably absent."""
        out = self._folder(attempt)
        if (out / "files" / "result.json").exists():
            return Found(ref=self.ref_of(attempt, str(attempt.attempt_id)))
        if await asyncio.to_thread(_is_locked, out / "lock"):
            return Lookup.NOT_FOUND_YET
        return Lookup.PROVABLY_ABSENT

    def ref_of(self, attempt: Attempt, provider_job_id: str) -> JobRef:
        """Return an attempt's job, whose name is the attempt's id."""
        raw = {"operation": attempt.operation, "payload": attempt.payload}
        return JobRef(provider=NAME, provider_job_id=provider_job_id, raw=raw)

    async def read(self, ref: JobRef) -> Snapshot:
        """Read a finished attempt from its folder."""
        out = self._root / ref.provider_job_id
        raw = ref.raw
        return _snapshot(
            out,
            None,
            self.quote_micros(str(raw["operation"]), cast("dict[str, Any]", raw["payload"])),
        )

    async def cancel(self, ref: JobRef) -> CancelResult:
        """Say that a finished attempt cannot be cancelled; a running one ends with its executor."""
        del ref
        return CancelResult.UNSUPPORTED

    async def fetch(self, artifact: Artifact) -> AsyncIterator[bytes]:
        """Stream a produced file."""
        path = Path(artifact.location)
        with path.open("rb") as file:  # noqa: ASYNC230 - read in threads below
            while chunk := await asyncio.to_thread(file.read, _CHUNK):
                yield chunk

    async def discard(self, attempt_id: UUID) -> None:
        """Remove an attempt's folder once its results are stored elsewhere."""
        await asyncio.to_thread(shutil.rmtree, self._root / str(attempt_id), ignore_errors=True)

    def _folder(self, attempt: Attempt) -> Path:
        return self._root / str(attempt.attempt_id)


def _prepare(out: Path, attempt: Attempt) -> None:
    out.mkdir(parents=True, exist_ok=True)
    request = {
        "operation": attempt.operation,
        "seed": attempt.seed,
        "inputs": attempt.payload,
        "files": {name: str(path.absolute()) for name, path in attempt.files.items()},
    }
    (out / "request.json").write_text(json.dumps(request, ensure_ascii=False))


async def _follow(process: asyncio.subprocess.Process, report: ReportProgress) -> str:
    assert process.stdout is not None  # noqa: S101 - opened with a pipe
    assert process.stderr is not None  # noqa: S101 - opened with a pipe
    errors = asyncio.ensure_future(_tail(process.stderr))
    try:
        rest = b""
        while chunk := await process.stdout.read(_PIECE):
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                if (found := _PROGRESS.fullmatch(line)) is not None:
                    report(min(float(found[1]), 1.0))
            rest = rest[-_LONGEST_LINE:]
        return (await errors).decode(errors="replace")
    finally:
        errors.cancel()


async def _tail(stream: asyncio.StreamReader) -> bytes:
    """Return the end of what is written, however much that is."""
    kept = b""
    while chunk := await stream.read(_PIECE):
        kept = (kept + chunk)[-_KEPT:]
    return kept


def _kill(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        os.killpg(process.pid, signal.SIGKILL)


def _is_locked(path: Path) -> bool:
    if not path.exists():
        return False
    with path.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _snapshot(out: Path, attempt: Attempt | None, amount_micros: int) -> Snapshot:
    del attempt
    files = out / "files"
    result = json.loads((files / "result.json").read_text())
    return Snapshot(
        phase="terminal",
        outcome="succeeded",
        progress=1.0,
        artifacts=tuple(
            Artifact(
                role=item["role"],
                location=str(files / item["path"]),
                media_type=item["media_type"],
                name_suffix=item.get("name_suffix", ""),
            )
            for item in result["artifacts"]
        ),
        measured=result.get("measured", {}),
        charge=Charge(amount_micros=amount_micros, basis="derived"),
    )
