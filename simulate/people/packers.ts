import { pace } from "../choices.js";
import type { Day } from "../day.js";
import type { Caller, Json } from "../http/caller.js";
import type { Random } from "../random.js";
import type { House, Order } from "../site/site.js";
import { isInParcels, packFirst, packRest, type Unpacked } from "./parcels.js";
import { cancel } from "./shop.js";

/** Packers scan each item of an order before they close the parcel; some orders they pack in several. */

const WRONG_SCAN = 0.01;
/** Of the orders of several units. */
const DIVIDED = 0.3;
const SECONDS = { fetch: 15, unit: 4, close: 20, idle: 45 };
/** The order was cancelled meanwhile. */
const gone = ["so_not_picked"];

export async function packer(day: Day, house: House, by: Caller, random: Random): Promise<void> {
  while (!day.clock.over) {
    const order = house.toPack.shift();
    if (!order) await day.clock.seconds(SECONDS.idle);
    else if (await pack(day, house, by, order, random)) house.toShip.push(order);
  }
}

/** Whether the order is packed. */
export async function pack(day: Day, house: House, by: Caller, order: Order, random: Random): Promise<boolean> {
  const { clock, figures } = day;
  const { so_id, so_number } = order;
  await clock.seconds(pace(SECONDS.fetch, random));
  const shown = await by.get("/api/packing/order/:barcode", { params: { barcode: so_number }, expected: gone });
  if (!shown.ok) return false;
  const { lines, total_items } = shown.body;
  if (total_items === 0) {
    // Nothing was found for it.
    await cancel(day, order);
    return false;
  }
  const isBegun = lines.some(({ quantity_packed }: Json) => quantity_packed > 0);
  const isDivided =
    house.account_id !== undefined &&
    (isBegun ? await isInParcels(by, order) : total_items > 1 && random.chance(DIVIDED));
  const isPacked = isDivided
    ? (isBegun || (await packFirst(day, house, by, order, leftOf(lines), random))) &&
      (await packRest(day, by, order, random))
    : await verify(day, by, order, lines, random);
  if (!isPacked) return false;
  await clock.seconds(pace(SECONDS.close, random));
  const packed = await by.post("/api/packing/complete", { body: { so_id }, expected: gone });
  if (packed.ok) figures.add("ordersPacked");
  return packed.ok;
}

const leftOf = (lines: Json[]): Unpacked[] =>
  lines
    .map(({ upc, quantity_picked, quantity_packed }) => ({ upc, quantity: quantity_picked - quantity_packed }))
    .filter(({ quantity }) => quantity > 0);

/** Scans all that is left of an order that goes as a whole. */
async function verify(
  { clock, figures, site }: Day,
  by: Caller,
  { so_id }: Order,
  lines: Json[],
  random: Random,
): Promise<boolean> {
  for (const { upc, quantity } of leftOf(lines)) {
    await clock.seconds(pace(SECONDS.unit, random) * quantity);
    const strange = site.items.find((item) => !lines.some((line) => line.upc === item.upc));
    if (strange && random.chance(WRONG_SCAN)) {
      const body = { so_id, scanned_barcode: strange.upc, quantity: 1 };
      await by.post("/api/packing/verify", { body, expected: ["not_on_order", ...gone] });
      figures.add("wrongScans");
    }
    const body = { so_id, scanned_barcode: upc, quantity };
    const verified = await by.post("/api/packing/verify", { body, expected: gone });
    if (!verified.ok) return false;
  }
  return true;
}
