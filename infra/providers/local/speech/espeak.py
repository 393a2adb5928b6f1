"""The binding to espeak-ng: one call that turns text into samples and events.

Owns the C interface. Promises exact sample positions for the start of every word and the end of
every clause. The library is a single global machine with a memory: what it said before changes the
sound of the next text by a few milliseconds. So the same calls give the same samples in a fresh
process, which is what every generator run is.
"""

import ctypes
import tempfile
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import espeakng_loader
import numpy as np
from numpy.typing import NDArray

from infra.providers.local.request import ToolFailedError

_SYNCHRONOUS = 2
_UTF8 = 1
_POSITION_CHARACTER = 1
_RATE, _VOLUME, _PITCH, _RANGE, _WORD_GAP = 1, 2, 3, 4, 7
_EVENT_END_OF_LIST, _EVENT_WORD, _EVENT_CLAUSE_END = 0, 1, 5
_LONGEST_PATH = 140
"""espeak-ng keeps its data path in a buffer of 160 bytes, the names of its files included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Manner:
    """How to speak; `pitch` and `pitch_range` are espeak's 0 to 99, the gap is in 10 ms."""

    rate_wpm: int = 150
    pitch: int = 35
    pitch_range: int = 50
    word_gap: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """A word starts, or a clause ends, at a sample; `position` is the character, from 0."""

    is_word: bool
    position: int
    sample: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """Raw speech: float samples between -1 and 1 and the marks in them, in order of time."""

    rate: int
    samples: NDArray[np.float64]
    marks: tuple[Mark, ...]


class _Id(ctypes.Union):
    _fields_ = (
        ("number", ctypes.c_int),
        ("name", ctypes.c_char_p),
        ("string", ctypes.c_char * 8),
    )


class _Event(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_int),
        ("unique_identifier", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("id", _Id),
    )


_Callback = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event)
)


def speak(text: str, voice: str, manner: Manner) -> Utterance:
    """Say a text with one of espeak-ng's voices.

    Raises:
        ToolFailedError: espeak-ng could not be loaded, has no such voice, or made no sound.
    """
    library, rate = _library()
    if library.espeak_SetVoiceByName(voice.encode()) != 0:
        msg = f"espeak-ng has no voice named '{voice}'."
        raise ToolFailedError(msg)
    for parameter, value in (
        (_RATE, manner.rate_wpm),
        (_VOLUME, 80),
        (_PITCH, manner.pitch),
        (_RANGE, manner.pitch_range),
        (_WORD_GAP, manner.word_gap),
    ):
        library.espeak_SetParameter(parameter, value, 0)
    chunks: list[bytes] = []
    marks: list[Mark] = []

    @_Callback
    def take(samples: Any, count: int, events: Any) -> int:
        if samples and count > 0:
            chunks.append(ctypes.string_at(samples, count * 2))
        index = 0
        while events[index].type != _EVENT_END_OF_LIST:
            if (mark := _mark(events[index])) is not None:
                marks.append(mark)
            index += 1
        return 0

    library.espeak_SetSynthCallback(take)
    data = text.encode()
    failed = library.espeak_Synth(data, len(data) + 1, 0, _POSITION_CHARACTER, 0, _UTF8, None, None)
    library.espeak_Synchronize()
    samples = np.frombuffer(b"".join(chunks), dtype="<i2").astype(np.float64) / 32768
    if failed != 0 or not samples.any():
        msg = "espeak-ng made no sound of the text."
        raise ToolFailedError(msg)
    return Utterance(rate=rate, samples=samples, marks=tuple(marks))


def _mark(event: Any) -> Mark | None:
    if event.type not in {_EVENT_WORD, _EVENT_CLAUSE_END}:
        return None
    return Mark(
        is_word=event.type == _EVENT_WORD,
        position=max(int(event.text_position) - 1, 0),
        sample=int(event.sample),
    )


@cache
def _library() -> tuple[Any, int]:
    try:
        library = ctypes.CDLL(espeakng_loader.get_library_path())
    except OSError as error:
        msg = f"espeak-ng could not be loaded: {error}"
        raise ToolFailedError(msg) from error
    rate = library.espeak_Initialize(_SYNCHRONOUS, 0, str(_data_path()).encode(), 0)
    if rate <= 0:
        msg = "espeak-ng did not find its voice data."
        raise ToolFailedError(msg)
    return library, rate


def _data_path() -> Path:
    path = Path(espeakng_loader.get_data_path())
    if len(str(path).encode()) <= _LONGEST_PATH:
        return path
    link = Path(tempfile.mkdtemp(prefix="espeak-")) / "espeak-ng-data"
    link.symlink_to(path, target_is_directory=True)
    return link
