-- A work that is finished without some of its results: a person is asked about exactly these.
alter table approvals drop constraint approvals_kind_check;
alter table approvals add constraint approvals_kind_check
    check (kind in ('plan', 'call', 'question', 'route', 'review', 'gaps'));
