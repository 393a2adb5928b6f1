-- How a task had ended before a message opened it again: so it ends when that message is taken back
-- before anything was done with it.
alter table tasks add column ended_before jsonb;
alter table tasks add column reopened_at timestamptz;
