import { pace } from "../choices.js";
import { type Day, due } from "../day.js";
import type { Random } from "../random.js";
import type { House, Order } from "../site/site.js";

/** The returns desk announces what a customer sends back and receives it when it is here. */

const ORDERS = "/api/admin/sales-orders";
const SECONDS = { open: 90, idle: 120 };

export async function returnsDesk(day: Day, house: House, random: Random): Promise<void> {
  for (; !day.clock.over; await day.clock.seconds(SECONDS.idle)) {
    const back = due(house.comingBack, day.clock.minute);
    if (back) await takeBack(day, house, back.order, random);
  }
}

async function takeBack(day: Day, house: House, { so_id }: Order, random: Random): Promise<void> {
  const { clock, figures } = day;
  const by = house.people.returnsDesk;
  const order = await by.get(`${ORDERS}/:so_id`, { params: { so_id } });
  if (!order.ok) return;
  const shipped = order.body.lines.filter((line: { quantity_shipped: number }) => line.quantity_shipped > 0);
  if (shipped.length === 0) return;
  const { item_id, quantity_shipped } = random.one<{ item_id: number; quantity_shipped: number }>(shipped);
  const quantity = random.between(1, quantity_shipped);
  const announced = await by.post(`${ORDERS}/:so_id/create-rma`, {
    params: { so_id },
    body: { lines: [{ item_id, quantity }], memo: "not as expected" },
  });
  if (!announced.ok) return;
  figures.add("returns");
  await clock.seconds(pace(SECONDS.open, random));
  const received = await by.post(`${ORDERS}/:so_id/receive-return`, {
    params: { so_id: announced.body.so_id },
    body: { item_id, quantity, warehouse_id: house.warehouse_id, bin_id: house.returns.bin_id },
  });
  if (received.ok) figures.add("unitsReturned", quantity);
}
