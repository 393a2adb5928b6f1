-- Which objects a person's words are about: named by the client, or found in what was shown last.
alter table messages add column object_ids uuid[] not null default '{}';
update messages set object_ids = array[object_id] where object_id is not null;

-- Which works an object went into.
create index object_versions_inputs_idx on object_versions using gin (inputs jsonb_path_ops);
