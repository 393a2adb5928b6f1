"""Finds, when something has changed, the results in use that may no longer fit, and says so.

Called in the transaction that changes something: a new version of an object, a result that fills a
slot, a plan that is decided. Each result found gets a row of `changes`, and each task concerned one
notice. The watchdog wakes those that wait (`wake_waiting`): the transaction of a change holds rows
of objects and may not want a thread's. What a result did not use of a change is kept by code.

Two that happen at once see each other: a new version holds its object's row, and a new result takes
the rows of all that it rests on before it looks whether these are still the newest.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from execution import changes, checklist, leases, steps, tasks
from execution.changes import CODE, Change, Found
from execution.progress import Plan, Slot, ranges
from execution.tasks import TaskStatus
from execution.tx import Tx
from infra.db.query import Conn
from infra.ids import TaskId, ThreadId, WorkspaceId
from workspace import uses
from workspace.dependencies import (
    LENGTH,
    SCENE,
    WHOLE,
    Cause,
    Newest,
    Result,
    changed,
    is_unused,
    read_dependencies,
    stale,
)
from workspace.uses import Head

_NAMED = 5


@dataclass(slots=True, kw_only=True)
class _Plans:
    """The plans of the tasks that are reached, each read once."""

    conn: Conn
    known: dict[UUID, Plan | None] = field(default_factory=dict[UUID, Plan | None])

    async def of(self, task_id: UUID) -> Plan | None:
        """Return a task's plan if it is approved."""
        if task_id not in self.known:
            plan = await checklist.load(self.conn, TaskId(task_id))
            self.known[task_id] = plan if plan is not None and plan.is_approved else None
        return self.known[task_id]

    async def slot_of(self, head: Head) -> Slot | None:
        """Return the slot that an object was made for, as it stands now, if it is filled."""
        if head.task_id is None or head.step_key is None or head.slot is None:
            return None
        return filled_slot(await self.of(head.task_id), head.step_key, head.slot)


def filled_slot(plan: Plan | None, step_key: str, number: int) -> Slot | None:
    """Return a slot of a plan if it holds a result."""
    item = plan.find(step_key) if plan is not None else None
    for slot in item.slots if item is not None else ():
        if slot.number == number and slot.state == "done":
            return slot
    return None


def outputs_of(slot: Slot) -> dict[UUID, str]:
    """Return the objects of a slot's result with their roles, in order."""
    return {UUID(each["object_id"]): each["role"] for each in slot.outputs}


async def object_changed(tx: Tx, object_id: UUID) -> None:
    """Follow a new version of an object, whose row this transaction has written.

    What was made from an object in whose slot this one stands now may no longer fit it either.
    """
    plans = _Plans(conn=tx.conn)
    head = (await uses.heads(tx.conn, tx.workspace_id, [object_id]))[object_id]
    slot = await plans.slot_of(head)
    before = set[UUID]()
    if slot is not None and object_id in outputs_of(slot) and head.task_id and head.step_key:
        stood = await uses.of_slot(tx.conn, TaskId(head.task_id), head.step_key, slot.number)
        before = set(stood) - set(outputs_of(slot))
    await _follow(tx, {object_id} | before, plans)


async def slot_filled(tx: Tx, task_id: TaskId, step_key: str, number: int) -> None:
    """Follow a result that fills a slot: what it was made from, and what stood there before."""
    plans = _Plans(conn=tx.conn)
    now = filled_slot(await plans.of(task_id), step_key, number)
    if now is None:
        return
    made = outputs_of(now)
    before = set(await uses.of_slot(tx.conn, task_id, step_key, number)) - set(made)
    above = await _above(tx.conn, tx.workspace_id, set(made))
    await uses.hold(tx.conn, before | above, alone=bool(before))
    heads = await uses.heads(tx.conn, tx.workspace_id, above | set(made))
    outdated = {
        used.object_id
        for head in heads.values()
        for used in read_dependencies(head.inputs)
        if (now_there := heads.get(used.object_id)) is not None
        and (now_there.version > used.version or await _is_replaced(plans, now_there))
    }
    await _follow(tx, before | outdated, plans)


async def plan_decided(tx: Tx, task_id: TaskId) -> None:
    """Close what is pending about results that the plan has no place for any more."""
    plans = _Plans(conn=tx.conn)
    await plans.of(task_id)
    await _close_gone(tx, await changes.pending(tx.conn, task_id), plans)


async def wake_waiting(conn: Conn) -> list[ThreadId]:
    """Wake the tasks under whose results something has changed, once for each change.

    Also those at work: their last look may have come too early to see it. What has ended is opened
    by a person's word only, and what is paused looks when it goes on.
    """
    woken: list[ThreadId] = []
    for each in await changes.due_for_a_wake(conn):
        thread_id = ThreadId(each.task_id)
        await leases.lock(conn, thread_id)
        task = await tasks.get(conn, WorkspaceId(each.workspace_id), TaskId(each.task_id))
        if task.status in (TaskStatus.ACTIVE, TaskStatus.WAITING):
            await leases.wake(conn, thread_id)
            woken.append(thread_id)
        await changes.woken_for(conn, each.change_ids)
    return woken


async def results_resting_on(
    conn: Conn, workspace_id: WorkspaceId, objects: Collection[UUID]
) -> list[Result]:
    """Return the results in use that rest on these objects, directly or through others."""
    return await _downstream(conn, workspace_id, objects, _Plans(conn=conn))


async def _above(conn: Conn, workspace_id: WorkspaceId, objects: Collection[UUID]) -> set[UUID]:
    """Return all objects that these rest on, directly or through others."""
    found, rest = set[UUID](), set(objects)
    while rest:
        heads = await uses.heads(conn, workspace_id, rest)
        used = {
            each.object_id for head in heads.values() for each in read_dependencies(head.inputs)
        }
        rest = used - found
        found |= used
    return found - set(objects)


async def _is_replaced(plans: _Plans, head: Head) -> bool:
    slot = await plans.slot_of(head)
    return slot is not None and head.object_id not in outputs_of(slot)


async def _downstream(
    conn: Conn, workspace_id: WorkspaceId, seeds: Collection[UUID], plans: _Plans
) -> list[Result]:
    found: dict[UUID, Result] = {}
    reached, rest = set(seeds), set(seeds)
    while rest:
        users = await uses.of(conn, workspace_id, rest)
        new = set[UUID]()
        for head in users:
            slot = await plans.slot_of(head)
            made = outputs_of(slot) if slot is not None else {}
            if head.object_id not in made or head.task_id is None:
                continue
            first = next(iter(made))
            if first == head.object_id:
                found[first] = _result(head, made)
            new |= set(made)
        rest = new - reached
        reached |= new
    return list(found.values())


def _result(head: Head, made: Mapping[UUID, str]) -> Result:
    assert head.task_id is not None  # noqa: S101 - it fills a slot
    assert head.step_key is not None  # noqa: S101
    assert head.slot is not None  # noqa: S101
    return Result(
        task_id=head.task_id,
        step_key=head.step_key,
        slot=head.slot,
        object_id=head.object_id,
        version=head.version,
        objects=frozenset(made),
        rests_on=read_dependencies(head.inputs),
    )


async def _newest(tx: Tx, objects: Collection[UUID], plans: _Plans) -> dict[UUID, Newest]:
    """Return what stands now for these objects: themselves, or what has taken their slot."""
    heads = await uses.heads(tx.conn, tx.workspace_id, objects)
    found: dict[UUID, Newest] = {}
    for object_id, head in heads.items():
        slot = await plans.slot_of(head)
        made = outputs_of(slot) if slot is not None else {object_id: head.role}
        there = object_id
        if object_id not in made:
            there = next((each for each, role in made.items() if role == head.role), object_id)
        now = (await uses.heads(tx.conn, tx.workspace_id, [there]))[there]
        found[object_id] = Newest(
            object_id=there,
            version=now.version,
            name=now.name,
            sha256=now.blob_sha256,
            meta=now.meta,
        )
    return found


async def _follow(tx: Tx, seeds: Collection[UUID], plans: _Plans) -> None:
    """Find the results that rest on what has changed, and close what that settles."""
    if not seeds:
        return
    results = await _downstream(tx.conn, tx.workspace_id, seeds, plans)
    newest = await _newest(tx, seeds, plans)
    known = await changes.about(tx.conn, tx.workspace_id, list(plans.known), list(seeds))
    kept = {
        (row.object_id, row.cause_object_id, row.print) for row in known if row.status == "kept"
    }
    kept |= await _keep_by_plan(tx, results, stale(results, newest, kept), plans)
    found = stale(results, newest, kept)
    pending = [row for row in known if row.status == "pending"]
    await _close_gone(tx, pending, plans)
    await _close_settled(tx, [row for row in pending if row.cause_object_id in seeds], found)
    told: dict[UUID, list[tuple[Result, Cause]]] = {}
    for result in results:
        await _keep_unused(tx, result, newest)
        for cause in found.get(result.object_id, ()):
            if await changes.record(tx, _row(result, cause)):
                told.setdefault(result.task_id, []).append((result, cause))
    for task_id, new in told.items():
        await _tell(tx, TaskId(task_id), new, newest)


async def _keep_unused(tx: Tx, result: Result, newest: Mapping[UUID, Newest]) -> None:
    for cause in changed(result, newest):
        if cause.part != WHOLE and is_unused(result, cause):
            because = f"It used {_in_words(cause.part)} only, and that is as it was."
            await changes.record(tx, _row(result, cause), kept_because=because)


async def _keep_by_plan(
    tx: Tx, results: Sequence[Result], found: Mapping[UUID, tuple[Cause, ...]], plans: _Plans
) -> set[tuple[UUID, UUID, str]]:
    """Keep what the plan that made something again has said to keep; return these decisions."""
    decided: set[tuple[UUID, UUID, str]] = set()
    for result in results:
        for cause in found.get(result.object_id, ()):
            if because := _kept_by_plan(plans.known.get(result.task_id), result, cause):
                await changes.record(tx, _row(result, cause), kept_because=because)
                decided.add((result.object_id, cause.object_id, cause.print))
    return decided


def _kept_by_plan(plan: Plan | None, result: Result, cause: Cause) -> str:
    """Return the reason with which the plan that made something again keeps this result of it.

    It was given for what that plan makes: not for what becomes of that later, nor for what another
    task makes.
    """
    if plan is None or cause.object_id == cause.to_object_id or not _has_made(plan, cause):
        return ""
    for kept in plan.checklist.revision.get("kept", []):
        if kept["step"] == result.step_key and result.slot in kept["slots"]:
            return str(kept["reason"])
    return ""


def _has_made(plan: Plan, cause: Cause) -> bool:
    """Tell whether what has come in the place of something is as this version of a plan made it."""
    return any(
        (UUID(made["object_id"]), made["version"]) == (cause.to_object_id, cause.to_version)
        for item in plan.items
        for slot in item.slots
        if slot.entry is not None and slot.entry.plan_version == plan.checklist.version
        for made in slot.made
    )


async def _close_gone(tx: Tx, pending: Iterable[Change], plans: _Plans) -> None:
    gone: list[Change] = []
    for row in pending:
        slot = filled_slot(await plans.of(row.task_id), row.step_key, row.slot)
        if slot is None or row.object_id not in outputs_of(slot):
            gone.append(row)
    why = "It fills no place of the plan any more."
    await changes.decide(tx, gone, status="obsolete", reason=why, decided_by=CODE)


async def _close_settled(
    tx: Tx, pending: Iterable[Change], found: Mapping[UUID, tuple[Cause, ...]]
) -> None:
    """Close what is about a change that another one has followed."""
    again: list[Change] = []
    back: list[Change] = []
    for row in pending:
        causes = [
            each for each in found.get(row.object_id, ()) if each.object_id == row.cause_object_id
        ]
        to = (row.cause_to_object_id, row.cause_to)
        if not causes:
            back.append(row)
        elif all((each.to_object_id, each.to_version) != to for each in causes):
            again.append(row)
    for rows, why in (
        (again, "What it rests on has changed once more."),
        (back, "What it rests on is again as it was when it was made."),
    ):
        await changes.decide(tx, rows, status="obsolete", reason=why, decided_by=CODE)


def _row(result: Result, cause: Cause) -> Found:
    return Found(
        task_id=result.task_id,
        step_key=result.step_key,
        slot=result.slot,
        object_id=result.object_id,
        version=result.version,
        cause_object_id=cause.object_id,
        cause_from=cause.from_version,
        cause_to_object_id=cause.to_object_id,
        cause_to=cause.to_version,
        part=cause.part,
        print=cause.print,
        via=sorted(cause.via),
    )


async def _tell(
    tx: Tx, task_id: TaskId, new: Sequence[tuple[Result, Cause]], newest: Mapping[UUID, Newest]
) -> None:
    """Leave one notice: what has changed, and which results were made from what it was before."""
    names: dict[str, None] = {}
    places: dict[str, set[int]] = {}
    for result, cause in new:
        names[f"'{newest[cause.object_id].name}'"] = None
        places.setdefault(result.step_key, set()).add(result.slot)
    listed = [*names][:_NAMED] + (["and more"] if len(names) > _NAMED else [])
    where = "; ".join(f"{key} {ranges(numbers)}" for key, numbers in places.items())
    await steps.happen(
        tx,
        task_id,
        f"Changed: {', '.join(listed)}. Made from what it was before, and to be decided about "
        f"(remade or kept): {where}.",
        call_key=None,
    )


def _in_words(part: str) -> str:
    return "its length" if part == LENGTH else f"scene {part.removeprefix(SCENE)}"
