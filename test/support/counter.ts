import { randomUUID } from "node:crypto";
import { completeWave } from "../../activities/picking/index.js";
import { confirmPick } from "../../activities/picking/scan.js";
import type { Caller } from "./caller.js";
import { db } from "./db.js";
import * as fixtures from "./fixtures.js";
import { assertInvariants } from "./invariants.js";
import { type TestService, testService } from "./service.js";
import { codeOfWarehouse, tillOf } from "./till.js";
import { actor, startWave } from "./walk.js";

/** Units of an item in a bin, as a till names them. */
export interface CounterLine {
  sku: string;
  warehouse_id: string;
  bin_id: string;
  quantity: number;
}

/** How a sale or a refund of so many cents was paid. */
export const paid = (total_cents: number, method: "card" | "cash" | "split" = "card", shipping_cents = 0) => {
  const ofCard = method === "split" ? Math.floor(total_cents / 2) : total_cents;
  const ofCash = method === "split" ? total_cents - ofCard : total_cents;
  const card = {
    ...{ type: "card", amount_cents: ofCard, card_brand: "visa", card_last4: "4242" },
    ...{ auth_code: "A1", external_ref: "ch_1" },
  };
  const cash = { type: "cash", amount_cents: ofCash, amount_tendered_cents: ofCash, change_cents: 0 };
  const tenders = { card: [card], cash: [cash], split: [card, cash] }[method];
  return { method, subtotal_cents: total_cents, tax_cents: 0, total_cents, shipping_cents, tenders };
};

/** What every request of a till has. */
const atTill = () => ({
  ...{ idempotency_key: randomUUID(), cashier_id: "ann", terminal_id: "TILL-1" },
  completed_at: new Date().toISOString(),
});

/** The body of a sale of these lines, at 10.00 a piece. */
export const saleOf = (lines: CounterLine[], more: object = {}) => ({
  ...atTill(),
  external_txn_ref: "txn_1",
  payment_summary: paid(lines.reduce((sum, line) => sum + line.quantity * 1_000, 0)),
  lines: lines.map((line) => ({
    ...{ ...line, unit_price_cents: 1_000, tax_cents: 0, line_total_cents: line.quantity * 1_000 },
  })),
  ...more,
});

/** The body of a refund. */
export const refundOf = (original_so_id: string, more: object = {}) => ({
  ...atTill(),
  ...{ original_so_id, original_external_txn_ref: "txn_1", external_refund_ref: "re_1" },
  refund_summary: paid(1_000),
  ...more,
});

/** A till of these warehouses. */
export const tillFor = async (service: TestService, ...warehouse_ids: number[]): Promise<Caller> =>
  (await tillOf(service, { warehouse_ids })).caller;

/** Picks and packs an order on the floor. */
export async function packOnFloor(by: Caller, warehouse_id: number, so_id: number): Promise<void> {
  const { batch_id, tasks } = await startWave(by, warehouse_id, [so_id], false);
  for (const { pick_task_id, sku, quantity_to_pick } of tasks) {
    const scan = { pick_task_id, scanned_barcode: sku, quantity_picked: quantity_to_pick };
    await confirmPick(scan, actor(by));
  }
  await completeWave(batch_id, actor(by));
  for (const { sku, quantity_to_pick } of tasks)
    await by.ok("POST", "/api/packing/verify", { so_id, scanned_barcode: sku, quantity: quantity_to_pick });
  await by.ok("POST", "/api/packing/complete", { so_id });
}

/** Picks, packs and ships an order on the floor. */
export async function shipFromFloor(by: Caller, warehouse_id: number, so_id: number): Promise<void> {
  await packOnFloor(by, warehouse_id, so_id);
  await by.ok("POST", "/api/shipping/fulfill", { so_id, carrier: "UPS", tracking_number: "1Z999" });
}

/** A service with a shop and a till for a file of tests, and what such tests do. */
export function counter(env: Record<string, string> = {}) {
  const service = testService({ worker: true, env });
  let here: number;
  let elsewhere: number;
  let till: Caller;
  before(async () => {
    here = await fixtures.warehouse();
    elsewhere = await fixtures.warehouse();
    till = await tillFor(service, here);
  });
  afterEach(() => assertInvariants());

  /** An item with so many units in a bin of its own. */
  async function shelved(quantity = 10, warehouse_id = here) {
    const item = await fixtures.item();
    const bin_code = `C-${item.sku}`;
    const bin_id = await fixtures.bin(warehouse_id, { code: bin_code });
    const inventory_id = await fixtures.stock(warehouse_id, bin_id, item.item_id, quantity);
    const code = await codeOfWarehouse(warehouse_id);
    const units = (n: number): CounterLine => ({ sku: item.sku, warehouse_id: code, bin_id: bin_code, quantity: n });
    return { ...item, bin_id, inventory_id, units };
  }

  /** A sale, as a till books it; gives its number and id. */
  async function sold(lines: CounterLine[], more: object = {}, by = till) {
    const { so_number } = await by.ok("POST", "/api/v1/pos/checkout", saleOf(lines, more));
    const order = await db.row<{ so_id: number }>("select so_id from sales_orders where so_number = $1", [so_number]);
    return { so_number: so_number as string, so_id: order?.so_id as number };
  }

  const refund = (original: string, more: object = {}, by = till) =>
    by.post("/api/v1/pos/refund", refundOf(original, more));

  const onHand = async (item_id: number): Promise<number> =>
    (await db.value<number>("select coalesce(sum(quantity_on_hand), 0) as units from inventory where item_id = $1", [
      item_id,
    ])) as number;

  const statusOf = (so_number: string) =>
    db.value<string>("select status from sales_orders where so_number = $1", [so_number]);

  return { at: () => ({ service, here, elsewhere, till }), shelved, sold, refund, onHand, statusOf };
}
