-- What releases before this one call, which go on for a while beside it during an upgrade.

create or replace function watching_orders(warehouse integer, item integer, available bigint) returns setof integer
language plpgsql stable set enable_seqscan = off set enable_bitmapscan = off as $$
begin
  return query select s.so_id from stock_waits s
  where s.warehouse_id = warehouse and s.item_id = item and s.watched and not s.in_parts and s.units <= available;
end $$;
comment on function watching_orders(integer, integer, bigint) is
  'Called by 0.3.0, which knows no orders that take parts. It goes with the release after this one.';
