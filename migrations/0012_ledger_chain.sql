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
