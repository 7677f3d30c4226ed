-- The people who work in a browser. Like accounts they span organizations: one person may work in several.

create table staff (
  staff_id      text primary key,
  email         text not null,
  email_key     text generated always as (lower(email)) stored,
  name          text not null,
  -- argon2id with its parameters and salt; null until an invitation is taken up.
  password_hash text,
  is_disabled   boolean not null default false,
  ctime         timestamptz not null,
  mtime         timestamptz not null
);
create unique index staff_by_email on staff (email_key);

create table staff_roles (
  staff_id text not null references staff (staff_id),
  corp_id  text not null references organizations (corp_id),
  role     text not null check (role in ('counsellor', 'finance', 'admin', 'viewer')),
  ctime    timestamptz not null,
  primary key (staff_id, corp_id)
);
create index staff_roles_by_organization on staff_roles (corp_id, staff_id);

-- A session is known by the hash of what its cookie holds: who reads this table can take over none.
create table staff_sessions (
  session_hash text primary key,
  staff_id     text not null references staff (staff_id),
  ctime        timestamptz not null,
  seen_at      timestamptz not null,
  -- When the person last proved to be there.
  confirmed_at timestamptz not null
);
create index staff_sessions_by_staff on staff_sessions (staff_id);

-- Links that work once: to take up an invitation, to choose a new password, to enter the sample school.
create table staff_links (
  link_hash  text primary key,
  staff_id   text not null references staff (staff_id),
  purpose    text not null check (purpose in ('password', 'sign_in')),
  expires_at timestamptz not null,
  ctime      timestamptz not null
);
create index staff_links_by_staff on staff_links (staff_id);
