-- Leads from spreadsheets, and batches of changes that can be taken back.

-- Whose numbers are meant where one is written without a calling code.
alter table organizations add column country text not null default 'CN';

-- A batch: an import, an edit of many users, a merge, or what took one of these back.
create table change_batches (
  corp_id            text not null references organizations (corp_id),
  batch_id           text not null,
  kind               text not null check (kind in ('lead_import', 'order_import', 'bulk_update', 'user_merge', 'undo')),
  -- Of an undo: the kind of what it takes back in the end.
  root_kind          text not null,
  executor_id        text not null,
  is_complete        boolean not null default false,
  -- How many changes it has noted.
  records            integer not null default 0,
  -- Of an undo: the batch that it takes back, and how many of that batch's changes are still to be looked at.
  undoes_batch_id    text,
  remaining          integer,
  -- The undo that stands against it.
  undone_by_batch_id text,
  counts             jsonb not null default '{}',
  ctime              timestamptz not null,
  mtime              timestamptz not null,
  primary key (corp_id, batch_id)
);

-- What a batch did, in order. Of a record that was changed, the members that differ; of one that was made, what tells
-- whether it was touched since; of one that was removed, all of it.
create table change_batch_records (
  corp_id     text not null,
  batch_id    text not null,
  position    integer not null,
  record_type text not null,
  record_id   text not null,
  before      jsonb,
  after       jsonb,
  -- Of an undo: why the record, or these members of it, were left alone.
  left_alone  jsonb,
  primary key (corp_id, batch_id, position),
  foreign key (corp_id, batch_id) references change_batches (corp_id, batch_id)
);
create index change_batch_records_left_alone on change_batch_records (corp_id, batch_id, position)
  where left_alone is not null;

-- A file of leads: how far it has come, and what became of its rows. Its batch has the same id.
create table lead_imports (
  corp_id      text not null references organizations (corp_id),
  import_id    text not null,
  -- Of what the file says and how it is read: the same file is the same import.
  content_hash text,
  file_name    text not null,
  options      jsonb not null default '{}',
  state        text not null check (state in ('uploading', 'planning', 'planned', 'committing', 'done', 'refused')),
  -- Of an upload.
  bytes        bigint not null,
  received     bigint not null default 0,
  -- What the plan found of the file: headers, columns, what is unknown.
  reading      jsonb,
  -- The last row that was worked on, by the plan or by the commit.
  last_row     integer not null default 0,
  plan         jsonb,
  result       jsonb,
  refusal      text,
  executor_id  text not null,
  -- Until when somebody is at work on it.
  busy_until   timestamptz,
  ctime        timestamptz not null,
  mtime        timestamptz not null,
  primary key (corp_id, import_id)
);
create index lead_imports_by_content on lead_imports (corp_id, content_hash);
create index lead_imports_unfinished on lead_imports (corp_id, mtime) where state in ('planning', 'committing');

create table lead_import_pieces (
  corp_id   text not null,
  import_id text not null,
  start     bigint not null,
  bytes     bytea not null,
  primary key (corp_id, import_id, start),
  foreign key (corp_id, import_id) references lead_imports (corp_id, import_id)
);

-- What became of rows: of all that were planned through the interface, and of every one that was rejected.
create table lead_import_rows (
  corp_id   text not null,
  import_id text not null,
  row       integer not null,
  outcome   text not null,
  reason    text,
  -- Of a rejected row: what stands in it, to be mended.
  cells     jsonb,
  primary key (corp_id, import_id, row),
  foreign key (corp_id, import_id) references lead_imports (corp_id, import_id)
);
create index lead_import_rows_by_outcome on lead_import_rows (corp_id, import_id, outcome, row);

-- What the columns of a header line were said to mean.
create table column_mappings (
  corp_id     text not null references organizations (corp_id),
  header_hash text not null,
  mapping     jsonb not null,
  mtime       timestamptz not null,
  primary key (corp_id, header_hash)
);

-- A user who was merged into another one answers as that one, by id and by contact.
create table merged_users (
  corp_id        text not null,
  merged_user_id text not null,
  user_id        text not null,
  merge_id       text not null,
  area_code      text,
  mobile         text,
  email          text,
  email_key      text generated always as (lower(email)) stored,
  primary key (corp_id, merged_user_id)
);
create index merged_users_by_mobile on merged_users (corp_id, area_code, mobile);
create index merged_users_by_email on merged_users (corp_id, email_key);
create index merged_users_by_user on merged_users (corp_id, user_id);

alter table change_batches enable row level security;
alter table change_batches force row level security;
create policy organization on change_batches using (corp_id = current_setting('app.corp_id', true));

alter table change_batch_records enable row level security;
alter table change_batch_records force row level security;
create policy organization on change_batch_records using (corp_id = current_setting('app.corp_id', true));

alter table lead_imports enable row level security;
alter table lead_imports force row level security;
create policy organization on lead_imports using (corp_id = current_setting('app.corp_id', true));

alter table lead_import_pieces enable row level security;
alter table lead_import_pieces force row level security;
create policy organization on lead_import_pieces using (corp_id = current_setting('app.corp_id', true));

alter table lead_import_rows enable row level security;
alter table lead_import_rows force row level security;
create policy organization on lead_import_rows using (corp_id = current_setting('app.corp_id', true));

alter table column_mappings enable row level security;
alter table column_mappings force row level security;
create policy organization on column_mappings using (corp_id = current_setting('app.corp_id', true));

alter table merged_users enable row level security;
alter table merged_users force row level security;
create policy organization on merged_users using (corp_id = current_setting('app.corp_id', true));
