-- People who sign in belong to one organization. The same address in two organizations is two accounts that know nothing
-- of each other. Somebody with several roles becomes one account per organization, under the same staff_id, since records
-- name it; the password and the passkeys are copied, and are independent from here on. Somebody without a role, all
-- sessions, links and spent tickets are dropped.
create table former_staff as
  select r.corp_id, s.staff_id, s.email, s.name, r.role, s.password_hash, s.is_disabled, s.ctime, s.mtime
    from staff s join staff_roles r on r.staff_id = s.staff_id;
create table former_passkeys as
  select r.corp_id, k.credential_id, k.staff_id, k.name, k.public_key, k.counter, k.transports, k.ctime, k.used_at
    from staff_passkeys k join staff_roles r on r.staff_id = k.staff_id;
create table former_providers as
  select corp_id, issuer, client_id, secret_box, secret_key_id, email_domains, trusts_emails, default_role, ctime, mtime
    from sign_in_providers;
drop table staff_sessions, staff_links, staff_passkeys, spent_tickets, sign_in_providers, staff_roles, staff;

create table staff (
  corp_id       text not null references organizations (corp_id),
  staff_id      text not null,
  email         text not null,
  email_key     text generated always as (lower(email)) stored,
  name          text not null,
  -- Null: no longer part of the staff. Records go on naming the staff_id.
  role          text check (role in ('counsellor', 'finance', 'admin', 'viewer')),
  -- argon2id with its parameters and salt; null until an invitation is taken up.
  password_hash text,
  is_disabled   boolean not null default false,
  ctime         timestamptz not null,
  mtime         timestamptz not null,
  primary key (corp_id, staff_id)
);
create unique index staff_by_email on staff (corp_id, email_key);
-- For signing in, when the organization is not known yet.
create index staff_by_address on staff (email_key);

-- A session is known by the hash of what its cookie holds: who reads this table can take over none.
create table staff_sessions (
  corp_id      text not null,
  session_hash text not null,
  staff_id     text not null,
  -- Whether the provider of the organization vouched for the person.
  is_vouched   boolean not null,
  ctime        timestamptz not null,
  seen_at      timestamptz not null,
  -- When the person last proved to be there.
  confirmed_at timestamptz not null,
  primary key (corp_id, session_hash),
  foreign key (corp_id, staff_id) references staff (corp_id, staff_id)
);
create index staff_sessions_by_staff on staff_sessions (corp_id, staff_id);

-- Links that work once: to take up an invitation, to choose a new password, to enter the sample school.
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

create table staff_passkeys (
  corp_id       text not null,
  -- As the authenticator made it, in base64url.
  credential_id text not null,
  staff_id      text not null,
  name          text not null,
  public_key    bytea not null,
  -- How often the authenticator says it was used; one that counts must never count back.
  counter       bigint not null,
  transports    text[] not null,
  ctime         timestamptz not null,
  used_at       timestamptz,
  primary key (corp_id, credential_id),
  foreign key (corp_id, staff_id) references staff (corp_id, staff_id)
);
create index staff_passkeys_by_staff on staff_passkeys (corp_id, staff_id);
-- For signing in, when the organization is not known yet.
create index staff_passkeys_by_credential on staff_passkeys (credential_id);

-- What a browser was given to bring back once, and did. Nothing is kept of what nobody brings back.
create table spent_tickets (
  corp_id     text not null references organizations (corp_id),
  ticket_hash text not null,
  ends_at     timestamptz not null,
  primary key (corp_id, ticket_hash)
);
create index spent_tickets_by_age on spent_tickets (corp_id, ends_at);

-- The OpenID Connect provider by which an organization lets its staff sign in.
create table sign_in_providers (
  corp_id         text primary key references organizations (corp_id),
  issuer          text not null,
  client_id       text not null,
  -- Sealed as the secrets of accounts are.
  secret_box      bytea not null,
  secret_key_id   text not null,
  -- Empty: any address that was invited.
  email_domains   text[] not null,
  -- Whether addresses count as verified where the provider does not say so.
  trusts_emails   boolean not null,
  -- What somebody becomes who was not invited; null: nobody is let in.
  default_role    text check (default_role in ('counsellor', 'finance', 'viewer')),
  ctime           timestamptz not null,
  mtime           timestamptz not null
);

insert into staff (corp_id, staff_id, email, name, role, password_hash, is_disabled, ctime, mtime)
select corp_id, staff_id, email, name, role, password_hash, is_disabled, ctime, mtime from former_staff;
insert into staff_passkeys (corp_id, credential_id, staff_id, name, public_key, counter, transports, ctime, used_at)
select corp_id, credential_id, staff_id, name, public_key, counter, transports, ctime, used_at from former_passkeys;
insert into sign_in_providers (corp_id, issuer, client_id, secret_box, secret_key_id, email_domains, trusts_emails,
                               default_role, ctime, mtime)
select corp_id, issuer, client_id, secret_box, secret_key_id, email_domains, trusts_emails, default_role, ctime, mtime
  from former_providers;
drop table former_staff, former_passkeys, former_providers;

-- Who gave access to whom: granted_by created the account (of a member of staff or of a program), granted its rights, or
-- held its credentials. What the account does counts as done by granted_by, too.
create table access_grants (
  corp_id    text not null references organizations (corp_id),
  account_id text not null,
  granted_by text not null,
  at         timestamptz not null,
  primary key (corp_id, account_id, granted_by)
);

alter table staff enable row level security;
alter table staff force row level security;
create policy organization on staff using (corp_id = current_setting('app.corp_id', true));
-- Before the organization is known, a handle is bound to one address or one passkey instead, and reads only its rows.
-- No corp_id holds the separator.
create policy address on staff for select
  using (chr(31) || 'address' || chr(31) || email_key = lower(current_setting('app.corp_id', true)));

alter table staff_sessions enable row level security;
alter table staff_sessions force row level security;
create policy organization on staff_sessions using (corp_id = current_setting('app.corp_id', true));

alter table staff_links enable row level security;
alter table staff_links force row level security;
create policy organization on staff_links using (corp_id = current_setting('app.corp_id', true));

alter table staff_passkeys enable row level security;
alter table staff_passkeys force row level security;
create policy organization on staff_passkeys using (corp_id = current_setting('app.corp_id', true));
create policy passkey on staff_passkeys for select
  using (chr(31) || 'passkey' || chr(31) || credential_id = current_setting('app.corp_id', true));

alter table spent_tickets enable row level security;
alter table spent_tickets force row level security;
create policy organization on spent_tickets using (corp_id = current_setting('app.corp_id', true));

alter table sign_in_providers enable row level security;
alter table sign_in_providers force row level security;
create policy organization on sign_in_providers using (corp_id = current_setting('app.corp_id', true));

alter table access_grants enable row level security;
alter table access_grants force row level security;
create policy organization on access_grants using (corp_id = current_setting('app.corp_id', true));
