-- Orders of lists that are read from an index, in houses of a million rows.

-- Written when an order changes, which a scan of a pick or a receipt does not do.
create index sales_orders_ship_by on sales_orders (ship_by_date, so_id) include (voided_at, warehouse_id);
create index sales_orders_priority on sales_orders (priority, so_id) include (voided_at, warehouse_id);

-- These columns never change: they are written once for each shipment and each link.
create index item_fulfillments_carrier_name on item_fulfillments (carrier, fulfillment_id) include (warehouse_id);
create index cross_system_mappings_first_seen on cross_system_mappings (first_seen_at, mapping_id);
