import { pace } from "../choices.js";
import type { Day } from "../day.js";
import type { Random } from "../random.js";
import { usualStock } from "../site/plan.js";
import { listed } from "../site/records.js";
import type { House } from "../site/site.js";
import { cancel } from "./shop.js";

/** The office orders what runs low, sends goods to the other warehouse and looks after orders that wait for stock. */

const SECONDS = { round: 900 };
const VENDORS = ["Northwind Ceramics", "Harbor Supply", "Fern & Oak"];
/** An item is ordered below this part of what a warehouse usually has. */
const LOW = 0.5;
/** Minutes from the order to the delivery. */
const DELIVERED_AFTER = { from: 15, to: 60 };
const MOST_WAVES_LEFT_OUT = 6;

export async function office(day: Day): Promise<void> {
  const { clock, site } = day;
  const random = day.random("office");
  for (let round = 1; ; round++) {
    await clock.seconds(round === 1 ? 120 : pace(SECONDS.round, random));
    if (clock.over) return;
    for (const house of site.houses) {
      await lookAfterWaiting(day, house);
      await reorder(day, house, `${house.code}-${day.run}-${round}`, random);
    }
    if (round % 2 === 1) await transfer(day, random);
  }
}

/** They are tried again; after a while the customer is told that there is none. */
async function lookAfterWaiting(day: Day, house: House): Promise<void> {
  for (const order of house.waiting.splice(0)) {
    if ((order.leftOut ?? 0) < MOST_WAVES_LEFT_OUT) house.toPick.push(order);
    else await cancel(day, order);
  }
}

async function reorder(day: Day, house: House, po_number: string, random: Random): Promise<void> {
  const { site, clock, figures } = day;
  const { warehouse_id } = house;
  if (house.deliveries.length > 0) return;
  const free = new Map<number, number>();
  for await (const row of listed(site.office, "/api/admin/inventory", "inventory", { warehouse_id }))
    free.set(row.item_id, (free.get(row.item_id) ?? 0) + row.quantity_available);
  const lines = site.items.flatMap(({ item_id }, place) => {
    const missing = usualStock(place) - (free.get(item_id) ?? 0);
    return missing > usualStock(place) * (1 - LOW) ? [{ item_id, quantity_ordered: missing, unit_cost: "2.50" }] : [];
  });
  // A warehouse that lacks nothing gets what sells best.
  if (lines.length === 0)
    lines.push({ item_id: random.one(site.items.slice(0, 8)).item_id, quantity_ordered: 24, unit_cost: "2.50" });
  const body = { po_number, warehouse_id, vendor_name: random.one(VENDORS), lines };
  const made = await site.office.post("/api/admin/purchase-orders", { body });
  if (!made.ok) return;
  figures.add("purchaseOrders");
  const at = clock.minute + random.between(DELIVERED_AFTER.from, DELIVERED_AFTER.to);
  // A run that ends sooner sees the delivery before its end.
  house.deliveries.push({ po_number, at: Math.min(at, clock.minute + (clock.endMinute - clock.minute) / 3) });
}

async function transfer({ site }: Day, random: Random): Promise<void> {
  const [source, destination] = random.chance(0.8) ? site.houses : ([...site.houses].reverse() as typeof site.houses);
  const made = await site.office.post("/api/admin/transfer-orders", {
    body: {
      ...{ source_warehouse_id: source.warehouse_id, destination_warehouse_id: destination.warehouse_id },
      notes: "Simulated",
      lines: [random.one(site.items.slice(0, 20))].map(({ item_id }) => ({ item_id, quantity: random.between(3, 9) })),
    },
  });
  if (made.ok) source.transfers.push(made.body.to_id);
}
