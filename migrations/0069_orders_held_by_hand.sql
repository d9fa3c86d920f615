-- A person holds an order, whatever its shop says.

alter domain sales_order_hold drop constraint sales_order_hold_check;
alter domain sales_order_hold add constraint sales_order_hold_check
  check (value in ('differs_from_shop', 'on_hold_in_shop', 'by_hand'));
