-- Who changed or saw what. An entry is written in the transaction of its change, and is only ever added.
create table audit_entries (
  -- '' for what concerns no single organization, such as accounts.
  corp_id     text not null,
  entry_id    text not null,
  at          timestamptz not null default now(),
  actor_kind  text not null check (actor_kind in ('account', 'staff', 'system')),
  actor_id    text not null,
  address     text,
  request_id  text,
  operation   text not null,
  action      text not null check (action in ('made', 'changed', 'removed', 'revealed', 'exported', 'erased')),
  record_type text not null,
  record_id   text not null,
  -- Of an order: the version that was made; order_versions has what was before and after.
  version     integer,
  -- The members that differ, less those that tell of a person.
  before      jsonb,
  after       jsonb,
  -- Whom the members in audit_personal are about, and what they come to with their salt.
  person_id   text,
  digest      text,
  primary key (corp_id, entry_id)
);
create index audit_entries_by_record on audit_entries (corp_id, record_id, entry_id);

-- What entries tell of a person, apart from the rest, so that it can be forgotten. The entry keeps a salted digest.
create table audit_personal (
  corp_id   text not null,
  person_id text not null,
  entry_id  text not null,
  salt      text not null,
  content   text not null,
  primary key (corp_id, person_id, entry_id)
);

-- The chain: entries that were committed, in the order in which they were found, each link behind the one before it.
create table audit_links (
  corp_id      text not null,
  seq          bigint not null,
  entry_id     text not null,
  content_hash text not null,
  hash         text not null,
  primary key (corp_id, seq),
  unique (corp_id, entry_id)
);

-- Where the chain ends. Whoever links entries holds the row.
create table audit_heads (
  corp_id text primary key,
  head    text not null,
  length  bigint not null,
  -- The entry with the greatest id among those that are linked.
  newest  text not null
);

alter table audit_entries enable row level security;
alter table audit_entries force row level security;
create policy organization on audit_entries using (corp_id = current_setting('app.corp_id', true));

alter table audit_personal enable row level security;
alter table audit_personal force row level security;
create policy organization on audit_personal using (corp_id = current_setting('app.corp_id', true));

alter table audit_links enable row level security;
alter table audit_links force row level security;
create policy organization on audit_links using (corp_id = current_setting('app.corp_id', true));

alter table audit_heads enable row level security;
alter table audit_heads force row level security;
create policy organization on audit_heads using (corp_id = current_setting('app.corp_id', true));
