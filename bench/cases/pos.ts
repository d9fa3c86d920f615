import { randomUUID } from "node:crypto";
import { checkout } from "../../activities/pos/checkout.js";
import { tokenActor } from "../../api/auth/token-authentication.js";
import { underBodyKey } from "../../api/http/body-key.js";
import { availabilityOf } from "../../src/pos/queries.js";
import { Sale } from "../../src/pos/shapes.js";
import { type Case, call, scattered, times } from "../case.js";
import { shelfOf, skuOf, upcOf, WAREHOUSE } from "../data.js";

export const posAvailability: Case = {
  name: "pos availability",
  works: 4_000,
  prepare: async ({ till, size }, count) =>
    times(count, (i) => {
      const barcode = upcOf(scattered(i, size.items));
      const line = `GET /api/v1/pos/availability?barcode=${barcode}` as const;
      return call(till, line, undefined, () => availabilityOf({ barcode }, [WAREHOUSE]));
    }),
};

const LINES = 5;
const TIMEOUTS = { posLockTimeoutMs: 2_000, posStatementTimeoutMs: 4_000 };

/** A sale of a unit each, paid in cash. */
export function saleOf(lines: { sku: string; bin_id: string }[]) {
  const total_cents = 1_200 * lines.length;
  return {
    ...{ idempotency_key: randomUUID(), cashier_id: "scanner-1", terminal_id: "till-1" },
    completed_at: "2026-05-06T12:00:00Z",
    payment_summary: {
      ...{ method: "cash", subtotal_cents: 1_000 * lines.length, tax_cents: 200 * lines.length, total_cents },
      tenders: [{ type: "cash", amount_cents: total_cents, amount_tendered_cents: total_cents, change_cents: 0 }],
    },
    lines: lines.map((line) => ({
      ...{ ...line, warehouse_id: "BENCH", quantity: 1 },
      ...{ unit_price_cents: 1_000, tax_cents: 200, line_total_cents: 1_200 },
    })),
  };
}

export const posCheckout: Case = {
  name: "pos checkout",
  works: 2_000,
  prepare: async ({ till, size }, count) =>
    times(count, (i) => {
      const items = times(LINES, (line) => scattered(i * LINES + line, size.items));
      const sale = saleOf(items.map((item) => ({ sku: skuOf(item), bin_id: `A-${shelfOf(item)}` })));
      return call(till, "POST /api/v1/pos/checkout", sale, () => {
        const body = Sale.parse(sale);
        const key = { prefix: "pos", key: sale.idempotency_key, validUntil: "infinity" };
        const by = tokenActor(till.token, randomUUID());
        return checkout(body, underBodyKey(by, key, { operation: "pos.checkout", body }), TIMEOUTS);
      });
    }),
};
