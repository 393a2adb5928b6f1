-- Every look of the stop-check: what it decided, why, and the facts that it rested on.
create table verdicts (
    verdict_id bigint generated always as identity primary key,
    workspace_id uuid not null references workspaces,
    task_id uuid not null references tasks,
    turn_id uuid not null references turns,
    -- the step that it closed; none where no model was asked since the look before
    step_number bigint,
    verdict text not null,
    waiting_reason text,
    reason text not null,
    look_again_s bigint,
    progress boolean,
    -- as `execution.verdict.Facts` had them; none where the worker itself put the turn off
    facts jsonb,
    created_at timestamptz not null default app_now()
);
create index verdicts_task_idx on verdicts (task_id, verdict_id);

-- How much work of each production goes on without a person's word.
alter table workspaces add column max_rounds int not null default 400 check (max_rounds > 0);
alter table workspaces add column max_rounds_without_progress int not null default 3
    check (max_rounds_without_progress > 0);
alter table workspaces add column max_seconds bigint not null default 86400 check (max_seconds > 0);

-- What a person has let one production do beyond that, in one life of it.
create table task_limits (
    task_id uuid primary key references tasks,
    workspace_id uuid not null references workspaces,
    epoch int not null,
    max_rounds int not null check (max_rounds > 0),
    max_seconds bigint not null check (max_seconds > 0)
);

-- How long a task has gone on by itself: at work, or waiting for what ends without a person. Kept by
-- the database, so that no way of changing a state forgets it.
alter table tasks add column worked interval not null default '0';
alter table tasks add column going_since timestamptz default app_now();

create function goes_on(status text, waiting_reason text) returns boolean
language sql immutable as $$
    select status = 'active' or (status = 'waiting' and waiting_reason in ('jobs', 'provider'))
$$;

update tasks set going_since = null where not goes_on(status, coalesce(waiting_reason, ''));

create function count_working_time() returns trigger
language plpgsql as $$
begin
    if new.epoch <> old.epoch then
        new.worked := '0';
    elsif old.going_since is not null then
        new.worked := old.worked + greatest(app_now() - old.going_since, '0');
    end if;
    new.going_since :=
        case when goes_on(new.status, coalesce(new.waiting_reason, '')) then app_now() end;
    return new;
end;
$$;

create trigger working_time_is_counted
before update on tasks
for each row
when ((old.status, old.waiting_reason, old.epoch)
      is distinct from (new.status, new.waiting_reason, new.epoch))
execute function count_working_time();
