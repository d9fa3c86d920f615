import { z } from "zod";
import { formsOf, gtinOf } from "../../platform/barcodes/gtin.js";
import { int } from "../../platform/db/columns.js";
import type { Sql } from "../../platform/db/db.js";
import * as field from "../../platform/fields/index.js";
import { AnyText } from "../../platform/fields.js";

/** A code that another active item has too, so that a scan of it is ambiguous. */
export const SharedCode = z
  .strictObject({
    code: AnyText("WH1").describe("The SKU or barcode that both items have."),
    item_id: field.ItemId,
    sku: field.Sku,
    item_name: field.ItemName,
  })
  .meta({ id: "SharedCode", description: "A code of this item that another active item has, too." });
export type SharedCode = z.infer<typeof SharedCode>;

interface Coded {
  item_id: number;
  sku: string;
  upc?: string | null | undefined;
  barcode_aliases?: string[] | null | undefined;
}

/** The codes of these items that other items have, by item. SKUs are compared exactly, other codes also as GTINs. */
export async function sharedCodes(sql: Sql, items: Coded[]): Promise<Map<number, SharedCode[]>> {
  const codes = items.flatMap(({ item_id, sku, upc, barcode_aliases }) => [
    { item_id, code: sku, forms: [] },
    ...[upc, ...(barcode_aliases ?? [])].flatMap((code) => (code ? [{ item_id, code, forms: forms(code) }] : [])),
  ]);
  const found = await sql.rows(
    { ...SharedCode.shape, of: int },
    `select distinct c.item_id as of, c.code, i.item_id, i.sku, i.item_name
     from unnest($1::int[], $2::text[], $3::text[]) as c(item_id, code, forms)
     join lateral (
       select item_id, sku, item_name from items where sku = c.code and is_active
       union select item_id, sku, item_name from items
         where (upc = c.code or upc = any(string_to_array(c.forms, ','))) and is_active
       union select item_id, sku, item_name from items
         where barcode_aliases ?| (c.code || string_to_array(c.forms, ',')) and is_active
     ) i on i.item_id <> c.item_id
     order by c.code, i.item_id`,
    [codes.map(({ item_id }) => item_id), codes.map(({ code }) => code), codes.map(({ forms }) => forms.join())],
  );
  const byItem = new Map<number, SharedCode[]>();
  for (const { of, ...shared } of found) byItem.set(of, [...(byItem.get(of) ?? []), shared]);
  return byItem;
}

function forms(code: string): string[] {
  const gtin = gtinOf(code);
  return gtin === undefined ? [] : formsOf(gtin);
}
