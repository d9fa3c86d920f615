import { randomUUID } from "node:crypto";
import { handedTo } from "../carriers.js";
import { pace } from "../choices.js";
import type { Day } from "../day.js";
import type { Caller } from "../http/caller.js";
import type { Random } from "../random.js";
import { usernameOf } from "../site/people.js";
import type { House, Order } from "../site/site.js";
import { pack } from "./packers.js";
import { hasLeft } from "./shipper.js";

/** A station at a packing bench: its operator packs, it looks the order up and ships it, and voids wrong labels. */

const ORDER = "/api/v1/station/orders/:so_number";
const SECONDS = { label: 15, idle: 45 };
/** One label in so many is a wrong one. */
const PARCELS_FOR_A_VOID = 6;
/** At a high speed the station asks more often than its limits allow. */
const limited = ["rate_limited"];

export async function station(day: Day, house: House, program: Caller, random: Random): Promise<void> {
  const { clock } = day;
  for (let parcels = 0; !clock.over; ) {
    const order = house.toPack.shift();
    if (!order) {
      await clock.seconds(SECONDS.idle);
      continue;
    }
    if (!(await pack(day, house, house.people.stationOperator, order, random))) continue;
    const isLabelWrong = parcels++ % PARCELS_FOR_A_VOID === 0;
    if (await ship(day, house, program, order, isLabelWrong, random)) {
      day.figures.add("atStation");
      hasLeft(day, house, order, random);
    } else house.toShip.push(order);
  }
}

/** Whether it was shipped here; if not, the shipper does it. */
async function ship(
  { clock, figures }: Day,
  house: House,
  program: Caller,
  { so_number }: Order,
  isLabelWrong: boolean,
  random: Random,
): Promise<boolean> {
  const params = { so_number };
  const shown = await program.get(ORDER, { params, expected: limited });
  if (!shown.ok || !shown.body.shippable) return false;
  const signed = () => ({ operator_username: usernameOf(house.code, "station"), idempotency_key: randomUUID() });
  const label = async () => {
    await clock.seconds(pace(SECONDS.label, random));
    return program.post(`${ORDER}/ship`, {
      params,
      body: { ...handedTo(random), ...signed() },
      // The order was cancelled meanwhile.
      expected: ["not_in_shippable_status", ...limited],
    });
  };
  const shipped = await label();
  if (!shipped.ok || !isLabelWrong) return shipped.ok;
  const body = { reason: "wrong label", ...signed() };
  const voided = await program.post(`${ORDER}/void-ship`, { params, body, expected: limited });
  if (!voided.ok) return true;
  figures.add("voids");
  return (await label()).ok;
}
