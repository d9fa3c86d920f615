import type { Actor } from "../../../src/platform/actor.js";
import { int } from "../../../src/platform/db/columns.js";
import { ofSalesOrder } from "../../../src/platform/events/outbox.js";
import { groupBy } from "../../../src/platform/values.js";
import { OrderHasRecalled } from "../../../src/recalls/problems.js";
import { recalledInParcels } from "../../../src/recalls/queries.js";
import type { Fulfillment } from "../../../src/sales-orders/action-shapes.js";
import { SerialsMissing, StationSerialsMissing } from "../../../src/serials/problems.js";
import { NotInClosedParcel, OrderInParcels } from "../../../src/shipping/parcels/problems.js";
import type { Tx } from "../../command.js";
import { shipSerialsIn } from "../../serials/pack.js";
import { shipUnits } from "../../stock/line-counters.js";
import type { AtStation, Carriage } from "../carriage.js";
import { filledParcels, type OrderWithContent, type PackedParcel, unitsPicked } from "../contents.js";
import { packageOf } from "../packages.js";
import { pickedFrom } from "../picked-from.js";
import { voidEmpty } from "./write.js";

/** Closed parcels of a locked order leave, each as a shipment of its own. */

export interface Leaving {
  parcel: PackedParcel;
  carriage: Carriage;
}

interface Left extends Leaving, Fulfillment {}

const Made = { parcel_id: int, fulfillment_id: int, lines_shipped: int };

const unitsInside = ({ lines }: PackedParcel) => lines.reduce((sum, { quantity }) => sum + quantity, 0);

/** How many picked units of an order are left once these parcels have left. */
export const unitsLeft = (order: OrderWithContent, parcels: PackedParcel[]): number =>
  unitsPicked(order) -
  order.lines.reduce((sum, { quantity_shipped }) => sum + quantity_shipped, 0) -
  parcels.reduce((sum, parcel) => sum + unitsInside(parcel), 0);

/**
 * Ships parcels: a fulfilment for each with what is in it, counted as shipped. The order is SHIPPED once nothing that
 * was picked is left. One audit row, SHIP for the last ones and SHIP_PART before; a `ship.confirmed` for each carrier
 * and method. 409 `order_has_recalled` where units in them are called back.
 */
export async function shipParcels(
  tx: Tx,
  order: OrderWithContent,
  leaving: Leaving[],
  by: Actor,
  station?: AtStation,
): Promise<Left[]> {
  const { so_id, so_number, external_id, warehouse_id } = order;
  refuseWithoutSerials(order, leaving, station);
  const parcels = leaving.map(({ parcel }) => parcel);
  const ids = parcels.map(({ parcel_id }) => parcel_id);
  const isLast = unitsLeft(order, parcels) === 0;
  const [recalled, made] = await Promise.all([
    recalledInParcels(tx, ids),
    writeShipments(tx, order, leaving, isLast, by.username, station?.label),
  ]);
  if (recalled) throw OrderHasRecalled({ so_number, ...recalled });
  if (parcels.some(({ lines }) => lines.some(({ serial_number }) => serial_number !== null)))
    shipSerialsIn(tx.later, ids, order, by);
  if (isLast) voidEmpty(tx, order, by);
  const left = leaving.map(({ parcel, carriage }) => {
    const { fulfillment_id, lines_shipped } = made.find(
      (one) => one.parcel_id === parcel.parcel_id,
    ) as (typeof made)[0];
    return { parcel, carriage, fulfillment_id, lines_shipped, total_quantity: unitsInside(parcel) };
  });
  const [first] = left as [Left];
  tx.audit({
    action: isLast ? "SHIP" : "SHIP_PART",
    user: by.username,
    ...(station && { logId: station.auditId }),
    entity: "SO",
    entityId: so_id,
    warehouseId: warehouse_id,
    details: {
      so_number,
      tracking_number: first.carriage.tracking_number,
      carrier: first.carriage.carrier,
      fulfillment_id: first.fulfillment_id,
      ...station?.details,
      parcels: left.map(({ parcel: { parcel_number }, carriage: { tracking_number, carrier }, fulfillment_id }) => ({
        ...{ parcel_number, tracking_number, carrier, fulfillment_id },
      })),
    },
  });
  const groups = [...groupBy(left, ({ carriage: { carrier, ship_method } }) => JSON.stringify([carrier, ship_method]))];
  for (const [i, [, group]] of groups.entries()) {
    const { carrier, ship_method } = (group[0] as Left).carriage;
    tx.emit({
      type: "ship.confirmed",
      ...ofSalesOrder({ so_id, external_id, warehouse_id }),
      data: {
        sales_order_external_id: external_id,
        so_number,
        tracking_numbers: group.flatMap(({ carriage: { tracking_number } }) => tracking_number ?? []),
        carrier,
        service_level: ship_method,
        packages: group.map(({ parcel, carriage: { tracking_number } }) =>
          packageOf(order, { ...parcel, carrier, service: ship_method, tracking_number }),
        ),
        order_shipped: isLast && i === groups.length - 1,
        completed_by_user_external_id: by.externalId,
        completed_at: tx.now,
      },
    });
  }
  return left;
}

/** Ships an order that is packed in parcels as a whole: one of them is left, with all that has not left yet. */
export async function shipOnly(
  tx: Tx,
  order: OrderWithContent,
  carriage: Carriage,
  by: Actor,
  station?: AtStation,
): Promise<Fulfillment> {
  const { so_number } = order;
  const waiting = filledParcels(order).filter(({ status }) => status !== "SHIPPED");
  const [only, ...others] = waiting.filter(({ status }) => status === "CLOSED");
  if (!only || waiting.length > 1) {
    const closed = others.length + (only ? 1 : 0);
    throw OrderInParcels({ so_number, closed, open: waiting.length - closed });
  }
  const count = unitsLeft(order, [only]);
  if (count > 0) throw NotInClosedParcel({ so_number, count });
  const [{ fulfillment_id, lines_shipped, total_quantity }] = (await shipParcels(
    tx,
    order,
    [{ parcel: only, carriage }],
    by,
    station,
  )) as [Left];
  return { fulfillment_id, lines_shipped, total_quantity };
}

/** An item may ask for serials since its units were packed. */
function refuseWithoutSerials(
  { so_number, lines }: OrderWithContent,
  leaving: Leaving[],
  station: AtStation | undefined,
): void {
  const nameless = new Set(
    leaving
      .flatMap(({ parcel }) => parcel.lines)
      .filter(({ serial_number }) => serial_number === null)
      .map(({ so_line_id }) => so_line_id),
  );
  const lacking = lines.filter(({ serial_policy, so_line_id }) => serial_policy !== "none" && nameless.has(so_line_id));
  const refusal = station ? StationSerialsMissing : SerialsMissing;
  if (lacking.length > 0) throw refusal({ so_number, skus: [...new Set(lacking.map(({ sku }) => sku))].join(", ") });
}

const PICKED_FROM = pickedFrom("l.parcel_lot");

/** The header has carrier and tracking number of the parcel that left last. */
const WRITE = `
  with asked as materialized (
    select a.*, nextval(pg_get_serial_sequence('item_fulfillments', 'fulfillment_id'))::int as fulfillment_id
    from unnest(:parcel_ids::int[], :carriers::text[], :tracking_numbers::text[], :ship_methods::text[],
                :shipping_costs::numeric[]) as a(parcel_id, carrier, tracking_number, ship_method, shipping_cost)
  ), made as (
    insert into item_fulfillments
      (fulfillment_id, so_id, warehouse_id, pre_ship_status, carrier, tracking_number, ship_method, shipped_by,
       shipping_cost, station_label)
    select fulfillment_id, :so_id, :warehouse_id, :status, carrier, tracking_number, ship_method, :username,
           shipping_cost, :label
    from asked
  ), contents as (
    select fulfillment_id, p.so_line_id, p.item_id, p.lot_number as parcel_lot, sum(quantity) as units
    from asked join parcel_lines p using (parcel_id)
    group by fulfillment_id, p.so_line_id, p.item_id, p.lot_number
  ), lines as (
    insert into item_fulfillment_lines (fulfillment_id, so_line_id, item_id, quantity_shipped, bin_id, lot_number)
    select fulfillment_id, l.so_line_id, l.item_id, l.units, coalesce(pick.bin_id, home.bin_id),
           coalesce(l.parcel_lot, pick.lot_number)
    from contents l join items i using (item_id) ${PICKED_FROM}
    order by fulfillment_id, l.so_line_id
    returning fulfillment_id, so_line_id
  ), shipped as (
    ${shipUnits("contents")}
  ), left_now as (
    update parcels p
    set status = 'SHIPPED', fulfillment_id = a.fulfillment_id, shipped_at = now(), carrier = a.carrier,
        tracking_number = a.tracking_number, updated_at = now()
    from asked a where a.parcel_id = p.parcel_id
  ), so as (
    update sales_orders
    set status = case when :is_last then 'SHIPPED' else status end,
        shipped_at = case when :is_last then now() else shipped_at end,
        carrier = case when :is_last then :carrier else carrier end,
        tracking_number = case when :is_last then :tracking_number else tracking_number end,
        ship_method = case when :is_last then :ship_method else ship_method end,
        updated_at = clock_timestamp()
    where so_id = :so_id
  )
  select parcel_id, fulfillment_id,
    (select count(distinct so_line_id) from lines l where l.fulfillment_id = a.fulfillment_id) as lines_shipped
  from asked a`;

function writeShipments(
  tx: Tx,
  { so_id, warehouse_id, status }: OrderWithContent,
  leaving: Leaving[],
  isLast: boolean,
  username: string,
  label: string | undefined,
) {
  const carriages = leaving.map(({ carriage }) => carriage);
  const { carrier, tracking_number, ship_method } = carriages.at(-1) as Carriage;
  return tx.rows(Made, WRITE, {
    ...{ so_id, warehouse_id, status, username, label, is_last: isLast, carrier, tracking_number, ship_method },
    parcel_ids: leaving.map(({ parcel }) => parcel.parcel_id),
    carriers: carriages.map((one) => one.carrier),
    tracking_numbers: carriages.map((one) => one.tracking_number),
    ship_methods: carriages.map((one) => one.ship_method),
    shipping_costs: carriages.map((one) => one.shipping_cost ?? null),
  });
}
