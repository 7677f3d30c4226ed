-- Erasures stay in force: a person who was erased is recognised by keyed hashes of the contacts.

-- One row per organization: the number of the last erasure or lift, and the key of its hashes.
create table erasure_registers (
  corp_id       text primary key references organizations (corp_id),
  last_number   bigint not null default 0,
  -- Up to these numbers, files that wait for their commit, and texts, have been searched for the people who were erased.
  files_number  bigint not null default 0,
  texts_number  bigint not null default 0,
  -- A random key for HMAC-SHA-256, sealed with a master key as the secrets of accounts are.
  secret_box    bytea,
  secret_key_id text,
  check ((secret_box is null) = (secret_key_id is null))
);

-- A tombstone: a contact of somebody who was erased. Lifted, it stays, and stops nothing.
create table erasure_tombstones (
  corp_id      text not null references organizations (corp_id),
  contact_hash text not null,
  -- mobile: calling code and number; email: the address; digits: the number alone, to find it in texts.
  kind         text not null check (kind in ('mobile', 'email', 'digits')),
  user_id      text not null,
  -- Of the erasure, or of the lift.
  number       bigint not null,
  at           timestamptz not null,
  lifted_at    timestamptz,
  lifted_by    text,
  primary key (corp_id, contact_hash)
);
create index erasure_tombstones_by_user on erasure_tombstones (corp_id, user_id);
create index erasure_tombstones_by_number on erasure_tombstones (corp_id, number);

-- The number of the erasure; 0 for those from before. person_id: whose erasure it was, of a user who was merged.
alter table erased_users
  add column number    bigint not null default 0,
  add column person_id text;
create index erased_users_by_number on erased_users (corp_id, number, user_id);

-- Rows that tell what stands in a file are few among those of a file, and are searched for people who are erased.
create index lead_import_rows_telling on lead_import_rows (corp_id, import_id, row) where outcome in ('reject', 'erased');

alter table erasure_registers enable row level security;
alter table erasure_registers force row level security;
create policy organization on erasure_registers using (corp_id = current_setting('app.corp_id', true));

alter table erasure_tombstones enable row level security;
alter table erasure_tombstones force row level security;
create policy organization on erasure_tombstones using (corp_id = current_setting('app.corp_id', true));
