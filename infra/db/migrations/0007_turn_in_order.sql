-- Main's threads are routed one after another within their workspace. Who claims, who looks for what
-- can be claimed and who looks for what nobody will claim must mean the same by it.
create function is_its_turn(t threads) returns boolean
language sql stable parallel safe
return not exists (
    select
    from threads as earlier
    where t.holds_order
      and earlier.holds_order
      and earlier.workspace_id = t.workspace_id
      and (earlier.created_at, earlier.thread_id) < (t.created_at, t.thread_id)
);
