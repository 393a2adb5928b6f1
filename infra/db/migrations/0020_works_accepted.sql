-- A delivered work waits to be accepted: by a person, or by what they allow without being asked.
-- One row per delivery; the work itself has ended, and nothing is paid or hidden by it.
create table acceptances (
    task_id uuid not null,
    revision int not null,
    workspace_id uuid not null references workspaces,
    -- exactly these results
    inputs_hash text not null,
    -- what was done of what was expected, by step of the plan
    saw jsonb not null,
    state text not null default 'awaiting'
        check (state in ('awaiting', 'accepted', 'changes_asked', 'superseded')),
    basis text check (basis in ('person', 'grant')),
    decided_by text,
    note text,
    -- results that came after the delivery: not in it, but there to be taken
    offered jsonb not null default '[]',
    created_at timestamptz not null default app_now(),
    decided_at timestamptz,
    primary key (task_id, revision),
    foreign key (task_id, revision) references deliveries,
    check ((state in ('accepted', 'changes_asked')) = (decided_at is not null)),
    check ((basis is null) = (decided_at is null)),
    check (basis <> 'grant' or state <> 'changes_asked')
);
create unique index acceptances_awaiting_idx on acceptances (task_id) where state = 'awaiting';

-- Whether deliveries count as accepted without being asked about, at any level of autonomy.
alter table workspaces add column accepts_deliveries boolean not null default false;
