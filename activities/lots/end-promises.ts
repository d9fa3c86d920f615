import { randomUUID } from "node:crypto";
import { z } from "zod";
import { int, text } from "../../src/platform/db/columns.js";
import { db } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command, type Tx } from "../command.js";
import { withdraw } from "./withdraw.js";

const Row = z.strictObject({
  item_id: int,
  warehouse_id: int,
  item_external_id: text,
  sku: text,
  min_days_at_shipping: int.nullable(),
  bin_code: text,
  bin_external_id: text,
  lot_number: text.nullable(),
  expiry_date: text,
});
type Row = z.infer<typeof Row>;

/** A stock row whose promises have ended. */
export interface EndedRow extends Row {
  inventory_id: number;
  quantity_on_hand: number;
}

/** What a passed day does to stock rows. */
interface PassedDay {
  /** The name of the command. */
  name: string;
  /** SQL: rows `v` of items `i` of which this is true, and nobody was told. */
  which: string;
  /** What the rows become. */
  condition: "AVAILABLE" | "EXPIRED";
  /** Why, for the pick tasks that end. */
  reason: (row: Row) => string;
  /** Records it, so that it is told once. */
  tell: (tx: Tx, row: EndedRow) => Promise<void> | void;
}

/**
 * Ends the promises of units that are not sold any more as a day has passed, row by row, and tells of them
 * (docs/lots.md); gives how many stock rows there were. With `only`, of that stock row.
 */
export async function endPromises(day: PassedDay, only: number | null): Promise<number> {
  const rows = await db.rows(
    { inventory_id: int },
    `select inventory_id from inventory v join items i using (item_id)
     where ${day.which} and ($1::int is null or inventory_id = $1)
     order by expiry_date, inventory_id`,
    [only],
  );
  for (const { inventory_id } of rows) await endThose(inventory_id, day);
  return rows.length;
}

function endThose(inventory_id: number, { name, which, condition, reason, tell }: PassedDay): Promise<void> {
  const by = systemActor(randomUUID());
  return command(name, by, { inventory_id }, async (tx) => {
    const row = await tx.row(
      Row,
      `select v.item_id, v.warehouse_id, i.external_id as item_external_id, sku, min_days_at_shipping, bin_code,
              b.external_id as bin_external_id, lot_number, expiry_date
       from inventory v join items i using (item_id) join bins b using (bin_id)
       where v.inventory_id = $1 and ${which}`,
      [inventory_id],
    );
    if (!row) return;
    const rows = {
      itemId: row.item_id,
      which: `v.inventory_id = $1 and exists (select from items i where i.item_id = v.item_id and ${which})`,
      values: [inventory_id],
    };
    const [quantity_on_hand] = await withdraw(tx, { ...rows, condition, reason: reason(row) }, by);
    // It was sold, moved or corrected meanwhile.
    if (quantity_on_hand !== undefined) await tell(tx, { ...row, inventory_id, quantity_on_hand });
  });
}
