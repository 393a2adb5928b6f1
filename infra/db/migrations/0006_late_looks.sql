-- A job that was given up with its outcome unknown is looked for a few times more: what it did cost
-- after all is booked, what it made is kept.
alter table jobs add column late_looks int not null default 0;
alter table jobs add column late_look_at timestamptz;
alter table jobs add constraint jobs_late_look_check check (late_look_at is null or closed_at is not null);
create index jobs_late_idx on jobs (late_look_at) where late_look_at is not null;
