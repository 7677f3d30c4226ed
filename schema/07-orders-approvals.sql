-- Module orders, part 3: the limits of staff, and what a second person has to approve. Requests and decisions are facts.

-- The amount in minor units from which a refund in this currency needs a second approver.
create table refund_limits (
  corp_id  text not null,
  currency text not null,
  price    bigint not null check (price >= 0),
  mtime    timestamptz not null,
  primary key (corp_id, currency)
);
alter table refund_limits enable row level security, force row level security;
create policy organization on refund_limits using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on refund_limits to matricula_app;

-- A refund that waits for a second approver, or waited for one.
create table refund_requests (
  corp_id      text not null,
  request_id   text not null,
  order_id     text not null,
  price        bigint not null check (price > 0),
  currency     text not null,
  -- The input of the refund operation.
  input        jsonb not null,
  requested_by text not null,
  -- The people who had given the requester access at that time. None of them may approve.
  acting_for   text[] not null default '{}',
  at           timestamptz not null,
  primary key (corp_id, request_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index refund_requests_by_time on refund_requests (corp_id, at, request_id);
alter table refund_requests enable row level security, force row level security;
create policy organization on refund_requests using (corp_id = current_setting('app.corp_id', true));
grant select, insert on refund_requests to matricula_app;
grant update (input) on refund_requests to matricula_app;

-- The decision on a refund request.
create table refund_decisions (
  corp_id    text not null,
  request_id text not null,
  outcome    text not null check (outcome in ('approved', 'declined')),
  reason     text,
  -- The refund that the approval made.
  refund_id  text,
  decided_by text not null,
  at         timestamptz not null,
  primary key (corp_id, request_id),
  foreign key (corp_id, request_id) references refund_requests (corp_id, request_id)
);
alter table refund_decisions enable row level security, force row level security;
create policy organization on refund_decisions using (corp_id = current_setting('app.corp_id', true));
grant select, insert on refund_decisions to matricula_app;
grant update (reason) on refund_decisions to matricula_app;

-- A request to raise limits.
create table limit_requests (
  corp_id      text not null,
  request_id   text not null,
  -- The limits in question.
  kind         text not null check (kind in ('refund')),
  -- The present and the requested limits: by currency, in minor units.
  before       jsonb not null,
  wanted       jsonb not null,
  requested_by text not null,
  -- As in refund_requests.
  acting_for   text[] not null,
  at           timestamptz not null,
  primary key (corp_id, request_id)
);
create index limit_requests_by_time on limit_requests (corp_id, at, request_id);
alter table limit_requests enable row level security, force row level security;
create policy organization on limit_requests using (corp_id = current_setting('app.corp_id', true));
grant select, insert on limit_requests to matricula_app;

-- The decision on a limit request.
create table limit_decisions (
  corp_id    text not null,
  request_id text not null,
  outcome    text not null check (outcome in ('approved', 'declined')),
  decided_by text not null,
  at         timestamptz not null,
  primary key (corp_id, request_id),
  foreign key (corp_id, request_id) references limit_requests (corp_id, request_id)
);
alter table limit_decisions enable row level security, force row level security;
create policy organization on limit_decisions using (corp_id = current_setting('app.corp_id', true));
grant select, insert on limit_decisions to matricula_app;

-- The limits of counsellors. Without a row they give no discount and record no payments.
create table counsellor_rules (
  corp_id               text primary key,
  -- The largest manual discount, in basis points of the listed price.
  discount_basis_points integer not null check (discount_basis_points between 0 and 10000),
  records_payments      boolean not null
);
alter table counsellor_rules enable row level security, force row level security;
create policy organization on counsellor_rules using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on counsellor_rules to matricula_app;
