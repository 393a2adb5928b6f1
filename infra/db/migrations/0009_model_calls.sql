-- Every request to a chat model: written before it is sent, ended with what its service has counted.
-- One that never ended was sent by a process that died; what it cost is not known.
create table model_calls (
    model_call_id uuid primary key,
    workspace_id uuid not null references workspaces,
    -- none: the message's own thread asked, before any task or for none
    task_id uuid references tasks,
    thread_id uuid not null references threads,
    turn_id uuid not null references turns,
    role text not null check (role in ('router', 'reply', 'worker')),
    model text not null,
    prompt_sha256 text not null,
    -- answered: an answer came; broken: it did not, or not to its end; refused: nothing was begun
    outcome text check (outcome in ('answered', 'broken', 'refused')),
    -- as the service counts: what was cached or kept is part of the input. Null: it has not said
    input_tokens bigint check (input_tokens >= 0),
    cached_tokens bigint check (cached_tokens >= 0),
    cache_write_tokens bigint check (cache_write_tokens >= 0),
    output_tokens bigint check (output_tokens >= 0),
    -- null: the model has no price here
    price_micros bigint check (price_micros >= 0),
    asked_at timestamptz not null default app_now(),
    ended_at timestamptz,
    check ((outcome is null) = (ended_at is null)),
    check (price_micros is null or input_tokens is not null)
);
create index model_calls_workspace_idx on model_calls (workspace_id, asked_at);
create index model_calls_task_idx on model_calls (task_id) where task_id is not null;
