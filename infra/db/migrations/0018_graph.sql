-- What rests on what: a result of a plan's slot may no longer fit when something that went into it
-- has changed. One row for each such result and each change; what was decided about it stays here.
create table changes (
    change_id uuid primary key,
    workspace_id uuid not null references workspaces,
    -- the result: the first of the objects that fill a slot of an approved plan
    task_id uuid not null references tasks,
    step_key text not null,
    slot int not null,
    object_id uuid not null references objects,
    version int not null,
    -- what changed: from the version that went in, to a newer one or to what took its place
    cause_object_id uuid not null references objects,
    cause_from int not null,
    cause_to_object_id uuid not null references objects,
    cause_to int not null,
    -- which part of it was used (empty: all of it), and a print of that part as it is now
    part text not null default '',
    print text not null,
    -- the results in between, where it rests on the cause through others
    via uuid[] not null default '{}',
    status text not null default 'pending' check (status in ('pending', 'kept', 'remade', 'obsolete')),
    reason text not null default '',
    decided_by text,
    decided_at timestamptz,
    plan_version int,
    created_at timestamptz not null default app_now(),
    check ((status = 'pending') = (decided_at is null)),
    check ((decided_by is null) = (decided_at is null)),
    unique (object_id, version, cause_object_id, cause_from, cause_to_object_id, cause_to)
);
create index changes_pending_idx on changes (task_id) where status = 'pending';
create index changes_task_idx on changes (task_id, created_at);
create index changes_cause_idx on changes (cause_object_id);

-- From which version of the plan on a result counts for a slot that a revision makes again: {"7": 3}.
alter table checklist_items add column slot_versions jsonb not null default '{}';
-- What the step's results were priced at when this version was proposed.
alter table checklist_items add column price_micros bigint not null default 0;
-- Of a revision: why it was proposed, which results it keeps though something changed, what it leaves out.
alter table checklists add column revision jsonb not null default '{}';
