import { handedTo } from "../carriers.js";
import { pace } from "../choices.js";
import { backAt, type Day, minutesOf } from "../day.js";
import type { Answer } from "../http/caller.js";
import type { Random } from "../random.js";
import type { House, Order, Part } from "../site/site.js";

/** The shipper hands parcels to carriers, some before the rest of their order; some of them will come back. */

const SENT_BACK = 0.06;
const SECONDS = { parcel: 12, idle: 60 };
/** Of the orders in several parcels so many send one alone, and one parcel in so many is left behind. */
const ALONE = 0.5;
const PARCELS_FOR_A_VOID = 6;
/** The order was cancelled meanwhile, and its parcels with it. */
const gone = ["so_not_shippable", "so_not_packed", "parcel_wrong_status", "parcel_not_found"];

/** A closed parcel. */
type Waiting = Pick<Part, "parcel_id" | "tracking_number">;

export async function shipper(day: Day, house: House, random: Random): Promise<void> {
  const { clock } = day;
  while (!clock.over) {
    const part = house.partsToShip.shift();
    const order = part ? part.order : house.toShip.shift();
    if (!order) {
      await clock.seconds(SECONDS.idle);
      continue;
    }
    await clock.seconds(pace(SECONDS.parcel, random));
    if (part) await shipPart(day, house, part, random);
    else await ship(day, house, order, random);
  }
}

/** What leaves first; the packers go on with the rest. */
async function shipPart(day: Day, house: House, part: Part, random: Random): Promise<void> {
  const shipped = await shipAlone(house, part, random);
  if (!shipped.ok) return;
  day.figures.add("parts");
  if (await isTakenBack(day, house, part)) house.partsToShip.push(part);
  else house.toPack.push(part.order);
}

async function ship(day: Day, house: House, order: Order, random: Random): Promise<void> {
  const by = house.people.shipper;
  const { so_id, so_number } = order;
  const shown = await by.get("/api/shipping/order/:barcode", { params: { barcode: so_number }, expected: gone });
  if (!shown.ok) return;
  // Before 1.0.0 there were none.
  const parcels: Waiting[] = shown.body.parcels ?? [];
  const [only] = parcels;
  // One that is left goes as an order does, unless it has a label of its own.
  if (parcels.length < 2 && !only?.tracking_number) {
    const { carrier, tracking: tracking_number } = handedTo(random);
    const body = { so_id, tracking_number, carrier };
    const shipped = await by.post("/api/shipping/fulfill", { body, expected: gone });
    if (shipped.ok) hasLeft(day, house, order, random);
    return;
  }
  const parcel = random.one(parcels);
  const isAlone = parcels.length > 1 && random.chance(ALONE);
  const shipped = isAlone ? await shipAlone(house, parcel, random) : await shipTogether(house, so_id, parcels, random);
  if (!shipped.ok) return;
  // Who sends one alone, or takes one back, has not sent all.
  if ((await isTakenBack(day, house, parcel)) || isAlone) house.toShip.push(order);
  else hasLeft(day, house, order, random);
}

function shipAlone(house: House, parcel: Waiting, random: Random): Promise<Answer> {
  const { parcel_id, ...body } = handed(parcel, random);
  const params = { parcel_id };
  return house.people.shipper.post("/api/shipping/parcels/:parcel_id/ship", { params, body, expected: gone });
}

/** Who takes a parcel, and its number; one that has a label of its own goes with that. */
function handed({ parcel_id, tracking_number }: Waiting, random: Random) {
  if (tracking_number !== null) return { parcel_id };
  const { carrier, tracking } = handedTo(random);
  return { parcel_id, tracking_number: tracking, carrier };
}

/** All at once, each with the carrier that takes it. */
function shipTogether(house: House, so_id: number, parcels: Waiting[], random: Random): Promise<Answer> {
  const body = { so_id, parcels: parcels.map((parcel) => handed(parcel, random)) };
  return house.people.shipper.post("/api/shipping/parcels/ship", { body, expected: gone });
}

/** Whether a parcel that has just left is back, because its carrier left it behind. */
async function isTakenBack({ figures }: Day, house: House, { parcel_id }: Waiting): Promise<boolean> {
  const n = figures.of("parcelsShipped");
  figures.add("parcelsShipped");
  if (n % PARCELS_FOR_A_VOID > 0) return false;
  const params = { parcel_id };
  const voided = await house.people.shipper.post("/api/shipping/parcels/:parcel_id/void", {
    params,
    body: { reason: "left behind" },
  });
  if (voided.ok) figures.add("voids");
  return voided.ok;
}

/** An order is with its customer, all of it. */
export function hasLeft(day: Day, house: House, order: Order, random: Random): void {
  day.figures.shipped(minutesOf(order, day.clock.minute));
  if (random.chance(SENT_BACK)) house.comingBack.push({ order, at: backAt(day, random) });
}
