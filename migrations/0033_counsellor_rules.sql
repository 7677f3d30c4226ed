-- What counsellors may give away, and whether they record payments. Without a row: nothing, and no.
create table counsellor_rules (
  corp_id               text primary key,
  -- How much of the list price a manual discount may take off.
  discount_basis_points integer not null check (discount_basis_points between 0 and 10000),
  records_payments      boolean not null
);

-- Everybody whose request it counts as: at that time they had given the requester their access.
alter table refund_requests add column acting_for text[] not null default '{}';

-- Limits that somebody wants to lift, and what was decided. Both are only ever added to.
create table limit_requests (
  corp_id      text not null,
  request_id   text not null,
  -- Which limits: those of refunds, so far.
  kind         text not null check (kind in ('refund')),
  -- By currency, in minor units: as they were, and as they are to be.
  before       jsonb not null,
  wanted       jsonb not null,
  requested_by text not null,
  acting_for   text[] not null,
  at           timestamptz not null,
  primary key (corp_id, request_id)
);
create index limit_requests_by_time on limit_requests (corp_id, at, request_id);

create table limit_decisions (
  corp_id    text not null,
  request_id text not null,
  outcome    text not null check (outcome in ('approved', 'declined')),
  decided_by text not null,
  at         timestamptz not null,
  primary key (corp_id, request_id),
  foreign key (corp_id, request_id) references limit_requests (corp_id, request_id)
);

alter table counsellor_rules enable row level security;
alter table counsellor_rules force row level security;
create policy organization on counsellor_rules using (corp_id = current_setting('app.corp_id', true));

alter table limit_requests enable row level security;
alter table limit_requests force row level security;
create policy organization on limit_requests using (corp_id = current_setting('app.corp_id', true));

alter table limit_decisions enable row level security;
alter table limit_decisions force row level security;
create policy organization on limit_decisions using (corp_id = current_setting('app.corp_id', true));
