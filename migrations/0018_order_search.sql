-- Orders are found by facets, as users and leads are. The read model keeps which facets an order has, so that whoever
-- changes the order knows what to take away and what to add.
alter table facet_entries drop constraint facet_entries_list_check;
alter table facet_entries add constraint facet_entries_list_check check (list in ('users', 'leads', 'orders'));
-- A list in JSON.
alter table order_read_model add column facets text not null default '[]';

-- What ageing sums: what is owed of each sub-order, as its row shows it.
alter table financial_read_model add column unpaid_price bigint not null default 0;
create index financial_read_model_owed on financial_read_model (corp_id, sub_order_id) include (order_id, unpaid_price)
 where unpaid_price > 0;

-- Payments of which something may be unapplied: no order took them when they came, they count for nothing, or a line of
-- them was taken back.
create index payments_waiting on payments (corp_id, completed_time, payment_id)
 where unapplied_reason is not null or order_price = 0;
create index payment_allocations_taken_back on payment_allocations (corp_id, payment_id) where price < 0;
