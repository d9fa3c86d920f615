-- The last two orders of sales orders that every request sorted anew.
create index sales_orders_shipped on sales_orders (shipped_at, so_id) include (voided_at, warehouse_id);
create index sales_orders_printed on sales_orders (printed_at, so_id) include (voided_at, warehouse_id);
