import type { Knex } from "knex";

// What is read from an index alone.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table items drop constraint items_sku_key;
    alter table items add constraint items_sku_key unique (sku) include (item_id);
    drop index sales_orders_newest;
    create index sales_orders_newest on sales_orders (created_at desc, so_id desc) include (voided_at, warehouse_id);
    comment on index sales_orders_newest is
      'With all that decides whether a row is in the list as everybody first sees it: a page is found, and orders are '
      'counted, in the index.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    drop index sales_orders_newest;
    create index sales_orders_newest on sales_orders (created_at desc, so_id desc) include (voided_at);
    alter table items drop constraint items_sku_key;
    alter table items add constraint items_sku_key unique (sku);
  `);
}
