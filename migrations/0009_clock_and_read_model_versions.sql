-- The ledger's clock counts microseconds since 1970: an integer can be compared and moved on by every engine alike.
alter table ledger_clocks alter column instant type bigint using (extract(epoch from instant) * 1000000)::bigint;
alter table ledger_clocks rename column instant to instant_us;

-- What rendered an organization's read model. Where that is not what this version of the service would render with, it
-- is rebuilt before the service answers from it.
create table read_model_versions (
  corp_id     text primary key references organizations (corp_id),
  fingerprint text not null
);

alter table read_model_versions enable row level security;
alter table read_model_versions force row level security;
create policy organization on read_model_versions using (corp_id = current_setting('app.corp_id', true));

-- Lists leave deleted orders out, and so do their counts. There is no row of read_model_versions yet, so all rows are
-- made anew before they are read.
alter table order_read_model add column is_deleted boolean not null default false;
alter table order_read_model alter column is_deleted drop default;
