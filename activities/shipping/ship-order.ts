import type { Actor } from "../../src/platform/actor.js";
import { ofSalesOrder } from "../../src/platform/events/outbox.js";
import type { Problem } from "../../src/platform/problem.js";
import { OrderHasRecalled } from "../../src/recalls/problems.js";
import { recalledInOrder } from "../../src/recalls/queries.js";
import { Fulfillment } from "../../src/sales-orders/action-shapes.js";
import { SerialsMissing, StationSerialsMissing } from "../../src/serials/problems.js";
import type { Tx } from "../command.js";
import { shipSerials } from "../serials/pack.js";
import { shipLines } from "../stock/line-counters.js";
import type { AtStation, Carriage } from "./carriage.js";
import { filledParcels, type OrderWithContent, unitsPicked } from "./contents.js";
import { packagesOf } from "./packages.js";
import { shipOnly } from "./parcels/leave.js";
import { voidEmpty } from "./parcels/write.js";
import { pickedFrom } from "./picked-from.js";

/**
 * Ships a locked order, which the caller has checked: inserts a fulfilment with its lines, counts the picked units as
 * shipped and sets the order to SHIPPED, with a SHIP audit row and a `ship.confirmed` event. An order that was SHIPPED
 * already, but without a fulfilment, gets the fulfilment; its date stays, and no event is emitted again
 * (docs/interface.md, Sales orders, admin-ship). 409 `order_has_recalled` where units of it are called back. An order
 * that is packed in parcels goes so only while one of them is left, closed, with all that has not left yet.
 */
export async function shipOrder(
  tx: Tx,
  order: OrderWithContent,
  { tracking_number, carrier, ship_method, shipping_cost = null }: Carriage,
  by: Actor,
  station?: AtStation,
): Promise<Fulfillment> {
  if (filledParcels(order).length > 0)
    return shipOnly(tx, order, { tracking_number, carrier, ship_method, shipping_cost }, by, station);
  voidEmpty(tx, order, by);
  const { so_id, so_number, external_id, warehouse_id } = order;
  refuseWithoutSerials(order, station ? StationSerialsMissing : SerialsMissing);
  const { username } = by;
  const carriage = { carrier, tracking_number, ship_method, username, shipping_cost, label: station?.label };
  const [recalled, { fulfillment_id, lines_shipped }] = await Promise.all([
    recalledInOrder(tx, so_id),
    writeShipment(tx, order, carriage),
  ]);
  if (recalled) throw OrderHasRecalled({ so_number, ...recalled });
  if (order.lines.some((line) => line.serial_numbers.length > 0)) shipSerials(tx.later, order, fulfillment_id, by);
  tx.audit({
    action: "SHIP",
    user: by.username,
    ...(station && { logId: station.auditId }),
    entity: "SO",
    entityId: so_id,
    warehouseId: warehouse_id,
    details: { so_number, tracking_number, carrier, fulfillment_id, ...station?.details },
  });
  if (order.status !== "SHIPPED") {
    tx.emit({
      type: "ship.confirmed",
      ...ofSalesOrder({ so_id, external_id, warehouse_id }),
      data: {
        sales_order_external_id: external_id,
        so_number,
        tracking_numbers: tracking_number ? [tracking_number] : [],
        carrier,
        service_level: ship_method,
        packages: packagesOf(order),
        completed_by_user_external_id: by.externalId,
        completed_at: tx.now,
      },
    });
  }
  return { fulfillment_id, lines_shipped, total_quantity: unitsPicked(order) };
}

/** Each unit of an item that asks for serials leaves with its own; one that was shipped before is not asked for. */
function refuseWithoutSerials({ so_number, status, lines }: OrderWithContent, refusal: Problem): void {
  if (status === "SHIPPED") return;
  const lacking = lines.filter(
    (line) => line.serial_policy !== "none" && line.serial_numbers.length < line.quantity_picked,
  );
  if (lacking.length > 0) throw refusal({ so_number, skus: [...new Set(lacking.map(({ sku }) => sku))].join(", ") });
}

const PICKED_FROM = pickedFrom();
const WriteShipmentRow = Fulfillment.omit({ total_quantity: true });

/**
 * Counts the picked units as shipped, and inserts a fulfilment with a line for each order line with picked units, with
 * the bin and lot of its first pick. A line without a pick task gets the item's default bin, else a bin with stock of
 * the item, else the first bin of the warehouse.
 */
async function writeShipment(
  tx: Tx,
  { so_id, warehouse_id, status }: OrderWithContent,
  carriage: Required<Carriage> & { username: string; label: string | undefined },
): Promise<Omit<Fulfillment, "total_quantity">> {
  const made = await tx.row(
    WriteShipmentRow,
    `with made as (
       insert into item_fulfillments
         (so_id, warehouse_id, pre_ship_status, carrier, tracking_number, ship_method, shipped_by, shipping_cost,
          station_label)
       values (:so_id, :warehouse_id, :status, :carrier, :tracking_number, :ship_method, :username, :shipping_cost,
               :label) returning fulfillment_id
     ), lines as (
       insert into item_fulfillment_lines (fulfillment_id, so_line_id, item_id, quantity_shipped, bin_id, lot_number)
       select fulfillment_id, l.so_line_id, l.item_id, l.quantity_picked, coalesce(pick.bin_id, home.bin_id),
         pick.lot_number
       from made, sales_order_lines l join items i using (item_id) ${PICKED_FROM}
       where l.so_id = :so_id and l.quantity_picked > 0
       order by l.line_number, l.so_line_id
       returning 1
     ), shipped as (
       ${shipLines(":so_id")}
     ), so as (
       update sales_orders
       set status = 'SHIPPED', shipped_at = case status when 'SHIPPED' then coalesce(shipped_at, now()) else now() end,
           carrier = :carrier, tracking_number = :tracking_number, ship_method = :ship_method,
           updated_at = clock_timestamp()
       where so_id = :so_id
     )
     select fulfillment_id, (select count(*) from lines) as lines_shipped from made`,
    { so_id, warehouse_id, status, ...carriage },
  );
  return made as Omit<Fulfillment, "total_quantity">;
}
