-- Money that was moved between orders is one when it goes back: limits of refunds look for it from either side.
create index order_transfers_by_giver on order_transfers (corp_id, from_order_id);
create index order_transfers_by_taker on order_transfers (corp_id, to_order_id);
