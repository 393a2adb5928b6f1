-- Whether a task has yet to be woken for a change under its results: a change that was committed late
-- bears an earlier time than a look which could not see it, so times do not tell.
alter table changes add column wake_due boolean not null default true;
update changes set wake_due = false where status <> 'pending';
create index changes_wake_due_idx on changes (task_id) where status = 'pending' and wake_due;
