-- Module orders, part 4: the ledger (the versions of orders and the hash chain over them), and the read model.

-- The clock of an organization's ledger, and the end of its chain. A transaction that changes orders takes the next
-- instant and holds the row until its COMMIT. So the times of orders, payments and versions follow the order of commits:
-- a reader who has seen an instant never sees anything earlier appear.
create table ledger_clocks (
  corp_id      text primary key references organizations (corp_id),
  -- Microseconds since 1970: every engine compares and adds integers in the same way.
  instant_us   bigint not null,
  -- The hash of the last link, and the number of links.
  chain_head   text not null default '',
  chain_length bigint not null default 0
);
alter table ledger_clocks enable row level security, force row level security;
create policy organization on ledger_clocks using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on ledger_clocks to matricula_app;

-- A version of an order: the author, the time, the reason, and the complete order from then on.
create table order_versions (
  corp_id     text not null,
  order_id    text not null,
  version     integer not null,
  at          timestamptz not null,
  change      text not null,
  from_status text,
  to_status   text not null,
  executor_id text,
  reason      text,
  -- The payment, refund or remark that made this version.
  subject_id  text,
  -- The order, its sub-orders, and under "facts" the facts that came with the version. Personal data and texts are in it
  -- as salted digests, with the salt of the order.
  record      jsonb not null,
  primary key (corp_id, order_id, version),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index order_versions_by_time on order_versions (corp_id, at, order_id);
alter table order_versions enable row level security, force row level security;
create policy organization on order_versions using (corp_id = current_setting('app.corp_id', true));
grant select, insert on order_versions to matricula_app;
grant update (reason) on order_versions to matricula_app;

-- A link of the hash chain over all versions of an organization. Its hash covers the link before it and the complete
-- version, so that a change behind the service's back is found.
create table ledger_chain (
  corp_id      text not null references organizations (corp_id),
  seq          bigint not null check (seq > 0),
  order_id     text not null,
  version      integer not null,
  at           timestamptz not null,
  content_hash text not null,
  hash         text not null,
  primary key (corp_id, seq)
);
alter table ledger_chain enable row level security, force row level security;
create policy organization on ledger_chain using (corp_id = current_setting('app.corp_id', true));
grant select, insert on ledger_chain to matricula_app;

-- The read model: rows that lists and details respond with, and their counts. It is written in the transaction that
-- changes the data, and `matricula db rebuild` derives it from the data again, byte by byte. Rendered texts are stored
-- inline and uncompressed, because a page of a thousand rows is read far more often than written.

-- An order, rendered.
create table order_read_model (
  corp_id    text not null,
  order_id   text not null,
  detail     text not null,
  list_row   text not null,
  -- The values that the order is counted under.
  status     text not null,
  ctime_day  date not null,
  mtime_day  date not null,
  -- Lists and counts leave deleted orders out.
  is_deleted boolean not null,
  -- The facets that the order has in facet_entries, as a JSON array: a change knows which to remove and which to add.
  facets     text not null default '[]',
  -- The code that rendered the row. Other code renders it again when it is read.
  renderer   text not null default '',
  primary key (corp_id, order_id)
) with (toast_tuple_target = 8160);
alter table order_read_model alter column detail set storage external, alter column list_row set storage external;
alter table order_read_model enable row level security, force row level security;
create policy organization on order_read_model using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on order_read_model to matricula_app;

-- A sub-order, rendered as a row of the financial list.
create table financial_read_model (
  corp_id      text not null,
  sub_order_id text not null,
  order_id     text not null,
  -- The row up to the last payment slot in use. The server appends the constant for the unused slots.
  row_start    text not null,
  used_slots   smallint not null,
  status       text not null,
  ctime_day    date not null,
  mtime_day    date not null,
  -- The unpaid amount of the row, which the ageing report adds up.
  unpaid_price bigint not null default 0,
  renderer     text not null default '',
  primary key (corp_id, sub_order_id)
) with (toast_tuple_target = 8160);
alter table financial_read_model alter column row_start set storage external;
create index financial_read_model_by_order on financial_read_model (corp_id, order_id);
-- The ageing report, and instalments of an amount.
create index financial_read_model_owed on financial_read_model (corp_id, unpaid_price, sub_order_id) include (order_id)
  where unpaid_price > 0;
alter table financial_read_model enable row level security, force row level security;
create policy organization on financial_read_model using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on financial_read_model to matricula_app;

-- The number of rows of a list on a day or in a month of the organization's calendar, by status; status '' counts all.
-- With the months, a total or the position of a page takes a few dozen numbers, even over many years.
create table list_counts (
  corp_id text not null,
  list    text not null check (list in ('orders', 'sub_orders')),
  time    text not null check (time in ('ctime', 'mtime')),
  status  text not null,
  span    text not null check (span in ('day', 'month')),
  -- For a month: its first day.
  day     date not null,
  rows    bigint not null,
  primary key (corp_id, list, time, status, span, day)
);
alter table list_counts enable row level security, force row level security;
create policy organization on list_counts using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on list_counts to matricula_app;
