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
import type { Tx } from "../command.js";

const ParcelLine = z.strictObject({
  so_line_id: int,
  item_external_id: text,
  sku: text,
  quantity_ordered: int,
  quantity_picked: int,
  quantity_packed: int,
  properties: LineProperties,
  lots: arrayOf(PickedLot),
  serial_policy: text,
  /** Those that were packed; none where the item asks for none. */
  serial_numbers: arrayOf(text),
});

/** An order as packing and shipping need it; it is always shipped as one parcel. */
export const Parcel = z.strictObject({
  so_id: int,
  so_number: text,
  external_id: text,
  warehouse_id: int,
  order_type: OrderType,
  status: OrderStatus,
  ship_method: text.nullable(),
  hold_reason: HoldReason.nullable(),
  lines: arrayOf(ParcelLine),
  /** Weight of the picked units in pounds, rounded to two decimals. */
  weight_lbs: number,
});
export type Parcel = z.infer<typeof Parcel>;

export const Content = Parcel.pick({ lines: true, weight_lbs: true });
export type Content = z.infer<typeof Content>;
export const Order = Parcel.omit({ lines: true, weight_lbs: true });
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

/** Locks an order as `lockOrder` does, and reads its lines and weight. */
export async function lockParcel(tx: Tx, soId: number, by: Actor): Promise<Parcel> {
  const locked = lockOrder(tx, soId, by);
  const [order, content] = await tx.inOrder([locked, contentOf(tx, soId)]);
  return { ...order, ...content };
}

/** The parcel of a locked order. */
export const withContent = async (tx: Tx, order: Order): Promise<Parcel> => ({
  ...order,
  ...(await contentOf(tx, order.so_id)),
});

const contentOf = (tx: Tx, soId: number) => contentWhere(tx, "$1", soId);

/** Lines and weight of the order with this number, which is locked. */
export const contentOfNumbered = (tx: Tx, soNumber: string): Promise<Content> =>
  contentWhere(tx, "(select so_id from sales_orders where so_number = $1)", soNumber);

async function contentWhere(tx: Tx, soId: string, value: number | string): Promise<Content> {
  const content = await tx.row(
    Content,
    `select
       coalesce(json_agg(json_build_object(
         'so_line_id', l.so_line_id, 'item_external_id', i.external_id, 'sku', sku,
         'quantity_ordered', l.quantity_ordered, 'quantity_picked', l.quantity_picked,
         'quantity_packed', l.quantity_packed, 'properties', l.properties, 'lots', ${PICKED_LOTS},
         'serial_policy', i.serial_policy,
         'serial_numbers', case i.serial_policy when 'none' then '[]' else ${SERIALS_OF_LINE} end)
         order by l.line_number, l.so_line_id), '[]') as lines,
       to_json(round(coalesce(sum(i.weight_lbs * l.quantity_picked), 0), 2)) as weight_lbs
     from sales_order_lines l join items i using (item_id) where l.so_id = ${soId}`,
    [value],
  );
  return content as Content;
}

/** The package in the payloads of `pack.confirmed` and `ship.confirmed` (docs/interface.md, Events). */
export function packageOf({ external_id, lines, weight_lbs }: Parcel) {
  return {
    package_external_id: `${external_id}-pkg-1`,
    weight_lb: weight_lbs || null,
    dimensions_in: null,
    lines: lines.map((line) => ({
      item_external_id: line.item_external_id,
      sku: line.sku,
      quantity_packed: Math.max(line.quantity_packed, line.quantity_picked),
      ...(line.properties.length > 0 && { properties: line.properties }),
      ...(line.lots.length > 0 && { lots: line.lots }),
      ...(line.serial_numbers.length > 0 && { serial_numbers: line.serial_numbers }),
    })),
  };
}

export const unitsPicked = ({ lines }: Parcel) => lines.reduce((sum, line) => sum + line.quantity_picked, 0);
