import { groupBy } from "../../src/platform/values.js";
import type { Sale, Tender } from "../../src/pos/shapes.js";
import type { SaleUnits } from "./sale-units.js";

/**
 * The details of a sale in the audit log, with its prices (docs/interface.md, Tills). Of a card, the brand and its last
 * digits.
 */
export function saleDetails(
  sale: Sale,
  { so_number, rma_so_number, token, warehouse_code, item_ids, taken }: SaleUnits & Named,
) {
  const { payment_summary: payment, lines, ...rest } = sale;
  const { terminal_id, external_txn_ref, is_phone_order, backorder, order_type, order_origin, completed_at } = rest;
  const { customer_name, customer_phone, customer_email, ship_address, shipping_address, ship_method, memo } = rest;
  const lots = groupBy(taken, ({ line }) => line);
  return {
    idempotency_key: sale.idempotency_key.toLowerCase(),
    ...{ external_txn_ref, terminal_id, token, so_number, order_type, completed_at },
    ...{ parent_so_number: order_type === "sale" ? undefined : sale.parent_so_number, rma_so_number },
    subtotal_cents: payment.subtotal_cents,
    tax_cents: payment.tax_cents,
    shipping_cents: payment.shipping_cents,
    total_cents: payment.total_cents,
    payment_method: payment.method,
    tenders: payment.tenders.map(kept),
    header_warehouse: warehouse_code,
    ...{ is_phone_order, backorder, order_origin, customer_name, customer_phone, customer_email },
    ...{ ship_address, shipping_address, ship_method, memo },
    lines: lines.map((line, i) => ({
      ...line,
      item_id: item_ids[i],
      lots: lots.get(i)?.map(({ row, units }) => ({
        ...{ lot_number: row.lot_number, expiry_date: row.expiry_date, bin_id: row.bin_id, quantity: units },
      })),
    })),
  };
}

interface Named {
  so_number: string;
  rma_so_number: string | undefined;
  /** The user name of the token. */
  token: string;
}

function kept(tender: Tender) {
  const { type, amount_cents } = tender;
  if (tender.type === "card")
    return { type, amount_cents, card_brand: tender.card_brand, card_last4: tender.card_last4 };
  const { amount_tendered_cents, change_cents } = tender;
  return { type, amount_cents, amount_tendered_cents, change_cents };
}
