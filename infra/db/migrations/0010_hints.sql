-- A provider that says "look now", and a job that nobody wants any more.

-- hinted_at: told since the job was claimed last; hinted_job_id: the provider's own name of the job,
-- from a delivery that the provider has signed. cancel_asked_at: its task has ended; cancel_sent_at:
-- the provider was asked, or cannot be.
alter table jobs add column hinted_at timestamptz;
alter table jobs add column hinted_job_id text;
alter table jobs add column cancel_asked_at timestamptz;
alter table jobs add column cancel_sent_at timestamptz;

-- Whether the job keeps the machine busy or only waits for another; each kind has executors of its own.
alter table jobs add column lane text not null default 'here' check (lane in ('here', 'away'));

-- What makes addresses for providers' calls unguessable; made once, never shown.
create table callback_keys (
    only_row boolean primary key default true check (only_row),
    key bytea not null default uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())
);
insert into callback_keys default values;
