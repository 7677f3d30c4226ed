-- Module orders, part 1: offerings, orders and sub-orders. Exchange rates are the rate × 10,000.

-- A course on offer.
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
alter table courses enable row level security, force row level security;
create policy organization on courses using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on courses to matricula_app;

-- A batch: one run of a course.
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
alter table batches enable row level security, force row level security;
create policy organization on batches using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on batches to matricula_app;

-- A coupon: either an amount in minor units of its currency, or basis points of the listed price.
create table coupons (
  corp_id      text not null references organizations (corp_id),
  coupon_id    text not null,
  description  text,
  amount       bigint check (amount > 0),
  currency     text,
  basis_points integer check (basis_points between 1 and 10000),
  -- The largest number of orders with the coupon, and the largest sum of its discounts; null: no limit.
  max_uses        integer check (max_uses > 0),
  budget_price    bigint check (budget_price > 0),
  budget_currency text,
  valid_from   timestamptz,
  valid_until  timestamptz,
  is_active    boolean not null default true,
  ctime        timestamptz not null,
  mtime        timestamptz not null,
  version      integer not null default 1,
  primary key (corp_id, coupon_id),
  check ((amount is null) <> (basis_points is null)),
  check ((amount is null) = (currency is null)),
  check ((budget_price is null) = (budget_currency is null))
);
alter table coupons enable row level security, force row level security;
create policy organization on coupons using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on coupons to matricula_app;

-- An order as it is now. order_versions has every earlier version. Its columns have the names of the interface. The account
-- of a payer in a currency is an order of the type account: it holds money that no order has yet. It has no user and no
-- sub-orders, and lists leave it out as they do deleted orders.
create table orders (
  corp_id                       text not null,
  order_id                      text not null,
  user_id                       text,
  -- The lead that brought the order.
  leads_id                      text,
  -- The id that the caller gave the order, and the fingerprint of the input that created it: a repeated creation with
  -- the same external_id and the same input is the same order.
  external_id                   text,
  creation_hash                 text,
  type                          text not null check (type in ('course', 'application_fee', 'corporate_training', 'material', 'transfer', 'other', 'account')),
  source                        text not null check (source in ('open_api', 'console', 'import', 'payment_gateway', 'system')),
  status                        text not null check (status in ('created', 'locked', 'pending', 'success', 'canceled', 'expired', 'unconfirmed', 'tbd')),
  currency                      text not null,
  exchange_rate                 bigint not null default 10000 check (exchange_rate > 0),
  listed_price                  bigint not null check (listed_price >= 0),
  discounted_price              bigint not null check (discounted_price >= 0),
  total_price                   bigint not null check (total_price >= 0),
  service_charge                bigint not null default 0,
  foreign_service_charge        bigint not null default 0,
  coupon_ids                    text[] not null default '{}',
  -- One element per coupon: its terms when it was applied, and its part of the discount. The manual discount is the rest
  -- of the difference between listed and discounted price.
  coupon_lines                  jsonb not null default '[]',
  application_fee_price         bigint,
  application_fee_currency      text,
  application_fee_status        text,
  application_fee_exchange_rate bigint not null default 10000,
  course_id                     text,
  course_code                   text,
  contract_id                   text,
  business_id                   text,
  product_id                    text,
  transferred_id                text,
  executor_id                   text,
  receipt_url                   text,
  user_underling_number         integer not null default 0,
  is_deleted                    boolean not null default false,
  is_locked                     boolean not null default false,
  is_transferred                boolean not null default false,
  is_payment_changed            boolean not null default false,
  have_pre                      boolean not null default false,
  is_company_transfer           boolean not null default false,
  invoice_ids                   text[] not null default '{}',
  pre_sub_order_ids             text[] not null default '{}',
  -- {owner_id: basis points}, with the sum 10,000.
  share_proportion              jsonb not null default '{}',
  -- The user, and the course with its batch, as they were when the order was created.
  user_copy                     jsonb not null default '{}',
  course_copy                   jsonb not null default '{}',
  course_start_time             timestamptz,
  course_end_time               timestamptz,
  completed_time                timestamptz,
  expired_time                  timestamptz,
  -- Versions hold a salted digest of the user's copy, so that the copy can be erased and the versions stay. An erasure
  -- deletes copy and salt and keeps the digest, which then reveals nothing.
  user_copy_salt                text,
  kept_copy_digest              text,
  user_copy_digest              text generated always as (
    coalesce(kept_copy_digest,
             encode(sha256(decode(replace(coalesce(user_copy_salt, '') || user_copy::text, '\', '\\'), 'escape')), 'hex'))) stored,
  ctime                         timestamptz not null,
  mtime                         timestamptz not null,
  version                       integer not null default 1,
  primary key (corp_id, order_id),
  check ((type = 'account') = (user_id is null)),
  foreign key (corp_id, user_id) references users (corp_id, user_id)
);
create unique index orders_by_external_id on orders (corp_id, external_id);
create index orders_by_ctime on orders (corp_id, ctime, order_id) where not is_deleted;
create index orders_by_mtime on orders (corp_id, mtime, order_id) where not is_deleted;
create index orders_by_status_and_ctime on orders (corp_id, status, ctime, order_id) where not is_deleted;
create index orders_by_status_and_mtime on orders (corp_id, status, mtime, order_id) where not is_deleted;
-- Deleted orders are few. Lists that include them merge these with the indexes above.
create index orders_deleted_by_ctime on orders (corp_id, ctime, order_id) where is_deleted;
create index orders_deleted_by_mtime on orders (corp_id, mtime, order_id) where is_deleted;
create index orders_by_user on orders (corp_id, user_id);
create index orders_with_coupons on orders (corp_id, order_id) where coupon_ids <> '{}';
alter table orders enable row level security, force row level security;
create policy organization on orders using (corp_id = current_setting('app.corp_id', true));
create policy survey on orders for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on orders to matricula_app;

-- A sub-order: one instalment of an order, with its own amount and deadline.
create table sub_orders (
  corp_id          text not null,
  sub_order_id     text not null,
  order_id         text not null,
  -- The position in the order.
  seq              integer not null check (seq > 0),
  type             text not null check (type in ('deposit', 'installment', 'balance', 'application_fee', 'full')),
  status           text not null check (status in ('created', 'locked', 'pending', 'success', 'canceled', 'expired', 'unconfirmed', 'tbd')),
  currency         text not null,
  exchange_rate    bigint not null default 10000 check (exchange_rate > 0),
  total_price      bigint not null check (total_price >= 0),
  payment_deadline timestamptz,
  completed_time   timestamptz,
  ctime            timestamptz not null,
  mtime            timestamptz not null,
  version          integer not null default 1,
  primary key (corp_id, sub_order_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id),
  unique (corp_id, order_id, seq)
);
create index sub_orders_by_ctime on sub_orders (corp_id, ctime, sub_order_id);
create index sub_orders_by_mtime on sub_orders (corp_id, mtime, sub_order_id);
create index sub_orders_by_status_and_ctime on sub_orders (corp_id, status, ctime, sub_order_id);
create index sub_orders_by_status_and_mtime on sub_orders (corp_id, status, mtime, sub_order_id);
-- For the worker that expires overdue sub-orders.
create index sub_orders_by_deadline on sub_orders (corp_id, payment_deadline)
  where status in ('unconfirmed', 'created', 'pending');
-- For the list of instalments that are due.
create index sub_orders_unpaid_by_deadline on sub_orders (corp_id, payment_deadline, sub_order_id)
  where status not in ('success', 'canceled', 'expired');
alter table sub_orders enable row level security, force row level security;
create policy organization on sub_orders using (corp_id = current_setting('app.corp_id', true));
create policy survey on sub_orders for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on sub_orders to matricula_app;

-- A remark that somebody wrote on an order.
create table order_remarks (
  corp_id     text not null,
  remark_id   text not null,
  order_id    text not null,
  content     text not null,
  executor_id text not null,
  ctime       timestamptz not null,
  primary key (corp_id, remark_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index order_remarks_by_order on order_remarks (corp_id, order_id, ctime, remark_id);
alter table order_remarks enable row level security, force row level security;
create policy organization on order_remarks using (corp_id = current_setting('app.corp_id', true));
grant select, insert on order_remarks to matricula_app;
grant update (content) on order_remarks to matricula_app;
