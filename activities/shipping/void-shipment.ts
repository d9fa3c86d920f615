import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { ofSalesOrder } from "../../src/platform/events/outbox.js";
import type { Voided } from "../../src/station/shapes.js";
import type { Tx } from "../command.js";
import { unshipSerials } from "../serials/pack.js";
import { revertLines } from "../stock/line-counters.js";
import type { Order } from "./contents.js";

export const ParcelOfShipment = z.strictObject({
  ...{ parcel_number: int, external_id: text, tracking_number: text.nullable() },
});

/** SQL: the parcel that left with the shipment `f`; null where an order left as a whole. */
export const PARCEL_OF_SHIPMENT = `(
  select json_build_object('parcel_number', parcel_number, 'external_id', external_id,
                           'tracking_number', tracking_number)
  from parcels p where p.fulfillment_id = f.fulfillment_id)`;

interface VoidedShipment {
  fulfillment_id: number;
  parcel: z.infer<typeof ParcelOfShipment> | null;
  reason: string;
  /** Where the order stands afterwards. */
  target: z.infer<typeof Voided>["status"];
}

/**
 * Takes a shipment of a locked order back: its units are as they were before they left, and its parcel is closed again.
 * The goods stay picked; stock is not touched. Audit SHIP_VOID, `ship.voided`.
 * @param audited The id of the audit row, where the answer names it, and more details of it.
 */
export async function voidFulfilment(
  tx: Tx,
  order: Order,
  { fulfillment_id, parcel, reason, target }: VoidedShipment,
  by: Pick<Actor, "username" | "externalId">,
  audited: { logId?: number; details?: Record<string, unknown> } = {},
): Promise<void> {
  const { so_id, so_number, external_id, warehouse_id } = order;
  tx.later.run(
    `update item_fulfillments
     set status = 'VOIDED', voided_at = now(), voided_by = $2, void_reason = $3 where fulfillment_id = $1`,
    [fulfillment_id, by.username, reason],
  );
  if (parcel)
    tx.later.run(
      `update parcels set status = 'CLOSED', fulfillment_id = null, shipped_at = null, updated_at = now()
       where fulfillment_id = $1`,
      [fulfillment_id],
    );
  const only = parcel ? fulfillment_id : null;
  await revertLines(tx.later, so_id, {
    ...{ target, released: [], unpacked: false, unshipped: true, fulfillmentId: only },
  });
  unshipSerials(tx.later, order, by, only);
  // An order that was SHIPPED before it got this shipment keeps its date, carrier and tracking number.
  tx.later.run(
    `update sales_orders
     set status = $2,
         updated_at = clock_timestamp(),
         shipped_at = case when $3 then shipped_at end,
         carrier = case when $3 then carrier end,
         tracking_number = case when $3 then tracking_number end
     where so_id = $1`,
    [so_id, target, target === "SHIPPED" || order.status !== "SHIPPED"],
  );
  tx.audit({
    action: "SHIP_VOID",
    user: by.username,
    ...(audited.logId !== undefined && { logId: audited.logId }),
    entity: "SO",
    entityId: so_id,
    warehouseId: warehouse_id,
    details: {
      ...{ so_number, fulfillment_id, reason, reverted_to_status: target },
      ...(parcel && { parcel_number: parcel.parcel_number }),
      ...audited.details,
    },
  });
  tx.emit({
    type: "ship.voided",
    ...ofSalesOrder({ so_id, external_id, warehouse_id }),
    data: {
      sales_order_external_id: external_id,
      so_number,
      voided_at: tx.now,
      voided_by_user_external_id: by.externalId,
      reason,
      reverted_to_status: target,
      ...(parcel && { package_external_id: parcel.external_id, tracking_number: parcel.tracking_number }),
    },
  });
}
