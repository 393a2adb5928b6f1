"""Run a generator in this process and read what it made."""

import json
import wave
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infra.providers.local import captions, music, narration
from infra.providers.local.request import LocalRequest, LocalResult

GENERATORS = {
    "captions": captions.generate,
    "music": music.generate,
    "narration": narration.generate,
}


def run(operation: str, out: Path, seed: int = 1, **inputs: Any) -> LocalResult:
    out.mkdir(parents=True, exist_ok=True)
    request = LocalRequest(operation=operation, seed=seed, inputs=inputs)
    return GENERATORS[operation](request, out, lambda _: None)


def samples(path: Path) -> NDArray[np.float64]:
    with wave.open(str(path), "rb") as file:
        assert file.getframerate() == 48_000
        assert file.getsampwidth() == 2
        data = np.frombuffer(file.readframes(file.getnframes()), "<i2") / 32768
        return data.reshape(-1, file.getnchannels())


def timings(out: Path) -> dict[str, Any]:
    return json.loads((out / "timings.json").read_text(encoding="utf-8"))


def decibels(wave_: NDArray[np.float64]) -> float:
    return 20 * float(np.log10(np.sqrt(np.mean(np.square(wave_))) + 1e-9))
