"""What a brief says, and the script written from it: plain values between parser and writer."""

from dataclasses import dataclass
from typing import Literal

type ShotSize = Literal["wide", "medium", "close-up", "detail"]
type Camera = Literal[
    "push_in", "pull_out", "pan_left", "pan_right", "tilt_up", "tilt_down", "drift", "orbit"
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """A wish, parsed. `subject` is what the work is about, in the person's own words."""

    words: str
    """Everything the person said about this work, verbatim, newest last."""
    subject: str
    subject_language: str
    """Language of the subject's words (BCP 47 primary tag)."""
    work_language: str
    """Language of narration, captions and titles."""
    moods: tuple[str, ...]
    """English mood words: calm, warm, dramatic, playful, melancholic, energetic, mysterious …"""
    style: str
    """English style words for pictures, may be empty."""
    palette: tuple[str, ...]
    """Hex colours the person asked for, may be empty."""
    duration_s: float
    fps: int
    width: int
    height: int
    shot_count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ShotScript:
    """One shot: exactly `frames` long, with the words spoken over it."""

    number: int
    frames: int
    size: ShotSize
    camera: Camera
    picture: str
    """What is seen, in concrete English words, for the picture generator."""
    narration: str
    title: str
    """Words drawn into the picture; empty for most shots."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilmScript:
    """A film on paper; the shots' frames sum to the film's length exactly."""

    title: str
    logline: str
    music_mood: str
    shots: tuple[ShotScript, ...]
