-- How work is run, paid for and stopped. One owner module per table (tests/contracts/owners.py).

-- The tenant. Every other row carries its id; nothing of one is visible to another.
create table workspaces (
    workspace_id uuid primary key,
    name text not null,
    currency text not null check (currency ~ '^[A-Z]{3}$'),
    autonomy text not null default 'balanced' check (autonomy in ('cautious', 'balanced', 'free')),
    per_call_allowance_micros bigint not null default 100000 check (per_call_allowance_micros >= 0),
    daily_allowance_micros bigint not null default 2000000 check (daily_allowance_micros >= 0),
    review_points text[] not null default '{}',
    created_at timestamptz not null default app_now()
);

-- The last seq of each workspace's log: a row, so that sequences have no gaps and no late commits.
create table event_counters (
    workspace_id uuid primary key references workspaces,
    seq bigint not null default 0
);

create table events (
    workspace_id uuid not null references workspaces,
    seq bigint not null,
    type text not null,
    task_id uuid,
    cause text,
    data jsonb not null,
    created_at timestamptz not null default app_now(),
    primary key (workspace_id, seq)
);
create index events_task_idx on events (workspace_id, task_id, seq);

-- A LangGraph thread that is leased and fenced. A Task's id is its task_id, Main's the message_id.
create table threads (
    thread_id uuid primary key,
    workspace_id uuid not null references workspaces,
    kind text not null check (kind in ('main', 'task')),
    -- raised by every claim, never restarted: the fencing token
    generation bigint not null default 0,
    -- raised by every wake; a turn ends by compare-and-set on the value its stop-check read
    wake_seq bigint not null default 0,
    handled_seq bigint not null default 0,
    wake_at timestamptz,
    -- Main only: while set, later messages of the workspace wait, so that routing is in order
    holds_order boolean not null default false,
    head_checkpoint_id text,
    created_at timestamptz not null default app_now(),
    check (handled_seq <= wake_seq)
);
create index threads_awake_idx on threads (thread_id) where wake_seq > handled_seq;
create index threads_order_idx on threads (workspace_id, created_at) where holds_order;
create index threads_timer_idx on threads (wake_at) where wake_at is not null;

-- From a wake-up to the next wait. A new worker's attempt raises attempts and takes a new holder.
create table turns (
    turn_id uuid primary key,
    thread_id uuid not null references threads,
    workspace_id uuid not null references workspaces,
    number bigint not null,
    generation bigint not null,
    attempts int not null default 1,
    holder uuid not null,
    lease_expires_at timestamptz not null,
    graph_version text not null,
    status text not null default 'active' check (status in ('active', 'finished', 'failed')),
    outcome text,
    started_at timestamptz not null default app_now(),
    finished_at timestamptz,
    unique (thread_id, number)
);
create unique index turns_one_live_idx on turns (thread_id) where status = 'active';

create table tasks (
    task_id uuid primary key references threads,
    workspace_id uuid not null references workspaces,
    kind text not null check (kind in ('lightweight', 'persistent')),
    title text not null,
    goal text not null,
    language text not null,
    brief jsonb not null default '{}',
    summary text not null default '',
    status text not null default 'active'
        check (status in ('active', 'waiting', 'paused', 'completed', 'failed', 'stopped')),
    waiting_reason text,
    reason text,
    -- reopening starts a new epoch; a terminal state holds within one
    epoch int not null default 1,
    rounds_without_progress int not null default 0,
    rounds int not null default 0,
    source_message_id uuid not null,
    created_at timestamptz not null default app_now(),
    updated_at timestamptz not null default app_now(),
    archived_at timestamptz,
    check (status <> 'waiting' or waiting_reason is not null)
);
create index tasks_workspace_idx on tasks (workspace_id, updated_at desc);
create unique index tasks_source_idx on tasks (source_message_id);

-- What people and the agent said. A person's message is idempotent by client_id.
create table messages (
    message_id uuid primary key,
    workspace_id uuid not null references workspaces,
    client_id text,
    role text not null check (role in ('user', 'assistant')),
    text text not null,
    language text not null,
    status text not null check (status in ('received', 'routed', 'delivered', 'consumed', 'withdrawn',
        'replaced', 'moved', 'refused', 'answered', 'streaming', 'complete')),
    task_id uuid references tasks,
    object_id uuid,
    approval_id uuid,
    reply_to uuid references messages,
    -- for an assistant's message: the call of the model that wrote it, so that a re-run writes it once
    cause text,
    created_at timestamptz not null default app_now(),
    unique (workspace_id, client_id)
);
create unique index messages_cause_idx on messages (workspace_id, cause) where cause is not null;
create index messages_recent_idx on messages (workspace_id, created_at desc);
create index messages_task_idx on messages (task_id, created_at);

-- Where a message went and why: layer 1 is code, 2 the router model, 3 the checks.
create table routes (
    message_id uuid primary key references messages,
    workspace_id uuid not null references workspaces,
    layer int not null check (layer between 1 and 3),
    outcome text not null check (outcome in ('answer', 'lightweight', 'existing', 'new', 'ask')),
    task_id uuid,
    title text not null default '',
    goal text not null default '',
    language text not null,
    acknowledgement text not null default '',
    question text,
    candidates jsonb not null default '[]',
    reason text not null default '',
    model text,
    created_at timestamptz not null default app_now()
);

-- Delivered is not consumed: a row per message given to a task, consumed by a step.
create table inbox (
    inbox_id uuid primary key,
    workspace_id uuid not null references workspaces,
    task_id uuid not null references tasks,
    position bigint generated always as identity,
    message_id uuid not null references messages,
    status text not null default 'delivered'
        check (status in ('delivered', 'consumed', 'withdrawn', 'replaced', 'moved')),
    consumed_by uuid,
    effect text,
    created_at timestamptz not null default app_now(),
    check ((status = 'consumed') = (consumed_by is not null)),
    unique (task_id, message_id)
);
create index inbox_waiting_idx on inbox (task_id, position) where status = 'delivered';

-- One inference and the calls it proposed. The row exists ⇒ the model is not asked again.
create table steps (
    step_id uuid primary key,
    workspace_id uuid not null references workspaces,
    thread_id uuid not null references threads,
    turn_id uuid not null references turns,
    number bigint not null,
    model text not null,
    content text not null,
    calls jsonb not null default '[]',
    usage jsonb not null default '{}',
    prompt_sha256 text not null,
    -- the wake_seq before the facts of its prompt were read
    read_wake_seq bigint not null,
    status text not null default 'open' check (status in ('open', 'closed')),
    verdict text,
    reason text,
    progress boolean,
    created_at timestamptz not null default app_now(),
    closed_at timestamptz,
    unique (thread_id, number)
);
create unique index steps_one_open_idx on steps (thread_id) where status = 'open';

-- What happened after a call's only tool message: entries of the dynamic tail.
create table happenings (
    happening_id bigint generated always as identity primary key,
    workspace_id uuid not null references workspaces,
    task_id uuid not null references tasks,
    call_key text,
    text text not null,
    created_at timestamptz not null default app_now()
);
create index happenings_task_idx on happenings (task_id, happening_id);

create table approvals (
    approval_id uuid primary key,
    workspace_id uuid not null references workspaces,
    task_id uuid references tasks,
    thread_id uuid not null references threads,
    kind text not null check (kind in ('plan', 'call', 'question', 'route', 'review')),
    call_key text,
    title text not null,
    body text not null,
    card jsonb not null default '{}',
    actions text[] not null,
    -- what a yes is bound to: tool, resolved arguments, price, object versions
    args_hash text not null,
    price_micros bigint,
    maximum_micros bigint,
    status text not null default 'pending'
        check (status in ('pending', 'approved', 'edited', 'rejected', 'chosen', 'expired', 'superseded')),
    decision jsonb,
    decided_by text,
    decided_at timestamptz,
    used_at timestamptz,
    expires_at timestamptz,
    created_at timestamptz not null default app_now(),
    check ((status in ('approved', 'edited', 'rejected', 'chosen')) = (decided_at is not null))
);
create unique index approvals_call_idx on approvals (workspace_id, call_key) where call_key is not null;
create index approvals_pending_idx on approvals (thread_id, created_at) where status = 'pending';

-- One row per call a model proposed: the only vocabulary for how far it got.
create table ledger (
    workspace_id uuid not null references workspaces,
    call_key text not null,
    task_id uuid not null references tasks,
    step_id uuid not null references steps,
    seq int not null,
    tool text not null,
    risk text not null check (risk in ('read', 'write', 'paid', 'irreversible')),
    arguments jsonb not null,
    args_hash text not null,
    tool_call_id text not null,
    tool_message text not null,
    -- which slot of which step of which version of the plan it fills
    plan_version int,
    step_key text,
    slot int,
    -- what would really run: operation, resolved payload, the object versions that go in
    request jsonb,
    status text not null check (status in ('planned', 'held', 'submitting', 'accepted', 'rejected', 'unknown',
        'running', 'succeeded', 'collecting', 'collected', 'failed', 'cancel_requested', 'cancelled',
        'expired', 'settled')),
    verdict text not null check (verdict in ('allow', 'ask', 'refuse')),
    refusal text check (refusal in ('capability', 'permission', 'budget', 'invalid')),
    quote_micros bigint,
    approval_id uuid references approvals,
    result jsonb,
    outcome text check (outcome in ('succeeded', 'failed', 'cancelled', 'unknown', 'refused')),
    created_at timestamptz not null default app_now(),
    updated_at timestamptz not null default app_now(),
    primary key (workspace_id, call_key),
    check ((verdict = 'refuse') = (refusal is not null))
);
create index ledger_task_idx on ledger (task_id, created_at);
create index ledger_open_idx on ledger (task_id) where status not in ('settled', 'rejected');

-- A task's money. Everything in integer micro-units of the workspace's currency.
create table budgets (
    task_id uuid primary key references tasks,
    workspace_id uuid not null references workspaces,
    limit_micros bigint not null default 0 check (limit_micros >= 0),
    held_micros bigint not null default 0 check (held_micros >= 0),
    settled_micros bigint not null default 0 check (settled_micros >= 0),
    -- what exceeded a hold or surfaced late: no bound may refuse to record it
    absorbed_micros bigint not null default 0 check (absorbed_micros >= 0),
    check (held_micros + settled_micros <= limit_micros)
);

create table holds (
    workspace_id uuid not null references workspaces,
    call_key text not null,
    task_id uuid not null references tasks,
    amount_micros bigint not null check (amount_micros >= 0),
    settled_micros bigint not null default 0 check (settled_micros between 0 and amount_micros),
    absorbed_micros bigint not null default 0 check (absorbed_micros >= 0),
    status text not null default 'held' check (status in ('held', 'settled', 'released')),
    basis text check (basis in ('reported', 'units_price', 'derived', 'assumed_max')),
    created_at timestamptz not null default app_now(),
    closed_at timestamptz,
    primary key (workspace_id, call_key),
    foreign key (workspace_id, call_key) references ledger
);
create index holds_open_idx on holds (task_id) where status = 'held';

-- Every change of a budget, append-only; the account is their sum.
create table money_entries (
    entry_id bigint generated always as identity primary key,
    workspace_id uuid not null references workspaces,
    task_id uuid not null references tasks,
    call_key text,
    kind text not null check (kind in ('limit', 'hold', 'settle', 'release', 'absorb', 'refund', 'tokens')),
    amount_micros bigint not null,
    note text not null default '',
    created_at timestamptz not null default app_now()
);
create index money_entries_task_idx on money_entries (task_id, entry_id);

-- Paid or slow work: submitted once, read until its end, collected, settled. Own lease, own fence.
create table jobs (
    job_id uuid primary key,
    workspace_id uuid not null references workspaces,
    task_id uuid not null references tasks,
    call_key text not null,
    provider text not null,
    operation text not null,
    title text not null,
    step_key text,
    slot int,
    request jsonb not null,
    request_sha256 text not null,
    -- how the provider sees it; how far our attempt got is the ledger's status
    phase text not null default 'queued'
        check (phase in ('queued', 'running', 'succeeded', 'failed', 'cancelled', 'unknown')),
    provider_job_id text,
    provider_ref jsonb,
    progress real,
    error jsonb,
    result jsonb,
    generation bigint not null default 0,
    holder uuid,
    lease_expires_at timestamptz,
    attempts int not null default 0,
    due_at timestamptz not null default app_now(),
    deadline_at timestamptz not null,
    created_at timestamptz not null default app_now(),
    updated_at timestamptz not null default app_now(),
    closed_at timestamptz,
    unique (workspace_id, call_key),
    foreign key (workspace_id, call_key) references ledger
);
create index jobs_due_idx on jobs (due_at) where closed_at is null;
create index jobs_task_idx on jobs (task_id, created_at);

-- The plan as structure. The model proposes versions; only an approved one drives the work.
create table checklists (
    task_id uuid not null references tasks,
    version int not null,
    workspace_id uuid not null references workspaces,
    title text not null,
    summary text not null,
    format jsonb not null,
    status text not null default 'proposed' check (status in ('proposed', 'approved', 'rejected', 'superseded')),
    call_key text not null,
    quote_micros bigint not null,
    maximum_micros bigint not null,
    created_at timestamptz not null default app_now(),
    primary key (task_id, version)
);
create unique index checklists_approved_idx on checklists (task_id) where status = 'approved';

create table checklist_items (
    task_id uuid not null,
    version int not null,
    key text not null,
    workspace_id uuid not null references workspaces,
    position int not null,
    title text not null,
    kind text not null,
    depends_on text[] not null default '{}',
    expected_count int not null check (expected_count >= 1),
    seconds real not null default 0,
    review boolean not null default false,
    -- results of this version of the plan or later count; earlier ones were dropped by a revision
    from_version int not null,
    primary key (task_id, version, key),
    foreign key (task_id, version) references checklists
);

create table deliveries (
    task_id uuid not null references tasks,
    revision int not null,
    workspace_id uuid not null references workspaces,
    status text not null check (status in ('delivered', 'refused')),
    report jsonb not null,
    inputs_hash text not null,
    created_at timestamptz not null default app_now(),
    primary key (task_id, revision)
);
