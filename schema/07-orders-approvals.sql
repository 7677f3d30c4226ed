-- Module orders, part 3: the limits of staff, and what a second person has to approve. Requests and decisions are facts.

-- The sum per order in minor units beyond which an action in this currency needs a second approver.
create table money_limits (
  corp_id  text not null,
  kind     text not null check (kind in ('refund', 'void', 'write_off', 'retention', 'discount')),
  currency text not null,
  price    bigint not null check (price >= 0),
  mtime    timestamptz not null,
  primary key (corp_id, kind, currency)
);
alter table money_limits enable row level security, force row level security;
create policy organization on money_limits using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on money_limits to matricula_app;

-- A change of an order, or the reversal of a closing, that waits for a second approver, or waited for one.
create table approval_requests (
  corp_id      text not null,
  request_id   text not null,
  kind         text not null
    check (kind in ('refund', 'void', 'write_off', 'retention', 'discount', 'closing_reversal')),
  -- Null for a reversal of a closing, whose price is 0 and whose currency is ''.
  order_id     text check ((order_id is null) = (kind = 'closing_reversal')),
  price        bigint not null check (price > 0 or order_id is null),
  currency     text not null,
  -- The input of the operation.
  input        jsonb not null,
  requested_by text not null,
  -- The people who had given the requester access at that time. None of them may approve.
  acting_for   text[] not null default '{}',
  at           timestamptz not null,
  primary key (corp_id, request_id),
  foreign key (corp_id, order_id) references orders (corp_id, order_id)
);
create index approval_requests_by_time on approval_requests (corp_id, at, request_id);
alter table approval_requests enable row level security, force row level security;
create policy organization on approval_requests using (corp_id = current_setting('app.corp_id', true));
grant select, insert on approval_requests to matricula_app;
grant update (input) on approval_requests to matricula_app;

-- The decision on a request.
create table approval_decisions (
  corp_id    text not null,
  request_id text not null,
  outcome    text not null check (outcome in ('approved', 'declined')),
  reason     text,
  -- The refund that the approval made, if it is one.
  refund_id  text,
  decided_by text not null,
  at         timestamptz not null,
  primary key (corp_id, request_id),
  foreign key (corp_id, request_id) references approval_requests (corp_id, request_id)
);
alter table approval_decisions enable row level security, force row level security;
create policy organization on approval_decisions using (corp_id = current_setting('app.corp_id', true));
grant select, insert on approval_decisions to matricula_app;
grant update (reason) on approval_decisions to matricula_app;

-- A request to raise limits.
create table limit_requests (
  corp_id      text not null,
  request_id   text not null,
  -- The limits in question.
  kind         text not null check (kind in ('refund', 'void', 'write_off', 'retention', 'discount')),
  -- The present and the requested limits: by currency, in minor units.
  before       jsonb not null,
  wanted       jsonb not null,
  requested_by text not null,
  -- As in approval_requests.
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
