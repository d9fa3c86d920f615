/**
 * The order of `migrations/schema.sql`. Each table is named once; a function is where the first table is whose triggers
 * or indexes call it, and named here where none does.
 */
export const areas: Record<string, string[]> = {
  "Master data: where stock can lie, and what can lie there": [
    ...["warehouses", "zones", "bins", "items", "preferred_bins", "vendors", "customers", "app_settings"],
  ],
  "People: who may log in, and what they may do": [
    ...["users", "user_page_permissions", "user_dashboard_preferences", "former_usernames"],
    ...["login_attempts", "ended_sessions", "request_counts"],
  ],
  "Purchasing: what comes": ["purchase_orders", "purchase_order_lines"],
  "Sales: what goes": [
    ...["sales_orders", "sales_order_lines", "stock_waits", "refresh_stock_waits", "watching_orders", "is_watched"],
    ...["awaited_places", "counter_bookings", "counter_sale_units"],
  ],
  "Stock: what lies where, for whom, and how it came there": [
    ...["inventory", "stock_reservations", "item_receipts", "bin_transfers"],
    ...["cycle_counts", "cycle_count_lines", "inventory_adjustments"],
  ],
  "Transfers: from one warehouse to another": [
    ...["transfer_orders", "transfer_order_lines", "transfer_reservations"],
    ...["transfer_order_approvals", "to_approval_lines"],
  ],
  "Picking: waves, and what they take from where": [
    ...["pick_batches", "pick_batch_orders", "pick_tasks", "wave_pick_breakdown"],
  ],
  "Shipping: what left, and in which parcel": ["item_fulfillments", "item_fulfillment_lines"],
  "Tokens: programs that log in": ["connectors", "inbound_source_systems_allowlist", "wms_tokens"],
  "Inbound: records that other systems push": [
    ...["cross_system_mappings", "mapping_loads", "inbound_customers", "inbound_items", "inbound_vendors"],
    ...["inbound_purchase_orders", "inbound_sales_orders", "inbound_refusals", "inbound_cleanup_runs"],
  ],
  "Connectors: what is fetched from shops, and what they are told": [
    ...["connector_credentials", "connector_shops", "connector_schedules", "connector_circuits"],
    ...["connector_rates", "sync_state", "sync_runs", "connector_refusals", "connector_passed_over"],
    ...["connector_stock", "fulfillment_pushes", "fulfillment_push_progress"],
  ],
  "Outbound: who is told of events, and how far": [
    ...["webhook_subscriptions", "webhook_conditions", "webhook_secrets", "webhook_deliveries"],
    ...["webhook_delivery_counts", "webhook_replays", "webhook_tests", "webhook_subscriptions_tombstones"],
    ...["notification_webhooks", "notifications", "notification_progress"],
    ...["consumer_groups", "consumer_groups_tombstones", "snapshot_scans", "snapshot_rows"],
  ],
  "Channels: shops that are told what is available": [
    ...["channels", "channel_secrets", "channel_items", "availability_changes", "stop_noting_stock"],
  ],
  "Record: what was done, said and answered": [
    ...["audit_log", "audit_line", "audit_link", "audit_chain", "book_as_logged", "integration_events"],
    ...["stream_epochs", "current_epoch", "start_stream_epoch", "event_data", "named_ids", "source_ids"],
    ...["event_envelope", "sequencer_state", "command_log", "refuse_repeat", "hygiene_runs"],
  ],
};
