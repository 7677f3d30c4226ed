-- Users who were erased. Their ids stay where the books name them; nothing that tells of them does.
create table erased_users (
  corp_id     text not null references organizations (corp_id),
  user_id     text not null,
  executor_id text not null,
  reason      text not null,
  at          timestamptz not null,
  primary key (corp_id, user_id)
);

-- After how many months users without orders are erased; without a row, never.
create table retention_rules (
  corp_id      text primary key references organizations (corp_id),
  lead_months  integer not null check (lead_months > 0)
);

-- The copy of the user that an order shows must be forgotten one day, while its versions stay. So versions hold a salted
-- digest of it. Once the copy and its salt are gone, the digest is kept, and nobody can try what the copy was.
alter table orders
  add column user_copy_salt   text,
  add column kept_copy_digest text;
alter table orders no force row level security;
update orders set user_copy_salt = gen_random_uuid()::text;
alter table orders add column user_copy_digest text generated always as (
  coalesce(kept_copy_digest,
           encode(sha256(decode(replace(coalesce(user_copy_salt, '') || user_copy::text, '\', '\\'), 'escape')), 'hex'))) stored;

-- Versions so far held the copy itself. They are chained anew before the service serves; heads that were noted down until
-- now are found among the hashes that links had before.
alter table order_versions no force row level security;
alter table ledger_chain no force row level security;
alter table ledger_clocks no force row level security;
update order_versions v
   set record = jsonb_set(v.record #- '{order,user_copy}', '{order,user_copy_digest}', to_jsonb(o.user_copy_digest))
  from orders o
 where o.corp_id = v.corp_id and o.order_id = v.order_id and v.record->'order' ? 'user_copy';
create table former_ledger_links (
  corp_id text not null,
  seq     bigint not null,
  hash    text not null,
  primary key (corp_id, seq)
);
insert into former_ledger_links (corp_id, seq, hash) select corp_id, seq, hash from ledger_chain;
delete from ledger_chain;
update ledger_clocks set chain_head = null, chain_length = null
 where corp_id in (select corp_id from order_versions);
alter table orders force row level security;
alter table order_versions force row level security;
alter table ledger_chain force row level security;
alter table ledger_clocks force row level security;

alter table erased_users enable row level security;
alter table erased_users force row level security;
create policy organization on erased_users using (corp_id = current_setting('app.corp_id', true));

alter table retention_rules enable row level security;
alter table retention_rules force row level security;
create policy organization on retention_rules using (corp_id = current_setting('app.corp_id', true));

alter table former_ledger_links enable row level security;
alter table former_ledger_links force row level security;
create policy organization on former_ledger_links using (corp_id = current_setting('app.corp_id', true));
