import { randomUUID } from "node:crypto";
import { z } from "zod";
import { int, text } from "../../src/platform/db/columns.js";
import { todayAt } from "../../src/platform/db/days.js";
import { db } from "../../src/platform/db/db.js";
import { systemActor } from "../../src/platform/system-actor.js";
import { LAST_DAY_OF_SALE } from "../../src/stock/sellable.js";
import { command } from "../command.js";
import { withdraw } from "./withdraw.js";

/**
 * Stock rows `v` of an item `i` whose units have not expired, but have fewer days left than the item must have at
 * shipping, where nobody was told so: with the last day of their sale as it is now, which another expiry or another
 * policy changes.
 */
const TODAY = todayAt("v.warehouse_id");
const TOO_OLD = `i.min_days_at_shipping is not null and v.quantity_on_hand > 0 and v.condition = 'AVAILABLE'
  and v.expiry_date >= ${TODAY} and ${LAST_DAY_OF_SALE} < ${TODAY}
  and v.sale_ended is distinct from ${LAST_DAY_OF_SALE}`;

/**
 * Ends the promises of units that became too old to be shipped, and tells of them (docs/lots.md); gives how many stock
 * rows there were. They are not sold any more from that day on, whether this ran or not.
 */
export async function endSales(): Promise<number> {
  const rows = await db.rows(
    { inventory_id: int },
    `select inventory_id from items i join inventory v using (item_id) where ${TOO_OLD}
     order by expiry_date, inventory_id`,
    [],
  );
  for (const { inventory_id } of rows) await endSale(inventory_id);
  return rows.length;
}

const Row = z.strictObject({
  item_id: int,
  item_external_id: text,
  sku: text,
  min_days_at_shipping: int,
  warehouse_id: int,
  bin_code: text,
  bin_external_id: text,
  lot_number: text.nullable(),
  expiry_date: text,
});
const ROW = `
  select v.item_id, i.external_id as item_external_id, sku, min_days_at_shipping, v.warehouse_id, bin_code,
         b.external_id as bin_external_id, lot_number, expiry_date
  from inventory v join items i using (item_id) join bins b using (bin_id) where v.inventory_id = $1 and ${TOO_OLD}`;

const ITS_ROW = `v.inventory_id = $1 and exists (select from items i where i.item_id = v.item_id and ${TOO_OLD})`;

const endSale = (inventory_id: number) => {
  const by = systemActor(randomUUID());
  return command("stock.endSale", by, { inventory_id }, async (tx) => {
    const row = await tx.row(Row, ROW, [inventory_id]);
    if (!row) return;
    const { item_id, warehouse_id, item_external_id, ...data } = row;
    const rows = { itemId: item_id, which: ITS_ROW, values: [inventory_id] };
    const reason = `expires on ${data.expiry_date}, less than ${data.min_days_at_shipping} days from now`;
    const [quantity_on_hand] = await withdraw(tx, { ...rows, condition: "AVAILABLE", reason }, by);
    // It was sold, moved or corrected meanwhile.
    if (quantity_on_hand === undefined) return;
    await tx.run(
      `update inventory v set sale_ended = ${LAST_DAY_OF_SALE} from items i
       where i.item_id = v.item_id and v.inventory_id = $1`,
      [inventory_id],
    );
    // Channels are told although no row says so: a day has passed.
    await tx.run("insert into availability_changes (item_id) values ($1)", [item_id]);
    tx.audit({
      action: "STOCK_TOO_OLD",
      entity: "ITEM",
      entityId: item_id,
      warehouseId: warehouse_id,
      details: { inventory_id, item_id, ...data, quantity: quantity_on_hand },
    });
    tx.emit({
      type: "stock.too_old",
      aggregateId: item_external_id,
      entity: "inventory",
      entityId: inventory_id,
      warehouseId: warehouse_id,
      data: { item_external_id, ...data, quantity_on_hand, found_at: tx.now },
    });
  });
};
