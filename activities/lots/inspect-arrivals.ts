import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { IN_QUALITY_ZONE } from "../../src/stock/queries.js";
import { inspectsReceipts } from "../../src/system/settings/queries.js";
import type { Tx } from "../command.js";
import type { Arrival } from "../stock/stock.js";
import { holdUnits } from "./hold-stock.js";

/**
 * Puts what has just arrived in bins of QUALITY zones into quarantine, each entry under an inspection of its own, where
 * setting `inspect_receipts` asks for it. Audit INSPECTION_OPEN and STOCK_HOLD, `stock.held`.
 */
export async function inspectArrivals(tx: Tx, arrivals: Arrival[], by: Actor): Promise<void> {
  if (!(await inspectsReceipts(tx))) return;
  const rows = await tx.rows(
    { inventory_id: int, item_id: int, warehouse_id: int, zone_code: text, quantity: int },
    `select inventory_id, v.item_id, v.warehouse_id, zone_code, quantity
     from unnest($1::int[], $2::int[], $3::text[], $4::int[]) with ordinality
       as a(item_id, bin_id, lot, quantity, place)
     join bins b using (bin_id) join zones using (zone_id)
     join inventory v on v.item_id = a.item_id and v.bin_id = a.bin_id and v.lot_number is not distinct from a.lot
     where ${IN_QUALITY_ZONE} order by place`,
    [
      arrivals.map(({ itemId }) => itemId),
      arrivals.map(({ binId }) => binId),
      arrivals.map(({ lot }) => lot),
      arrivals.map(({ quantity }) => quantity),
    ],
  );
  for (const { zone_code, quantity, ...row } of rows)
    await holdUnits(tx, row, { quantity, condition: "QUARANTINE", reason: `received into ${zone_code}` }, by);
}
