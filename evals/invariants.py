"""What must hold after every fault and every run, read from the tables and the provider's own log.

The promises are those of `docs/invariants.md`. `broken` names those that do not hold, each with the
rows that break it.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol
from uuid import UUID

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from execution import ledger, orphans
from infra.db.query import Conn

_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_MODEL = 2
_TERMINAL = ("task.completed", "task.failed", "task.stopped")


class ProviderLog(Protocol):
    """What a provider itself has written down: the jobs it made and what it charged for them."""

    @property
    def orders(self) -> list[UUID]: ...

    @property
    def billed(self) -> Mapping[UUID, int]: ...


class BrokenPromiseError(AssertionError):
    """A promise does not hold."""


async def broken(
    conn: Conn, provider_log: ProviderLog, *, prompts: Iterable[Sequence[BaseMessage]] = ()
) -> list[str]:
    """Return each promise that does not hold; `prompts` are the inputs that models were given."""
    checks = {
        "one order per call": _one_order_per_call(conn, provider_log.orders),
        "messages are read once": messages_are_read_once(conn),
        "routes lead where they may": _routes_lead_where_they_may(conn),
        "tasks speak as tasks": _tasks_speak_as_tasks(conn),
        "calls have one answer": _calls_have_one_answer(conn),
        "prompts are legal": _prompts_are_legal(prompts),
        "ends are ends": _ends_are_ends(conn),
        "approved is what ran": approved_is_what_ran(conn),
        "money adds up": money_adds_up(conn, provider_log.billed),
        "models are accounted for": _models_are_accounted_for(conn),
        "the log has no gaps": _log_has_no_gaps(conn),
        "nothing is orphaned": _nothing_is_orphaned(conn),
    }
    found: list[str] = []
    for name, check in checks.items():
        try:
            await check
        except BrokenPromiseError as error:
            found.append(f"{name}: {error}")
    return found


def _require(holds: bool, told: object) -> None:  # noqa: FBT001 - an assertion
    if not holds:
        raise BrokenPromiseError(str(told))


async def _nothing(conn: Conn, statement: Any, told: str = "") -> None:
    """Require that a query for what breaks a promise finds nothing."""
    rows = await _rows(conn, statement)
    _require(not rows, f"{told} {rows}".strip())


async def _nothing_is_orphaned(conn: Conn) -> None:
    found = [str(each) for each in await orphans.find(conn)]
    _require(not found, found)


async def _prompts_are_legal(prompts: Iterable[Sequence[BaseMessage]]) -> None:
    for prompt in prompts:
        is_legal_for_providers(prompt)


async def _rows(conn: Conn, statement: Any) -> list[tuple[Any, ...]]:
    return await (await conn.execute(statement)).fetchall()


async def _one_order_per_call(conn: Conn, orders: list[UUID]) -> None:
    twice = [order for order, count in Counter(orders).items() if count > 1]
    _require(not twice, f"ordered more than once: {twice}")
    jobs = {row[0] for row in await _rows(conn, "select job_id from jobs")}
    _require(set(orders) <= jobs, "the provider has orders that no job explains")
    twice = "select call_key from jobs group by workspace_id, call_key having count(*) > 1"
    await _nothing(conn, twice)


async def messages_are_read_once(conn: Conn) -> None:
    """Require that each message is read by one step that was stored, or by none.

    Raises:
        BrokenPromiseError: one is not.
    """
    wrong = """
        select m.message_id, m.status, count(i.inbox_id) filter (where i.status = 'consumed')
        from messages as m
        left join inbox as i using (message_id)
        where m.role in ('user', 'task')
        group by m.message_id
        having count(i.inbox_id) filter (where i.status = 'consumed')
               <> (case when m.status = 'consumed' then 1 else 0 end)
    """
    await _nothing(conn, wrong)
    unread = """
        select inbox_id from inbox left join steps on step_id = consumed_by
        where inbox.status = 'consumed' and step_id is null
    """
    await _nothing(conn, unread, "read by a step that was never stored")


async def _routes_lead_where_they_may(conn: Conn) -> None:
    """One route each, within the workspace, and past a stop only with a person's yes."""
    unrouted = """
        select m.message_id
        from messages as m
        left join routes as r using (message_id)
        where m.role = 'user' and m.status = 'consumed' and r.message_id is null
    """
    await _nothing(conn, unrouted, "read by a task, and nobody says why")
    elsewhere = """
        select i.message_id
        from inbox as i
        join routes as r using (message_id)
        where i.status = 'consumed' and r.outcome = 'existing'
          and r.task_id is distinct from i.task_id
    """
    await _nothing(conn, elsewhere, "read by another task than the route names")
    foreign = """
        select named.message_id
        from (
            select message_id, workspace_id, task_id from routes
            union all select message_id, workspace_id, task_id from inbox
            union all select message_id, workspace_id, read_task_id from route_reads
            union all
            select message_id, workspace_id, (offered ->> 'task_id')::uuid
            from routes, jsonb_array_elements(candidates) as offered
        ) as named
        join tasks as t using (task_id)
        where t.workspace_id <> named.workspace_id
    """
    await _nothing(conn, foreign)
    await _model_opens_nothing(conn)


async def _model_opens_nothing(conn: Conn) -> None:
    """What a model alone had routed was given to no task that was stopped or archived then."""
    away: dict[Any, set[str]] = {}
    routed = dict(await _rows(conn, "select message_id::text, layer from routes"))
    events = """
        select type, task_id, data ->> 'id', data ->> 'task_id'
        from events
        where type in ('message.delivered', 'task.stopped', 'task.reopened', 'task.archived',
                       'task.unarchived')
        order by workspace_id, seq
    """
    for event_type, task_id, identity, given_to in await _rows(conn, events):
        if event_type == "message.delivered":
            states = away.get(given_to, set())
            _require(routed.get(identity) != _MODEL or not states, (identity, states))
            continue
        states = away.setdefault(str(task_id), set())
        match event_type:
            case "task.stopped" | "task.archived":
                states.add(event_type)
            case "task.reopened":
                states.clear()
            case _:
                states.discard("task.archived")


async def _calls_have_one_answer(conn: Conn) -> None:
    wrong = """
        select s.step_id, jsonb_array_length(s.calls), count(l.call_key),
               count(distinct l.tool_call_id), coalesce(max(l.seq), 0)
        from steps as s
        left join ledger as l using (step_id)
        group by s.step_id
        having jsonb_array_length(s.calls) <> count(l.call_key)
            or jsonb_array_length(s.calls) <> count(distinct l.tool_call_id)
            or jsonb_array_length(s.calls) <> coalesce(max(l.seq), 0)
    """
    await _nothing(conn, wrong)
    await _nothing(conn, "select call_key from ledger where tool_message = ''")


def is_legal_for_providers(prompt: Sequence[BaseMessage]) -> None:
    """Require that each call is followed, in order, by exactly one tool message of its own.

    Raises:
        BrokenPromiseError: one is not.
    """
    waiting: list[str] = []
    for message in prompt:
        if isinstance(message, ToolMessage):
            _require(bool(waiting), "a tool message that answers nothing")
            _require(message.tool_call_id == waiting.pop(0), "tool messages out of order")
            continue
        _require(not waiting, "a call without its tool message")
        if isinstance(message, AIMessage):
            names = [call["name"] for call in message.tool_calls]
            _require(all(map(_NAME.fullmatch, names)), names)
            waiting = [str(call["id"]) for call in message.tool_calls]
            _require(len(set(waiting)) == len(waiting), f"two calls with one id: {waiting}")
    _require(not waiting, "a call without its tool message")


async def _ends_are_ends(conn: Conn) -> None:
    ended: dict[Any, str] = {}
    events = "select task_id, type from events where task_id is not null order by workspace_id, seq"
    for task_id, event_type in await _rows(conn, events):
        if event_type == "task.reopened":
            ended.pop(task_id, None)
        elif event_type in _TERMINAL:
            _require(task_id not in ended, f"{event_type} after {ended.get(task_id)}")
            ended[task_id] = event_type
        elif event_type in ("step.started", "job.submitted"):
            _require(task_id not in ended, f"{event_type} after {ended.get(task_id)}")
    states = await _rows(conn, "select task_id, 'task.' || status from tasks")
    last = {task: state for task, state in states if state in _TERMINAL}
    _require(last == ended, f"tasks say {last}, events {ended}")
    open_turns = "select turn_id from turns where (status = 'active') = (outcome is not null)"
    await _nothing(conn, open_turns)


async def approved_is_what_ran(conn: Conn) -> None:
    """Require that every job is what was approved, to the byte and the price, by one answer.

    Raises:
        BrokenPromiseError: one is not.
    """
    statement = """
        select l.call_key, l.tool, l.request, l.quote_micros, l.args_hash, j.request,
               j.request_sha256
        from ledger as l
        join jobs as j using (workspace_id, call_key)
    """
    for key, tool, request, quote, args_hash, ran, ran_hash in await _rows(conn, statement):
        _require(ledger.hash_of(tool, request, quote) == args_hash, key)
        _require((ran, ran_hash) == (request, args_hash), key)
    unapproved = """
        select l.call_key, l.verdict, a.status
        from ledger as l
        join jobs as j using (workspace_id, call_key)
        left join approvals as a on a.approval_id = l.approval_id
        where l.approval_id is not null
          and (a.status <> 'approved' or a.used_at is null
               or l.quote_micros > a.maximum_micros
               or l.args_hash is distinct from
                  case a.decision ->> 'decision' when 'edit' then a.decision ->> 'args_hash'
                       else a.args_hash end)
    """
    await _nothing(conn, unapproved)
    twice = """
        select call_key from approvals where status in ('approved', 'rejected', 'chosen')
        group by workspace_id, call_key having count(*) > 1 and call_key is not null
    """
    await _nothing(conn, twice, "a call was answered twice")


async def money_adds_up(conn: Conn, billed: Mapping[UUID, int]) -> None:
    """Require that every account is the sum of its entries, and that what was billed was booked.

    Raises:
        BrokenPromiseError: one is not.
    """
    wrong = """
        select b.task_id
        from budgets as b
        left join money_entries as e using (task_id)
        group by b.task_id
        having b.limit_micros
                <> coalesce(sum(amount_micros) filter (where kind in ('limit', 'carve')), 0)
            or b.settled_micros <> coalesce(sum(amount_micros) filter (where kind = 'settle'), 0)
            or b.absorbed_micros <> coalesce(sum(amount_micros) filter (where kind = 'absorb'), 0)
            or b.held_micros <> coalesce(sum(case kind when 'hold' then amount_micros
                when 'settle' then -amount_micros when 'release' then -amount_micros end), 0)
            or b.held_micros + b.settled_micros > b.limit_micros
    """
    await _nothing(conn, wrong)
    await _carved_money_is_kept(conn)
    per_hold = """
        select b.task_id
        from budgets as b
        left join holds as h using (task_id)
        group by b.task_id
        having b.held_micros <> coalesce(sum(amount_micros) filter (where status = 'held'), 0)
            or b.settled_micros <> coalesce(sum(h.settled_micros), 0)
            or b.absorbed_micros <> coalesce(sum(h.absorbed_micros), 0)
    """
    await _nothing(conn, per_hold)
    paid = """
        select j.job_id, h.settled_micros + h.absorbed_micros, h.basis, l.outcome = 'unknown'
        from holds as h
        join jobs as j using (workspace_id, call_key)
        join ledger as l using (workspace_id, call_key)
        where h.status <> 'held'
    """
    for job_id, amount, basis, is_lost in await _rows(conn, paid):
        if basis == "assumed_max" or (is_lost and basis is None):
            continue  # nobody has told us what it cost
        _require(amount == billed.get(job_id, 0), f"job {job_id}: {amount}, billed {billed}")


async def _carved_money_is_kept(conn: Conn) -> None:
    """What was carved left one account and came to another, and came back as far as it is unspent.

    A child that works or has jobs under way still has the rest.
    """
    lost = """
        select workspace_id, call_key from money_entries where kind = 'carve'
        group by workspace_id, call_key having sum(amount_micros) <> 0
    """
    await _nothing(conn, lost)
    wrong = """
        select d.child_id
        from delegations as d
        left join money_entries as e on e.call_key = d.call_key and e.kind = 'carve'
        group by d.child_id, d.parent_id, d.carved_micros, d.returned_micros
        having coalesce(sum(amount_micros) filter (where e.task_id = d.child_id), 0)
               <> d.carved_micros - d.returned_micros
            or coalesce(sum(amount_micros) filter (where e.task_id = d.parent_id), 0)
               <> d.returned_micros - d.carved_micros
    """
    await _nothing(conn, wrong)
    granted = """
        select (select coalesce(sum(limit_micros), 0) from budgets)
               - (select coalesce(sum(amount_micros), 0) from money_entries where kind = 'limit')
    """
    _require(await _rows(conn, granted) == [(0,)], "money that nobody granted")


async def _tasks_speak_as_tasks(conn: Conn) -> None:
    """Words between tasks stay within a workspace, are nobody's route, and go in no circle."""
    wrong = """
        select m.message_id
        from messages as m
        left join task_words as w on w.word_id = m.message_id
        left join routes as r using (message_id)
        where (m.role = 'task')
              <> (w.word_id is not null and w.status = 'delivered' and r.message_id is null)
    """
    await _nothing(conn, wrong)
    elsewhere = """
        select w.word_id
        from task_words as w
        join tasks as f on f.task_id = w.from_task
        join tasks as t on t.task_id = w.to_task
        left join inbox as i on i.message_id = w.word_id
        where (f.workspace_id, t.workspace_id) is distinct from (w.workspace_id, w.workspace_id)
           or (w.status = 'delivered') <> (i.inbox_id is not null)
           or i.task_id <> w.to_task
    """
    await _nothing(conn, elsewhere)
    circles = """
        with recursive waits as (
            select from_task, to_task from task_words where question = 'open'
            union
            select waits.from_task, w.to_task
            from waits join task_words as w on w.from_task = waits.to_task
            where w.question = 'open'
        )
        select from_task from waits where from_task = to_task
    """
    await _nothing(conn, circles)
    below = """
        select d.child_id from delegations as d
        left join delegations as p on p.child_id = d.parent_id
        where d.depth <> coalesce(p.depth, 0) + 1
    """
    await _nothing(conn, below)


async def _models_are_accounted_for(conn: Conn) -> None:
    """Each step whose model has counted tokens has the call that they were booked with."""
    wrong = """
        select s.step_id, s.usage
        from steps as s
        where s.usage <> '{}'
          and not exists (
              select from model_calls as m
              where m.turn_id = s.turn_id
                and m.thread_id = s.thread_id
                and m.prompt_sha256 = s.prompt_sha256
                and m.outcome = 'answered'
                and m.input_tokens = (s.usage ->> 'input_tokens')::bigint
                and m.output_tokens = (s.usage ->> 'output_tokens')::bigint
          )
    """
    await _nothing(conn, wrong)


async def _log_has_no_gaps(conn: Conn) -> None:
    wrong = """
        select workspace_id, count(*), max(events.seq), event_counters.seq
        from event_counters
        left join events using (workspace_id)
        group by workspace_id, event_counters.seq
        having count(events.seq) <> event_counters.seq
            or coalesce(max(events.seq), 0) <> event_counters.seq
    """
    await _nothing(conn, wrong)
