-- How many contacts a member of staff has revealed in the last hour with a reveal. Reveals of one person wait for each other here.
create table reveal_hours (
  corp_id  text not null,
  staff_id text not null,
  hour     timestamptz not null,
  reveals  integer not null,
  primary key (corp_id, staff_id)
);
alter table reveal_hours enable row level security;
alter table reveal_hours force row level security;
create policy organization on reveal_hours using (corp_id = current_setting('app.corp_id', true));

-- How many contacts a member of staff may reveal in an hour; null: no limit.
alter table claim_rules add column reveals_per_hour integer default 60;
alter table claim_rules add constraint claim_rules_reveals_per_hour_check check (reveals_per_hour > 0);
