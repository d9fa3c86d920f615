import { randomUUID } from "node:crypto";
import { nextArrival, salesPerHour } from "../arrivals.js";
import { popular, unitCount } from "../choices.js";
import { backAt, counterOrigin, type Day } from "../day.js";
import type { Caller, Json } from "../http/caller.js";
import type { House, Sale } from "../site/site.js";

/** The till of the counter sells from the shelves of the warehouse; some customers will bring back what they bought. */

export const PRICE_CENTS = 1290;
const SALES_FOR_A_REFUND = 4;

export async function counter(day: Day, house: House, till: Caller): Promise<void> {
  const { clock, figures, site } = day;
  const random = day.random("counter");
  for (let at = clock.minute; ; ) {
    at = nextArrival(at, salesPerHour, random);
    await clock.until(at);
    if (clock.over) return;
    const [item] = popular(site.items, 1, random);
    const shown = await till.get("/api/v1/pos/availability", {
      query: { sku: item?.sku ?? "" },
      // At a high speed the till sells more than its limit allows, or all of it here is promised and only the other
      // warehouse has some: the customer leaves.
      expected: ["rate_limited", "item_not_found"],
    });
    const bin = shown.ok && binOf(shown.body, house);
    if (!item || !bin) continue;
    const line = { sku: item.sku, bin_id: bin.bin_name, quantity: Math.min(bin.qty, unitCount(random)) };
    const sold = await till.post("/api/v1/pos/checkout", {
      body: sale(counterOrigin(day), house.code, line),
      expected: ["rate_limited", "fulfillment_failed"],
    });
    if (!sold.ok) continue;
    if (figures.of("sales") % SALES_FOR_A_REFUND === 0)
      house.toRefund.push({ sale: { so_number: sold.body.so_number, line }, at: backAt(day, random) });
    figures.add("sales");
  }
}

/** The shelf that has most of it. */
function binOf(body: Json, { shelves }: House): Json {
  const bins = body.availability.flatMap((warehouse: Json) => warehouse.bins);
  return bins
    .filter((bin: Json) => shelves.some(({ bin_code }) => bin_code === bin.bin_name))
    .sort((a: Json, b: Json) => b.qty - a.qty)[0];
}

function sale(order_origin: string, warehouse_id: string, line: Sale["line"]) {
  const total_cents = PRICE_CENTS * line.quantity;
  return {
    ...atTill(),
    ...{ order_origin, payment_summary: inCash(total_cents) },
    lines: [{ ...line, warehouse_id, unit_price_cents: PRICE_CENTS, tax_cents: 0, line_total_cents: total_cents }],
  };
}

/** What each request of the till says. */
export const atTill = () => ({
  ...{ idempotency_key: randomUUID(), cashier_id: "cashier-1", terminal_id: "till-1" },
  completed_at: new Date().toISOString(),
});

/** Of what was paid, or paid back. */
export function inCash(total_cents: number) {
  const tender = { type: "cash", amount_cents: total_cents, amount_tendered_cents: total_cents, change_cents: 0 };
  return { method: "cash", subtotal_cents: total_cents, tax_cents: 0, total_cents, tenders: [tender] };
}
