-- What large houses need.

-- Of a million rows a few thousand are open, and soon they are others. By default the planner would hear of it once a
-- tenth of all rows has changed; until then it takes them for none, and reads all of one kind for each of another.
alter table sales_orders set (autovacuum_analyze_scale_factor = 0.005, autovacuum_analyze_threshold = 500);
alter table sales_order_lines set (autovacuum_analyze_scale_factor = 0.005, autovacuum_analyze_threshold = 500);
alter table pick_batch_orders set (autovacuum_analyze_scale_factor = 0.005, autovacuum_analyze_threshold = 500);
alter table pick_tasks set (autovacuum_analyze_scale_factor = 0.005, autovacuum_analyze_threshold = 500);
alter table inventory set (autovacuum_analyze_scale_factor = 0.005, autovacuum_analyze_threshold = 500);
alter table purchase_orders set (autovacuum_analyze_scale_factor = 0.005, autovacuum_analyze_threshold = 500);
alter table item_fulfillments set (autovacuum_analyze_scale_factor = 0.005, autovacuum_analyze_threshold = 500);

-- Returns, exchanges and backorders are few among the orders.
create index sales_orders_type on sales_orders (order_type, created_at desc, so_id desc)
  include (voided_at, warehouse_id);
