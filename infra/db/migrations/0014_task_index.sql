-- Finds a task by what is said of it. Made again from `tasks` at any time: a task without a row here is
-- found by the sweep. It holds what is searched in and nothing that is shown: that is read where it is true.
create extension if not exists vector;

create table task_index (
    task_id uuid primary key references tasks,
    workspace_id uuid not null references workspaces,
    -- title, goal, summary and names of objects, cut to what an embedder reads
    text text not null,
    -- lexemes of `memory.lexemes`, each with the last six signs of its workspace before it, so that
    -- a word's list in the index is one workspace's
    words tsvector not null,
    embedding halfvec(512),
    -- whether `embedding` is of `text`
    is_embedded boolean not null default false,
    changed_at timestamptz not null default app_now()
);
create index task_index_words_idx on task_index using gin (words) with (fastupdate = off);
create index task_index_embedding_idx on task_index using hnsw (embedding halfvec_cosine_ops);
create index task_index_to_embed_idx on task_index (changed_at) where not is_embedded;
create index task_index_workspace_idx on task_index (workspace_id);
-- Words and vector stay in the row, unpacked: a search reads them of hundreds of rows.
alter table task_index set (toast_tuple_target = 8160);
-- How common a word is decides what it says; so the statistics know the 3,000 most common ones.
alter table task_index alter column words set statistics 300;
-- A common word's share is estimated from these, so they follow more closely than usual.
alter table task_index set (autovacuum_analyze_scale_factor = 0.05);

-- The tasks at work, which are few, among all that ever were.
create index tasks_in_progress_idx on tasks (workspace_id, updated_at desc)
where archived_at is null and status in ('active', 'waiting', 'paused');
