-- What the router has read of tasks before it decided about a message: on record, and kept for a
-- re-run, which goes on after it.
create table route_reads (
    message_id uuid not null references messages,
    workspace_id uuid not null references workspaces,
    number integer not null check (number >= 1),
    -- as the router wrote it; null beside it: there is no such task here, and it was told so
    asked text not null,
    read_task_id uuid references tasks,
    told text not null,
    created_at timestamptz not null default app_now(),
    primary key (message_id, number)
);
