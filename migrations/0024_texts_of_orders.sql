-- What people write on orders (remarks, comments, reasons) tells of somebody, who may be erased one day. Versions and the
-- facts in them hold salted digests of it from now on; the salt is the one of the order's copy of its user. They are chained
-- anew before the service serves, and heads that were noted down until now are found among the hashes that links had before.
alter table former_ledger_links no force row level security;
alter table ledger_chain no force row level security;
alter table ledger_clocks no force row level security;
alter table order_versions no force row level security;
alter table former_ledger_links drop constraint former_ledger_links_pkey;
alter table former_ledger_links add primary key (corp_id, seq, hash);
insert into former_ledger_links (corp_id, seq, hash) select corp_id, seq, hash from ledger_chain
on conflict (corp_id, seq, hash) do nothing;
delete from ledger_chain;
update ledger_clocks set chain_head = null, chain_length = null
 where corp_id in (select corp_id from order_versions);
alter table former_ledger_links force row level security;
alter table ledger_chain force row level security;
alter table ledger_clocks force row level security;
alter table order_versions force row level security;
