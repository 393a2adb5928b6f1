-- Which objects a person's words are about: named by the client, or found in what was shown last.
alter table messages add column object_ids uuid[] not null default '{}';
update messages set object_ids = array[object_id] where object_id is not null;

-- Which works an object went into.
create index object_versions_inputs_idx on object_versions using gin (inputs jsonb_path_ops);

-- When a single picture became a work that goes on, because its person went on with it.
alter table tasks add column promoted_at timestamptz;
-- Where the words of a task that was joined to another went on.
alter table tasks add column merged_into uuid references tasks;

-- What people have corrected about where a message went: examples for the next ones of the workspace.
create table route_examples (
    message_id uuid primary key references messages,
    workspace_id uuid not null references workspaces,
    how text not null check (how in ('moved', 'split_off', 'merged', 'chosen')),
    words text not null,
    -- in words, as they stood then: titles, or what was proposed
    proposed text not null,
    belongs_to text not null,
    created_at timestamptz not null default app_now()
);
create index route_examples_recent_idx on route_examples (workspace_id, created_at desc);

-- What a task has read of another one: by which call, and what it was told.
create table task_reads (
    workspace_id uuid not null references workspaces,
    call_key text not null,
    task_id uuid not null references tasks,
    read_task_id uuid not null references tasks,
    told text not null,
    created_at timestamptz not null default app_now(),
    primary key (workspace_id, call_key)
);
create index task_reads_task_idx on task_reads (task_id, created_at);
