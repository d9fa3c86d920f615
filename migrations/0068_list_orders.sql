-- Orders of lists that are read from an index, in houses of a million rows.

-- A row of stock is made once for an item, a bin and a lot, and stays. Scans change its units alone, which are in none
-- of these, so that they write no index.
create index inventory_lot on inventory (lot_number, inventory_id) include (warehouse_id);
create index inventory_expiry on inventory (expiry_date, inventory_id) include (warehouse_id);
create index inventory_condition on inventory (condition, inventory_id) include (warehouse_id);
create index inventory_counted on inventory (last_counted_at, inventory_id) include (warehouse_id);

-- Written once for each shipment, and when it is voided.
create index item_fulfillments_status on item_fulfillments (status, fulfillment_id) include (warehouse_id);
create index item_fulfillments_method on item_fulfillments (ship_method, fulfillment_id) include (warehouse_id);
create index item_fulfillments_shipped_by on item_fulfillments (shipped_by, fulfillment_id) include (warehouse_id);
create index item_fulfillments_voided on item_fulfillments (voided_at, fulfillment_id) include (warehouse_id);
create index item_fulfillments_tracking on item_fulfillments (tracking_number, fulfillment_id) include (warehouse_id);

-- With the orders that are over, too: all that the one it takes the place of lacked. An order comes into it once more
-- when it is over.
create index sales_orders_by_status on sales_orders (status, created_at desc, so_id desc)
  include (voided_at, warehouse_id);
comment on index sales_orders_by_status is
  'The queues of all warehouses, few among many orders, and the list by status.';
drop index sales_orders_open;

-- Written once for each link.
create index cross_system_mappings_source_id on cross_system_mappings (source_id, mapping_id);
create index cross_system_mappings_type on cross_system_mappings (source_type, mapping_id);

-- Written by people.
create index preferred_bins_priority on preferred_bins (priority, preferred_bin_id);
create index preferred_bins_updated on preferred_bins (updated_at, preferred_bin_id);

-- Rows with characters beyond Latin-1, which a search for two letters does not find by trigrams (short-search.ts).
create index sales_orders_other_letters on sales_orders (so_id)
  where (so_number || coalesce(customer_name, '')) ~ '[^ -ÿ]';
create index item_fulfillments_other_letters on item_fulfillments (fulfillment_id) where tracking_number ~ '[^ -ÿ]';
create index items_other_letters on items (item_id)
  where (sku || item_name || coalesce(upc, '') || coalesce(mpn, '') || coalesce(barcode_aliases::text, '')) ~ '[^ -ÿ]';
create index bins_other_letters on bins (bin_id) where (bin_code || bin_barcode) ~ '[^ -ÿ]';
