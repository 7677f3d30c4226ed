-- Every unit of money has a place. A payment is money that arrived; where it lies is told by its allocations, which are
-- added and taken back by further lines. Payments, allocations, voids, refunds, retentions, write-offs and transfers are
-- facts: only ever added. No fact hangs on a sub-order, since plans change and facts do not.

alter table payments alter column sub_order_id drop not null;
alter table payments drop constraint payments_corp_id_sub_order_id_fkey;
-- A rate of any length; exchange_rate is what the interface shows of it, and may come to 0.
alter table payments drop constraint payments_exchange_rate_check;
alter table payments
  add column provider         text not null default '',
  add column method           text,
  add column rate             numeric not null default 1 check (rate > 0),
  -- What was credited, where that was told: then no rate decides it.
  add column settled_price    bigint check (settled_price > 0),
  -- Why no order could take the payment when it came.
  add column unapplied_reason text;
alter table refunds alter column sub_order_id drop not null;
alter table refunds drop constraint refunds_corp_id_sub_order_id_fkey;
alter table refunds
  add column provider       text not null default '',
  add column method         text,
  add column currency       text,
  add column exchange_rate  bigint not null default 10000,
  add column rate           numeric not null default 1 check (rate > 0),
  -- What left, in that currency.
  add column returned_price bigint;

-- Where the money of payments lies, in the currency of the order.
create table payment_allocations (
  corp_id      text not null,
  payment_id   text not null,
  order_id     text not null,
  sub_order_id text not null,
  -- The place of the sub-order in its order, then.
  line         integer not null default 1,
  price        bigint not null check (price <> 0),
  at           timestamptz not null,
  -- The change of the order that made the line.
  cause        text not null,
  primary key (corp_id, payment_id, sub_order_id, at),
  foreign key (corp_id, payment_id) references payments (corp_id, payment_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index payment_allocations_by_sub_order on payment_allocations (corp_id, sub_order_id) include (payment_id, price, at);
create index payment_allocations_by_order on payment_allocations (corp_id, order_id);

-- Payments that never stood: bounced, or booked by mistake.
create table payment_voids (
  corp_id     text not null,
  payment_id  text not null,
  order_id    text not null,
  reason      text not null,
  executor_id text,
  at          timestamptz not null,
  primary key (corp_id, payment_id),
  foreign key (corp_id, payment_id) references payments (corp_id, payment_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);

-- Which sub-orders a refund came from, and how much of it had been a surplus. What of a refund is not here was money that
-- no order had taken.
create table refund_allocations (
  corp_id       text not null,
  refund_id     text not null,
  order_id      text not null,
  sub_order_id  text not null,
  line          integer not null default 1,
  price         bigint not null check (price > 0),
  surplus_price bigint not null check (surplus_price between 0 and price),
  at            timestamptz not null,
  primary key (corp_id, refund_id, sub_order_id),
  foreign key (corp_id, refund_id) references refunds (corp_id, refund_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index refund_allocations_by_sub_order on refund_allocations (corp_id, sub_order_id);
create index refund_allocations_by_order on refund_allocations (corp_id, order_id);

-- What is kept of canceled orders: their sum is what such an order has received and not returned.
create table order_retentions (
  corp_id     text not null,
  order_id    text not null,
  price       bigint not null check (price <> 0),
  reason      text,
  executor_id text,
  at          timestamptz not null,
  primary key (corp_id, order_id, at),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);

-- What will not be paid any more; a negative line where it was paid all the same.
create table order_write_offs (
  corp_id      text not null,
  order_id     text not null,
  sub_order_id text not null,
  price        bigint not null check (price <> 0),
  reason       text,
  executor_id  text,
  at           timestamptz not null,
  primary key (corp_id, sub_order_id, at),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index order_write_offs_by_order on order_write_offs (corp_id, order_id);

create table order_transfers (
  corp_id       text not null,
  transfer_id   text not null,
  from_order_id text not null,
  to_order_id   text not null,
  price         bigint not null check (price > 0),
  reason        text not null,
  executor_id   text,
  at            timestamptz not null,
  primary key (corp_id, transfer_id),
  foreign key (corp_id, from_order_id) references orders (corp_id, order_id),
  foreign key (corp_id, to_order_id) references orders (corp_id, order_id)
);

-- Forced row-level security would hide the rows from these very statements.
alter table orders no force row level security;
alter table payments no force row level security;
alter table refunds no force row level security;

-- A charge is one payment, whatever brought it. Where it had come in twice already, its sources tell them apart.
drop index payments_by_charge;
drop index refunds_by_charge;
update payments p set provider = p.source
 where exists (select from payments q
                where q.corp_id = p.corp_id and q.charge_id = p.charge_id and q.payment_id <> p.payment_id);
create unique index payments_by_charge on payments (corp_id, provider, charge_id);
create unique index refunds_by_charge on refunds (corp_id, provider, charge_id);
create index payments_by_completion on payments (corp_id, completed_time, payment_id);
create index refunds_by_completion on refunds (corp_id, completed_time, refund_id);
create index refunds_by_payment on refunds (corp_id, payment_id);
drop index payments_by_sub_order;
drop index refunds_by_sub_order;

update payments set rate = trim_scale(exchange_rate / 10000::numeric) where exchange_rate <> 10000;
update refunds r set currency = o.currency, returned_price = r.price
  from orders o where o.corp_id = r.corp_id and o.order_id = r.order_id;
alter table refunds alter column currency set not null, alter column returned_price set not null;

-- What has happened so far stands as it was told: a payment on its sub-order, a refund of its own.
insert into payment_allocations (corp_id, payment_id, order_id, sub_order_id, price, at, cause)
select corp_id, payment_id, order_id, sub_order_id, order_price, ctime, 'payment' from payments where order_price > 0;
insert into refund_allocations (corp_id, refund_id, order_id, sub_order_id, price, surplus_price, at)
select corp_id, refund_id, order_id, sub_order_id, price, 0, ctime from refunds;
insert into order_retentions (corp_id, order_id, price, reason, at)
select o.corp_id, o.order_id, held.price, 'canceled before retentions were recorded', o.mtime
  from orders o
  cross join lateral (
    select coalesce((select sum(p.order_price) from payments p where p.corp_id = o.corp_id and p.order_id = o.order_id), 0)
           - coalesce((select sum(r.price) from refunds r where r.corp_id = o.corp_id and r.order_id = o.order_id), 0) as price) held
 where o.status = 'canceled' and held.price > 0;

alter table orders force row level security;
alter table payments force row level security;
alter table refunds force row level security;

alter table payment_allocations enable row level security;
alter table payment_allocations force row level security;
create policy organization on payment_allocations using (corp_id = current_setting('app.corp_id', true));

alter table payment_voids enable row level security;
alter table payment_voids force row level security;
create policy organization on payment_voids using (corp_id = current_setting('app.corp_id', true));

alter table refund_allocations enable row level security;
alter table refund_allocations force row level security;
create policy organization on refund_allocations using (corp_id = current_setting('app.corp_id', true));

alter table order_retentions enable row level security;
alter table order_retentions force row level security;
create policy organization on order_retentions using (corp_id = current_setting('app.corp_id', true));

alter table order_write_offs enable row level security;
alter table order_write_offs force row level security;
create policy organization on order_write_offs using (corp_id = current_setting('app.corp_id', true));

alter table order_transfers enable row level security;
alter table order_transfers force row level security;
create policy organization on order_transfers using (corp_id = current_setting('app.corp_id', true));
