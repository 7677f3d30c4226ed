-- Who may call, and for whom. These tables span organizations (reference tables on a sharded engine);
-- the server's role may read them and write nothing but the signatures it has seen.

create table organizations (
  corp_id    text primary key,
  name       text not null,
  time_zone  text not null default 'UTC',
  currency   text not null default 'CNY',
  pools      text[] not null default '{alive,dead,public}',
  ctime      timestamptz not null,
  mtime      timestamptz not null
);

create table accounts (
  app_id                text primary key,
  name                  text not null,
  permissions           text[] not null,
  -- AES-256-GCM with the account id as associated data; secret_key_id names the master key that sealed it.
  secret_box            bytea not null,
  secret_key_id         text not null,
  -- A token carries the epoch it was issued in; raising it revokes every token before.
  token_epoch           integer not null default 0,
  is_disabled           boolean not null default false,
  strict_time_stamps    boolean not null default false,
  rate_limit_per_minute integer check (rate_limit_per_minute > 0),
  ctime                 timestamptz not null,
  mtime                 timestamptz not null
);

create table account_organizations (
  app_id  text not null references accounts (app_id),
  corp_id text not null references organizations (corp_id),
  ctime   timestamptz not null,
  primary key (app_id, corp_id)
);

-- Signatures of accounts that take each time stamp once; pruned after they would be refused by age anyway.
create table seen_signatures (
  app_id    text not null references accounts (app_id),
  signature text not null,
  seen_at   timestamptz not null,
  primary key (app_id, signature)
);
create index seen_signatures_by_age on seen_signatures (seen_at);
