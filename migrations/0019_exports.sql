-- Files that the finance office asks for, made in the background and kept for a day. Who works on one says so for a minute
-- at a time.
create table finance_exports (
  corp_id     text not null,
  export_id   text not null,
  what        text not null check (what in ('financial_rows', 'payments', 'refunds')),
  format      text not null check (format in ('csv', 'xlsx')),
  start_date  text,
  end_date    text,
  as_of       timestamptz not null,
  state       text not null check (state in ('waiting', 'running', 'done', 'failed')),
  attempts    integer not null default 0,
  rows_done   bigint not null default 0,
  rows_total  bigint not null default 0,
  bytes       bigint not null default 0,
  sha256      text not null default '',
  refusal     text not null default '',
  -- Makes the address of the file.
  token       text not null,
  executor_id text not null,
  busy_until  timestamptz,
  ctime       timestamptz not null,
  primary key (corp_id, export_id),
  unique (corp_id, token)
);
create index finance_exports_by_ctime on finance_exports (corp_id, ctime, export_id);

create table finance_export_pieces (
  corp_id   text not null,
  export_id text not null,
  seq       integer not null,
  content   bytea not null,
  primary key (corp_id, export_id, seq),
  foreign key (corp_id, export_id) references finance_exports (corp_id, export_id)
);

alter table finance_exports enable row level security;
alter table finance_exports force row level security;
create policy organization on finance_exports using (corp_id = current_setting('app.corp_id', true));

alter table finance_export_pieces enable row level security;
alter table finance_export_pieces force row level security;
create policy organization on finance_export_pieces using (corp_id = current_setting('app.corp_id', true));
