-- What the values of columns are to stand for, beside what the columns stand for: remembered for files of the same header line.
alter table column_mappings add column value_mapping jsonb not null default '{}';
