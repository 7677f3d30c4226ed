-- Users who were erased. Their ids stay where the books name them; nothing that tells of them does.
create table erased_users (
  corp_id     text not null references organizations (corp_id),
  user_id     text not null,
  executor_id text not null,
  reason      text not null,
  at          timestamptz not null,
  primary key (corp_id, user_id)
);

alter table erased_users enable row level security;
alter table erased_users force row level security;
create policy organization on erased_users using (corp_id = current_setting('app.corp_id', true));
