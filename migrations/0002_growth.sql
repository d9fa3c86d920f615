-- Lists of hundreds of thousands of rows in each order that people use.

create index items_name on items (item_name, item_id);
create index items_created on items (created_at, item_id);
drop index items_upc;
create index items_upc on items (upc, item_id);
drop index items_mpn;
create index items_mpn on items (mpn, item_id);
drop index items_is_active;
create index items_is_active on items (is_active, item_id);

-- Nearly every list of orders asks for their type, too.
drop index sales_orders_newest;
create index sales_orders_newest on sales_orders (created_at desc, so_id desc)
  include (voided_at, warehouse_id, order_type);
comment on index sales_orders_newest is
  'With all that decides whether a row is in the list as everybody first sees it, or without returns: a page is found, '
  'and orders are counted, in the index.';
drop index sales_orders_order_date;
create index sales_orders_order_date on sales_orders (order_date, so_id) include (voided_at, warehouse_id);
create index sales_orders_customer_name on sales_orders (customer_name, so_id) include (voided_at, warehouse_id);
