import type { Knex } from "knex";

// What fingers type is found without regard to capitals (docs/barcodes.md).
const indexes = [
  ["items", "sku"],
  ["bins", "bin_code"],
  ["purchase_orders", "po_number"],
  ["sales_orders", "so_number"],
];

export async function up(knex: Knex): Promise<void> {
  for (const [table, column] of indexes)
    await knex.raw(`create index ${table}_${column}_any_case on ${table} (upper(${column}))`);
}

export async function down(knex: Knex): Promise<void> {
  for (const [table, column] of indexes) await knex.raw(`drop index ${table}_${column}_any_case`);
}
