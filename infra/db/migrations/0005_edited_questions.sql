-- An edit that costs more than its question said is asked about anew: the call then has two questions,
-- of which the old one is superseded.
drop index approvals_call_idx;
create unique index approvals_call_idx on approvals (workspace_id, call_key)
    where call_key is not null and status <> 'superseded';
