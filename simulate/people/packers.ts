import { pace } from "../choices.js";
import type { Day } from "../day.js";
import type { Caller } from "../http/caller.js";
import type { Random } from "../random.js";
import type { House, Order } from "../site/site.js";
import { cancel } from "./shop.js";

/** Packers scan each item of an order before they close the parcel. */

const WRONG_SCAN = 0.01;
const SECONDS = { fetch: 15, unit: 4, close: 20, idle: 45 };
/** The order was cancelled meanwhile. */
const gone = ["so_not_picked"];

export async function packer(day: Day, house: House, by: Caller, random: Random): Promise<void> {
  while (!day.clock.over) {
    const order = house.toPack.shift();
    if (!order) await day.clock.seconds(SECONDS.idle);
    else if (await pack(day, by, order, random)) house.toShip.push(order);
  }
}

/** Whether there is a parcel. */
export async function pack(day: Day, by: Caller, order: Order, random: Random): Promise<boolean> {
  const { clock, figures, site } = day;
  const { so_id, so_number } = order;
  await clock.seconds(pace(SECONDS.fetch, random));
  const shown = await by.get("/api/packing/order/:barcode", { params: { barcode: so_number }, expected: gone });
  if (!shown.ok) return false;
  if (shown.body.total_items === 0) {
    // Nothing was found for it.
    await cancel(day, order);
    return false;
  }
  for (const { upc, quantity_picked, quantity_packed } of shown.body.lines) {
    const quantity = quantity_picked - quantity_packed;
    if (quantity === 0) continue;
    await clock.seconds(pace(SECONDS.unit, random) * quantity);
    const strange = site.items.find((item) => !shown.body.lines.some((line: { upc: string }) => line.upc === item.upc));
    if (strange && random.chance(WRONG_SCAN)) {
      const body = { so_id, scanned_barcode: strange.upc, quantity: 1 };
      await by.post("/api/packing/verify", { body, expected: ["not_on_order", ...gone] });
      figures.add("wrongScans");
    }
    const body = { so_id, scanned_barcode: upc, quantity };
    const verified = await by.post("/api/packing/verify", { body, expected: gone });
    if (!verified.ok) return false;
  }
  await clock.seconds(pace(SECONDS.close, random));
  const packed = await by.post("/api/packing/complete", { body: { so_id }, expected: gone });
  if (packed.ok) figures.add("ordersPacked");
  return packed.ok;
}
