-- Lists of users and leads, by whatever they are asked for. An entry says that a record has a facet: a pool, an owner,
-- the beginning of a name. Entries stand in the order of the list, so that a page is a walk along the key; everything
-- is compared by = and range, which the wall lets an index do.
create table facet_entries (
  corp_id text not null,
  list    text not null check (list in ('users', 'leads')),
  -- By bytes, so that all that begin alike stand together.
  facet   text collate "C" not null,
  time    timestamptz not null,
  id      text not null,
  primary key (corp_id, list, facet, time, id)
);

-- How many entries a facet that many may have has on each day of UTC. Writers add parts, so that none waits for another; maintenance folds
-- them into the part without a name.
create table facet_counts (
  corp_id text not null,
  list    text not null,
  facet   text collate "C" not null,
  day     date not null,
  part    text not null,
  rows    bigint not null,
  primary key (corp_id, list, facet, day, part)
);
create index facet_counts_unfolded on facet_counts (corp_id, part) where part <> '';

-- What derived the facets of an organization. Where this version would derive others, they are made anew.
create table facet_versions (
  corp_id     text primary key references organizations (corp_id),
  fingerprint text not null
);

-- Users who are likely the same person; each pair once.
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

-- What happened to a user, by the version it made.
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
  primary key (corp_id, user_id, version),
  foreign key (corp_id, user_id) references users (corp_id, user_id)
);

create table user_follow_ups (
  corp_id      text not null,
  follow_up_id text not null,
  user_id      text not null,
  owner_id     text,
  content      text not null,
  executor_id  text not null,
  ctime        timestamptz not null,
  primary key (corp_id, follow_up_id),
  foreign key (corp_id, user_id) references users (corp_id, user_id)
);
create index user_follow_ups_by_user on user_follow_ups (corp_id, user_id, ctime, follow_up_id);

-- Who holds a user. There is a row from the claim to the release.
create table user_claims (
  corp_id    text not null,
  user_id    text not null,
  owner_id   text not null,
  claimed_at timestamptz not null,
  -- The claim, or the last follow-up.
  active_at  timestamptz not null,
  primary key (corp_id, user_id),
  foreign key (corp_id, user_id) references users (corp_id, user_id)
);
create index user_claims_by_owner on user_claims (corp_id, owner_id);
create index user_claims_by_activity on user_claims (corp_id, active_at, user_id);

-- How many users an owner has claimed on the last day with a claim. Claims of one owner wait for each other here.
create table claim_days (
  corp_id  text not null,
  owner_id text not null,
  day      date not null,
  claims   integer not null,
  primary key (corp_id, owner_id)
);

-- What an organization allows; null: no limit.
create table claim_rules (
  corp_id       text primary key references organizations (corp_id),
  most_held     integer check (most_held > 0),
  most_per_day  integer check (most_per_day > 0),
  hold_off_days integer check (hold_off_days > 0),
  idle_days     integer check (idle_days > 0)
);

alter table facet_entries enable row level security;
alter table facet_entries force row level security;
create policy organization on facet_entries using (corp_id = current_setting('app.corp_id', true));

alter table facet_counts enable row level security;
alter table facet_counts force row level security;
create policy organization on facet_counts using (corp_id = current_setting('app.corp_id', true));

alter table facet_versions enable row level security;
alter table facet_versions force row level security;
create policy organization on facet_versions using (corp_id = current_setting('app.corp_id', true));

alter table user_duplicates enable row level security;
alter table user_duplicates force row level security;
create policy organization on user_duplicates using (corp_id = current_setting('app.corp_id', true));

alter table user_events enable row level security;
alter table user_events force row level security;
create policy organization on user_events using (corp_id = current_setting('app.corp_id', true));

alter table user_follow_ups enable row level security;
alter table user_follow_ups force row level security;
create policy organization on user_follow_ups using (corp_id = current_setting('app.corp_id', true));

alter table user_claims enable row level security;
alter table user_claims force row level security;
create policy organization on user_claims using (corp_id = current_setting('app.corp_id', true));

alter table claim_days enable row level security;
alter table claim_days force row level security;
create policy organization on claim_days using (corp_id = current_setting('app.corp_id', true));

alter table claim_rules enable row level security;
alter table claim_rules force row level security;
create policy organization on claim_rules using (corp_id = current_setting('app.corp_id', true));
