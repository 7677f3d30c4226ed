-- Who gave access to whom: granted_by created the account (of a member of staff or of a program), granted its rights, or
-- held its credentials. What the account does counts as done by granted_by, too.
create table access_grants (
  corp_id    text not null references organizations (corp_id),
  account_id text not null,
  granted_by text not null,
  at         timestamptz not null,
  primary key (corp_id, account_id, granted_by)
);

alter table access_grants enable row level security;
alter table access_grants force row level security;
create policy organization on access_grants using (corp_id = current_setting('app.corp_id', true));
