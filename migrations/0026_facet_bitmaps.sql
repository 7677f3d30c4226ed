-- Which records of a day have a facet: a bit for each record of the list on that day, in the order of the list. Whoever
-- changes a count leaves a part, or takes the bits away; maintenance makes them anew, day by day.
alter table facet_counts add column bits bit varying;
create index facet_counts_by_day on facet_counts (corp_id, list, day, facet) where part = '';
create index facet_counts_without_bits on facet_counts (corp_id, list, day) where part = '' and bits is null;
