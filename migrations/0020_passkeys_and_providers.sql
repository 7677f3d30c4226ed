-- Ways to sign in beside the password.

create table staff_passkeys (
  -- As the authenticator made it, in base64url.
  credential_id text primary key,
  staff_id      text not null references staff (staff_id),
  name          text not null,
  public_key    bytea not null,
  -- How often the authenticator says it was used; one that counts must never count back.
  counter       bigint not null,
  transports    text[] not null,
  ctime         timestamptz not null,
  used_at       timestamptz
);
create index staff_passkeys_by_staff on staff_passkeys (staff_id);

-- What a browser was given to bring back once, and did. Nothing is kept of what nobody brings back.
create table spent_tickets (
  ticket_hash text primary key,
  ends_at     timestamptz not null
);
create index spent_tickets_by_age on spent_tickets (ends_at);

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

-- Where the provider of an organization vouched for somebody, the session holds in that organization only.
alter table staff_sessions add column corp_id text references organizations (corp_id);
