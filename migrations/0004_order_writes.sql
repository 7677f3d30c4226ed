-- The write side of orders: the catalogue they refer to, every version an order has had, and the keys of calls
-- that were answered already.

create table courses (
  corp_id                        text not null references organizations (corp_id),
  course_id                      text not null,
  course_code                    text not null,
  name                           text not null,
  school_name                    text,
  program_code                   text,
  product_family_or_lob_category text,
  online_application_name        text,
  currency                       text not null,
  listed_price                   bigint not null check (listed_price >= 0),
  start_time                     timestamptz,
  end_time                       timestamptz,
  is_active                      boolean not null default true,
  ctime                          timestamptz not null,
  mtime                          timestamptz not null,
  version                        integer not null default 1,
  primary key (corp_id, course_id),
  unique (corp_id, course_code)
);

create table batches (
  corp_id    text not null,
  batch_id   text not null,
  course_id  text not null,
  name       text not null,
  start_date date,
  end_date   date,
  is_active  boolean not null default true,
  ctime      timestamptz not null,
  mtime      timestamptz not null,
  version    integer not null default 1,
  primary key (corp_id, batch_id),
  foreign key (corp_id, course_id) references courses (corp_id, course_id),
  unique (corp_id, course_id, name)
);

create table coupons (
  corp_id              text not null references organizations (corp_id),
  coupon_id            text not null,
  description          text,
  -- Either an amount in minor units of the currency, or basis points of the listed price.
  amount               bigint check (amount > 0),
  currency             text,
  basis_points         integer check (basis_points between 1 and 10000),
  valid_from           timestamptz,
  valid_until          timestamptz,
  is_active            boolean not null default true,
  ctime                timestamptz not null,
  mtime                timestamptz not null,
  version              integer not null default 1,
  primary key (corp_id, coupon_id),
  check ((amount is null) <> (basis_points is null)),
  check ((amount is null) = (currency is null))
);

-- The clock of an organization's ledger. Whoever changes an order takes the next instant from it and holds it until
-- the commit, so that the times of orders, payments and versions follow the order of commits: a reader who has seen an
-- instant will never see anything earlier appear.
create table ledger_clocks (
  corp_id text primary key references organizations (corp_id),
  instant timestamptz not null
);

-- Every version of every order, whole: who made it, when, why, and what the order and its parts were from then on.
-- orders and sub_orders hold the last of them.
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
  record      jsonb not null,
  primary key (corp_id, order_id, version),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
-- The fingerprint of the input that made an order, for creations that are repeated with the same external_id.
alter table orders add column creation_hash text;

create index order_versions_by_time on order_versions (corp_id, at, order_id);

-- Answers to calls with an Idempotency-Key, written in the transaction of their effect.
create table idempotency_keys (
  corp_id   text not null references organizations (corp_id),
  app_id    text not null,
  key       text not null,
  body_hash text not null,
  response  text not null,
  ctime     timestamptz not null,
  primary key (corp_id, app_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (corp_id, ctime);

-- The expiry worker looks for what is overdue.
create index sub_orders_by_deadline on sub_orders (corp_id, payment_deadline)
  where status in ('unconfirmed', 'created', 'pending');

insert into ledger_clocks (corp_id, instant)
select corp_id, ctime from organizations;

alter table courses enable row level security;
alter table courses force row level security;
create policy organization on courses using (corp_id = current_setting('app.corp_id', true));

alter table batches enable row level security;
alter table batches force row level security;
create policy organization on batches using (corp_id = current_setting('app.corp_id', true));

alter table coupons enable row level security;
alter table coupons force row level security;
create policy organization on coupons using (corp_id = current_setting('app.corp_id', true));

alter table ledger_clocks enable row level security;
alter table ledger_clocks force row level security;
create policy organization on ledger_clocks using (corp_id = current_setting('app.corp_id', true));

alter table order_versions enable row level security;
alter table order_versions force row level security;
create policy organization on order_versions using (corp_id = current_setting('app.corp_id', true));

alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy organization on idempotency_keys using (corp_id = current_setting('app.corp_id', true));
