import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { liveReturnsOf } from "../../src/returns/queries.js";
import { NotShipped, StationHasReturns } from "../../src/station/problems.js";
import { Voided, type Voiding } from "../../src/station/shapes.js";
import { command } from "../command.js";
import { PARCEL_OF_SHIPMENT, ParcelOfShipment, voidFulfilment } from "../shipping/void-shipment.js";
import { begin } from "./begin.js";

const Fulfilment = z.strictObject({
  ...{ fulfillment_id: int, pre_ship_status: Voided.shape.status, parcel: ParcelOfShipment.nullable() },
});

/**
 * Voids the newest shipment of an order: the order is as it was before that left (docs/interface.md, Sales orders and
 * Shipping station). The goods stay picked; stock is not touched.
 */
export function voidShipment(input: Voiding & { so_number: string }, label: string, by: Actor): Promise<Voided> {
  return command("station.voidShip", by, input, async (tx) => {
    const { reason, operator_username } = input;
    const { order, operator, auditId, at } = await begin(tx, input, by);
    const { so_id, so_number } = order;
    const [fulfilment, returns] = await Promise.all([
      tx.row(
        Fulfilment,
        `select fulfillment_id, pre_ship_status, ${PARCEL_OF_SHIPMENT} as parcel
         from item_fulfillments f where so_id = $1 and status = 'SHIPPED'
         order by fulfillment_id desc limit 1`,
        [so_id],
      ),
      liveReturnsOf(tx, so_id),
    ]);
    // A counter sale is SHIPPED without a fulfilment.
    if (order.status !== "SHIPPED" || !fulfilment)
      throw NotShipped({ so_number, status: order.status }, { current_status: order.status });
    if (returns.length > 0) throw StationHasReturns({ so_number, returns: returns.join(", ") }, { returns });

    const { fulfillment_id, pre_ship_status: target, parcel } = fulfilment;
    await voidFulfilment(
      tx,
      order,
      { fulfillment_id, parcel, reason, target },
      { ...by, ...operator },
      {
        logId: auditId,
        details: { station_label: label, operator_username, idempotency_key: by.requestId },
      },
    );
    return { status: target, voided_at: at, audit_log_id: auditId };
  });
}
