import type { Knex } from "knex";

// Lists of sales orders: a page is a walk along an index in the order of the list, and orders are counted from the
// index alone, which therefore holds `voided_at`.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index sales_orders_status, sales_orders_warehouse, sales_orders_newest;
    create index sales_orders_status on sales_orders (status, warehouse_id, created_at desc, so_id desc) include
      (voided_at);
    create index sales_orders_warehouse on sales_orders (warehouse_id, created_at desc, so_id desc) include (voided_at);
    create index sales_orders_newest on sales_orders (created_at desc, so_id desc) include (voided_at);
    create index sales_orders_open on sales_orders (status, created_at desc, so_id desc) include (voided_at)
      where status in ('OPEN', 'PICKED', 'PACKED', 'WAITING_STOCK', 'FRAUD_REVIEW');
    comment on index sales_orders_open is
      'The queues of all warehouses: few among many orders, so the way along the newest would be long.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index sales_orders_open, sales_orders_status, sales_orders_warehouse, sales_orders_newest;
    create index sales_orders_status on sales_orders (status, warehouse_id, created_at desc);
    create index sales_orders_warehouse on sales_orders (warehouse_id, created_at desc);
    create index sales_orders_newest on sales_orders (created_at desc, so_id desc);
  `);
}
