import { db } from "./db.js";
import { bin, item, stock, warehouse } from "./fixtures.js";

/** The first and the last zone of the earth: from one to the other a day passes, at whatever time. */
const [YESTERDAY, TODAY] = ["Etc/GMT+12", "Pacific/Kiritimati"];

/** An item that asks for days at shipping, in a warehouse where it is still yesterday, and a bin. */
export async function agingSite(min_days_at_shipping: number | null) {
  const warehouse_id = await warehouse();
  await db.run("update warehouses set timezone = $2 where warehouse_id = $1", [warehouse_id, YESTERDAY]);
  const bin_id = await bin(warehouse_id);
  const { item_id, sku } = await item();
  await db.run("update items set min_days_at_shipping = $2 where item_id = $1", [item_id, min_days_at_shipping]);
  return { warehouse_id, bin_id, item_id, sku };
}
export type AgingSite = Awaited<ReturnType<typeof agingSite>>;

/** A stock row of a lot that has so many days left; null does not expire. */
export async function agingUnits(
  { warehouse_id, bin_id, item_id }: AgingSite,
  lot: string,
  quantity: number,
  days: number | null,
): Promise<number> {
  const row = await stock(warehouse_id, bin_id, item_id, quantity, lot);
  await db.run(
    `update inventory v set expiry_date = (now() at time zone w.timezone)::date + $2::int
     from warehouses w where w.warehouse_id = v.warehouse_id and inventory_id = $1`,
    [row, days],
  );
  return row;
}

export const dayPasses = ({ warehouse_id }: AgingSite) =>
  db.run("update warehouses set timezone = $2 where warehouse_id = $1", [warehouse_id, TODAY]);

/** Units by lot of what a table holds of the item's stock rows. */
async function heldIn(table: string, count: string, { item_id }: AgingSite): Promise<Record<string, number>> {
  const rows = await db.rows<{ lot: string; units: number }>(
    `select lot_number as lot, sum(${count})::int as units from ${table} t join inventory v using (inventory_id)
     where v.item_id = $1 ${table === "pick_tasks" ? "and t.status = 'PENDING'" : ""} group by lot_number`,
    [item_id],
  );
  return Object.fromEntries(rows.map(({ lot, units }) => [lot, units]));
}
export const reserved = (at: AgingSite) => heldIn("stock_reservations", "quantity", at);
export const reservedForTransfers = (at: AgingSite) => heldIn("transfer_reservations", "quantity", at);
export const tasks = (at: AgingSite) => heldIn("pick_tasks", "quantity_to_pick", at);
