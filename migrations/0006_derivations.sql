-- What is kept beside the data so that lists are fast and flat: every order and financial row as the text it is answered
-- with, and how many there are per day. Written in the transaction that changes the data; `matricula db rebuild` makes
-- all of it anew from the data, to the same bytes.

create table order_documents (
  corp_id   text not null,
  order_id  text not null,
  detail    text not null,
  list_row  text not null,
  -- Under which the order is counted.
  status    text not null,
  ctime_day date not null,
  mtime_day date not null,
  primary key (corp_id, order_id)
);

create table financial_documents (
  corp_id      text not null,
  sub_order_id text not null,
  order_id     text not null,
  -- Up to the last payment slot in use; the empty rest is a constant that the server adds.
  row_start    text not null,
  used_slots   smallint not null,
  status       text not null,
  ctime_day    date not null,
  mtime_day    date not null,
  primary key (corp_id, sub_order_id)
);
create index financial_documents_by_order on financial_documents (corp_id, order_id);

-- Kept in the row and uncompressed: a page of a thousand is read far more often than written.
alter table order_documents alter column detail set storage external, alter column list_row set storage external;
alter table order_documents set (toast_tuple_target = 8160);
alter table financial_documents alter column row_start set storage external;
alter table financial_documents set (toast_tuple_target = 8160);

-- Rows per list, day of the organization's calendar, and status; status '' counts all.
create table list_counts (
  corp_id text not null,
  list    text not null check (list in ('orders', 'sub_orders')),
  time    text not null check (time in ('ctime', 'mtime')),
  status  text not null,
  day     date not null,
  rows    bigint not null,
  primary key (corp_id, list, time, status, day)
);

create index orders_by_status_and_mtime on orders (corp_id, status, mtime, order_id) where not is_deleted;
create index sub_orders_by_status_and_mtime on sub_orders (corp_id, status, mtime, sub_order_id);

alter table order_documents enable row level security;
alter table order_documents force row level security;
create policy organization on order_documents using (corp_id = current_setting('app.corp_id', true));

alter table financial_documents enable row level security;
alter table financial_documents force row level security;
create policy organization on financial_documents using (corp_id = current_setting('app.corp_id', true));

alter table list_counts enable row level security;
alter table list_counts force row level security;
create policy organization on list_counts using (corp_id = current_setting('app.corp_id', true));
