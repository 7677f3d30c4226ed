-- Several secrets of an account: while one is replaced, both open the door, until the old one ends.
create table account_secrets (
  app_id        text not null references accounts (app_id),
  secret_id     text not null,
  -- AES-256-GCM with the account id as associated data; secret_key_id names the master key that sealed it.
  secret_box    bytea not null,
  secret_key_id text not null,
  ctime         timestamptz not null,
  -- Null: until it is replaced.
  expires_at    timestamptz,
  primary key (app_id, secret_id)
);

insert into account_secrets (app_id, secret_id, secret_box, secret_key_id, ctime)
select app_id, replace(gen_random_uuid()::text, '-', ''), secret_box, secret_key_id, mtime from accounts;

alter table accounts
  drop column secret_box,
  drop column secret_key_id,
  add column expires_at timestamptz,
  -- Networks that it may be used from; empty: from everywhere.
  add column allowed_networks text[] not null default '{}',
  -- Whether its calls that move money must be signed.
  add column signs_money boolean not null default false;

-- From how much on, in minor units, refunds in a currency wait for a second person.
create table refund_limits (
  corp_id  text not null,
  currency text not null,
  price    bigint not null check (price >= 0),
  mtime    timestamptz not null,
  primary key (corp_id, currency)
);

-- Refunds that wait, and what was decided. Both are only ever added to.
create table refund_requests (
  corp_id      text not null,
  request_id   text not null,
  order_id     text not null,
  price        bigint not null check (price > 0),
  currency     text not null,
  -- What was asked for, as the operation takes it.
  input        jsonb not null,
  requested_by text not null,
  at           timestamptz not null,
  primary key (corp_id, request_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index refund_requests_by_time on refund_requests (corp_id, at, request_id);

create table refund_decisions (
  corp_id    text not null,
  request_id text not null,
  outcome    text not null check (outcome in ('approved', 'declined')),
  reason     text,
  -- The refund that came of it.
  refund_id  text,
  decided_by text not null,
  at         timestamptz not null,
  primary key (corp_id, request_id),
  foreign key (corp_id, request_id) references refund_requests (corp_id, request_id)
);

alter table refund_limits enable row level security;
alter table refund_limits force row level security;
create policy organization on refund_limits using (corp_id = current_setting('app.corp_id', true));

alter table refund_requests enable row level security;
alter table refund_requests force row level security;
create policy organization on refund_requests using (corp_id = current_setting('app.corp_id', true));

alter table refund_decisions enable row level security;
alter table refund_decisions force row level security;
create policy organization on refund_decisions using (corp_id = current_setting('app.corp_id', true));
