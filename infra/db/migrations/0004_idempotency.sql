-- What the HTTP edge must remember to answer a repeated request as it did the first one.

-- scope 'request': an Idempotency-Key and the answer it got, stored with what the request changed.
-- scope 'message': a message's client_id and the position of the log from which its events can be read.
create table idempotency_keys (
    workspace_id uuid not null references workspaces,
    scope text not null check (scope in ('request', 'message')),
    key text not null,
    request_sha256 text not null,
    answer jsonb,
    created_at timestamptz not null default app_now(),
    primary key (workspace_id, scope, key)
);
create index idempotency_keys_age_idx on idempotency_keys (created_at);

-- Which log this is: a client that comes with a position of another database's log is told to start anew.
create table log_identity (
    only_row boolean primary key default true check (only_row),
    epoch uuid not null default gen_random_uuid()
);
insert into log_identity default values;
