-- Module orders, part 2: payments and refunds. Payments, allocations, voids, moves, refunds, reversals, retentions,
-- write-offs and transfers are facts: rows are only added. The server may only update the texts that people wrote, to erase them.
-- A fact refers to no sub-order by a key, because payment plans change and facts do not.

-- A payer: someone who pays for orders, such as a parent, an employer or a sponsor. An erased payer keeps only its id.
create table payers (
  corp_id      text not null references organizations (corp_id),
  payer_id     text not null,
  kind         text not null check (kind in ('person', 'parent', 'employer', 'sponsor', 'other', 'unknown')),
  name         text not null,
  -- The user that the payer is, where the school knows them.
  user_id      text,
  contact_name text,
  area_code    text,
  mobile       text,
  email        text,
  address      text,
  tax_number   text,
  -- The number of the payer in the books of the school.
  reference    text,
  remarks      text,
  executor_id  text,
  ctime        timestamptz not null,
  mtime        timestamptz not null,
  version      integer not null default 1,
  primary key (corp_id, payer_id),
  foreign key (corp_id, user_id) references users (corp_id, user_id)
);
create index payers_by_name on payers (corp_id, name, payer_id);
create index payers_by_user on payers (corp_id, user_id);
create unique index payers_by_reference on payers (corp_id, reference);
alter table payers enable row level security, force row level security;
create policy organization on payers using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on payers to matricula_app;

-- A payment: money that arrived for an order. Its allocations say which sub-orders it pays.
create table payments (
  corp_id          text not null,
  payment_id       text not null,
  order_id         text not null,
  sub_order_id     text,
  -- In the payment's own currency.
  price            bigint not null check (price > 0),
  currency         text not null,
  -- The exact rate, and the rate × 10,000 that the interface shows, which may be 0.
  rate             numeric not null default 1 check (rate > 0),
  exchange_rate    bigint not null default 10000,
  -- The credited amount in the order's currency, where the caller stated it; the rate is then not used.
  settled_price    bigint check (settled_price > 0),
  -- In the order's currency, rounded half-even, once.
  order_price      bigint not null check (order_price >= 0),
  status           text not null,
  source           text not null,
  -- The company that collected the money, and its id of the charge: together they identify a payment.
  provider         text not null default '',
  charge_id        text,
  -- 1, or more where the charge was recorded again because the payment before it was voided or moved.
  recording        integer not null default 1 check (recording > 0),
  method           text,
  -- The school's own receipt number, and how often it has been used: again only after the payment before it was voided.
  receipt_num      bigint,
  receipt_use      integer not null default 1 check (receipt_use > 0),
  comments         text,
  -- The reason why no order could take the payment when it arrived.
  unapplied_reason text,
  completed_time   timestamptz not null,
  executor_id      text,
  -- Who paid, if not the user of the order. It is a label that can be corrected; versions and the chain leave it out.
  payer_id         text,
  ctime            timestamptz not null,
  -- Derived: no statement line confirms the payment, and it is not void. Versions and the chain leave it out.
  is_open          boolean not null default true,
  primary key (corp_id, payment_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id),
  foreign key (corp_id, payer_id) references payers (corp_id, payer_id)
);
create unique index payments_by_charge on payments (corp_id, charge_id, provider, recording);
create unique index payments_by_receipt on payments (corp_id, receipt_num, receipt_use) where receipt_num is not null;
create index payments_by_completion on payments (corp_id, completed_time, payment_id);
create index payments_by_order on payments (corp_id, order_id);
create index payments_by_payer on payments (corp_id, payer_id, ctime) where payer_id is not null;
-- The takings of a clerk on a day.
create index payments_by_executor on payments (corp_id, executor_id, ctime);
-- The worklist of bank reconciliation, and payments that may belong to a statement line.
create index payments_open on payments (corp_id, completed_time, payment_id) include (currency, price) where is_open;
create index payments_open_by_price on payments (corp_id, currency, price, completed_time) where is_open;
-- Payments that may have an unapplied rest. payment_allocations_taken_back has the others.
create index payments_waiting on payments (corp_id, completed_time, payment_id)
  where unapplied_reason is not null or order_price = 0;
alter table payments enable row level security, force row level security;
create policy organization on payments using (corp_id = current_setting('app.corp_id', true));
grant select, insert on payments to matricula_app;
grant update (comments, payer_id, is_open) on payments to matricula_app;

-- An amount of a payment that is allocated to a sub-order, in the order's currency; negative: reversed.
create table payment_allocations (
  corp_id      text not null,
  payment_id   text not null,
  order_id     text not null,
  sub_order_id text not null,
  -- The position of the sub-order in its order at that time.
  line         integer not null default 1,
  price        bigint not null check (price <> 0),
  at           timestamptz not null,
  -- The change of the order that made the row.
  cause        text not null,
  primary key (corp_id, payment_id, sub_order_id, at),
  foreign key (corp_id, payment_id) references payments (corp_id, payment_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index payment_allocations_by_sub_order on payment_allocations (corp_id, sub_order_id) include (payment_id, price, at);
create index payment_allocations_by_order on payment_allocations (corp_id, order_id);
create index payment_allocations_taken_back on payment_allocations (corp_id, payment_id) where price < 0;
alter table payment_allocations enable row level security, force row level security;
create policy organization on payment_allocations using (corp_id = current_setting('app.corp_id', true));
create policy survey on payment_allocations for select using (current_setting('app.corp_id', true) = '*');
grant select, insert on payment_allocations to matricula_app;

-- The void of a payment that bounced or was recorded by mistake. A void is not a refund.
create table payment_voids (
  corp_id     text not null,
  payment_id  text not null,
  order_id    text not null,
  -- The part of order_price that was not refunded; negative: the void is reversed.
  price       bigint not null check (price <> 0),
  reason      text not null,
  executor_id text,
  at          timestamptz not null,
  primary key (corp_id, payment_id, at),
  foreign key (corp_id, payment_id) references payments (corp_id, payment_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
alter table payment_voids enable row level security, force row level security;
create policy organization on payment_voids using (corp_id = current_setting('app.corp_id', true));
grant select, insert on payment_voids to matricula_app;
grant update (reason) on payment_voids to matricula_app;

-- A payment that was moved to an order in another currency, where it is another payment of the same charge.
create table payment_moves (
  corp_id       text not null,
  payment_id    text not null,
  to_payment_id text not null,
  order_id      text not null,
  -- In the currency of the order that the payment was reported for.
  price         bigint not null check (price > 0),
  reason        text not null,
  executor_id   text,
  at            timestamptz not null,
  primary key (corp_id, payment_id),
  foreign key (corp_id, payment_id) references payments (corp_id, payment_id),
  foreign key (corp_id, to_payment_id) references payments (corp_id, payment_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
alter table payment_moves enable row level security, force row level security;
create policy organization on payment_moves using (corp_id = current_setting('app.corp_id', true));
grant select, insert on payment_moves to matricula_app;
grant update (reason) on payment_moves to matricula_app;

-- The receipt of a payment. Numbers have no gaps within an organization and year, and follow the order in which payments
-- entered the ledger.
create table receipts (
  corp_id    text not null,
  payment_id text not null,
  order_id   text not null,
  -- The year in which the payment entered the ledger, in the organization's time zone.
  year       integer not null,
  number     bigint not null check (number > 0),
  -- Part of the address of the page that shows the receipt.
  token      text not null,
  at         timestamptz not null,
  primary key (corp_id, payment_id),
  unique (corp_id, year, number),
  unique (corp_id, token),
  foreign key (corp_id, payment_id) references payments (corp_id, payment_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index receipts_by_order on receipts (corp_id, order_id, at);
alter table receipts enable row level security, force row level security;
create policy organization on receipts using (corp_id = current_setting('app.corp_id', true));
grant select, insert on receipts to matricula_app;

-- A refund: money that was returned.
create table refunds (
  corp_id        text not null,
  refund_id      text not null,
  order_id       text not null,
  sub_order_id   text,
  -- The payment that the refund returns, where the caller named one.
  payment_id     text,
  -- The effect on the price beyond a surplus: a credit reduces it, a return leaves it owed again.
  kind           text not null default 'credit' check (kind in ('credit', 'return')),
  -- In the order's currency.
  price          bigint not null check (price > 0),
  -- The amount that left, in its own currency, and the rate between both as in payments.
  returned_price bigint not null,
  currency       text not null,
  rate           numeric not null default 1 check (rate > 0),
  exchange_rate  bigint not null default 10000,
  reason         text,
  provider       text not null default '',
  charge_id      text,
  method         text,
  executor_id    text,
  completed_time timestamptz not null,
  ctime          timestamptz not null,
  primary key (corp_id, refund_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id),
  foreign key (corp_id, payment_id) references payments (corp_id, payment_id)
);
create unique index refunds_by_charge on refunds (corp_id, provider, charge_id);
create index refunds_by_completion on refunds (corp_id, completed_time, refund_id);
create index refunds_by_order on refunds (corp_id, order_id);
create index refunds_by_payment on refunds (corp_id, payment_id);
alter table refunds enable row level security, force row level security;
create policy organization on refunds using (corp_id = current_setting('app.corp_id', true));
grant select, insert on refunds to matricula_app;
grant update (reason) on refunds to matricula_app;

-- The part of a refund that came from one payment on one sub-order.
create table refund_allocations (
  corp_id        text not null,
  refund_id      text not null,
  payment_id     text not null,
  order_id       text not null,
  -- '' for unapplied money.
  sub_order_id   text not null,
  line           integer not null default 1,
  -- Negative: the refund is reversed.
  price          bigint not null check (price <> 0),
  -- The part of the price that was a surplus of the sub-order, and the part that a credit note cancels.
  surplus_price  bigint not null default 0,
  credited_price bigint not null default 0,
  at             timestamptz not null,
  primary key (corp_id, refund_id, payment_id, sub_order_id, at),
  check (abs(surplus_price + credited_price) <= abs(price)),
  foreign key (corp_id, refund_id) references refunds (corp_id, refund_id),
  foreign key (corp_id, payment_id) references payments (corp_id, payment_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index refund_allocations_by_sub_order on refund_allocations (corp_id, sub_order_id);
create index refund_allocations_by_order on refund_allocations (corp_id, order_id);
create index refund_allocations_by_payment on refund_allocations (corp_id, payment_id);
alter table refund_allocations enable row level security, force row level security;
create policy organization on refund_allocations using (corp_id = current_setting('app.corp_id', true));
grant select, insert on refund_allocations to matricula_app;

-- The reversal of a refund, such as one that the bank returned.
create table refund_reversals (
  corp_id     text not null,
  refund_id   text not null,
  order_id    text not null,
  price       bigint not null check (price > 0),
  reason      text not null,
  executor_id text,
  at          timestamptz not null,
  primary key (corp_id, refund_id),
  foreign key (corp_id, refund_id) references refunds (corp_id, refund_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index refund_reversals_by_order on refund_reversals (corp_id, order_id);
alter table refund_reversals enable row level security, force row level security;
create policy organization on refund_reversals using (corp_id = current_setting('app.corp_id', true));
grant select, insert on refund_reversals to matricula_app;
grant update (reason) on refund_reversals to matricula_app;

-- An amount retained from a canceled order. Their sum is the money that such an order received and did not return.
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
alter table order_retentions enable row level security, force row level security;
create policy organization on order_retentions using (corp_id = current_setting('app.corp_id', true));
grant select, insert on order_retentions to matricula_app;
grant update (reason) on order_retentions to matricula_app;

-- An amount of a sub-order that is written off; negative: reinstated.
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
alter table order_write_offs enable row level security, force row level security;
create policy organization on order_write_offs using (corp_id = current_setting('app.corp_id', true));
grant select, insert on order_write_offs to matricula_app;
grant update (reason) on order_write_offs to matricula_app;

-- Money that was moved from one order to another. Refund limits follow transfers in both directions.
create table order_transfers (
  corp_id       text not null,
  transfer_id   text not null,
  from_order_id text not null,
  to_order_id   text not null,
  price         bigint not null check (price > 0),
  -- The transfer that this one reverses.
  reverses_id   text,
  reason        text not null,
  executor_id   text,
  at            timestamptz not null,
  primary key (corp_id, transfer_id),
  foreign key (corp_id, from_order_id) references orders (corp_id, order_id),
  foreign key (corp_id, to_order_id) references orders (corp_id, order_id)
);
create unique index order_transfers_by_reversed on order_transfers (corp_id, reverses_id);
create index order_transfers_by_giver on order_transfers (corp_id, from_order_id);
create index order_transfers_by_taker on order_transfers (corp_id, to_order_id);
alter table order_transfers enable row level security, force row level security;
create policy organization on order_transfers using (corp_id = current_setting('app.corp_id', true));
grant select, insert on order_transfers to matricula_app;
grant update (reason) on order_transfers to matricula_app;

-- The short reference with check digits (ISO 11649) that a payer writes on a transfer for an order.
create table payment_references (
  corp_id   text not null,
  reference text not null,
  order_id  text not null,
  ctime     timestamptz not null,
  primary key (corp_id, reference),
  unique (corp_id, order_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
alter table payment_references enable row level security, force row level security;
create policy organization on payment_references using (corp_id = current_setting('app.corp_id', true));
grant select, insert on payment_references to matricula_app;

-- A request for payment: a link to a page for the payer. Only the hash of its token is stored.
create table payment_requests (
  corp_id            text not null,
  payment_request_id text not null,
  order_id           text not null,
  token_hash         text not null,
  price              bigint not null check (price > 0),
  currency           text not null,
  -- The amount that the order held at the time of the request. More than that is paid since.
  held_price         bigint not null,
  -- A text for the payer.
  note               text not null,
  expires_at         timestamptz not null,
  revoked_at         timestamptz,
  revoked_by         text,
  opened_at          timestamptz,
  last_opened_at     timestamptz,
  executor_id        text,
  ctime              timestamptz not null,
  primary key (corp_id, payment_request_id),
  unique (corp_id, token_hash),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index payment_requests_by_order on payment_requests (corp_id, order_id, ctime);
create index payment_requests_by_time on payment_requests (corp_id, ctime, payment_request_id);
alter table payment_requests enable row level security, force row level security;
create policy organization on payment_requests using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update on payment_requests to matricula_app;
