-- Leads count their changes, as users, tags and orders do: a reader finds what changed by time and version.
alter table leads no force row level security;
alter table leads
  add column mtime   timestamptz,
  add column version integer not null default 1;
update leads set mtime = ctime;
alter table leads alter column mtime set default now();
alter table leads alter column mtime set not null;
alter table leads force row level security;

-- An undo makes a new version with the content of an earlier one. `restored` says which version that is and which
-- earlier version and time it equals: {"version": 7, "as": {"version": 2, "mtime": "..."}}. A later change has another
-- version, so that it does not have to clear this.
alter table users add column restored jsonb;
alter table user_tags add column restored jsonb;

-- The merge that gave an event to the survivor. The end of the merge takes these events away again.
alter table user_events add column merge_id text;
