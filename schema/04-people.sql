-- Module people: users with their tags and leads, who holds them, and what happened to them.

-- A user: a person who may enrol, has enrolled, or has left.
create table users (
  corp_id                  text not null references organizations (corp_id),
  user_id                  text not null,
  name                     text,
  first_name               text,
  last_name                text,
  area_code                text,
  mobile                   text,
  backup_area_code         text,
  backup_mobile            text,
  email                    text,
  -- Identifies an address. A column, because row-level security keeps the planner from an index on lower(email).
  email_key                text generated always as (lower(email)) stored,
  wechat_id                text,
  -- The id of the person in another system, such as a CRM. It identifies nobody here.
  external_id              text,
  gender                   text,
  age                      integer,
  city                     text,
  city_raw                 text,
  city_mobile              text,
  company_name             text,
  job_title                text,
  department               text,
  industry                 text,
  work_exp                 text,
  professional_profile_url text,
  -- Further attributes that orders copy (address, nationality, certificates …), by their name on the order row without "user_".
  attributes               jsonb not null default '{}',
  owner_ids                text[] not null default '{}',
  pool                     text not null,
  is_verified              boolean not null default false,
  ctime                    timestamptz not null,
  mtime                    timestamptz not null,
  version                  integer not null default 1,
  -- An undo makes a new version with the content of an earlier one. This names the new version, and the version and time
  -- that it equals: {"version": 7, "as": {"version": 2, "mtime": "..."}}. It is void once the version differs.
  restored                 jsonb,
  primary key (corp_id, user_id),
  check ((area_code is null) = (mobile is null))
);
create unique index users_by_mobile on users (corp_id, area_code, mobile);
create unique index users_by_email on users (corp_id, email_key);
alter table users enable row level security, force row level security;
create policy organization on users using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on users to matricula_app;

-- A group of tags: a named question, such as a test score, that each user can have one answer to.
create table tag_groups (
  corp_id           text not null references organizations (corp_id),
  entity_id         text not null,
  name              text not null,
  variable_name     text not null,
  description       text not null,
  -- The type of its values: define is yes or no.
  attribute         text not null check (attribute in ('define', 'number', 'string')),
  category          text not null,
  type              text not null,
  calculation_rules jsonb not null default '{}',
  is_active         boolean not null default true,
  is_auto           boolean not null default false,
  is_deleted        boolean not null default false,
  is_locked         boolean not null default false,
  ctime             timestamptz not null,
  mtime             timestamptz not null,
  version           integer not null default 1,
  primary key (corp_id, entity_id)
);
create unique index tag_groups_by_variable_name on tag_groups (corp_id, variable_name) where not is_deleted;
create index tag_groups_by_category on tag_groups (corp_id, category, ctime, entity_id) where not is_deleted;
alter table tag_groups enable row level security, force row level security;
create policy organization on tag_groups using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on tag_groups to matricula_app;

-- The value of one user in one tag group, in the column of the group's attribute.
create table user_tags (
  corp_id       text not null,
  entity_id     text not null,
  user_id       text not null,
  tags_group_id text not null,
  attribute     text not null,
  define_value  boolean,
  number_value  double precision,
  string_value  text,
  source        text not null,
  executor_id   text not null,
  is_deleted    boolean not null default false,
  ctime         timestamptz not null,
  mtime         timestamptz not null,
  version       integer not null default 1,
  -- As in users.
  restored      jsonb,
  primary key (corp_id, entity_id),
  foreign key (corp_id, user_id) references users (corp_id, user_id),
  foreign key (corp_id, tags_group_id) references tag_groups (corp_id, entity_id),
  unique (corp_id, user_id, tags_group_id)
);
create index user_tags_by_group on user_tags (corp_id, tags_group_id);
alter table user_tags enable row level security, force row level security;
create policy organization on user_tags using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on user_tags to matricula_app;

-- A lead: one submitted form, advertisement click or imported row about a user.
create table leads (
  corp_id  text not null,
  lead_id  text not null,
  user_id  text not null,
  -- The id that the sender gave it. A repeated entry_id is the same lead.
  entry_id text,
  app_id   text not null,
  -- All fields as received.
  fields   jsonb not null,
  ctime    timestamptz not null,
  mtime    timestamptz not null default now(),
  version  integer not null default 1,
  primary key (corp_id, lead_id),
  foreign key (corp_id, user_id) references users (corp_id, user_id)
);
create unique index leads_by_entry on leads (corp_id, entry_id);
create index leads_by_user on leads (corp_id, user_id, ctime);
alter table leads enable row level security, force row level security;
create policy organization on leads using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on leads to matricula_app;

-- A user who was merged into another. Lookups by the old id and the old contacts find the other user; so do searches, by
-- the old names too.
create table merged_users (
  corp_id          text not null,
  merged_user_id   text not null,
  user_id          text not null,
  merge_id         text not null,
  name             text,
  first_name       text,
  last_name        text,
  area_code        text,
  mobile           text,
  backup_area_code text,
  backup_mobile    text,
  email            text,
  email_key        text generated always as (lower(email)) stored,
  wechat_id        text,
  external_id      text,
  primary key (corp_id, merged_user_id)
);
create index merged_users_by_mobile on merged_users (corp_id, area_code, mobile);
create index merged_users_by_email on merged_users (corp_id, email_key);
create index merged_users_by_user on merged_users (corp_id, user_id);
alter table merged_users enable row level security, force row level security;
create policy organization on merged_users using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on merged_users to matricula_app;

-- Two users who are likely the same person. The smaller id comes first, so that a pair is one row.
create table user_duplicates (
  corp_id       text not null,
  user_id       text collate "C" not null,
  other_user_id text collate "C" not null,
  score         integer not null,
  reasons       text[] not null,
  primary key (corp_id, user_id, other_user_id),
  check (user_id < other_user_id)
);
create index user_duplicates_by_other on user_duplicates (corp_id, other_user_id);
create index user_duplicates_by_score on user_duplicates (corp_id, score desc, user_id, other_user_id);
alter table user_duplicates enable row level security, force row level security;
create policy organization on user_duplicates using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on user_duplicates to matricula_app;

-- A profile, rendered as the interface responds with it. Derived from the user and its leads.
create table profile_read_model (
  corp_id   text not null,
  user_id   text not null,
  -- The zone of the times in the profile.
  time_zone text not null,
  profile   text not null,
  -- The code that rendered the profile. Other code renders it again when it is read.
  renderer  text not null default '',
  primary key (corp_id, user_id),
  foreign key (corp_id, user_id) references users (corp_id, user_id) on delete cascade
) with (toast_tuple_target = 8160);
-- Stored inline and uncompressed: profiles are read far more often than written.
alter table profile_read_model alter column profile set storage external;
alter table profile_read_model enable row level security, force row level security;
create policy organization on profile_read_model using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on profile_read_model to matricula_app;

-- An event in the history of a user, by the version of the user that it made.
create table user_events (
  corp_id     text not null,
  user_id     text not null,
  version     integer not null,
  at          timestamptz not null,
  event       text not null,
  -- The owner whom the event is about.
  owner_id    text,
  executor_id text,
  before      jsonb not null,
  after       jsonb not null,
  -- The merge that moved the event to this user. An undo of the merge removes it again.
  merge_id    text,
  primary key (corp_id, user_id, version),
  foreign key (corp_id, user_id) references users (corp_id, user_id)
);
alter table user_events enable row level security, force row level security;
create policy organization on user_events using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on user_events to matricula_app;

-- A note about a contact with a user, and the time of the next call.
create table user_follow_ups (
  corp_id      text not null,
  follow_up_id text not null,
  user_id      text not null,
  owner_id     text,
  content      text not null,
  executor_id  text not null,
  next_at      timestamptz,
  -- Whether the next call is still open: the user has no later follow-up.
  is_open      boolean not null default false,
  ctime        timestamptz not null,
  primary key (corp_id, follow_up_id),
  foreign key (corp_id, user_id) references users (corp_id, user_id)
);
create index user_follow_ups_by_user on user_follow_ups (corp_id, user_id, ctime, follow_up_id);
create index user_follow_ups_to_come on user_follow_ups (corp_id, next_at, follow_up_id) where is_open;
create index user_follow_ups_to_come_by_owner on user_follow_ups (corp_id, owner_id, next_at, follow_up_id) where is_open;
alter table user_follow_ups enable row level security, force row level security;
create policy organization on user_follow_ups using (corp_id = current_setting('app.corp_id', true));
create policy survey on user_follow_ups for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on user_follow_ups to matricula_app;

-- The claim of an owner on a user. The row exists from the claim to the release.
create table user_claims (
  corp_id    text not null,
  user_id    text not null,
  owner_id   text not null,
  claimed_at timestamptz not null,
  -- The time of the claim or of the last follow-up.
  active_at  timestamptz not null,
  primary key (corp_id, user_id),
  foreign key (corp_id, user_id) references users (corp_id, user_id)
);
create index user_claims_by_owner on user_claims (corp_id, owner_id);
create index user_claims_by_activity on user_claims (corp_id, active_at, user_id);
alter table user_claims enable row level security, force row level security;
create policy organization on user_claims using (corp_id = current_setting('app.corp_id', true));
create policy survey on user_claims for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on user_claims to matricula_app;

-- The number of claims of an owner on the last day with a claim. Concurrent claims of one owner wait for this row.
create table claim_days (
  corp_id  text not null,
  owner_id text not null,
  day      date not null,
  claims   integer not null,
  primary key (corp_id, owner_id)
);
alter table claim_days enable row level security, force row level security;
create policy organization on claim_days using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on claim_days to matricula_app;

-- The number of contacts that a member of staff revealed in the last hour with a reveal. Concurrent reveals of one
-- person wait for this row.
create table reveal_hours (
  corp_id  text not null,
  staff_id text not null,
  hour     timestamptz not null,
  reveals  integer not null,
  primary key (corp_id, staff_id)
);
alter table reveal_hours enable row level security, force row level security;
create policy organization on reveal_hours using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on reveal_hours to matricula_app;

-- The limits of an organization for claims and reveals; null: no limit.
create table claim_rules (
  corp_id          text primary key references organizations (corp_id),
  -- Users that an owner holds at the same time, and claims per day.
  most_held        integer check (most_held > 0),
  most_per_day     integer check (most_per_day > 0),
  -- Days before an owner may claim a user again that the owner released.
  hold_off_days    integer check (hold_off_days > 0),
  -- Days without a follow-up before the user returns to the public pool.
  idle_days        integer check (idle_days > 0),
  -- Contacts that a member of staff may reveal per hour.
  reveals_per_hour integer default 60 check (reveals_per_hour > 0)
);
alter table claim_rules enable row level security, force row level security;
create policy organization on claim_rules using (corp_id = current_setting('app.corp_id', true));
create policy survey on claim_rules for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on claim_rules to matricula_app;
