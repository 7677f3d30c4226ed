-- Module access, part 1: the organizations, the programs that call the service, and the calls already answered.
--
-- The files of this folder, in the order of their names, are the whole schema. An empty database gets them in one
-- transaction, as schema version 1. Later changes are numbered files in migrations/. The conventions of all files:
--
-- * A table is a tenant table, or it spans organizations. corp_id leads every key of a tenant table, so that the same
--   schema works on one PostgreSQL and on an engine that shards by corp_id (reference tables hold the rest there).
-- * Row-level security is forced on every tenant table: a statement sees the rows of the organization that the setting
--   app.corp_id names, and no others. Even the owner of the tables does.
-- * The server works as the role matricula_app, which owns nothing. Each grant to it is a line of its own and names one
--   table. The runner applies these lines apart from the rest, because the role may be created after the tables.
-- * There are no triggers, functions or sequences. The service makes every id.
-- * Amounts are integers in minor units of their currency. ctime is the time of creation, mtime of the last change,
--   version a counter of changes.

-- A version of the schema that this database has reached: 1 for this folder, then one row per migration.
create table schema_migrations (
  id            integer primary key,
  name          text not null,
  applied_at    timestamptz not null default now(),
  -- A server writes if the newest schema that it knows is this one or later. Every write checks it in the newest row.
  -- Null: this schema itself.
  oldest_writer integer
);
grant select on schema_migrations to matricula_app;

-- An organization: a tenant, usually a school. Spans organizations.
create table organizations (
  corp_id   text primary key,
  name      text not null,
  -- The country whose calling code a phone number without one gets.
  country   text not null default 'CN',
  -- Days of reports, receipts and closings are days in this zone.
  time_zone text not null default 'UTC',
  currency  text not null default 'CNY',
  -- The pools that its users can be in.
  pools     text[] not null default '{alive,dead,public}',
  -- Since when nobody signs in or calls, and background work rests; null: in service.
  suspended_at      timestamptz,
  suspension_reason text,
  -- The quotas that it has used up. Background work compares them with the usage.
  over_quota        text[] not null default '{}',
  ctime     timestamptz not null,
  mtime     timestamptz not null,
  constraint organizations_suspension check ((suspended_at is null) = (suspension_reason is null))
);
grant select on organizations to matricula_app;
-- The console changes these. Only the command line, which works as the owner, creates and suspends organizations.
grant update (name, time_zone, currency, country, pools, over_quota, mtime) on organizations to matricula_app;

-- The deletion of an organization: requested, and after a waiting period confirmed. The row is the certificate. It survives
-- the organization, so it holds no personal data, and refers to nothing. Spans organizations.
create table organization_deletions (
  deletion_id  text primary key,
  corp_id      text not null,
  requested_at timestamptz not null,
  -- The deletion cannot be confirmed before this time.
  due_at       timestamptz not null,
  canceled_at  timestamptz,
  -- Rows have been deleted since then: no cancel any more.
  began_at     timestamptz,
  completed_at timestamptz,
  -- The ends of the audit chain and of the ledger chain at the beginning.
  heads        jsonb,
  -- Deleted rows by table, counted in the transactions that delete them.
  deleted      jsonb not null default '{}'
);
create index organization_deletions_by_organization on organization_deletions (corp_id, requested_at);
grant select on organization_deletions to matricula_app;

-- The calls of programs and staff on a day (UTC). Processes count in memory, and add to the row every few seconds.
create table usage_days (
  corp_id       text not null references organizations (corp_id),
  day           date not null,
  program_calls bigint not null,
  staff_calls   bigint not null,
  -- The last time that a process added to it.
  mtime         timestamptz not null,
  primary key (corp_id, day)
);
alter table usage_days enable row level security, force row level security;
create policy organization on usage_days using (corp_id = current_setting('app.corp_id', true));
create policy survey on usage_days for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on usage_days to matricula_app;

-- The size of an organization, counted in the background: at most once an hour, and for at most a thousandth of the time.
create table usage_measures (
  corp_id     text primary key references organizations (corp_id),
  measured_at timestamptz not null,
  -- Not measured again before this time.
  next_at     timestamptz not null,
  -- When its quotas were last compared with its usage.
  checked_at  timestamptz not null,
  -- By table.
  rows        jsonb not null,
  -- An estimate: its share of the tables and their indexes. Null: the database has no statistics of them.
  bytes       bigint
);
alter table usage_measures enable row level security, force row level security;
create policy organization on usage_measures using (corp_id = current_setting('app.corp_id', true));
create policy survey on usage_measures for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update on usage_measures to matricula_app;

-- The quotas of an organization; null: none. Only the command line sets them.
create table quotas (
  corp_id         text primary key references organizations (corp_id),
  calls_per_day   bigint check (calls_per_day > 0),
  rows            bigint check (rows > 0),
  bytes           bigint check (bytes > 0),
  imports_per_day integer check (imports_per_day > 0),
  mtime           timestamptz not null
);
alter table quotas enable row level security, force row level security;
create policy organization on quotas using (corp_id = current_setting('app.corp_id', true));
create policy survey on quotas for select using (current_setting('app.corp_id', true) = '*');
grant select on quotas to matricula_app;

-- The organization as its documents and payment requests name it.
create table issuers (
  corp_id             text primary key references organizations (corp_id),
  legal_name          text not null,
  address             text not null,
  tax_number          text not null,
  bank_name           text not null,
  bank_account_name   text not null,
  -- An IBAN, or the number that banks of the country use.
  bank_account_number text not null,
  -- BIC, or the code that banks of the country use.
  bank_code           text not null,
  logo_id             text not null,
  -- "#rrggbb", dark enough for white text; "" without one.
  color               text not null default '',
  -- The address of the school's own checkout, with places for the order. The secret that signs it is sealed as in
  -- account_secrets.
  checkout_url        text not null default '',
  secret_box          bytea,
  secret_key_id       text,
  mtime               timestamptz not null
);
alter table issuers enable row level security, force row level security;
create policy organization on issuers using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update on issuers to matricula_app;

-- A logo, also an earlier one: documents print the logo of their issue.
create table issuer_logos (
  corp_id text not null references organizations (corp_id),
  -- The SHA-256 of the content.
  logo_id text not null,
  type    text not null check (type in ('image/png', 'image/jpeg')),
  content bytea not null check (length(content) <= 204800),
  ctime   timestamptz not null,
  primary key (corp_id, logo_id)
);
alter table issuer_logos enable row level security, force row level security;
create policy organization on issuer_logos using (corp_id = current_setting('app.corp_id', true));
grant select, insert on issuer_logos to matricula_app;

-- An account of a program that calls the interface. Spans organizations.
create table accounts (
  app_id                text primary key,
  name                  text not null,
  permissions           text[] not null,
  -- The time stamps that its token requests may carry: any number, the current time, or the current time once.
  time_stamps           text not null default 'any' constraint accounts_time_stamps check (time_stamps in ('any', 'recent', 'once')),
  rate_limit_per_minute integer check (rate_limit_per_minute > 0),
  -- The networks it may call from; empty: all.
  allowed_networks      text[] not null default '{}',
  -- Whether its calls that move money must be signed.
  signs_money           boolean not null default false,
  -- A token carries the epoch of its issue. A higher epoch here revokes all earlier tokens.
  token_epoch           integer not null default 0,
  is_disabled           boolean not null default false,
  expires_at            timestamptz,
  ctime                 timestamptz not null,
  mtime                 timestamptz not null
);
grant select, insert on accounts to matricula_app;
grant update (permissions, time_stamps, rate_limit_per_minute, allowed_networks, signs_money) on accounts to matricula_app;
grant update (token_epoch, is_disabled, expires_at, mtime) on accounts to matricula_app;

-- An organization that an account may call for. Spans organizations.
create table account_organizations (
  app_id  text not null references accounts (app_id),
  corp_id text not null references organizations (corp_id),
  ctime   timestamptz not null,
  primary key (app_id, corp_id)
);
grant select, insert on account_organizations to matricula_app;

-- A secret of an account. During a replacement, the old one stays valid until it expires. Spans organizations.
create table account_secrets (
  app_id        text not null references accounts (app_id),
  secret_id     text not null,
  -- AES-256-GCM with the account id as associated data; secret_key_id names the master key that sealed it.
  secret_box    bytea not null,
  secret_key_id text not null,
  ctime         timestamptz not null,
  -- Null: valid until it is replaced.
  expires_at    timestamptz,
  primary key (app_id, secret_id)
);
grant select, insert, update, delete on account_secrets to matricula_app;

-- A signature that an account with time_stamps 'once' has used. It is deleted once its time stamp is too old to be
-- accepted. Spans organizations.
create table seen_signatures (
  app_id    text not null references accounts (app_id),
  signature text not null,
  seen_at   timestamptz not null,
  primary key (app_id, signature)
);
create index seen_signatures_by_age on seen_signatures (seen_at);
grant select, insert, delete on seen_signatures to matricula_app;

-- granted_by gave account_id its access: granted_by created the account (of a member of staff or of a program), granted
-- its rights, or held its credentials. The actions of the account also count as actions of granted_by.
create table access_grants (
  corp_id    text not null references organizations (corp_id),
  account_id text not null,
  granted_by text not null,
  at         timestamptz not null,
  primary key (corp_id, account_id, granted_by)
);
alter table access_grants enable row level security, force row level security;
create policy organization on access_grants using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on access_grants to matricula_app;

-- The response to a call with an Idempotency-Key, written in the transaction of the call's effect.
create table idempotency_keys (
  corp_id   text not null references organizations (corp_id),
  app_id    text not null,
  key       text not null,
  -- The same key with another body is refused.
  body_hash text not null,
  response  text not null,
  ctime     timestamptz not null,
  primary key (corp_id, app_id, key)
);
create index idempotency_keys_by_age on idempotency_keys (corp_id, ctime);
alter table idempotency_keys enable row level security, force row level security;
create policy organization on idempotency_keys using (corp_id = current_setting('app.corp_id', true));
create policy survey on idempotency_keys for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on idempotency_keys to matricula_app;
