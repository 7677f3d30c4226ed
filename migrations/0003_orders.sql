-- Orders and the ledger behind them. Amounts are integers in minor units; exchange rates are the rate × 10,000.
-- Payments and refunds are facts that are only ever added; what an order has received and returned is their sum.

create table orders (
  corp_id                       text not null,
  order_id                      text not null,
  user_id                       text not null,
  leads_id                      text,
  external_id                   text,
  type                          text not null check (type in ('course', 'application_fee', 'corporate_training', 'material', 'transfer', 'other')),
  source                        text not null check (source in ('open_api', 'console', 'import', 'payment_gateway', 'system')),
  status                        text not null check (status in ('created', 'locked', 'pending', 'success', 'canceled', 'expired', 'unconfirmed', 'tbd')),
  currency                      text not null,
  exchange_rate                 bigint not null default 10000 check (exchange_rate > 0),
  listed_price                  bigint not null check (listed_price >= 0),
  discounted_price              bigint not null check (discounted_price >= 0),
  total_price                   bigint not null check (total_price >= 0),
  service_charge                bigint not null default 0,
  foreign_service_charge        bigint not null default 0,
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
  coupon_ids                    text[] not null default '{}',
  pre_sub_order_ids             text[] not null default '{}',
  -- {owner_id: basis points}, summing to 10,000.
  share_proportion              jsonb not null default '{}',
  -- What the order shows of its user, course and batch: the copy taken when it was made.
  user_copy                     jsonb not null default '{}',
  course_copy                   jsonb not null default '{}',
  course_start_time             timestamptz,
  course_end_time               timestamptz,
  completed_time                timestamptz,
  expired_time                  timestamptz,
  ctime                         timestamptz not null,
  mtime                         timestamptz not null,
  version                       integer not null default 1,
  primary key (corp_id, order_id),
  foreign key (corp_id, user_id) references users (corp_id, user_id)
);
create unique index orders_by_external_id on orders (corp_id, external_id);
create index orders_by_ctime on orders (corp_id, ctime, order_id) where not is_deleted;
create index orders_by_mtime on orders (corp_id, mtime, order_id) where not is_deleted;
create index orders_by_status_and_ctime on orders (corp_id, status, ctime, order_id) where not is_deleted;
create index orders_by_user on orders (corp_id, user_id);

create table sub_orders (
  corp_id          text not null,
  sub_order_id     text not null,
  order_id         text not null,
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

create table payments (
  corp_id        text not null,
  payment_id     text not null,
  order_id       text not null,
  sub_order_id   text not null,
  -- Of the payment's own currency, as it was paid.
  price          bigint not null check (price > 0),
  currency       text not null,
  exchange_rate  bigint not null default 10000 check (exchange_rate > 0),
  -- The same in the order's currency, rounded half-even once, here.
  order_price    bigint not null check (order_price >= 0),
  status         text not null,
  source         text not null,
  charge_id      text,
  receipt_num    bigint,
  comments       text,
  completed_time timestamptz not null,
  executor_id    text,
  ctime          timestamptz not null,
  primary key (corp_id, payment_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id),
  foreign key (corp_id, sub_order_id) references sub_orders (corp_id, sub_order_id)
);
create unique index payments_by_charge on payments (corp_id, source, charge_id);
create index payments_by_order on payments (corp_id, order_id);
create index payments_by_sub_order on payments (corp_id, sub_order_id, completed_time, payment_id);

create table refunds (
  corp_id        text not null,
  refund_id      text not null,
  order_id       text not null,
  sub_order_id   text not null,
  payment_id     text,
  -- Of the order's currency.
  price          bigint not null check (price > 0),
  reason         text,
  charge_id      text,
  executor_id    text,
  completed_time timestamptz not null,
  ctime          timestamptz not null,
  primary key (corp_id, refund_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id),
  foreign key (corp_id, sub_order_id) references sub_orders (corp_id, sub_order_id),
  foreign key (corp_id, payment_id) references payments (corp_id, payment_id)
);
create unique index refunds_by_charge on refunds (corp_id, charge_id);
create index refunds_by_order on refunds (corp_id, order_id);
create index refunds_by_sub_order on refunds (corp_id, sub_order_id);

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

alter table orders enable row level security;
alter table orders force row level security;
create policy organization on orders using (corp_id = current_setting('app.corp_id', true));

alter table sub_orders enable row level security;
alter table sub_orders force row level security;
create policy organization on sub_orders using (corp_id = current_setting('app.corp_id', true));

alter table payments enable row level security;
alter table payments force row level security;
create policy organization on payments using (corp_id = current_setting('app.corp_id', true));

alter table refunds enable row level security;
alter table refunds force row level security;
create policy organization on refunds using (corp_id = current_setting('app.corp_id', true));

alter table order_remarks enable row level security;
alter table order_remarks force row level security;
create policy organization on order_remarks using (corp_id = current_setting('app.corp_id', true));
