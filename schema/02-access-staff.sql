-- Module access, part 2: the people who sign in to the console, and their ways to sign in. Each belongs to one
-- organization. The same e-mail address in two organizations is two independent members of staff.
--
-- Before sign-in the organization is not known. A handle is then bound to one e-mail address, passkey or domain instead:
-- app.corp_id holds chr(31), the kind, chr(31) and the value. No corp_id contains chr(31). The second policies below let
-- such a handle read the rows of that value, and write nothing.

-- A member of staff. Rows are never deleted, because records name the staff_id.
create table staff (
  corp_id       text not null references organizations (corp_id),
  staff_id      text not null,
  email         text not null,
  email_key     text generated always as (lower(email)) stored,
  name          text not null,
  -- Null: no longer a member of staff.
  role          text check (role in ('counsellor', 'finance', 'admin', 'viewer')),
  -- argon2id with its parameters and salt; null until the invitation is accepted.
  password_hash text,
  is_disabled   boolean not null default false,
  ctime         timestamptz not null,
  mtime         timestamptz not null,
  primary key (corp_id, staff_id)
);
create unique index staff_by_email on staff (corp_id, email_key);
-- For sign-in, before the organization is known.
create index staff_by_address on staff (email_key);
alter table staff enable row level security, force row level security;
create policy organization on staff using (corp_id = current_setting('app.corp_id', true));
create policy address on staff for select
  using (chr(31) || 'address' || chr(31) || email_key = lower(current_setting('app.corp_id', true)));
grant select, insert, update on staff to matricula_app;

-- A session of a browser. Only the hash of the cookie is stored, so that a reader of this table cannot take it over.
create table staff_sessions (
  corp_id      text not null,
  session_hash text not null,
  staff_id     text not null,
  -- Whether the sign-in provider of the organization identified the person.
  is_vouched   boolean not null,
  ctime        timestamptz not null,
  seen_at      timestamptz not null,
  -- The last time that the person proved to be present.
  confirmed_at timestamptz not null,
  primary key (corp_id, session_hash),
  foreign key (corp_id, staff_id) references staff (corp_id, staff_id)
);
create index staff_sessions_by_staff on staff_sessions (corp_id, staff_id);
alter table staff_sessions enable row level security, force row level security;
create policy organization on staff_sessions using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on staff_sessions to matricula_app;

-- A link that works once: to accept an invitation, to choose a new password, to enter the sample school.
create table staff_links (
  corp_id    text not null,
  link_hash  text not null,
  staff_id   text not null,
  purpose    text not null check (purpose in ('password', 'sign_in')),
  expires_at timestamptz not null,
  ctime      timestamptz not null,
  primary key (corp_id, link_hash),
  foreign key (corp_id, staff_id) references staff (corp_id, staff_id)
);
create index staff_links_by_staff on staff_links (corp_id, staff_id);
alter table staff_links enable row level security, force row level security;
create policy organization on staff_links using (corp_id = current_setting('app.corp_id', true));
grant select, insert, delete on staff_links to matricula_app;

-- Access of a support person of the operator, which an administrator of the school granted for a time. It ends by its time,
-- also while a session is open: every call reads it.
create table support_grants (
  corp_id      text not null references organizations (corp_id),
  grant_id     text not null,
  email        text not null,
  email_key    text generated always as (lower(email)) stored,
  name         text not null,
  role         text not null check (role in ('viewer', 'counsellor', 'finance')),
  granted_by   text not null,
  ctime        timestamptz not null,
  ends_at      timestamptz not null,
  -- Set by a revocation, and with ends_at once another grant follows one that expired.
  revoked_at   timestamptz,
  revoked_by   text,
  -- The link that works once. Null: none was made, or it was used.
  link_hash    text,
  link_ends_at timestamptz,
  primary key (corp_id, grant_id)
);
create unique index support_grants_open on support_grants (corp_id, email_key) where revoked_at is null;
create index support_grants_by_link on support_grants (corp_id, link_hash) where link_hash is not null;
create index support_grants_by_time on support_grants (corp_id, ctime, grant_id);
alter table support_grants enable row level security, force row level security;
create policy organization on support_grants using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on support_grants to matricula_app;

-- A session of a support person. Only the hash of the cookie is stored.
create table support_sessions (
  corp_id      text not null,
  session_hash text not null,
  grant_id     text not null,
  ctime        timestamptz not null,
  seen_at      timestamptz not null,
  primary key (corp_id, session_hash),
  foreign key (corp_id, grant_id) references support_grants (corp_id, grant_id)
);
create index support_sessions_by_grant on support_sessions (corp_id, grant_id);
alter table support_sessions enable row level security, force row level security;
create policy organization on support_sessions using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on support_sessions to matricula_app;

-- A passkey of a member of staff.
create table staff_passkeys (
  corp_id       text not null,
  -- In base64url, as the authenticator made it.
  credential_id text not null,
  staff_id      text not null,
  name          text not null,
  public_key    bytea not null,
  -- The authenticator's count of its uses. A count that decreases reveals a cloned passkey.
  counter       bigint not null,
  transports    text[] not null,
  ctime         timestamptz not null,
  used_at       timestamptz,
  primary key (corp_id, credential_id),
  foreign key (corp_id, staff_id) references staff (corp_id, staff_id)
);
create index staff_passkeys_by_staff on staff_passkeys (corp_id, staff_id);
-- For sign-in, before the organization is known.
create index staff_passkeys_by_credential on staff_passkeys (credential_id);
alter table staff_passkeys enable row level security, force row level security;
create policy organization on staff_passkeys using (corp_id = current_setting('app.corp_id', true));
create policy passkey on staff_passkeys for select
  using (chr(31) || 'passkey' || chr(31) || credential_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on staff_passkeys to matricula_app;

-- A one-time ticket that a browser has used. Unused tickets are not stored.
create table spent_tickets (
  corp_id     text not null references organizations (corp_id),
  ticket_hash text not null,
  ends_at     timestamptz not null,
  primary key (corp_id, ticket_hash)
);
create index spent_tickets_by_age on spent_tickets (corp_id, ends_at);
alter table spent_tickets enable row level security, force row level security;
create policy organization on spent_tickets using (corp_id = current_setting('app.corp_id', true));
grant select, insert, delete on spent_tickets to matricula_app;

-- The OpenID Connect provider that the staff of an organization sign in with.
create table sign_in_providers (
  corp_id       text primary key references organizations (corp_id),
  issuer        text not null,
  client_id     text not null,
  -- Sealed like the secrets of accounts.
  secret_box    bytea not null,
  secret_key_id text not null,
  -- Empty: any address that was invited.
  email_domains text[] not null,
  -- Whether an address counts as verified where the provider does not say so.
  trusts_emails boolean not null,
  -- The role of a person who was not invited; null: only invited people sign in.
  default_role  text check (default_role in ('counsellor', 'finance', 'viewer')),
  ctime         timestamptz not null,
  mtime         timestamptz not null
);
alter table sign_in_providers enable row level security, force row level security;
create policy organization on sign_in_providers using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on sign_in_providers to matricula_app;

-- An e-mail domain that an organization names. Its DNS has to show the token.
create table sign_in_domains (
  corp_id      text not null references organizations (corp_id),
  domain       text not null,
  token        text not null,
  requested_at timestamptz not null,
  primary key (corp_id, domain)
);
alter table sign_in_domains enable row level security, force row level security;
create policy organization on sign_in_domains using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on sign_in_domains to matricula_app;

-- A verified domain. The domain alone is the key, because it belongs to one organization: this table spans organizations.
create table verified_domains (
  domain      text primary key,
  corp_id     text not null references organizations (corp_id),
  verified_at timestamptz not null,
  verified_by text not null check (verified_by in ('dns', 'operator'))
);
create index verified_domains_by_organization on verified_domains (corp_id, domain);
alter table verified_domains enable row level security, force row level security;
create policy organization on verified_domains using (corp_id = current_setting('app.corp_id', true));
create policy domain on verified_domains for select
  using (chr(31) || 'domain' || chr(31) || domain = current_setting('app.corp_id', true));
grant select, insert, delete on verified_domains to matricula_app;
