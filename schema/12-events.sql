-- Module events: what happened in an organization, in order, for everybody who keeps a copy of its records.

-- The feed of an organization. A process locks the row while it adds events.
create table event_feeds (
  corp_id text primary key,
  -- Part of every cursor. A restored database starts a new epoch, since events may get numbers that others had before.
  epoch   text not null,
  -- The number of the newest event.
  length  bigint not null,
  -- The events up to this link of the audit chain are in the feed.
  linked  bigint not null,
  -- The last time that a modified record got (modified_records).
  modified_at timestamptz not null default 'epoch',
  -- The events up to this number were deleted for their age.
  pruned  bigint not null default 0,
  -- How long events are kept.
  days    integer not null default 90 check (days between 7 and 730)
);
alter table event_feeds enable row level security, force row level security;
create policy organization on event_feeds using (corp_id = current_setting('app.corp_id', true));
create policy survey on event_feeds for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on event_feeds to matricula_app;

-- An event: ids and names of members, nothing personal, so that an erasure never rewrites the feed. Events are derived
-- from the entries of the audit, in the order of its chain.
create table events (
  corp_id     text not null,
  seq         bigint not null,
  -- The audit entry, and the number of the event among those of the entry.
  event_id    text not null,
  type        text not null,
  at          timestamptz not null,
  record_type text not null,
  record_id   text not null,
  version     integer,
  changed     jsonb not null,
  related     jsonb not null,
  actor_kind  text not null,
  actor_id    text not null,
  request_id  text,
  primary key (corp_id, seq)
);
create unique index events_by_id on events (corp_id, event_id);
create index events_by_record on events (corp_id, record_id, seq);
alter table events enable row level security, force row level security;
create policy organization on events using (corp_id = current_setting('app.corp_id', true));
create policy survey on events for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, delete on events to matricula_app;

-- A due time in the feed: the deadline of an instalment is near or has passed, or the next contact
-- of a follow-up is due. The key makes each of them tell once, on any number of servers. A new deadline tells again.
-- Old notices are deleted once the time cannot be told again.
create table due_notices (
  corp_id   text not null,
  kind      text not null check (kind in ('instalment.due', 'instalment.overdue', 'follow_up.due')),
  record_id text not null,
  -- The deadline, or the time of the next contact.
  at        timestamptz not null,
  primary key (corp_id, kind, record_id, at)
);
create index due_notices_by_time on due_notices (corp_id, at);
alter table due_notices enable row level security, force row level security;
create policy organization on due_notices using (corp_id = current_setting('app.corp_id', true));
create policy survey on due_notices for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, delete on due_notices to matricula_app;
