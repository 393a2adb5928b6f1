"""How much time and memory each local operation may take, and what is said when that is too little.

The limits are the kernel's (`guard`): they hold for the generator and, for each by itself, for the
FFmpeg that it runs. The time on the clock is the provider's own. They are several times what the
largest work that the tools take needs; `docs/operations.md` has them as a table.
"""

from dataclasses import dataclass

_MIB = 1 << 20
_GIB_IN_MIB = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Of one run: seconds on the clock and of the processor, memory and size of a file."""

    wall_s: float
    cpu_s: int
    memory_mib: int
    file_mib: int = 4096

    @property
    def memory_bytes(self) -> int:
        """The memory in bytes."""
        return self.memory_mib * _MIB

    @property
    def file_bytes(self) -> int:
        """The largest file in bytes."""
        return self.file_mib * _MIB


LIMITS: dict[str, Limits] = {
    "image": Limits(wall_s=600, cpu_s=400, memory_mib=6144),
    "clip": Limits(wall_s=900, cpu_s=1500, memory_mib=6144),
    "narration": Limits(wall_s=300, cpu_s=200, memory_mib=2048),
    "music": Limits(wall_s=600, cpu_s=400, memory_mib=4096),
    "captions": Limits(wall_s=120, cpu_s=60, memory_mib=1024),
    "render": Limits(wall_s=900, cpu_s=3000, memory_mib=6144),
    "model3d": Limits(wall_s=300, cpu_s=200, memory_mib=3072),
}


def too_long(operation: str, limits: Limits) -> str:
    """Say that the time on the clock was over."""
    return (
        f"The local generator for '{operation}' did not finish within the {limits.wall_s:g} "
        "seconds that it has here."
    )


def too_much_work(operation: str, cpu_s: float) -> str:
    """Say that the processor's time was used up."""
    return (
        f"The local generator for '{operation}' was stopped: it used up the {cpu_s:g} seconds of "
        "processor time that it has here."
    )


def too_large(operation: str, memory_bytes: int) -> str:
    """Say that more memory was needed than there may be."""
    return (
        f"The local generator for '{operation}' needs more memory than the {_size(memory_bytes)} "
        "that it has here."
    )


def _size(count: int) -> str:
    mib = count / _MIB
    return f"{mib / _GIB_IN_MIB:g} GiB" if mib >= _GIB_IN_MIB else f"{mib:g} MiB"
