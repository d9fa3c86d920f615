import type { Knex } from "knex";

// What dashboards, search and the audit log are read by. The size of an index of open work follows that work, not the
// history.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create table user_dashboard_preferences (
      user_id       integer primary key references users on delete cascade,
      chart_order   jsonb not null constraint user_dashboard_preferences_chart_order_check
        check (jsonb_typeof(chart_order) = 'array'),
      default_range varchar(16) not null constraint user_dashboard_preferences_default_range_check
                    check (default_range in ('today', 'yesterday', 'last_7d', 'last_30d', 'custom')),
      default_view  varchar(8) not null constraint user_dashboard_preferences_default_view_check
                    check (default_view in ('charts', 'table')),
      updated_at    timestamptz not null default now()
    );
    comment on table user_dashboard_preferences is 'A user without a row has the standard ones.';

    create index sales_orders_unfinished on sales_orders (warehouse_id, order_origin, ship_by_date) include (so_id,
      status)
      where status in ('OPEN', 'PICKED', 'PACKED', 'WAITING_STOCK') and order_type not in ('return', 'refund');
    create index sales_orders_origin_received on sales_orders (warehouse_id, order_origin, created_at)
      where order_origin is not null and order_type not in ('return', 'refund');
    create index sales_orders_origin_shipped on sales_orders (warehouse_id, order_origin, shipped_at)
      where order_origin is not null and order_type not in ('return', 'refund') and shipped_at is not null;
    create index item_receipts_of_pos on item_receipts (warehouse_id, received_at) where po_id is not null;
    create index bins_active on bins (warehouse_id) where is_active;
    create index items_watched on items (item_id) include (reorder_point) where reorder_point > 0 and is_active;
    comment on index items_watched is 'Items that somebody wants to hear of when stock runs low.';

    drop index audit_log_action;
    create index audit_log_action on audit_log (action_type, created_at) include (user_id, warehouse_id, entity_id);
    comment on index audit_log_action is 'With all that the count of a person''s work needs of a row.';
    create index audit_log_warehouse on audit_log (warehouse_id, created_at desc nulls last, log_id desc nulls last);
    comment on index audit_log_warehouse is
      'The newest rows of a warehouse, however quiet it is beside the others. Who asks for "nulls last" gets this '
      'index and not audit_log_newest, in which a quiet warehouse is hard to find.';
    create index audit_log_short_picks on audit_log (created_at) include (warehouse_id)
      where action_type = 'PICK' and details->>'type' = 'SHORT_PICK';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index audit_log_action;
    create index audit_log_action on audit_log (action_type, created_at) include (user_id, warehouse_id);
    drop index audit_log_short_picks, audit_log_warehouse, items_watched, bins_active, item_receipts_of_pos,
      sales_orders_origin_shipped, sales_orders_origin_received, sales_orders_unfinished;
    drop table user_dashboard_preferences;
  `);
}
