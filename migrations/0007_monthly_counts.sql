-- Rows are counted per month as well as per day, so that a total and the place of a page are found among the months of
-- a list, and the days of one of them: a few dozen numbers, however many years there are.

alter table list_counts add column span text not null default 'day' check (span in ('day', 'month'));
alter table list_counts drop constraint list_counts_pkey;
alter table list_counts add primary key (corp_id, list, time, status, span, day);
alter table list_counts alter column span drop default;

-- Forced row-level security would hide the counts from this very statement.
alter table list_counts no force row level security;
insert into list_counts (corp_id, list, time, status, span, day, rows)
select corp_id, list, time, status, 'month', date_trunc('month', day)::date, sum(rows)
  from list_counts
 group by corp_id, list, time, status, date_trunc('month', day);
alter table list_counts force row level security;
