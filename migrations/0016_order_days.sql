-- What a customer asks for: the least days that units of an order must have left when they are shipped.

alter table sales_orders add min_days_at_shipping integer check (min_days_at_shipping >= 0);
comment on column sales_orders.min_days_at_shipping is
  'Days that its units must have left when they are shipped, where the customer asks for more than the items do '
  '(items.min_days_at_shipping).';

create index sales_orders_kept_fresh on sales_orders (so_id)
  where min_days_at_shipping is not null and status in ('OPEN', 'FRAUD_REVIEW');

-- An order that asks for days may not be able to use what becomes free: it does not stand in the way of others.
create or replace function watching_orders(warehouse integer, item integer, sellable bigint, picked_from bigint)
  returns setof integer language plpgsql stable set enable_seqscan to 'off' set enable_bitmapscan to 'off' as $$
begin
  return query select s.so_id from stock_waits s
  where s.warehouse_id = warehouse and s.item_id = item and s.watched and not s.in_parts and s.units <= picked_from;
  return query select w.so_id from (
    select s.so_id, so.min_days_at_shipping,
           row_number() over (partition by so.min_days_at_shipping is null order by so.priority desc, so.ship_by_date,
                                coalesce(so.backorder_opened_at, so.created_at), s.so_id) as place
    from stock_waits s join sales_orders so on so.so_id = s.so_id
    where s.warehouse_id = warehouse and s.item_id = item and s.in_parts) w
  where w.min_days_at_shipping is not null or w.place <= sellable;
end
$$;
comment on function watching_orders(integer,integer,bigint,bigint) is
  'The orders that watch an item and ask for no more units of it than can be picked, and those that take parts: of '
  'these no more than there are units, and all that ask for days which the units may not have left.';
