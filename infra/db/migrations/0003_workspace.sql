-- What is being made. Stable identity, immutable versions.
create table objects (
    object_id uuid primary key,
    workspace_id uuid not null references workspaces,
    kind text not null check (kind in ('document', 'image', 'video', 'audio', 'captions', 'timeline', 'timings',
        'model3d')),
    role text not null,
    name text not null,
    task_id uuid references tasks,
    step_key text,
    slot int,
    head_version int not null default 0,
    created_at timestamptz not null default app_now(),
    deleted_at timestamptz
);
create index objects_task_idx on objects (task_id, step_key, slot);
create index objects_workspace_idx on objects (workspace_id, created_at desc);

create table object_versions (
    object_id uuid not null references objects,
    version int not null,
    workspace_id uuid not null references workspaces,
    blob_sha256 text not null,
    media_type text not null,
    size bigint not null check (size >= 0),
    meta jsonb not null default '{}',
    author text not null check (author in ('user', 'agent', 'job')),
    -- the call (or message) that made it; with role, what keeps a re-run from making it twice
    cause text not null,
    -- the object versions that went in: what "depends" means later
    inputs jsonb not null default '[]',
    created_at timestamptz not null default app_now(),
    primary key (object_id, version)
);
create unique index object_versions_cause_idx on object_versions (workspace_id, cause, object_id);
