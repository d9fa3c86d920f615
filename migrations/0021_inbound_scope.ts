import type { Knex } from "knex";

// What users of some warehouses see of what was pushed.

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    create index inbound_purchase_orders_canonical on inbound_purchase_orders (canonical_id);
    create index inbound_sales_orders_canonical on inbound_sales_orders (canonical_id);
    comment on index inbound_sales_orders_canonical is
      'The pushes of a quiet warehouse are found by its orders: among the newest of all they are hard to find.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop index inbound_sales_orders_canonical, inbound_purchase_orders_canonical");
}
