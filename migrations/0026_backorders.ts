import type { Knex } from "knex";

// The list of backorders, by tab.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index sales_orders_waiting on sales_orders (warehouse_id, (coalesce(backorder_opened_at, created_at)), so_id)
      where status = 'WAITING_STOCK';
    create index sales_orders_backorders_ready on sales_orders (warehouse_id, backorder_opened_at)
      where backorder_opened_at is not null and status in ('OPEN', 'PICKED', 'PACKED');
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop index sales_orders_waiting, sales_orders_backorders_ready");
}
