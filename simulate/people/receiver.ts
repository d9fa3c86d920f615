import { pace } from "../choices.js";
import { type Day, due } from "../day.js";
import type { Random } from "../random.js";
import type { House } from "../site/site.js";

/** Suppliers deliver, now and then too little or too much; the receiver takes it in, and another puts it away. */

const TOO_LITTLE = 0.12;
const TOO_MUCH = 0.06;
/** Minutes until the rest comes. */
const REST_AFTER = 45;
const SECONDS = { unload: 60, line: 40, carry: 45, idle: 90 };

export async function receiver(day: Day, house: House, random: Random): Promise<void> {
  for (; !day.clock.over; await day.clock.seconds(SECONDS.idle)) {
    const delivery = due(house.deliveries, day.clock.minute);
    if (delivery) await receive(day, house, delivery.po_number, random);
  }
}

async function receive(day: Day, house: House, po_number: string, random: Random): Promise<void> {
  const { clock, figures } = day;
  const by = house.people.receiver;
  await clock.seconds(pace(SECONDS.unload, random));
  const shown = await by.get("/api/receiving/po/:barcode", { params: { barcode: po_number } });
  if (!shown.ok) return;
  const { po_id } = shown.body.purchase_order;
  let isRestMissing = false;
  for (const { item_id, quantity_remaining } of shown.body.lines) {
    if (quantity_remaining <= 0) continue;
    await clock.seconds(pace(SECONDS.line, random));
    const take = (quantity: number) =>
      by.post("/api/receiving/receive", {
        body: { po_id, items: [{ item_id, quantity, bin_id: house.dock.bin_id }] },
        expected: ["over_receipt"],
      });
    const come = delivered(quantity_remaining, random);
    let quantity = come;
    let taken = await take(come);
    // Where over-receiving is switched off, the surplus stays on the lorry.
    if (!taken.ok && taken.code === "over_receipt") {
      quantity = quantity_remaining;
      taken = await take(quantity);
    }
    if (taken.ok) figures.add("unitsReceived", quantity);
    isRestMissing ||= quantity < quantity_remaining;
  }
  if (isRestMissing) house.deliveries.push({ po_number, at: clock.minute + REST_AFTER });
}

function delivered(ordered: number, random: Random): number {
  if (random.chance(TOO_LITTLE)) return Math.max(1, ordered - random.between(1, Math.ceil(ordered / 4)));
  if (random.chance(TOO_MUCH)) return ordered + random.between(1, Math.ceil(ordered / 10));
  return ordered;
}

/** Carries what lies at the dock and among the returns to its shelf. */
export async function putAway(day: Day, house: House, random: Random): Promise<void> {
  const { clock, figures } = day;
  const by = house.people.putAway;
  const { warehouse_id } = house;
  for (; !clock.over; await clock.seconds(SECONDS.idle)) {
    const pending = await by.get("/api/putaway/pending/:warehouse_id", { params: { warehouse_id } });
    if (!pending.ok) continue;
    for (const { item_id, bin_id, quantity, lot_number } of pending.body.pending_items) {
      const shelf = house.shelfOf.get(item_id);
      if (!shelf) continue;
      await clock.seconds(pace(SECONDS.carry, random));
      if (clock.over) return;
      const moved = await by.post("/api/putaway/confirm", {
        body: { item_id, from_bin_id: bin_id, to_bin_id: shelf.bin_id, quantity, ...(lot_number && { lot_number }) },
        expected: ["insufficient_stock", "promised_to_picks"],
      });
      if (moved.ok) figures.add("putAway");
    }
  }
}
