import { z } from "zod";
import { type Actor, visibleWarehouses } from "../../src/platform/actor.js";
import { arrayOf, int, number, text } from "../../src/platform/db/columns.js";
import { OrderStatus } from "../../src/platform/statuses.js";
import { HoldReason } from "../../src/sales-orders/holds.js";
import { PICKED_LOTS, PickedLot } from "../../src/sales-orders/picked-lots.js";
import { SoNotFound } from "../../src/sales-orders/problems.js";
import { LineProperties } from "../../src/sales-orders/properties.js";
import { OrderType } from "../../src/sales-orders/shapes.js";
import { SERIALS_OF_LINE } from "../../src/serials/queries.js";
import { ParcelRow } from "../../src/shipping/parcels/shapes.js";
import type { Tx } from "../command.js";

const ContentLine = z.strictObject({
  so_line_id: int,
  item_external_id: text,
  sku: text,
  quantity_ordered: int,
  quantity_picked: int,
  quantity_packed: int,
  quantity_shipped: int,
  properties: LineProperties,
  lots: arrayOf(PickedLot),
  serial_policy: text,
  /** Those that were packed; none where the item asks for none. */
  serial_numbers: arrayOf(text),
});
export type ContentLine = z.infer<typeof ContentLine>;

/** A parcel of an order that is not voided, with what is in it. */
const PackedParcel = z.strictObject({
  ...ParcelRow.pick({ parcel_id: true, external_id: true, parcel_number: true, status: true }).shape,
  ...ParcelRow.pick({ box_code: true, length_in: true, width_in: true, height_in: true, weight_lbs: true }).shape,
  ...ParcelRow.pick({ carrier: true, service: true, tracking_number: true, fulfillment_id: true }).shape,
  lines: arrayOf(
    z.strictObject({
      so_line_id: int,
      lot_number: text.nullable(),
      serial_number: text.nullable(),
      quantity: int,
    }),
  ),
});
export type PackedParcel = z.infer<typeof PackedParcel>;

/** An order as packing and shipping need it. */
export const OrderWithContent = z.strictObject({
  so_id: int,
  so_number: text,
  external_id: text,
  warehouse_id: int,
  order_type: OrderType,
  status: OrderStatus,
  ship_method: text.nullable(),
  hold_reason: HoldReason.nullable(),
  lines: arrayOf(ContentLine),
  /** Weight of the picked units in pounds, rounded to two decimals. */
  weight_lbs: number,
  /** None where the order goes as one parcel, of which nothing is noted. */
  parcels: arrayOf(PackedParcel),
});
export type OrderWithContent = z.infer<typeof OrderWithContent>;

export const Content = OrderWithContent.pick({ lines: true, weight_lbs: true, parcels: true });
export type Content = z.infer<typeof Content>;
export const Order = OrderWithContent.omit({ lines: true, weight_lbs: true, parcels: true });
export type Order = z.infer<typeof Order>;

/** Locks an order of the caller's warehouses, and with it its lines; 404 when there is none. */
export async function lockOrder(tx: Tx, soId: number, by: Actor): Promise<Order> {
  const order = await lockWhere(tx, "so_id", soId, by);
  if (!order) throw SoNotFound();
  return order;
}

/** The same for an order that is given by its number; undefined when there is none. */
export const lockOrderNumbered = (tx: Tx, soNumber: string, by: Actor): Promise<Order | undefined> =>
  lockWhere(tx, "so_number", soNumber, by);

const lockWhere = (tx: Tx, column: "so_id" | "so_number", value: number | string, by: Actor) =>
  tx.row(
    Order,
    `select so_id, so_number, external_id, warehouse_id, order_type, status, ship_method, hold_reason from sales_orders
     where ${column} = $1 and ($2::int[] is null or warehouse_id = any($2)) for update`,
    [value, visibleWarehouses(by)],
  );

/** Locks an order as `lockOrder` does, and reads what was picked and packed for it. */
export async function lockWithContent(tx: Tx, soId: number, by: Actor): Promise<OrderWithContent> {
  const locked = lockOrder(tx, soId, by);
  const [order, content] = await tx.inOrder([locked, contentOf(tx, soId)]);
  return { ...order, ...content };
}

/** A locked order with its content. */
export const withContent = async (tx: Tx, order: Order): Promise<OrderWithContent> => ({
  ...order,
  ...(await contentOf(tx, order.so_id)),
});

/** SQL: what is in the parcel `p`, as JSON. */
const LINES_OF_PARCEL = `(
  select coalesce(json_agg(json_build_object('so_line_id', so_line_id, 'lot_number', lot_number,
                                             'serial_number', serial_number, 'quantity', quantity)
                           order by parcel_line_id), '[]')
  from parcel_lines where parcel_id = p.parcel_id)`;

const contentOf = (tx: Tx, soId: number) => contentWhere(tx, "$1", soId);

/** The content of the order with this number, which is locked. */
export const contentOfNumbered = (tx: Tx, soNumber: string): Promise<Content> =>
  contentWhere(tx, "(select so_id from sales_orders where so_number = $1)", soNumber);

async function contentWhere(tx: Tx, soId: string, value: number | string): Promise<Content> {
  const content = await tx.row(
    Content,
    `select
       coalesce(json_agg(json_build_object(
         'so_line_id', l.so_line_id, 'item_external_id', i.external_id, 'sku', sku,
         'quantity_ordered', l.quantity_ordered, 'quantity_picked', l.quantity_picked,
         'quantity_packed', l.quantity_packed, 'quantity_shipped', l.quantity_shipped,
         'properties', l.properties, 'lots', ${PICKED_LOTS},
         'serial_policy', i.serial_policy,
         'serial_numbers', case i.serial_policy when 'none' then '[]' else ${SERIALS_OF_LINE} end)
         order by l.line_number, l.so_line_id), '[]') as lines,
       to_json(round(coalesce(sum(i.weight_lbs * l.quantity_picked), 0), 2)) as weight_lbs,
       (select coalesce(json_agg(json_build_object(
            'parcel_id', parcel_id, 'external_id', p.external_id, 'parcel_number', parcel_number, 'status', p.status,
            'box_code', box_code, 'length_in', p.length_in, 'width_in', p.width_in, 'height_in', p.height_in,
            'weight_lbs', weight_lbs, 'carrier', carrier, 'service', service, 'tracking_number', tracking_number,
            'fulfillment_id', fulfillment_id,
            'lines', ${LINES_OF_PARCEL}) order by parcel_number), '[]')
        from parcels p left join boxes b using (box_id)
        where p.so_id = ${soId} and p.status <> 'VOIDED') as parcels
     from sales_order_lines l join items i using (item_id) where l.so_id = ${soId}`,
    [value],
  );
  return content as Content;
}

export const unitsPicked = ({ lines }: OrderWithContent) => lines.reduce((sum, line) => sum + line.quantity_picked, 0);

/** The parcels that something is in. An order without any goes as one parcel, as it always did. */
export const filledParcels = ({ parcels }: OrderWithContent) => parcels.filter(({ lines }) => lines.length > 0);

/** How many units of a line are in parcels. */
export const unitsIn = (parcels: PackedParcel[], soLineId: number): number =>
  parcels
    .flatMap(({ lines }) => lines)
    .filter((line) => line.so_line_id === soLineId)
    .reduce((sum, { quantity }) => sum + quantity, 0);
