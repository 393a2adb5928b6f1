"""What rests on what, and which results may no longer fit: pure functions over what was recorded.

A result in use is what fills a slot of an approved plan. What it rests on was recorded when it was
ordered: object versions, and of each the part that was used, with a print of that part. A result is
stale when such a part is not what it was, or when something that it rests on is stale, until
somebody has decided that it is kept.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID

WHOLE = ""
"""The part of who used all of it."""
LENGTH = "duration_s"
"""The part of who used nothing but how long it is."""
SCENE = "scene "
"""What the part of one scene begins with; its number follows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dependency:
    """An object version that went into a result, and the part of it that was used."""

    object_id: UUID
    version: int
    part: str
    print: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What fills a slot; `object_id` is the first of its objects, which stands for all of them."""

    task_id: UUID
    step_key: str
    slot: int
    object_id: UUID
    version: int
    objects: frozenset[UUID]
    rests_on: tuple[Dependency, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Newest:
    """What stands now where an object was: its newest version, or what took its slot."""

    object_id: UUID
    version: int
    name: str
    sha256: str
    meta: Mapping[str, Any] = field(default_factory=dict[str, Any])

    def print_of(self, part: str) -> str:
        """Return the print of a part as it is now; empty where there is no such part any more."""
        return print_of(part, self.sha256, self.meta)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """A change that a result rests on, and the results in between."""

    object_id: UUID
    from_version: int
    to_object_id: UUID
    to_version: int
    part: str
    print: str
    via: frozenset[UUID] = frozenset()


def print_of(part: str, sha256: str, meta: Mapping[str, Any]) -> str:
    """Return a print of a part of an object version; equal prints mean an equal part."""
    if part == WHOLE:
        return sha256
    if part == LENGTH:
        return str(meta.get("duration_s", ""))
    scenes: Mapping[str, str] = meta.get("scenes", {})
    return str(scenes.get(part.removeprefix(SCENE), ""))


def read_dependencies(inputs: Iterable[Mapping[str, Any]]) -> tuple[Dependency, ...]:
    """Return what was recorded as a version's inputs."""
    return tuple(
        Dependency(
            object_id=UUID(str(given["object_id"])),
            version=int(given["version"]),
            part=str(given.get("part", WHOLE)),
            print=str(given.get("print") or given.get("sha256", "")),
        )
        for given in inputs
    )


def upstream(results: Sequence[Result], of: Result) -> list[Result]:
    """Return the results that this one directly rests on."""
    needed = {each.object_id for each in of.rests_on}
    return [each for each in results if each.objects & needed]


def downstream(results: Sequence[Result], objects: Collection[UUID]) -> list[Result]:
    """Return the results that rest on these objects, directly or through others.

    Who used only how long something is does not count: it may be as long when it is made again.
    """
    reached, found = set(objects), list[Result]()
    rest = list(results)
    while users := [each for each in rest if _rests_on(each, reached)]:
        found += users
        reached |= {object_id for each in users for object_id in each.objects}
        rest = [each for each in rest if each not in users]
    return found


def _rests_on(result: Result, objects: Collection[UUID]) -> bool:
    """Tell whether a result used more of one of these than how long it is."""
    return any(each.object_id in objects and each.part != LENGTH for each in result.rests_on)


def changed(result: Result, newest: Mapping[UUID, Newest]) -> list[Cause]:
    """Return the changes of what a result directly rests on, whether it used what changed or not.

    Those whose print is the one that went in changed nothing that it used.
    """
    found: list[Cause] = []
    for used in result.rests_on:
        now = newest.get(used.object_id)
        if now is None or (now.object_id == used.object_id and now.version <= used.version):
            continue
        found.append(
            Cause(
                object_id=used.object_id,
                from_version=used.version,
                to_object_id=now.object_id,
                to_version=now.version,
                part=used.part,
                print=now.print_of(used.part),
            )
        )
    return found


def is_unused(result: Result, cause: Cause) -> bool:
    """Tell whether a direct change left the part as it was that a result has used."""
    return any(
        (used.object_id, used.part) == (cause.object_id, cause.part)
        and bool(cause.print)
        and used.print == cause.print
        for used in result.rests_on
    )


def stale(
    results: Sequence[Result],
    newest: Mapping[UUID, Newest],
    kept: Collection[tuple[UUID, UUID, str]] = (),
) -> dict[UUID, tuple[Cause, ...]]:
    """Return the changes that each result rests on and that nobody has said it may be kept with.

    Args:
        results: those in use; keys of the answer are their `object_id`.
        newest: what stands now where an object was.
        kept: decisions: which result, with which change, by the print that it came to.
    """
    makers = {object_id: each for each in results for object_id in each.objects}
    known: dict[UUID, tuple[Cause, ...]] = {}

    def causes(result: Result) -> tuple[Cause, ...]:
        if result.object_id in known:
            return known[result.object_id]
        known[result.object_id] = ()  # whatever rests on itself adds nothing to itself
        found: dict[tuple[UUID, UUID, int], Cause] = {}
        for cause in changed(result, newest):
            if not is_unused(result, cause):
                _put(found, cause)
        for used in result.rests_on:
            maker = makers.get(used.object_id)
            if maker is None or used.part == LENGTH or maker.object_id == result.object_id:
                continue
            for cause in causes(maker):
                _put(found, _through(cause, maker, newest[cause.object_id]))
        decided = tuple(
            each
            for each in found.values()
            if (result.object_id, each.object_id, each.print) not in kept
        )
        known[result.object_id] = decided
        return decided

    return {each.object_id: decided for each in results if (decided := causes(each))}


def _through(cause: Cause, maker: Result, now: Newest) -> Cause:
    """Return a change as it reaches what rests on the maker: in whole, as nobody knows of what."""
    return replace(cause, part=WHOLE, print=now.sha256, via=frozenset({maker.object_id}))


def _put(found: dict[tuple[UUID, UUID, int], Cause], cause: Cause) -> None:
    """Add a change; where it reaches a result by several ways, all of them count."""
    key = (cause.object_id, cause.to_object_id, cause.to_version)
    before = found.get(key)
    if before is None:
        found[key] = cause
    elif before.via and cause.via:
        found[key] = replace(
            before,
            from_version=min(before.from_version, cause.from_version),
            via=before.via | cause.via,
        )
    elif before.via:
        found[key] = cause  # a way of its own is not undone by keeping what lies between
