import { handedTo } from "../carriers.js";
import { pace } from "../choices.js";
import { backAt, type Day, minutesOf } from "../day.js";
import type { Random } from "../random.js";
import type { House, Order } from "../site/site.js";

/** The shipper hands parcels to carriers; some of them will come back. */

const SENT_BACK = 0.06;
const SECONDS = { parcel: 12, idle: 60 };

export async function shipper(day: Day, house: House, random: Random): Promise<void> {
  const { clock } = day;
  while (!clock.over) {
    const order = house.toShip.shift();
    if (!order) {
      await clock.seconds(SECONDS.idle);
      continue;
    }
    await clock.seconds(pace(SECONDS.parcel, random));
    const { so_id } = order;
    const { carrier, tracking } = handedTo(random);
    const shipped = await house.people.shipper.post("/api/shipping/fulfill", {
      body: { so_id, tracking_number: tracking, carrier },
      expected: ["so_not_shippable", "so_not_packed"],
    });
    if (shipped.ok) hasLeft(day, house, order, random);
  }
}

export function hasLeft(day: Day, house: House, order: Order, random: Random): void {
  day.figures.shipped(minutesOf(order, day.clock.minute));
  if (random.chance(SENT_BACK)) house.comingBack.push({ order, at: backAt(day, random) });
}
