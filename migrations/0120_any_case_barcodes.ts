import type { Knex } from "knex";

// Barcodes are typed, too, and found without regard to capitals then (docs/barcodes.md).
const indexes = [
  ["items", "upc"],
  ["bins", "bin_barcode"],
  ["purchase_orders", "po_barcode"],
  ["sales_orders", "so_barcode"],
];

export async function up(knex: Knex): Promise<void> {
  for (const [table, column] of indexes)
    await knex.raw(`create index ${table}_${column}_any_case on ${table} (upper(${column}))`);
  await knex.raw(`
    create function in_capitals(codes jsonb) returns text[] language sql immutable parallel safe
      return (select array_agg(upper(code)) from jsonb_array_elements_text(codes) code);
    comment on function in_capitals is 'The aliases of an item, by which it is found whatever their capitals.';
    create index items_barcode_aliases_any_case on items using gin (in_capitals(barcode_aliases))
      with (fastupdate = off) where barcode_aliases is not null;
  `);
}

export async function down(knex: Knex): Promise<void> {
  await knex.raw("drop index items_barcode_aliases_any_case; drop function in_capitals(jsonb)");
  for (const [table, column] of indexes) await knex.raw(`drop index ${table}_${column}_any_case`);
}
