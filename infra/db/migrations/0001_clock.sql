-- The one clock that judges expiry. Every lease, hold, retry and timer asks app_now(), so the clocks of
-- workers never matter and a test moves time for every process of a database at once.

create table clock (
    only_row boolean primary key default true check (only_row),
    offset_by interval not null default interval '0'
);

insert into clock default values;

-- The session setting atelier.now wins (one transaction at a fixed time), else the real clock plus the
-- offset. Real time, not the transaction's: a transaction that waited for a lock must not use an old time.
-- Declared stable although it moves: within one statement one reading is right, and a volatile function
-- could not be used in an index condition.
create function app_now() returns timestamptz
language plpgsql stable parallel safe
as $$
declare
    fixed text := current_setting('atelier.now', true);
begin
    if fixed <> '' then
        return fixed::timestamptz;
    end if;
    return clock_timestamp() + (select offset_by from public.clock);
end;
$$;
