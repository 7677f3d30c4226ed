-- Tenant tables. corp_id leads every key, so that the same schema shards by it.

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
  -- Tells addresses apart. A column, since behind row-level security no index on lower(email) would be searched.
  email_key                text generated always as (lower(email)) stored,
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
  -- Further attributes that orders copy (address, nationality, certificates …), by their name on the order row less "user_".
  attributes               jsonb not null default '{}',
  owner_ids                text[] not null default '{}',
  pool                     text not null,
  is_verified              boolean not null default false,
  ctime                    timestamptz not null,
  mtime                    timestamptz not null,
  version                  integer not null default 1,
  primary key (corp_id, user_id),
  check ((area_code is null) = (mobile is null))
);
create unique index users_by_mobile on users (corp_id, area_code, mobile);
create unique index users_by_email on users (corp_id, email_key);

create table tag_groups (
  corp_id           text not null references organizations (corp_id),
  entity_id         text not null,
  name              text not null,
  variable_name     text not null,
  description       text not null,
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
  primary key (corp_id, entity_id),
  foreign key (corp_id, user_id) references users (corp_id, user_id),
  foreign key (corp_id, tags_group_id) references tag_groups (corp_id, entity_id),
  unique (corp_id, user_id, tags_group_id)
);
create index user_tags_by_group on user_tags (corp_id, tags_group_id);

create table leads (
  corp_id  text not null,
  lead_id  text not null,
  user_id  text not null,
  entry_id text,
  app_id   text not null,
  -- Every field as it came in.
  fields   jsonb not null,
  ctime    timestamptz not null,
  primary key (corp_id, lead_id),
  foreign key (corp_id, user_id) references users (corp_id, user_id)
);
create unique index leads_by_entry on leads (corp_id, entry_id);
create index leads_by_user on leads (corp_id, user_id, ctime);

alter table users enable row level security;
alter table users force row level security;
create policy organization on users using (corp_id = current_setting('app.corp_id', true));

alter table tag_groups enable row level security;
alter table tag_groups force row level security;
create policy organization on tag_groups using (corp_id = current_setting('app.corp_id', true));

alter table user_tags enable row level security;
alter table user_tags force row level security;
create policy organization on user_tags using (corp_id = current_setting('app.corp_id', true));

alter table leads enable row level security;
alter table leads force row level security;
create policy organization on leads using (corp_id = current_setting('app.corp_id', true));
