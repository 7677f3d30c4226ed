-- The coupons of an order, each with the terms it was given and what it takes off the listed price. The manual discount is
-- what the coupons do not explain of the difference between listed and discounted price.
alter table orders add column coupon_lines jsonb not null default '[]';

-- Until now the coupons of an order made all of its discount. Where the terms they have today explain it, these are taken;
-- where a coupon was changed since, the first one keeps what came off as an amount. Forced row-level security would hide the
-- rows from these very statements.
alter table orders no force row level security;
alter table coupons no force row level security;
update orders o
   set coupon_lines = (
     select case when sum(line.price) = o.listed_price - o.discounted_price
                 then jsonb_agg(jsonb_build_object('coupon_id', line.coupon_id, 'amount', line.amount,
                                                   'basis_points', line.basis_points, 'price', line.price) order by line.place)
                 else jsonb_agg(jsonb_build_object('coupon_id', line.coupon_id, 'basis_points', null,
                                                   'amount', case line.place when 1 then o.listed_price - o.discounted_price else 0 end,
                                                   'price', case line.place when 1 then o.listed_price - o.discounted_price else 0 end)
                                order by line.place) end
       from (select given.coupon_id, given.place, c.amount, c.basis_points,
                    case when c.currency <> o.currency then 0 when c.amount is not null then c.amount
                         -- Half to even, in whole numbers.
                         else div(o.listed_price::numeric * c.basis_points + 4999
                                  + div(o.listed_price::numeric * c.basis_points, 10000) % 2, 10000)::bigint end as price
               from unnest(o.coupon_ids) with ordinality as given(coupon_id, place)
               left join coupons c on c.corp_id = o.corp_id and c.coupon_id = given.coupon_id) line)
 where o.coupon_ids <> '{}';
alter table orders force row level security;
alter table coupons force row level security;
