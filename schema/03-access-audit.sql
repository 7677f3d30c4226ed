-- Module access, part 3: the audit. Each change and each sight of personal data is an entry. Entries are only added.
-- Each organization has a hash chain over its entries. corp_id '' is for entries about no single organization, such as
-- changes of accounts.

-- An audit entry, written in the transaction of its change.
create table audit_entries (
  corp_id     text not null,
  entry_id    text not null,
  -- The entry is written with the COMMIT: the time of that, not of the beginning of the transaction.
  at          timestamptz not null default clock_timestamp(),
  actor_kind  text not null check (actor_kind in ('account', 'staff', 'support', 'system')),
  actor_id    text not null,
  address     text,
  request_id  text,
  operation   text not null,
  action      text not null check (action in ('made', 'changed', 'removed', 'revealed', 'exported', 'erased')),
  record_type text not null,
  record_id   text not null,
  -- For an order: the new version. order_versions has the content before and after.
  version     integer,
  -- The members that differ, without personal ones.
  before      jsonb,
  after       jsonb,
  -- The person whose data audit_personal holds for this entry, and the salted digest of that data.
  person_id   text,
  digest      text,
  primary key (corp_id, entry_id)
);
create index audit_entries_by_record on audit_entries (corp_id, record_id, entry_id);
alter table audit_entries enable row level security, force row level security;
create policy organization on audit_entries using (corp_id = current_setting('app.corp_id', true));
grant select, insert on audit_entries to matricula_app;

-- The personal part of an entry, apart from the rest so that it can be erased. The entry keeps its digest.
create table audit_personal (
  corp_id   text not null,
  person_id text not null,
  entry_id  text not null,
  salt      text not null,
  content   text not null,
  primary key (corp_id, person_id, entry_id)
);
alter table audit_personal enable row level security, force row level security;
create policy organization on audit_personal using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on audit_personal to matricula_app;

-- An entry that is in no link yet. A transaction adds a row for each of its entries, with the COMMIT, and waits for no
-- other. The process that links the entry deletes the row in the same transaction.
create table audit_waiting (
  corp_id  text not null,
  -- The database's clock at the end of the transaction. Row locks order the changes of one record, so these times
  -- order them too, even between servers. Entries are linked in this order.
  at       timestamptz not null default clock_timestamp(),
  entry_id text not null,
  primary key (corp_id, entry_id)
);
create index audit_waiting_by_time on audit_waiting (corp_id, at, entry_id);
alter table audit_waiting enable row level security, force row level security;
create policy organization on audit_waiting using (corp_id = current_setting('app.corp_id', true));
create policy survey on audit_waiting for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on audit_waiting to matricula_app;

-- A link of the hash chain: one committed entry, after the link before it.
create table audit_links (
  corp_id      text not null,
  seq          bigint not null,
  entry_id     text not null,
  content_hash text not null,
  hash         text not null,
  primary key (corp_id, seq),
  unique (corp_id, entry_id)
);
alter table audit_links enable row level security, force row level security;
create policy organization on audit_links using (corp_id = current_setting('app.corp_id', true));
grant select, insert on audit_links to matricula_app;

-- The end of an organization's chain. A process locks the row while it links entries.
create table audit_heads (
  corp_id text primary key,
  head    text not null,
  length  bigint not null
);
alter table audit_heads enable row level security, force row level security;
create policy organization on audit_heads using (corp_id = current_setting('app.corp_id', true));
create policy survey on audit_heads for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on audit_heads to matricula_app;

-- Where a chain ended when a check last found everything up to there in order, sealed with the master key: a person who can
-- write the database cannot write such a note. A check that starts from it says so.
create table verified_heads (
  corp_id       text not null,
  chain         text not null check (chain in ('audit', 'ledger')),
  secret_box    bytea not null,
  secret_key_id text not null,
  primary key (corp_id, chain)
);
alter table verified_heads enable row level security, force row level security;
create policy organization on verified_heads using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on verified_heads to matricula_app;

-- A file to which old rows were moved (`matricula archive`). The rows are removed after this row is stored. The audit chain
-- continues after the newest archive of the audit.
create table archives (
  corp_id       text not null,
  archive_id    text not null,
  kind          text not null check (kind in ('audit', 'changes', 'imports')),
  made_at       timestamptz not null,
  -- The file has rows from before this instant.
  older_than    timestamptz not null,
  rows          bigint not null,
  -- The SHA-256 at the end of the file.
  sha256        text not null,
  -- Audit: the last link in the file.
  length        bigint,
  head          text,
  is_removed    boolean not null default false,
  -- The members above, sealed with the master key: nobody else can pass removed rows off as archived.
  secret_box    bytea,
  secret_key_id text,
  primary key (corp_id, archive_id)
);
alter table archives enable row level security, force row level security;
create policy organization on archives using (corp_id = current_setting('app.corp_id', true));
grant select on archives to matricula_app;
