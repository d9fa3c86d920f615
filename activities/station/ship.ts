import type { Actor } from "../../src/platform/actor.js";
import { each, text } from "../../src/platform/db/columns.js";
import { isFulfilled } from "../../src/sales-orders/fulfilment.js";
import { refuseHeld } from "../../src/sales-orders/holds.js";
import { shippableFrom } from "../../src/shipping/guard.js";
import {
  AlreadyShipped,
  NotInShippableStatus,
  StationNothingToShip,
  StationOrderHeld,
  StationShortfall,
} from "../../src/station/problems.js";
import { zulu } from "../../src/station/queries.js";
import type { Shipment, Shipped } from "../../src/station/shapes.js";
import { requiresPacking } from "../../src/system/settings/queries.js";
import { command, type Tx } from "../command.js";
import { refuseShort } from "../sales-orders/admin-ship.js";
import { contentOfNumbered, type Order, type OrderWithContent, unitsPicked } from "../shipping/contents.js";
import { shipOrder } from "../shipping/ship-order.js";
import { begin } from "./begin.js";

/**
 * Ships an order at a station, by the operator there (docs/interface.md, Shipping station). `label` is the station's
 * name.
 */
export function shipAtStation(input: Shipment & { so_number: string }, label: string, by: Actor): Promise<Shipped> {
  return command("station.ship", by, input, async (tx) => {
    const { so_number, tracking, carrier, operator_username, shipping_cost, weight, dims, manual_link } = input;
    const [{ order, operator, auditId, at }, content, packingRequired] = await Promise.all([
      begin(tx, input, by),
      contentOfNumbered(tx, so_number),
      requiresPacking(tx),
    ]);
    const parcel = { ...order, ...content };
    await refuseUnshippable(tx, order, packingRequired);
    await refuseShortfall(tx, parcel);
    if (unitsPicked(parcel) === 0) throw StationNothingToShip({ so_number });
    const { fulfillment_id } = await shipOrder(
      tx,
      parcel,
      { tracking_number: tracking, carrier, ship_method: input.ship_method || order.ship_method, shipping_cost },
      { ...by, ...operator },
      {
        label,
        auditId,
        details: {
          ...{ station_label: label, operator_username, idempotency_key: by.requestId },
          ...{ shipping_cost, weight, dims, manual_link },
        },
      },
    );
    return { status: "SHIPPED", tracking, shipped_at: at, fulfillment_id, audit_log_id: auditId };
  });
}

async function refuseUnshippable(tx: Tx, order: Order, packingRequired: boolean) {
  const { so_id, so_number, status, order_type } = order;
  if (status === "SHIPPED") throw AlreadyShipped({ so_number }, await existingShipment(tx, so_id));
  refuseHeld(order, StationOrderHeld);
  const allowed_statuses = shippableFrom(packingRequired);
  if (!isFulfilled(order_type) || !allowed_statuses.includes(status))
    throw NotInShippableStatus({ so_number, status }, { current_status: status, allowed_statuses });
}

const ExistingShipmentRow = each(
  ["existing_tracking", "carrier", "shipped_at", "shipped_by", "station_label"],
  text.nullable(),
);

/** How an order was shipped; for one that is shipped without a fulfilment, from its header. */
const existingShipment = (tx: Tx, soId: number) =>
  tx.row(
    ExistingShipmentRow,
    `select so.tracking_number as existing_tracking, so.carrier, ${zulu("so.shipped_at")} as shipped_at,
            f.shipped_by, f.station_label
     from sales_orders so left join item_fulfillments f on f.so_id = so.so_id and f.status = 'SHIPPED'
     where so.so_id = $1 order by f.fulfillment_id desc limit 1`,
    [soId],
  );

async function refuseShortfall(tx: Tx, parcel: OrderWithContent): Promise<void> {
  if (parcel.lines.some((line) => line.quantity_picked < line.quantity_ordered))
    await refuseShort(tx, parcel, StationShortfall);
}
