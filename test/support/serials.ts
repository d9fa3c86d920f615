import { completeWave } from "../../activities/picking/index.js";
import { confirmPick } from "../../activities/picking/scan.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import { newUpc } from "./gtins.js";
import { actor, startWave } from "./walk.js";

export type Policy = "none" | "at_receipt" | "at_shipping";

/** An item that asks for serial numbers, which 100 units of are expected in a warehouse. */
export async function serialItem(warehouse_id: number, serial_policy: Policy) {
  const goods = await fixtures.item({ upc: newUpc() });
  await db.run("update items set serial_policy = $2 where item_id = $1", [goods.item_id, serial_policy]);
  const { po_id, po_number } = await fixtures.purchaseOrder(warehouse_id, [{ item_id: goods.item_id, quantity: 100 }]);
  return { ...goods, po_id, po_number, bin_id: await fixtures.bin(warehouse_id), warehouse_id };
}
export type SerialItem = Awaited<ReturnType<typeof serialItem>>;

/** The label of a unit: GTIN and serial number. */
export const labelOf = ({ upc }: { upc: string | null }, serial: string) =>
  `01${`${upc}`.padStart(14, "0")}21${serial}`;

export const receiving = ({ po_id, item_id, bin_id }: SerialItem, serial_numbers: string[], more: object = {}) => ({
  po_id,
  items: [{ item_id, quantity: serial_numbers.length, bin_id, serial_numbers, ...more }],
});

/** An order of so many units, walked for from what is in stock: PICKED. */
export async function pickedFromStock(by: Caller, { warehouse_id, item_id }: SerialItem, quantity: number) {
  const order = await fixtures.salesOrder(warehouse_id, [{ item_id, quantity }]);
  const { batch_id, tasks } = await startWave(by, warehouse_id, [order.so_id], false);
  for (const { pick_task_id, sku, quantity_to_pick } of tasks)
    await confirmPick({ pick_task_id, scanned_barcode: sku, quantity_picked: quantity_to_pick }, actor(by));
  await completeWave(batch_id, actor(by));
  return order;
}

/** Where the serials of an item are. */
export async function statesOf({ item_id }: { item_id: number }): Promise<Record<string, string>> {
  const rows = await db.rows<{ serial_number: string; state: string }>(
    "select serial_number, state from serials where item_id = $1 order by serial_number",
    [item_id],
  );
  return Object.fromEntries(rows.map(({ serial_number, state }) => [serial_number, state]));
}
