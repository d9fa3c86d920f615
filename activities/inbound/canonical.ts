import type { Mapped } from "../../src/inbound/apply.js";
import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import type { Tx } from "../command.js";
import { expectSellable } from "../stock/backorders.js";
import type { Incoming, Merged } from "./incoming.js";
import { writePurchaseOrder } from "./purchase-orders.js";
import { insertRow, updateRow, type Values } from "./records.js";
import { writeSalesOrder } from "./sales-orders.js";

/** Stock of an item that may be sold from now on: it was archived until now, or may be older. */
const MAY_BE_SOLD = `v.item_id = (
  select item_id from items where external_id = $1::uuid and (not is_active or min_days_at_shipping is not null))`;

/** Writes the mapped columns of a record and its lines. */
export async function writeCanonical(
  tx: Tx,
  incoming: Incoming,
  values: Values,
  lines: Mapped["lines"],
  by: Actor,
): Promise<Merged> {
  switch (incoming.resource) {
    case "sales_orders":
      return writeSalesOrder(tx, incoming, values, lines, by);
    case "purchase_orders":
      return { warehouseId: await writePurchaseOrder(tx, incoming, values, lines, by) };
    default:
      if (!incoming.stored.exists) await insertRow(tx, incoming, values, { latest_inbound_id: int });
      else
        await tx.inOrder([
          incoming.resource === "items" &&
            (values.is_active === true || "min_days_at_shipping" in values) &&
            expectSellable(tx, MAY_BE_SOLD, incoming.canonicalId),
          updateRow(tx, incoming, values, Object.keys(values).length > 0 ? { updated_at: "now()" } : {}),
        ]);
      return { warehouseId: null };
  }
}
