-- What a judge has proposed about results that were to be delivered: evidence, never an approval.
create table judgements (
    task_id uuid not null references tasks,
    workspace_id uuid not null references workspaces,
    -- exactly these results
    inputs_hash text not null,
    judge text not null check (judge in ('rules', 'model')),
    model text not null,
    version text not null,
    proposals jsonb not null,
    -- the results that were looked at, by their content
    looked_at jsonb not null default '[]',
    -- why there is no judgement, where it could not be made
    failure text,
    created_at timestamptz not null default app_now(),
    primary key (task_id, inputs_hash, judge)
);

alter table model_calls drop constraint model_calls_role_check;
alter table model_calls add constraint model_calls_role_check
    check (role in ('router', 'reply', 'worker', 'judge'));
