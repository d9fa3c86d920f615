import type { Knex } from "knex";

// What customers send back: return orders that wait for goods are found without reading the others.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index sales_orders_open_returns on sales_orders (so_id)
      where order_type = 'return' and voided_at is null and status in ('OPEN', 'PARTIALLY_RECEIVED');
    comment on column sales_orders.voided_at is
      'When a return was voided of which nothing had come. It keeps its status, and its number for good.';
    comment on column sales_orders.voided_by is 'Who voided the return.';
    comment on column sales_order_lines.original_so_line_id is
      'Of a return: the line that the units were shipped with; null where the item is on several and none was named.';
    comment on column sales_order_lines.quantity_received is 'Of a return: the units that have come back.';
    comment on column item_receipts.so_line_id is
      'Of a return: the line that the units count on; null where they fill several lines of their item.';
    comment on column item_receipts.external_id is
      'As events name the receipt. Of a return: the idempotency_key of its request, where that had one.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index sales_orders_open_returns;
    comment on column sales_orders.voided_at is null;
    comment on column sales_orders.voided_by is null;
    comment on column sales_order_lines.original_so_line_id is null;
    comment on column sales_order_lines.quantity_received is null;
    comment on column item_receipts.so_line_id is null;
    comment on column item_receipts.external_id is null;
  `);
}
