-- Entries that are in no link yet. A writer adds a row for each of its entries, with the COMMIT, and waits for nobody.
-- The process that links an entry removes its row in the same transaction.
create table audit_waiting (
  corp_id  text not null,
  -- The database's clock at the end of the writing transaction. Row locks order the changes of one record, so these times
  -- order them too, whichever servers made them. Entries are linked in this order.
  at       timestamptz not null default clock_timestamp(),
  entry_id text not null,
  primary key (corp_id, entry_id)
);
create index audit_waiting_by_time on audit_waiting (corp_id, at, entry_id);

alter table audit_entries no force row level security;
alter table audit_links no force row level security;
insert into audit_waiting (corp_id, at, entry_id)
select e.corp_id, e.at, e.entry_id
  from audit_entries e
 where not exists (select from audit_links l where l.corp_id = e.corp_id and l.entry_id = e.entry_id);
alter table audit_entries force row level security;
alter table audit_links force row level security;

-- Entries are written with the COMMIT: the time of that, not the time at which the transaction began.
alter table audit_entries alter column at set default clock_timestamp();

-- It said where to look for entries that are in no link.
alter table audit_heads drop column newest;

alter table audit_waiting enable row level security;
alter table audit_waiting force row level security;
create policy organization on audit_waiting using (corp_id = current_setting('app.corp_id', true));
