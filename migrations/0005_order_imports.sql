-- What the row of a spreadsheet said when it was last imported, by the external_id that names its order. It tells a
-- row that has changed from one that has not, whatever has become of the order since.

create table order_import_rows (
  corp_id     text not null,
  external_id text not null,
  order_id    text not null,
  row_hash    text not null,
  -- The members of the row as they were read, less what it says of the user.
  members     jsonb not null,
  imported_at timestamptz not null,
  primary key (corp_id, external_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);

alter table order_import_rows enable row level security;
alter table order_import_rows force row level security;
create policy organization on order_import_rows using (corp_id = current_setting('app.corp_id', true));
