import { silentShortfalls } from "../../src/picking/shortfall.js";
import type { Actor } from "../../src/platform/actor.js";
import type { Problem } from "../../src/platform/problem.js";
import {
  ActionOrderNotFound,
  AlreadyFulfilled,
  NoBin,
  NotEligible,
  NothingToShip,
  ShipsShort,
  WrongStatus,
} from "../../src/sales-orders/action-problems.js";
import type { AdminShip, AdminShipped } from "../../src/sales-orders/action-shapes.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import { refuseHeld } from "../../src/sales-orders/holds.js";
import { carrierOf } from "../../src/shipping/carrier.js";
import { command, type Tx } from "../command.js";
import { unitsPicked, withContent } from "../shipping/contents.js";
import { shipOrder } from "../shipping/ship-order.js";
import { type ActionOrder, lockOrder } from "./orders-with-picks.js";

/**
 * Ships an order from the panel (docs/interface.md, Sales orders): a PICKED or PACKED one, or a SHIPPED one that has no
 * fulfilment yet. Carrier and tracking number are the order's own.
 */
export function adminShip(input: AdminShip & { so_id: number }, by: Actor): Promise<AdminShipped> {
  return command("sales-orders.adminShip", by, input, async (tx) => {
    const order = await lockOrder(tx, input.so_id, by, ActionOrderNotFound);
    const { so_number, order_type, status, ship_method } = order;
    // Of one that is PICKED or PACKED, a parcel may have left.
    if (!["PICKED", "PACKED"].includes(status) && (await isShipped(tx, order))) throw AlreadyFulfilled({ so_number });
    if (!isFulfilled(order_type)) throw NotEligible({ so_number, order_type });
    if (!["PICKED", "PACKED", "SHIPPED"].includes(status))
      throw WrongStatus({ so_number, status }, { current_status: status });
    refuseHeld(order);
    const parcel = await withContent(tx, order);
    if (unitsPicked(parcel) === 0) throw NothingToShip({ so_number });
    if (!input.acknowledge_shortfall) await refuseShort(tx, order);
    await refuseWithoutBin(tx, order);
    const { tracking_number } = order;
    const carrier = order.carrier ?? carrierOf(ship_method);
    const shipped = await shipOrder(tx, parcel, { tracking_number, carrier, ship_method }, by);
    return { message: `${so_number} is shipped`, ...shipped };
  });
}

async function isShipped(tx: Tx, { so_id }: ActionOrder): Promise<boolean> {
  const shipment = await tx.row({}, "select from item_fulfillments where so_id = $1 and status = 'SHIPPED'", [so_id]);
  return shipment !== undefined;
}

/** Throws when a line was picked short without a reported short pick (docs/interface.md, Sales orders). */
export async function refuseShort(
  tx: Tx,
  { so_id }: Pick<ActionOrder, "so_id">,
  refusal: Problem = ShipsShort,
): Promise<void> {
  const short = await silentShortfalls(tx, [so_id]);
  if (short.length === 0) return;
  const lines = short.map(({ sku, quantity_ordered, quantity_picked }) => ({
    sku,
    ordered: quantity_ordered,
    picked: quantity_picked,
  }));
  const skus = [...new Set(lines.map((line) => line.sku))].join(", ");
  throw refusal({ skus }, { lines });
}

/**
 * A fulfilment line must name a bin of the warehouse: any one when the bin of the pick is unknown, so there must be
 * one.
 */
async function refuseWithoutBin(tx: Tx, { warehouse_id }: ActionOrder): Promise<void> {
  const bin = await tx.row({}, "select from bins where warehouse_id = $1 limit 1", [warehouse_id]);
  if (!bin) throw NoBin();
}
