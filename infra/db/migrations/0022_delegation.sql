-- A task asks another one, or gives it work with money of its own: words between tasks, and children.
alter table messages drop constraint messages_role_check;
alter table messages add constraint messages_role_check check (role in ('user', 'assistant', 'task'));
alter table messages drop constraint messages_origin_check;
alter table messages add constraint messages_origin_check
    check (origin in ('page', 'api_key', 'task'));
-- What a task says is never taken for what a person says.
alter table messages add constraint messages_of_tasks_check
    check ((role = 'task') = (origin = 'task'));

-- One row for each word of a task to another; delivered, it is a message in the other's inbox.
create table task_words (
    word_id uuid primary key,
    workspace_id uuid not null references workspaces,
    -- goal: what a child is to do; report: what code tells of a child, or of a question's end
    kind text not null check (kind in ('goal', 'question', 'word', 'answer', 'report')),
    from_task uuid not null references tasks,
    to_task uuid not null references tasks,
    from_title text not null,
    text text not null,
    language text not null,
    -- the call that said it, or what code had seen: said once, whoever runs it again
    cause text not null,
    -- whether words that came over the open API have a part in it; its reader confirms each call
    confirms_each_call boolean not null,
    status text not null default 'pending' check (status in ('pending', 'delivered', 'undelivered')),
    -- of a question only
    question text check (question in ('open', 'answered', 'lapsed')),
    created_at timestamptz not null default app_now(),
    unique (workspace_id, cause),
    check (from_task <> to_task),
    check ((kind = 'question') = (question is not null))
);
create index task_words_pending_idx on task_words (created_at) where status = 'pending';
create index task_words_open_idx on task_words (from_task, to_task) where question = 'open';
create index task_words_from_idx on task_words (from_task, created_at);
create index task_words_to_idx on task_words (to_task, created_at);

-- A child: the task that works for another, with money and rounds of that one's.
create table delegations (
    child_id uuid primary key references tasks,
    workspace_id uuid not null references workspaces,
    parent_id uuid not null references tasks,
    call_key text not null,
    -- the parent's epoch: a production has its children in one life of it
    epoch int not null,
    depth int not null check (depth between 1 and 2),
    carved_micros bigint not null check (carved_micros >= 0),
    returned_micros bigint not null default 0 check (returned_micros between 0 and carved_micros),
    carved_rounds int not null check (carved_rounds > 0),
    -- what the child had used when it ended
    used_rounds int,
    -- the newest rest of the child that its parent was told about
    reported text,
    paused_with_parent boolean not null default false,
    created_at timestamptz not null default app_now(),
    closed_at timestamptz,
    unique (workspace_id, call_key),
    foreign key (workspace_id, call_key) references ledger deferrable initially deferred,
    check (child_id <> parent_id),
    check ((closed_at is null) = (used_rounds is null))
);
create index delegations_parent_idx on delegations (parent_id, created_at);

-- Money that moves from one account to another: what leaves one comes to the other.
alter table money_entries drop constraint money_entries_kind_check;
alter table money_entries add constraint money_entries_kind_check
    check (kind in ('limit', 'carve', 'hold', 'settle', 'release', 'absorb', 'refund', 'tokens'));

create or replace view accounts as
select task_id, workspace_id,
       coalesce(sum(amount_micros) filter (where kind in ('limit', 'carve')), 0)::bigint
           as limit_micros,
       coalesce(sum(case kind when 'hold' then amount_micros
                              when 'settle' then -amount_micros
                              when 'release' then -amount_micros end), 0)::bigint as held_micros,
       coalesce(sum(amount_micros) filter (where kind = 'settle'), 0)::bigint as settled_micros,
       coalesce(sum(amount_micros) filter (where kind = 'absorb'), 0)::bigint as absorbed_micros
from money_entries
group by task_id, workspace_id;
