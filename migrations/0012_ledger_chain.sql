-- Versions carry the facts that came with them (record.facts), and stand in a chain: each link is a hash over the link
-- before it and the whole version. Whoever changes, removes or adds a row behind the service's back breaks it.

create table ledger_chain (
  corp_id      text not null references organizations (corp_id),
  seq          bigint not null check (seq > 0),
  order_id     text not null,
  version      integer not null,
  at           timestamptz not null,
  content_hash text not null,
  hash         text not null,
  primary key (corp_id, seq)
);

alter table ledger_chain enable row level security;
alter table ledger_chain force row level security;
create policy organization on ledger_chain using (corp_id = current_setting('app.corp_id', true));

-- The end of the chain stands with the clock, which whoever adds to it holds. An organization of before has none yet: it
-- gets its chain before the service works on it.
alter table ledger_clocks add column chain_head text, add column chain_length bigint;
alter table ledger_clocks alter column chain_head set default '', alter column chain_length set default 0;

-- What the books said when a period was closed, by posting date; it never changes again.
create table closings (
  corp_id     text not null references organizations (corp_id),
  -- The last day of the period on the calendar of the organization, and the last instant of that day.
  until       date not null,
  as_of       timestamptz not null,
  -- The bytes that were answered, and always will be.
  document    text not null,
  executor_id text,
  at          timestamptz not null,
  primary key (corp_id, until)
);

alter table closings enable row level security;
alter table closings force row level security;
create policy organization on closings using (corp_id = current_setting('app.corp_id', true));

-- Lines of statements of banks and gateways, as they were fed in: the same line has the same id however often it comes.
create table statement_lines (
  corp_id     text not null references organizations (corp_id),
  line_id     text not null,
  provider    text not null,
  charge_id   text,
  reference   text,
  description text,
  price       bigint not null check (price <> 0),
  currency    text not null,
  value_date  date not null,
  ctime       timestamptz not null,
  primary key (corp_id, line_id)
);

-- Which line stands for which payment, and how much of the one is of the other. Undone, a match stays to be seen.
create table statement_matches (
  corp_id     text not null,
  match_id    text not null,
  line_id     text not null,
  payment_id  text not null,
  -- Of the currency of both.
  price       bigint not null check (price > 0),
  reason      text not null,
  executor_id text,
  at          timestamptz not null,
  primary key (corp_id, match_id, line_id, payment_id),
  foreign key (corp_id, line_id) references statement_lines (corp_id, line_id),
  foreign key (corp_id, payment_id) references payments (corp_id, payment_id)
);
create index statement_matches_by_line on statement_matches (corp_id, line_id);
create index statement_matches_by_payment on statement_matches (corp_id, payment_id);

create table statement_match_undos (
  corp_id     text not null references organizations (corp_id),
  match_id    text not null,
  executor_id text,
  at          timestamptz not null,
  primary key (corp_id, match_id)
);

create index payments_by_charge_alone on payments (corp_id, charge_id);
create index payments_by_price on payments (corp_id, currency, price, completed_time);

alter table statement_lines enable row level security;
alter table statement_lines force row level security;
create policy organization on statement_lines using (corp_id = current_setting('app.corp_id', true));

alter table statement_matches enable row level security;
alter table statement_matches force row level security;
create policy organization on statement_matches using (corp_id = current_setting('app.corp_id', true));

alter table statement_match_undos enable row level security;
alter table statement_match_undos force row level security;
create policy organization on statement_match_undos using (corp_id = current_setting('app.corp_id', true));
