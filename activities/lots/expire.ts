import { randomUUID } from "node:crypto";
import { z } from "zod";
import { int, text } from "../../src/platform/db/columns.js";
import { todayAt } from "../../src/platform/db/days.js";
import { db } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { command } from "../command.js";
import { withdraw } from "./withdraw.js";

/** Stock rows `v` with units past their last day, by the clock of their warehouse, that nobody was told of. */
const PAST = `v.quantity_on_hand > 0 and v.condition = 'AVAILABLE'
  and v.expiry_date < current_date + 1 and v.expiry_date < ${todayAt("v.warehouse_id")}`;

/**
 * Ends the promises of units that have expired, and tells of them (docs/lots.md); gives how many stock rows there were.
 * They are not sold from the end of their last day on, whether this ran or not.
 */
export async function expireStock(): Promise<number> {
  const rows = await db.rows(
    { inventory_id: int },
    `select inventory_id from inventory v where ${PAST} order by expiry_date, inventory_id`,
    [],
  );
  for (const { inventory_id } of rows) await expireRow(inventory_id);
  return rows.length;
}

const Row = z.strictObject({
  item_id: int,
  item_external_id: text,
  sku: text,
  warehouse_id: int,
  bin_code: text,
  bin_external_id: text,
  lot_number: text.nullable(),
  expiry_date: text.nullable(),
});
type Row = z.infer<typeof Row>;
const ROW = `
  select v.item_id, i.external_id as item_external_id, sku, v.warehouse_id, bin_code, b.external_id as bin_external_id,
         lot_number, expiry_date
  from inventory v join items i using (item_id) join bins b using (bin_id) where v.inventory_id = $1`;

const expireRow = (inventory_id: number) => {
  const by = systemActor(randomUUID());
  return command("stock.expire", by, { inventory_id }, async (tx) => {
    const { item_id, warehouse_id, item_external_id, ...data } = (await tx.row(Row, ROW, [inventory_id])) as Row;
    const rows = { itemId: item_id, which: `v.inventory_id = $1 and ${PAST}`, values: [inventory_id] };
    const reason = `expired on ${data.expiry_date}`;
    const [quantity_on_hand] = await withdraw(tx, { ...rows, condition: "EXPIRED", reason }, by);
    // It was sold, moved or corrected meanwhile.
    if (quantity_on_hand === undefined) return;
    tx.audit({
      action: "STOCK_EXPIRED",
      entity: "ITEM",
      entityId: item_id,
      warehouseId: warehouse_id,
      details: { inventory_id, item_id, ...data, quantity: quantity_on_hand },
    });
    tx.emit({
      type: "stock.expired",
      aggregateId: item_external_id,
      entity: "inventory",
      entityId: inventory_id,
      warehouseId: warehouse_id,
      data: { item_external_id, ...data, quantity_on_hand, expired_at: tx.now },
    });
  });
};
