import { int, text, time } from "../platform/db/columns.js";
import type { Sql } from "../platform/db/db.js";
import { CountedAgain } from "./problems.js";

/** Adjustments that were superseded by a newer count of the item in the bin are not approved: 409 with that count. */
export async function refuseCountedAgain(sql: Sql, adjustmentIds: number[]): Promise<void> {
  const newer = await sql.row(
    {
      ...{ adjustment_id: int, count_id: int, bin_code: text, sku: text },
      ...{ counted_quantity: int, counted_by: text, counted_at: time },
    },
    `select adjustment_id, l.count_id, bin_code, sku, counted_quantity, counted_by, counted_at
     from inventory_adjustments a join items i using (item_id) join bins b on b.bin_id = a.bin_id
     join cycle_count_lines l on l.count_id = a.superseded_by_count_id and l.item_id = a.item_id
     where adjustment_id = any($1) order by adjustment_id limit 1`,
    [adjustmentIds],
  );
  if (!newer) return;
  const { sku, bin_code, count_id } = newer;
  throw CountedAgain({ sku, bin: bin_code, count_id }, newer);
}
