-- Module events: webhooks, which send the events of an organization to addresses of its choice.

-- An endpoint: the address that receives events, and the types it receives.
create table webhook_endpoints (
  corp_id         text not null,
  endpoint_id     text not null,
  url             text not null,
  -- Types as the administrator wrote them, such as order.* or *.
  types           text[] not null,
  description     text not null,
  is_enabled      boolean not null,
  -- Null while enabled. failing: five days of failures only; gone: the receiver answered 410; paused: by an administrator.
  disabled_reason text check (disabled_reason in ('failing', 'gone', 'paused')),
  disabled_at     timestamptz,
  version         integer not null,
  ctime           timestamptz not null,
  mtime           timestamptz not null,
  primary key (corp_id, endpoint_id),
  check (is_enabled = (disabled_reason is null))
);
create unique index webhook_endpoints_by_url on webhook_endpoints (corp_id, url);
alter table webhook_endpoints enable row level security, force row level security;
create policy organization on webhook_endpoints using (corp_id = current_setting('app.corp_id', true));
create policy survey on webhook_endpoints for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on webhook_endpoints to matricula_app;

-- The secrets that sign deliveries. A replaced secret signs until it expires, so that a receiver can switch.
create table webhook_secrets (
  corp_id       text not null,
  endpoint_id   text not null,
  secret_id     text not null,
  -- Sealed like the secrets of accounts.
  secret_box    bytea not null,
  secret_key_id text not null,
  ctime         timestamptz not null,
  -- Null: the current secret.
  expires_at    timestamptz,
  primary key (corp_id, endpoint_id, secret_id)
);
alter table webhook_secrets enable row level security, force row level security;
create policy organization on webhook_secrets using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on webhook_secrets to matricula_app;

-- How far an endpoint has come in the feed, and its health. A process locks the row while it takes events.
create table webhook_cursors (
  corp_id       text not null,
  endpoint_id   text not null,
  -- Events up to this number have a delivery, or are of types that the endpoint does not receive.
  seq           bigint not null,
  -- Set by a 429 or 503 with Retry-After: nothing is sent before.
  paused_until  timestamptz,
  -- The first failure after the last success. Null: the last attempt succeeded, or there was none.
  failing_since timestamptz,
  delivered_at  timestamptz,
  failed_at     timestamptz,
  -- The problem of the last failure, and the status of its response.
  error         text,
  status        integer,
  -- The endpoint was removed. Maintenance deletes its deliveries in steps, then this row.
  is_removed    boolean not null default false,
  primary key (corp_id, endpoint_id)
);
alter table webhook_cursors enable row level security, force row level security;
create policy organization on webhook_cursors using (corp_id = current_setting('app.corp_id', true));
create policy survey on webhook_cursors for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on webhook_cursors to matricula_app;

-- An event on its way to an endpoint.
create table webhook_deliveries (
  corp_id      text not null,
  endpoint_id  text not null,
  seq          bigint not null,
  event_id     text not null,
  type         text not null,
  state        text not null check (state in ('waiting', 'delivered', 'dead')),
  -- Failures since the first attempt or the latest replay. It selects the delay before the next attempt.
  failures     integer not null,
  -- How often a process took the delivery. Only the outcome of the latest attempt is recorded.
  attempts     integer not null,
  -- No attempt before this time, which is not before the end of a lease.
  next_at      timestamptz not null,
  -- A process has the delivery until then. If it dies, another one repeats the attempt after that.
  leased_until timestamptz,
  -- The problem of the latest failure, and the status of its response.
  error        text,
  status       integer,
  ctime        timestamptz not null,
  mtime        timestamptz not null,
  primary key (corp_id, endpoint_id, seq)
);
create index webhook_deliveries_due on webhook_deliveries (corp_id, endpoint_id, next_at) where state = 'waiting';
create index webhook_deliveries_dead on webhook_deliveries (corp_id, endpoint_id, seq) where state = 'dead';
create index webhook_deliveries_by_age on webhook_deliveries (corp_id, mtime) where state <> 'waiting';
alter table webhook_deliveries enable row level security, force row level security;
create policy organization on webhook_deliveries using (corp_id = current_setting('app.corp_id', true));
create policy survey on webhook_deliveries for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on webhook_deliveries to matricula_app;

-- An attempt to deliver, with the first kilobyte of the response.
create table webhook_attempts (
  corp_id     text not null,
  endpoint_id text not null,
  seq         bigint not null,
  attempt     integer not null,
  at          timestamptz not null,
  duration_ms integer not null,
  -- Null: delivered.
  error       text,
  -- Null: no response.
  status      integer,
  response    text not null,
  primary key (corp_id, endpoint_id, seq, attempt)
);
alter table webhook_attempts enable row level security, force row level security;
create policy organization on webhook_attempts using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on webhook_attempts to matricula_app;
