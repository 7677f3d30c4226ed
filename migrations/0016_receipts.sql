-- A receipt for every payment, numbered without gaps per organization and year, in the order in which payments entered the
-- ledger. Like the payments, receipts are only ever added. The token makes the address of the page that shows them.
create table receipts (
  corp_id    text not null,
  payment_id text not null,
  order_id   text not null,
  -- Of the day on which the payment entered the ledger, on the calendar of the organization.
  year       integer not null,
  number     bigint not null check (number > 0),
  token      text not null,
  at         timestamptz not null,
  primary key (corp_id, payment_id),
  unique (corp_id, year, number),
  unique (corp_id, token),
  foreign key (corp_id, payment_id) references payments (corp_id, payment_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index receipts_by_order on receipts (corp_id, order_id, at);

-- Forced row-level security would hide the rows from this very statement.
alter table payments no force row level security;
insert into receipts (corp_id, payment_id, order_id, year, number, token, at)
select dated.corp_id, dated.payment_id, dated.order_id, dated.year,
       row_number() over (partition by dated.corp_id, dated.year order by dated.ctime, dated.payment_id),
       replace(gen_random_uuid()::text, '-', ''), dated.ctime
  from (select p.corp_id, p.payment_id, p.order_id, p.ctime,
               extract(year from p.ctime at time zone o.time_zone)::integer as year
          from payments p join organizations o on o.corp_id = p.corp_id) dated;
alter table payments force row level security;

alter table receipts enable row level security;
alter table receipts force row level security;
create policy organization on receipts using (corp_id = current_setting('app.corp_id', true));
