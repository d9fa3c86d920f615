import { handedTo } from "../carriers.js";
import { pace } from "../choices.js";
import type { Day } from "../day.js";
import type { Caller, Json } from "../http/caller.js";
import type { Random } from "../random.js";
import type { House, Order } from "../site/site.js";

/** Orders that packers divide: a first parcel, and one for all the rest. */

const PARCELS = "/api/packing/parcels";
const SECONDS = { open: 10, unit: 4, close: 20 };
/** One first parcel in so many is packed anew, because its box is the wrong one; one leaves before the rest. */
const PARCELS_FOR_A_VOID = 6;
const PARCELS_FOR_A_PART = 3;
/** Of so many of them two have a label of their own. */
const PARCELS_FOR_LABELS = 4;
/** The order was cancelled meanwhile, and its parcels with it. */
const gone = ["so_not_picked", "parcel_wrong_status", "parcel_not_closed"];

/** What of a line is not packed yet. */
export interface Unpacked {
  upc: string;
  quantity: number;
}

/** Packs the first half of an order into a parcel; whether the rest is to be packed now. */
export async function packFirst(
  { clock, figures }: Day,
  house: House,
  by: Caller,
  order: Order,
  rest: Unpacked[],
  random: Random,
): Promise<boolean> {
  const n = figures.of("divided");
  figures.add("divided");
  const opened = await by.post(PARCELS, { body: { so_id: order.so_id }, expected: gone });
  if (!opened.ok) return false;
  const { parcel_id } = opened.body;
  await clock.seconds(pace(SECONDS.open, random));
  const step = (name: "scan" | "close" | "label" | "void", body: object = {}) =>
    by.post(`${PARCELS}/:parcel_id/${name}`, { params: { parcel_id }, body, expected: gone });
  for (const { upc, quantity } of firstHalf(rest)) {
    await clock.seconds(pace(SECONDS.unit, random) * quantity);
    if (!(await step("scan", { scanned_barcode: upc, quantity })).ok) return false;
  }
  await clock.seconds(pace(SECONDS.close, random));
  if (!(await step("close")).ok) return false;
  let tracking_number: string | null = null;
  if (n % PARCELS_FOR_LABELS < 2) {
    const { carrier, tracking } = handedTo(random);
    const bought = { account_id: house.account_id, carrier, tracking_number: tracking };
    if (!(await step("label", bought)).ok) return false;
    tracking_number = tracking;
    figures.add("labels");
  }
  if (n % PARCELS_FOR_A_VOID === 0) {
    if (!(await step("void", { reason: "wrong box" })).ok) return false;
    figures.add("parcelsVoided");
  } else if (n % PARCELS_FOR_A_PART === 1) {
    house.partsToShip.push({ order, parcel_id, tracking_number });
    return false;
  }
  return true;
}

/** Packs what is in no parcel into one more; whether the order can be completed then. */
export async function packRest({ clock }: Day, by: Caller, { so_id }: Order, random: Random): Promise<boolean> {
  await clock.seconds(pace(SECONDS.close, random));
  const packed = await by.post(`${PARCELS}/rest`, { body: { so_id }, expected: ["nothing_left_to_pack", ...gone] });
  return packed.ok || packed.code === "nothing_left_to_pack";
}

/** Whether somebody has begun to pack an order in parcels; one that was left open is packed anew. */
export async function isInParcels(by: Caller, { so_id }: Order): Promise<boolean> {
  const shown = await by.get(PARCELS, { query: { so_id } });
  if (!shown.ok) return false;
  const standing = shown.body.parcels.filter(({ status }: Json) => status !== "VOIDED");
  for (const { parcel_id, status } of standing)
    if (status === "OPEN")
      await by.post(`${PARCELS}/:parcel_id/void`, { params: { parcel_id }, body: {}, expected: gone });
  return standing.length > 0;
}

/** At least one unit, and never all of several. */
function firstHalf(rest: Unpacked[]): Unpacked[] {
  let left = Math.floor(rest.reduce((sum, { quantity }) => sum + quantity, 0) / 2);
  return rest.flatMap(({ upc, quantity }) => {
    const units = Math.min(left, quantity);
    left -= units;
    return units > 0 ? [{ upc, quantity: units }] : [];
  });
}
