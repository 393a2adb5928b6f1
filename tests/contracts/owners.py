"""Which module owns which table: it alone names the table in SQL.

Add a row with each new table. A join from another module is allowed only when named in `JOINS`,
with the reason; it may read, never write. What judges whole runs reads every table and writes none
but the clock.
"""

JUDGES = "evals/"
JUDGES_WRITE = {("evals/databases.py", "clock"), ("evals/scenarios/standing.py", "clock")}

OWNERS: dict[str, str] = {
    "acceptances": "execution/acceptance.py",
    "approvals": "execution/approvals.py",
    "budgets": "execution/budget.py",
    "checklist_items": "execution/checklist.py",
    "checklists": "execution/checklist.py",
    "clock": "infra/db/migrations/0001_clock.sql",  # written by tests and evals
    "delegations": "execution/delegations.py",
    "deliveries": "execution/deliveries.py",
    "event_counters": "execution/events.py",
    "events": "execution/events.py",
    "happenings": "execution/steps.py",
    "holds": "execution/budget.py",
    "idempotency_keys": "server/idempotency.py",
    "inbox": "execution/inbox.py",
    "jobs": "execution/jobs.py",
    "judgements": "execution/judgements.py",
    "ledger": "execution/ledger.py",
    "changes": "execution/changes.py",
    "callback_keys": "infra/providers/callbacks.py",
    "log_identity": "server/idempotency.py",
    "messages": "execution/messages.py",
    "model_calls": "execution/model_calls.py",
    "money_entries": "execution/budget.py",
    "object_versions": "workspace/objects.py",
    "objects": "workspace/objects.py",
    "reviews": "execution/reviews.py",
    "route_examples": "execution/route_examples.py",
    "route_reads": "execution/route_reads.py",
    "routes": "execution/messages.py",
    "schema_migrations": "infra/db/migrate.py",
    "steps": "execution/steps.py",
    "task_index": "memory/task_index.py",
    "task_limits": "execution/limits.py",
    "task_reads": "execution/task_reads.py",
    "task_words": "execution/words.py",
    "tasks": "execution/tasks.py",
    "threads": "execution/leases.py",
    "turns": "execution/leases.py",
    "verdicts": "execution/verdicts.py",
    "workspaces": "execution/workspaces.py",
}

_LIVE = "an orphan is a live row of one table that no row of another will move"

JOINS: dict[tuple[str, str], str] = {
    ("execution/asked.py", "approvals"): "what tasks wait to be told is a way of reading questions",
    ("execution/durations.py", "jobs"): "how long work takes is a way of reading jobs",
    ("execution/families.py", "delegations"): "who is left behind is told by both",
    ("execution/families.py", "tasks"): "who is left behind is told by both",
    ("execution/inbox.py", "messages"): "an inbox row is read with the words it stands for",
    ("execution/limits.py", "tasks"): "how long a task has gone on is kept with its state",
    ("execution/listing.py", "tasks"): "the list of tasks is a way of reading them",
    ("execution/orphans.py", "approvals"): _LIVE,
    ("execution/orphans.py", "budgets"): _LIVE,
    ("execution/orphans.py", "delegations"): _LIVE,
    ("execution/orphans.py", "holds"): _LIVE,
    ("execution/orphans.py", "inbox"): _LIVE,
    ("execution/orphans.py", "jobs"): _LIVE,
    ("execution/orphans.py", "ledger"): _LIVE,
    ("execution/orphans.py", "task_words"): _LIVE,
    ("execution/orphans.py", "tasks"): _LIVE,
    ("execution/orphans.py", "threads"): _LIVE,
    ("execution/orphans.py", "turns"): _LIVE,
    ("memory/task_index.py", "tasks"): "a task without a row of the index is one to index",
    ("workspace/uses.py", "object_versions"): "what rests on what stands in the versions' inputs",
    ("workspace/uses.py", "objects"): "a version is read with the slot that its object is for",
    ("execution/outputs.py", "object_versions"): "what people put in a result's place is a version",
    ("execution/outputs.py", "objects"): "a version is named as its object is",
    ("execution/standing.py", "threads"): "a checkpoint is a thread's newest only by its head",
}
