-- An order that differs from what its shop wants, or that its shop put on hold, is not picked, packed or shipped.

create domain sales_order_hold as varchar(32) constraint sales_order_hold_check
  check (value in ('differs_from_shop', 'on_hold_in_shop'));
alter table sales_orders add column hold_reason sales_order_hold, add column shop_difference jsonb;
comment on column sales_orders.hold_reason is
  'Why the order may not be picked, packed or shipped, whatever its status; null where nothing holds it.';
comment on column sales_orders.shop_difference is
  'Of the order that a shop sent: by item_id, how many units more (or less, below 0) the shop wants of it and its '
  'backorders together than they are for, and that could not be taken. Null where there is no difference.';
create index sales_orders_held on sales_orders (warehouse_id, created_at desc) where hold_reason is not null;
