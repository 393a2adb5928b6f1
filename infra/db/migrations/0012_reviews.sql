-- What a person has said of a step's results: one row per question that was answered and applied.
create table reviews (
    approval_id uuid primary key references approvals,
    workspace_id uuid not null references workspaces,
    task_id uuid not null references tasks,
    step_key text not null,
    -- exactly these results, by the keys of the calls that made them
    results_hash text not null,
    plan_version int not null,
    accepted boolean not null,
    -- the results that go on, by slot: a person's own version where they have edited one meanwhile
    outputs jsonb not null default '{}',
    created_at timestamptz not null default app_now()
);
create index reviews_task_idx on reviews (task_id, created_at);

-- Where a person's words came in: a key of the open API confirms each paid call.
alter table messages add column origin text not null default 'page' check (origin in ('page', 'api_key'));

-- A plan that nobody was asked about, because what it may cost is within the standing allowance.
alter table checklists add column within_allowance boolean not null default false;
