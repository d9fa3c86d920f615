import { type Day, due } from "../day.js";
import type { Random } from "../random.js";
import { usualStock } from "../site/plan.js";
import type { House, Item } from "../site/site.js";
import { send } from "./shop.js";

/**
 * Business customers order more of an item than there is. The desk lets the rest wait as a backorder, while what is
 * there is picked; what a delivery has released goes to the pickers, and some customers do not wait for it.
 */

const ORDERS = "/api/admin/sales-orders";
const SECONDS = { round: 300 };
const ROUNDS_FOR_AN_ORDER = 4;
/** From here on items are not so wanted that other customers miss them. */
const SLOW_ITEMS = 20;
/** Minutes that customers wait, in turns. */
const PATIENCE = [24 * 60, 3] as const;

export async function backorderDesk(day: Day, house: House, random: Random): Promise<void> {
  for (let round = 0; !day.clock.over; round++) {
    await handOver(day, house);
    await cancelLate(day, house);
    if (round % ROUNDS_FOR_AN_ORDER === 0) await divide(day, house, round / ROUNDS_FOR_AN_ORDER, random);
    await day.clock.seconds(SECONDS.round);
  }
}

async function divide(day: Day, house: House, n: number, random: Random): Promise<void> {
  const { site, clock, figures } = day;
  const by = house.people.backorderDesk;
  const place = SLOW_ITEMS + (n % (site.items.length - SLOW_ITEMS));
  const { item_id } = site.items[place] as Item;
  const lines = [{ item_id, quantity_ordered: usualStock(place) + random.between(6, 12) }];
  const order = await send(day, house, `SIM-${day.run}-${house.code}-${n + 1}`, lines, random);
  if (!order) return;
  const params = { so_id: order.so_id };
  const shown = await by.get(`${ORDERS}/:so_id`, { params });
  if (!shown.ok) return;
  const [{ so_line_id, quantity_ordered, quantity_allocated }] = shown.body.lines;
  const short_qty = quantity_ordered - quantity_allocated;
  // Of nothing there is no part; such an order waits for stock as others do.
  if (short_qty > 0 && quantity_allocated > 0) {
    const body = { lines: [{ so_line_id, short_qty }], reason_detail: "more than there is" };
    const divided = await by.post(`${ORDERS}/:so_id/partial-fulfill`, { params, body });
    if (!divided.ok) return;
    figures.add("backorders");
    const { so_id, so_number } = divided.body.backorder_so;
    const since = clock.minute;
    house.backorders.push({ order: { so_id, so_number, since }, at: since + (PATIENCE[n % 2] as number) });
  }
  house.toPick.push(order);
}

async function handOver({ figures }: Day, house: House): Promise<void> {
  const query = { tab: "ready-to-ship", warehouse_id: house.warehouse_id };
  const ready = await house.people.backorderDesk.get("/api/admin/backorders", { query });
  if (!ready.ok) return;
  const ids = new Set<number>(ready.body.backorders.map(({ so_id }: { so_id: number }) => so_id));
  const released = house.backorders.filter(({ order }) => ids.has(order.so_id));
  house.backorders = house.backorders.filter((one) => !released.includes(one));
  house.toPick.push(...released.map(({ order }) => order));
  figures.add("backordersReleased", released.length);
}

async function cancelLate({ clock, figures }: Day, house: House): Promise<void> {
  for (let late = due(house.backorders, clock.minute); late; late = due(house.backorders, clock.minute)) {
    const cancelled = await house.people.backorderDesk.post(`${ORDERS}/:so_id/cancel-backorder`, {
      params: { so_id: late.order.so_id },
      body: { cancellation_reason: "the customer does not wait" },
    });
    if (cancelled.ok) figures.add("backordersCancelled");
  }
}
