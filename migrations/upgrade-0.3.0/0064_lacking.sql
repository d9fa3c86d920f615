-- Orders that are OPEN and hold less than they ask for wait for stock as well: each takes what it can get. So they
-- stand beside the backorders, which wait until all they ask for is there. An order gets here when it is short as it
-- reserves, or loses what it held; one that never reserved (an import) does not.

alter table stock_waits add column in_parts boolean not null default false;
comment on column stock_waits.in_parts is
  'Of an order that is OPEN or in review: it takes any unit that becomes free, and watches all that it lacks.';
create index stock_waits_in_parts on stock_waits (warehouse_id, item_id) where in_parts;
comment on table stock_waits is
  'What orders wait for, by item: WAITING_STOCK orders, and those that hold less than they ask for. Triggers of '
  'sales_orders and sales_order_lines keep it, and who makes an order lack something refreshes it.';

create or replace function refresh_stock_waits(ids integer[]) returns void
language plpgsql set enable_seqscan = off as $$
begin
  delete from stock_waits where so_id = any(ids);
  insert into stock_waits (so_id, item_id, warehouse_id, units, in_parts)
  select so.so_id, l.item_id, so.warehouse_id, sum(l.quantity_ordered - l.quantity_allocated),
         so.status <> 'WAITING_STOCK'
  from sales_orders so join sales_order_lines l on l.so_id = so.so_id
  where so.so_id = any(ids)
    and (so.status = 'WAITING_STOCK'
      or so.status in ('OPEN', 'FRAUD_REVIEW') and so.order_type not in ('return', 'refund')
        and l.quantity_ordered > l.quantity_allocated
        and not exists (select from pick_batch_orders b where b.so_id = so.so_id and b.active))
  group by so.so_id, l.item_id, so.warehouse_id, so.status;
end $$;

create or replace function stock_waits_of_order() returns trigger language plpgsql as $$
begin
  if (old.status <> new.status or old.warehouse_id <> new.warehouse_id)
    and ('WAITING_STOCK' in (old.status, new.status) or exists (select from stock_waits where so_id = new.so_id)) then
    perform refresh_stock_waits(array[new.so_id]);
  end if;
  return null;
end $$;

-- For the release before, which knows no orders that take parts.
create or replace function watching_orders(warehouse integer, item integer, available bigint) returns setof integer
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return query select s.so_id from stock_waits s
  where s.warehouse_id = warehouse and s.item_id = item and s.watched and not s.in_parts and s.units <= available;
end $$;
create function watching_orders(warehouse integer, item integer, sellable bigint, picked_from bigint)
returns setof integer
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return query select s.so_id from stock_waits s
  where s.warehouse_id = warehouse and s.item_id = item and s.watched and not s.in_parts and s.units <= picked_from;
  return query select s.so_id from stock_waits s join sales_orders so on so.so_id = s.so_id
  where s.warehouse_id = warehouse and s.item_id = item and s.in_parts
  order by so.priority desc, so.ship_by_date, coalesce(so.backorder_opened_at, so.created_at), s.so_id
  limit sellable;
end $$;
comment on function watching_orders(integer, integer, bigint, bigint) is
  'The orders that watch an item and ask for no more units of it than can be picked, and those that take parts: of '
  'these no more than there are units.';

select refresh_stock_waits(array(
  select so_id from sales_orders so where so.status in ('OPEN', 'FRAUD_REVIEW')
    and exists (select from sales_order_lines l where l.so_id = so.so_id and l.quantity_allocated > 0)));
