-- When a job was first taken up: how long work takes is measured from then, not from when it was ordered.
alter table jobs add column begun_at timestamptz;
create index jobs_times_idx on jobs (operation, provider, closed_at desc) where phase = 'succeeded';
