import type { Knex } from "knex";

// Statements that change an order set `updated_at` themselves (test/stock/writes.test.ts looks at all of them): the
// trigger took 25 of the 840 us that Postgres needs to pack one.

const COMMENT =
  "Of the order itself: its lines have none. Orders from before the column have the time of its migration.";

export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    drop trigger sales_orders_note_update on sales_orders;
    comment on column sales_orders.updated_at is
      '${COMMENT} Each statement that changes an order sets it to the clock.';
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw(`
    comment on column sales_orders.updated_at is '${COMMENT}';
    create trigger sales_orders_note_update before update on sales_orders
      for each row execute function note_update();
  `);
}
