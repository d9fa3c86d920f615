import { nextArrival, ordersPerHour } from "../arrivals.js";
import { lineCount, popular, unitCount } from "../choices.js";
import { type Day, due, shopOrigin } from "../day.js";
import type { Random } from "../random.js";
import type { House, Order } from "../site/site.js";

/** Orders come in as customers send them, and some are cancelled while they are on their way. */

const SHARE_OF_SOUTH = 0.15;
const CANCELLED = 0.05;
const CUSTOMERS = ["Ada", "Ben", "Chloe", "Dev", "Elif", "Femi", "Grace", "Hugo", "Ines", "Jonas", "Kira", "Liam"];
const METHODS = ["UPS Ground", "UPS Ground", "DHL Express", "FedEx Home"];

/** Most customers who think again do so within minutes, some when the parcel has left. */
const secondThoughts = (random: Random) => (random.chance(0.7) ? random.fraction() * 12 : random.below(90));

export async function shop(day: Day): Promise<void> {
  const { clock, site, run } = day;
  const random = day.random("shop");
  const regretted: { order: Order; at: number }[] = [];
  const orders = async () => {
    let at = clock.minute;
    for (let n = 1; ; n++) {
      at = nextArrival(at, ordersPerHour, random, day.customers);
      await clock.until(at);
      if (clock.over) return;
      const house = site.houses[random.chance(SHARE_OF_SOUTH) ? 1 : 0];
      const lines = popular(site.items, lineCount(random), random).map(({ item_id }) => ({
        ...{ item_id, quantity_ordered: unitCount(random) },
      }));
      const order = await send(day, house, `SIM-${run}-${n}`, lines, random);
      if (!order) continue;
      house.toPick.push(order);
      if (random.chance(CANCELLED)) regretted.push({ order, at: clock.minute + secondThoughts(random) });
    }
  };
  const cancellations = async () => {
    for (; !clock.over; await clock.seconds(30))
      for (let late = due(regretted, clock.minute); late; late = due(regretted, clock.minute))
        await cancel(day, late.order);
  };
  await Promise.all([orders(), cancellations()]);
}

export async function send(
  day: Day,
  house: House,
  so_number: string,
  lines: { item_id: number; quantity_ordered: number }[],
  random: Random,
) {
  const made = await day.site.office.post("/api/admin/sales-orders", {
    body: {
      ...{ so_number, warehouse_id: house.warehouse_id, lines, order_origin: shopOrigin(day) },
      ...{ customer_name: random.one(CUSTOMERS), ship_method: random.one(METHODS) },
      ship_address: `${random.between(1, 200)} Main Street`,
    },
  });
  if (!made.ok) return undefined;
  day.figures.add("ordersIn");
  const order: Order = { so_id: made.body.sales_order.so_id, so_number, since: day.clock.minute };
  return order;
}

/** Cancels an order, unless it has left. */
export async function cancel({ site, figures }: Day, { so_id }: Order): Promise<void> {
  const answer = await site.office.post("/api/admin/sales-orders/:so_id/cancel", {
    params: { so_id },
    expected: ["not_cancellable", "partly_shipped"],
  });
  if (answer.ok && answer.body.pre_status !== "CANCELLED") figures.add("cancelled");
}
