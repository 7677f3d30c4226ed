-- Module search: the facets that lists of users, leads and orders are searched by. All of it is derived from the data.

-- A record has a facet: a pool, an owner, the beginning of a name. The key has the order of the list, so that a page is a
-- range of the key. All comparisons are = and ranges, which an index supports under row-level security.
create table facet_entries (
  corp_id text not null,
  list    text not null check (list in ('users', 'leads', 'orders')),
  -- Compared by bytes, so that facets with the same beginning are neighbours.
  facet   text collate "C" not null,
  time    timestamptz not null,
  id      text not null,
  -- The code that derived the entry. A rebuild renews what it derives, and then removes the entries of other code.
  deriver integer not null default 0,
  primary key (corp_id, list, facet, time, id)
);
alter table facet_entries enable row level security, force row level security;
create policy organization on facet_entries using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on facet_entries to matricula_app;

-- The number of entries of a common facet on a day (UTC). Transactions add rows with a part of their own, so that none
-- waits for another; maintenance adds them up in the row with the part ''.
create table facet_counts (
  corp_id text not null,
  list    text not null,
  facet   text collate "C" not null,
  day     date not null,
  part    text not null,
  rows    bigint not null,
  -- The records of the day that have the facet: one bit per record of the list, in the order of the list. A change of the
  -- count invalidates it; maintenance derives it again.
  bits    bit varying,
  -- The records that a part added, removed or changed. Null where no record is meant.
  touched_times timestamptz[],
  touched_ids   text[],
  primary key (corp_id, list, facet, day, part)
);
create index facet_counts_unfolded on facet_counts (corp_id, part) where part <> '';
create index facet_counts_by_day on facet_counts (corp_id, list, day, facet) where part = '';
create index facet_counts_without_bits on facet_counts (corp_id, list, day) where part = '' and bits is null;
alter table facet_counts enable row level security, force row level security;
create policy organization on facet_counts using (corp_id = current_setting('app.corp_id', true));
create policy survey on facet_counts for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on facet_counts to matricula_app;

-- A day with many users or leads has no bitmap of its own: it is divided into slices of about a thousand records, so that a
-- change concerns one slice. The row with the facet '' has the first record and the records of a slice, in the order of the
-- list. Without a row, no record of the slice has the facet; bits that are null are to be derived again.
create table facet_slices (
  corp_id   text not null,
  list      text not null,
  facet     text collate "C" not null,
  day       date not null,
  slice     integer not null,
  from_time timestamptz,
  from_id   text,
  ids       text[],
  bits      bit varying,
  primary key (corp_id, list, facet, day, slice)
);
alter table facet_slices enable row level security, force row level security;
create policy organization on facet_slices using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on facet_slices to matricula_app;

-- The text that a user is found by: its names, numbers and addresses, normalized, one line each. A merged user has a row of
-- its own that leads to the survivor.
create table search_documents (
  corp_id text not null,
  -- The id of the user, or "merged " and the id of the merged user.
  id      text not null,
  user_id text not null,
  -- The position of the user in lists.
  time    timestamptz not null,
  text    text not null,
  -- The code that derived the text and its keys.
  deriver integer not null,
  -- The number of the document in postings. Null until maintenance has indexed it: searches read its text.
  number  integer,
  -- The number that it had before it changed or, with an empty text, was removed: postings still have it.
  obsolete integer,
  primary key (corp_id, id)
);
create index search_documents_to_index on search_documents (corp_id, time, id) where number is null;
create unique index search_documents_by_number on search_documents (corp_id, number) where number is not null;
alter table search_documents enable row level security, force row level security;
create policy organization on search_documents using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on search_documents to matricula_app;

-- The documents that have a key: a short piece of a text, such as three letters. Documents that changed got a new number.
-- The posting '-' has the obsolete numbers, '+' the documents of merged users, '#' the last number that was given out.
create table search_postings (
  corp_id text not null,
  key     text collate "C" not null,
  -- The number of a document divided by 32,768, and the rests: two bytes each.
  segment integer not null,
  members bytea not null,
  primary key (corp_id, key, segment)
);
alter table search_postings enable row level security, force row level security;
create policy organization on search_postings using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on search_postings to matricula_app;

-- When the last change of a user or lead was added to the event feed. The process that adds events gives out times that
-- only grow, in the order of the commits: a reader that continues after the last time it saw misses no change. The times of
-- the records themselves are taken before their commits, so a reader could pass one that is not visible yet.
create table modified_records (
  corp_id text not null,
  list    text not null check (list in ('users', 'leads')),
  id      text not null,
  time    timestamptz not null,
  primary key (corp_id, list, id)
);
create unique index modified_records_by_time on modified_records (corp_id, list, time, id);
alter table modified_records enable row level security, force row level security;
create policy organization on modified_records using (corp_id = current_setting('app.corp_id', true));
grant select, insert, update, delete on modified_records to matricula_app;

-- The fingerprint of the code that derived data of an organization: its read model of orders, profiles, facets or open
-- payments. The rows are stored with the organization. Code with another fingerprint rebuilds the data in the background,
-- one batch per transaction.
create table derived_data_versions (
  corp_id     text not null references organizations (corp_id),
  name        text not null check (name in ('orders', 'profiles', 'facets', 'open_payments', 'statement_sums')),
  fingerprint text not null,
  -- The code that rebuilds the data at present, and the position after its last batch. Null: no rebuild has begun.
  rebuilder   text,
  position    text,
  primary key (corp_id, name)
);
alter table derived_data_versions enable row level security, force row level security;
create policy organization on derived_data_versions using (corp_id = current_setting('app.corp_id', true));
create policy survey on derived_data_versions for select using (current_setting('app.corp_id', true) = '*');
grant select, insert, update, delete on derived_data_versions to matricula_app;
