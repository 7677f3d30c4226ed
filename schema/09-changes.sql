-- Module changes: imports, batches of changes that can be undone, and erasure.

-- A batch of changes: an import, a bulk edit, a merge, or the undo of one of these.
create table change_batches (
  corp_id            text not null references organizations (corp_id),
  batch_id           text not null,
  kind               text not null check (kind in ('lead_import', 'order_import', 'bulk_update', 'contact_update', 'user_merge', 'undo')),
  -- The kind; for an undo, the kind of the first batch in the series of undos.
  root_kind          text not null,
  executor_id        text not null,
  is_complete        boolean not null default false,
  -- The number of its records.
  records            integer not null default 0,
  -- For an undo: the batch that it undoes, and the number of that batch's records that are still to be checked. For a bulk
  -- edit in the background: the number of users that are still to be changed.
  undoes_batch_id    text,
  remaining          integer,
  -- For a bulk edit in the background, until it is complete: the edit, and the reach of its executor.
  edit               jsonb,
  -- The undo of this batch.
  undone_by_batch_id text,
  counts             jsonb not null default '{}',
  -- The archive that names its records, which are removed. It can no longer be undone.
  archive_id         text,
  ctime              timestamptz not null,
  mtime              timestamptz not null,
  primary key (corp_id, batch_id)
);
alter table change_batches enable row level security, force row level security;
create policy organization on change_batches using (corp_id = current_setting('app.corp_id', true));
create policy survey on change_batches for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on change_batches to matricula_app;

-- A change of a batch, in order. For a changed record, before and after hold the members that differ; for a created one,
-- after holds enough to detect a later change; for a deleted one, before holds all of it.
create table change_batch_records (
  corp_id     text not null,
  batch_id    text not null,
  position    integer not null,
  record_type text not null,
  record_id   text not null,
  before      jsonb,
  after       jsonb,
  -- For an undo: why the record, or these members of it, were not changed back.
  left_alone  jsonb,
  primary key (corp_id, batch_id, position),
  foreign key (corp_id, batch_id) references change_batches (corp_id, batch_id)
);
create index change_batch_records_left_alone on change_batch_records (corp_id, batch_id, position)
  where left_alone is not null;
alter table change_batch_records enable row level security, force row level security;
create policy organization on change_batch_records using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on change_batch_records to matricula_app;

-- The users of a bulk edit in the background, as it found them. A part is changed in one transaction, and then deleted.
create table bulk_edit_parts (
  corp_id  text not null,
  batch_id text not null,
  number   integer not null,
  user_ids text[] not null,
  primary key (corp_id, batch_id, number),
  foreign key (corp_id, batch_id) references change_batches (corp_id, batch_id)
);
alter table bulk_edit_parts enable row level security, force row level security;
create policy organization on bulk_edit_parts using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on bulk_edit_parts to matricula_app;

-- The import of a file of leads. Its batch in change_batches has the same id.
create table lead_imports (
  corp_id      text not null references organizations (corp_id),
  import_id    text not null,
  -- The hash of the content and of the options: the same file is the same import.
  content_hash text,
  file_name    text not null,
  options      jsonb not null default '{}',
  state        text not null check (state in ('uploading', 'planning', 'planned', 'committing', 'done', 'refused')),
  -- The size of the file, and the bytes received so far.
  bytes        bigint not null,
  received     bigint not null default 0,
  -- The plan's reading of the file: header, columns, unknown values.
  reading      jsonb,
  -- The last row that the plan or the commit has processed.
  last_row     integer not null default 0,
  plan         jsonb,
  result       jsonb,
  refusal      text,
  -- The kind of a frequent refusal, for readers in other languages.
  refusal_reason text,
  executor_id  text not null,
  -- The archive that has the outcomes of its rows, which are removed.
  archive_id   text,
  -- The end of the lease of the process that works on it.
  busy_until   timestamptz,
  ctime        timestamptz not null,
  mtime        timestamptz not null,
  primary key (corp_id, import_id)
);
create index lead_imports_by_content on lead_imports (corp_id, content_hash);
create index lead_imports_unfinished on lead_imports (corp_id, mtime) where state in ('planning', 'committing');
alter table lead_imports enable row level security, force row level security;
create policy organization on lead_imports using (corp_id = current_setting('app.corp_id', true));
create policy survey on lead_imports for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on lead_imports to matricula_app;

-- A piece of an uploaded file.
create table lead_import_pieces (
  corp_id   text not null,
  import_id text not null,
  -- Its offset in the file.
  start     bigint not null,
  bytes     bytea not null,
  primary key (corp_id, import_id, start),
  foreign key (corp_id, import_id) references lead_imports (corp_id, import_id)
);
alter table lead_import_pieces enable row level security, force row level security;
create policy organization on lead_import_pieces using (corp_id = current_setting('app.corp_id', true));
create policy survey on lead_import_pieces for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on lead_import_pieces to matricula_app;

-- The outcome of a row of a file: all rows of a plan made through the interface, and every rejected row.
create table lead_import_rows (
  corp_id   text not null,
  import_id text not null,
  row       integer not null,
  outcome   text not null,
  reason    text,
  -- The lead and the user of an imported row.
  lead_id   text,
  user_id   text,
  -- For a rejected row: its content, to be corrected.
  cells     jsonb,
  primary key (corp_id, import_id, row),
  foreign key (corp_id, import_id) references lead_imports (corp_id, import_id)
);
create index lead_import_rows_by_outcome on lead_import_rows (corp_id, import_id, outcome, row);
-- Only these rows hold content of the file. An erasure searches them for the person.
create index lead_import_rows_telling on lead_import_rows (corp_id, import_id, row) where outcome in ('reject', 'erased');
alter table lead_import_rows enable row level security, force row level security;
create policy organization on lead_import_rows using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on lead_import_rows to matricula_app;

-- The meaning that somebody gave the columns of a header line and their values, for the next file with this header.
create table column_mappings (
  corp_id       text not null references organizations (corp_id),
  header_hash   text not null,
  mapping       jsonb not null,
  value_mapping jsonb not null default '{}',
  mtime         timestamptz not null,
  primary key (corp_id, header_hash)
);
alter table column_mappings enable row level security, force row level security;
create policy organization on column_mappings using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on column_mappings to matricula_app;

-- The last imported row of an order, by external_id. The next import compares with it to find the changed rows, even if
-- the order has changed since.
create table order_import_rows (
  corp_id     text not null,
  external_id text not null,
  order_id    text not null,
  row_hash    text not null,
  -- The members of the row as read, without those of the user.
  members     jsonb not null,
  imported_at timestamptz not null,
  primary key (corp_id, external_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
alter table order_import_rows enable row level security, force row level security;
create policy organization on order_import_rows using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on order_import_rows to matricula_app;

-- An erased user. Orders keep the user_id; all personal data is gone.
create table erased_users (
  corp_id     text not null references organizations (corp_id),
  user_id     text not null,
  executor_id text not null,
  reason      text not null,
  at          timestamptz not null,
  -- The number of the erasure in erasure_registers.
  number      bigint not null default 0,
  -- For a merged user: the user whose erasure it was.
  person_id   text,
  primary key (corp_id, user_id)
);
create index erased_users_by_number on erased_users (corp_id, number, user_id);
alter table erased_users enable row level security, force row level security;
create policy organization on erased_users using (corp_id = current_setting('app.corp_id', true));
grant select, insert on erased_users to matricula_app;

-- The erasures of an organization: the number of the last erasure or lift, and the key of the hashes of its tombstones.
create table erasure_registers (
  corp_id       text primary key references organizations (corp_id),
  last_number   bigint not null default 0,
  -- Files that wait for their commit, and texts, have been searched for the people erased up to these numbers.
  files_number  bigint not null default 0,
  texts_number  bigint not null default 0,
  -- A random key for HMAC-SHA-256, sealed like the secrets of accounts.
  secret_box    bytea,
  secret_key_id text,
  check ((secret_box is null) = (secret_key_id is null))
);
alter table erasure_registers enable row level security, force row level security;
create policy organization on erasure_registers using (corp_id = current_setting('app.corp_id', true));
create policy survey on erasure_registers for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on erasure_registers to matricula_app;

-- A tombstone: the keyed hash of a contact of an erased person, which keeps the person from being imported again. A
-- lifted tombstone stays, without effect.
create table erasure_tombstones (
  corp_id      text not null references organizations (corp_id),
  contact_hash text not null,
  -- mobile: calling code and number; email: the address; digits: the number alone, to find it in texts.
  kind         text not null check (kind in ('mobile', 'email', 'digits')),
  user_id      text not null,
  -- The number of the erasure or of the lift.
  number       bigint not null,
  at           timestamptz not null,
  lifted_at    timestamptz,
  lifted_by    text,
  primary key (corp_id, contact_hash)
);
create index erasure_tombstones_by_user on erasure_tombstones (corp_id, user_id);
create index erasure_tombstones_by_number on erasure_tombstones (corp_id, number);
alter table erasure_tombstones enable row level security, force row level security;
create policy organization on erasure_tombstones using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on erasure_tombstones to matricula_app;

-- The number of months after which users without orders are erased. Without a row, they never are.
create table retention_rules (
  corp_id     text primary key references organizations (corp_id),
  lead_months integer not null check (lead_months > 0)
);
alter table retention_rules enable row level security, force row level security;
create policy organization on retention_rules using (corp_id = current_setting('app.corp_id', true));
create policy survey on retention_rules for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on retention_rules to matricula_app;
