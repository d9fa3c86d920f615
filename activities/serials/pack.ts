import { z } from "zod";
import type { Actor } from "../../src/platform/actor.js";
import { text } from "../../src/platform/db/columns.js";
import type { Effects } from "../../src/platform/db/db.js";
import {
  OneSerialOneUnit,
  SerialElsewhere,
  SerialRecalled,
  SerialRequired,
  SerialUnknown,
} from "../../src/serials/problems.js";
import { recalledSerial } from "../../src/serials/queries.js";
import type { Tx } from "../command.js";
import { refuseItemCodes } from "./named.js";
import { lockSerialItems, namelessUnits } from "./nameless.js";
import { stepBy, withStep } from "./steps.js";

interface PackedUnit {
  item_id: number;
  sku: string;
  so_line_id: number;
  quantity: number;
  serial: string | null;
  /** At receipt all units got serials, at shipping any may leave. */
  serial_policy: string;
}

interface OfOrder {
  so_id: number;
  so_number: string;
  warehouse_id: number;
}

const Known = z.strictObject({ state: text });

/**
 * Notes which unit of an item is packed for a locked order. Refused by name where it is packed or shipped already, by
 * whatever order, or where an item that names its units at receipt has no unit without a serial.
 */
export async function packSerial(tx: Tx, unit: PackedUnit, order: OfOrder, by: Actor): Promise<string> {
  const { item_id, sku, so_line_id, quantity, serial } = unit;
  if (quantity !== 1) throw OneSerialOneUnit({ sku, quantity });
  if (serial === null) throw SerialRequired({ sku });
  await refuseItemCodes(tx, [{ item_id, serial }]);
  const [known, recalled] = await tx.inOrder([
    tx.row(Known, "select state from serials where item_id = $1 and serial_number = $2 for update", [item_id, serial]),
    recalledSerial(tx, item_id, [serial]),
  ]);
  if (known && known.state !== "IN_STOCK") throw SerialElsewhere({ serial, sku, state: known.state });
  if (recalled) throw SerialRecalled(recalled);
  if (!known) {
    await lockSerialItems(tx, [item_id]);
    // At receipt, only units from before the item asked for serials have none.
    if (unit.serial_policy === "at_receipt" && ((await namelessUnits(tx, [item_id])).get(item_id) ?? 0) <= 0)
      throw SerialUnknown({ serial, sku });
  }
  const packed = await tx.run(withStep(PACK, "PACKED"), {
    ...{ item_id, serial, so_line_id, so_id: order.so_id, warehouse_id: order.warehouse_id },
    ...stepBy(order.so_number, by),
  });
  // Another order took the same serial, which nobody knew, meanwhile.
  if (packed === 0) throw SerialElsewhere({ serial, sku, state: "PACKED" });
  return serial;
}

const PACK = `
  insert into serials (item_id, serial_number, state, warehouse_id, so_id, so_line_id)
  values (:item_id, :serial, 'PACKED', :warehouse_id, :so_id, :so_line_id)
  on conflict (item_id, serial_number) do update
    set state = 'PACKED', warehouse_id = excluded.warehouse_id, so_id = excluded.so_id,
        so_line_id = excluded.so_line_id, updated_at = now()
    where serials.state = 'IN_STOCK'`;

/** The serials of a locked order leave with its shipment. */
export const shipSerials = (tx: Effects, { so_id, so_number }: OfOrder, fulfillmentId: number, by: Username) =>
  tx.run(
    withStep(
      `update serials set state = 'SHIPPED', fulfillment_id = :fulfillment_id, updated_at = now()
       where so_id = :so_id and state = 'PACKED'`,
      "SHIPPED",
    ),
    { so_id, fulfillment_id: fulfillmentId, ...stepBy(so_number, by) },
  );
type Username = Pick<Actor, "username">;

/** The serials in parcels that leave, each with the shipment that its parcel has now. */
export const shipSerialsIn = (tx: Effects, parcelIds: number[], { so_number }: OfOrder, by: Username) =>
  tx.run(
    withStep(
      `update serials s set state = 'SHIPPED', fulfillment_id = p.fulfillment_id, updated_at = now()
       from parcel_lines l join parcels p using (parcel_id)
       where p.parcel_id = any(:parcel_ids) and l.so_line_id = s.so_line_id and l.serial_number = s.serial_number
         and s.state = 'PACKED'`,
      "SHIPPED",
      "s.serial_id, s.warehouse_id, s.so_id, s.so_line_id, s.receipt_id, s.fulfillment_id",
    ),
    { parcel_ids: parcelIds, ...stepBy(so_number, by) },
  );

/**
 * The serials of a locked order whose shipment is undone are packed, as they were before: those of one shipment, else
 * all.
 */
export const unshipSerials = (
  tx: Effects,
  { so_id, so_number }: Pick<OfOrder, "so_id" | "so_number">,
  by: Username,
  fulfillmentId: number | null = null,
) =>
  tx.run(
    withStep(
      `update serials set state = 'PACKED', fulfillment_id = null, updated_at = now()
       where so_id = :so_id and state = 'SHIPPED'
         and (:fulfillment_id::int is null or fulfillment_id = :fulfillment_id)`,
      "SHIP_VOIDED",
    ),
    { so_id, fulfillment_id: fulfillmentId, ...stepBy(so_number, by) },
  );

/**
 * Puts back what is no longer packed for a locked order, after its lines were changed: all serials of a line that is
 * unpacked, else those that were scanned last.
 */
export const unpackSerials = (tx: Effects, { so_id, so_number }: Pick<OfOrder, "so_id" | "so_number">, by: Username) =>
  tx.run(
    withStep(
      `update serials s
       set state = 'IN_STOCK', so_id = null, so_line_id = null, updated_at = now()
       from (select serial_id, l.so_id, l.so_line_id, quantity_packed,
               row_number() over (partition by so_line_id order by packed.updated_at, serial_id) as place
             from serials packed join sales_order_lines l using (so_line_id)
             where packed.so_id = :so_id and packed.state = 'PACKED') was
       where s.serial_id = was.serial_id and place > quantity_packed`,
      "UNPACKED",
      "s.serial_id, s.warehouse_id, was.so_id, was.so_line_id, s.receipt_id, s.fulfillment_id",
    ),
    { so_id, ...stepBy(so_number, by) },
  );

/** Puts back serials that were taken out of a parcel. */
export const unpackNamedSerials = (
  tx: Effects,
  { so_number }: Pick<OfOrder, "so_number">,
  units: { so_line_id: number; serial_number: string }[],
  by: Username,
) =>
  tx.run(
    withStep(
      `update serials s
       set state = 'IN_STOCK', so_id = null, so_line_id = null, updated_at = now()
       from (select serial_id, so_id, so_line_id from serials
             where (so_line_id, serial_number) in (select * from unnest(:lines::int[], :serials::text[]))
               and state = 'PACKED') was
       where s.serial_id = was.serial_id`,
      "UNPACKED",
      "s.serial_id, s.warehouse_id, was.so_id, was.so_line_id, s.receipt_id, s.fulfillment_id",
    ),
    {
      lines: units.map((unit) => unit.so_line_id),
      serials: units.map((unit) => unit.serial_number),
      ...stepBy(so_number, by),
    },
  );
