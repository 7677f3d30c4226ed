-- Profiles as they are answered, which follow from users and their leads.
create table profile_read_model (
  corp_id   text not null,
  user_id   text not null,
  -- Of the times in it.
  time_zone text not null,
  profile   text not null,
  primary key (corp_id, user_id),
  foreign key (corp_id, user_id) references users (corp_id, user_id) on delete cascade
);
alter table profile_read_model alter column profile set storage external;
alter table profile_read_model set (toast_tuple_target = 8160);

alter table profile_read_model enable row level security;
alter table profile_read_model force row level security;
create policy organization on profile_read_model using (corp_id = current_setting('app.corp_id', true));
