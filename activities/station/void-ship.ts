import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { int } from "../../src/platform/db/columns.js";
import { ofSalesOrder } from "../../src/platform/events/outbox.js";
import { liveReturnsOf } from "../../src/returns/queries.js";
import { NotShipped, StationHasReturns } from "../../src/station/problems.js";
import { Voided, type Voiding } from "../../src/station/shapes.js";
import { command } from "../command.js";
import { unshipSerials } from "../serials/pack.js";
import { revertLines } from "../stock/line-counters.js";
import { begin } from "./begin.js";

const Fulfilment = z.strictObject({ fulfillment_id: int, pre_ship_status: Voided.shape.status });

/**
 * Voids the newest shipment of an order: the order is as it was before it was shipped (docs/interface.md, Sales orders
 * and Shipping station). The goods stay picked; stock is not touched.
 */
export function voidShipment(input: Voiding & { so_number: string }, label: string, by: Actor): Promise<Voided> {
  return command("station.voidShip", by, input, async (tx) => {
    const { reason, operator_username } = input;
    const { order, operator, auditId, at } = await begin(tx, input, by);
    const { so_id, so_number, external_id, warehouse_id } = order;
    const [fulfilment, returns] = await Promise.all([
      tx.row(
        Fulfilment,
        `select fulfillment_id, pre_ship_status from item_fulfillments where so_id = $1 and status = 'SHIPPED'
         order by fulfillment_id desc limit 1`,
        [so_id],
      ),
      liveReturnsOf(tx, so_id),
    ]);
    // A counter sale is SHIPPED without a fulfilment.
    if (order.status !== "SHIPPED" || !fulfilment)
      throw NotShipped({ so_number, status: order.status }, { current_status: order.status });
    if (returns.length > 0) throw StationHasReturns({ so_number, returns: returns.join(", ") }, { returns });

    const { fulfillment_id, pre_ship_status: target } = fulfilment;
    tx.later.run(
      `update item_fulfillments
       set status = 'VOIDED', voided_at = now(), voided_by = $2, void_reason = $3 where fulfillment_id = $1`,
      [fulfillment_id, operator.username, reason],
    );
    await revertLines(tx.later, so_id, { target, released: [], unpacked: false, unshipped: true });
    unshipSerials(tx.later, order, operator);
    // An order that was SHIPPED before it got this shipment keeps its date, carrier and tracking number.
    tx.later.run(
      `update sales_orders
       set status = $2,
           updated_at = clock_timestamp(),
           shipped_at = case when $3 then shipped_at end,
           carrier = case when $3 then carrier end,
           tracking_number = case when $3 then tracking_number end
       where so_id = $1`,
      [so_id, target, target === "SHIPPED"],
    );
    tx.audit({
      action: "SHIP_VOID",
      user: operator.username,
      logId: auditId,
      entity: "SO",
      entityId: so_id,
      warehouseId: warehouse_id,
      details: {
        ...{ so_number, fulfillment_id, reason, reverted_to_status: target },
        ...{ station_label: label, operator_username, idempotency_key: by.requestId },
      },
    });
    tx.emit({
      type: "ship.voided",
      ...ofSalesOrder({ so_id, external_id, warehouse_id }),
      data: {
        sales_order_external_id: external_id,
        so_number,
        voided_at: tx.now,
        voided_by_user_external_id: operator.externalId,
        reason,
        reverted_to_status: target,
      },
    });
    return { status: target, voided_at: at, audit_log_id: auditId };
  });
}
