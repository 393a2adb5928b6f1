-- The database itself keeps the books: a budget is the sum of its entries, and an entry is for good.
create view accounts as
select task_id, workspace_id,
       coalesce(sum(amount_micros) filter (where kind = 'limit'), 0)::bigint as limit_micros,
       coalesce(sum(case kind when 'hold' then amount_micros
                              when 'settle' then -amount_micros
                              when 'release' then -amount_micros end), 0)::bigint as held_micros,
       coalesce(sum(amount_micros) filter (where kind = 'settle'), 0)::bigint as settled_micros,
       coalesce(sum(amount_micros) filter (where kind = 'absorb'), 0)::bigint as absorbed_micros
from money_entries
group by task_id, workspace_id;

-- Looked at when the transaction ends, since a change and its entry are two statements.
create function check_account() returns trigger
language plpgsql as $$
declare
    wrong record;
begin
    select b.task_id, b.limit_micros, b.held_micros, b.settled_micros, b.absorbed_micros
    into wrong
    from budgets as b
    left join accounts as a on a.task_id = b.task_id and a.workspace_id = b.workspace_id
    where b.task_id = new.task_id
      and (b.limit_micros, b.held_micros, b.settled_micros, b.absorbed_micros)
          is distinct from (coalesce(a.limit_micros, 0), coalesce(a.held_micros, 0),
                            coalesce(a.settled_micros, 0), coalesce(a.absorbed_micros, 0));
    if found then
        raise exception 'the budget of task % is not the sum of its entries', new.task_id
            using errcode = 'integrity_constraint_violation', table = 'budgets',
                  constraint = 'budgets_are_the_sum_of_their_entries';
    end if;
    return null;
end;
$$;

create constraint trigger budgets_are_the_sum_of_their_entries
after insert or update on budgets
deferrable initially deferred
for each row execute function check_account();

create constraint trigger entries_add_up_to_their_budget
after insert on money_entries
deferrable initially deferred
for each row execute function check_account();

create function refuse_change() returns trigger
language plpgsql as $$
begin
    raise exception 'what was entered in % is for good', tg_table_name
        using errcode = 'integrity_constraint_violation';
end;
$$;

create trigger money_entries_are_for_good
before update or delete on money_entries
for each row execute function refuse_change();
