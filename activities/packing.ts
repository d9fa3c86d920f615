import type { Actor } from "../src/actor.js";
import {
  AlreadyVerified,
  NotAllVerified,
  NotOnOrder,
  OverPack,
  SoNotPicked,
} from "../src/packing/problems.js";
import {
  refuseShortfalls,
  silentShortfalls,
} from "../src/picking/shortfall.js";
import { command, type Tx } from "./command.js";
import { lockParcel, type Parcel, packageOf, unitsPicked } from "./parcels.js";

export interface Verified {
  message: string;
  item: {
    sku: string;
    item_name: string;
    quantity_verified: number;
    line_complete: boolean;
  };
  order_progress: {
    total_lines: number;
    lines_verified: number;
    all_verified: boolean;
  };
}

interface MatchingLine {
  so_line_id: number;
  sku: string;
  item_name: string;
  remaining: number;
}

/**
 * Counts scanned units into the parcel (spec 4.5, reference 02 §6): on the first line of that item with units left to pack.
 * The order's row lock makes scans of two packers follow one another, so a line is never packed beyond what was picked.
 */
export function verifyItem(
  input: { so_id: number; scanned_barcode: string; quantity: number },
  by: Actor,
): Promise<Verified> {
  return command("packing.verify", by, input, async (tx) => {
    const { quantity } = input;
    const [order, matching] = await Promise.all([
      lockPicked(tx, input.so_id, by),
      tx.rows<MatchingLine>(
        `select so_line_id, sku, item_name, quantity_picked - quantity_packed as remaining
         from sales_order_lines l join items i using (item_id)
         where so_id = $1 and (upc = $2 or sku = $2 or barcode_aliases ? $2) order by line_number, so_line_id`,
        [input.so_id, input.scanned_barcode],
      ),
    ]);
    const [first] = matching;
    if (!first) throw NotOnOrder({ so_number: order.so_number });
    const line = matching.find((l) => l.remaining > 0);
    if (!line) throw AlreadyVerified({ sku: first.sku });
    const { so_line_id, sku, item_name, remaining } = line;
    if (quantity > remaining) throw OverPack({ sku, remaining, quantity });
    tx.later.run(
      `update sales_order_lines
       set quantity_packed = quantity_packed + $2,
           status = case when quantity_packed + $2 >= quantity_picked then 'PACKED' else status end
       where so_line_id = $1`,
      [so_line_id, quantity],
    );
    const line_complete = quantity === remaining;
    const total_lines = order.lines.length;
    const lines_verified =
      total_lines - unverified(order) + Number(line_complete);
    return {
      message: `Verified ${quantity} of ${sku}`,
      item: { sku, item_name, quantity_verified: quantity, line_complete },
      order_progress: {
        total_lines,
        lines_verified,
        all_verified: lines_verified === total_lines,
      },
    };
  });
}

export interface Packed {
  message: string;
  so_number: string;
  status: "PACKED";
  total_items: number;
  calculated_weight_lbs: number;
}

/** Closes the parcel of a wholly verified order: PACKED, with a PACK audit row and a `pack.confirmed` event. */
export function completePacking(
  input: { so_id: number },
  by: Actor,
): Promise<Packed> {
  return command("packing.complete", by, input, async (tx) => {
    const [order, shortfalls] = await Promise.all([
      lockPicked(tx, input.so_id, by),
      silentShortfalls(tx, [input.so_id]),
    ]);
    const { so_id, so_number, warehouse_id } = order;
    const count = unverified(order);
    if (count > 0) throw NotAllVerified({ count });
    refuseShortfalls(shortfalls);
    tx.later.run(
      "update sales_orders set status = 'PACKED', packed_at = now() where so_id = $1",
      [so_id],
    );
    const total_items = unitsPicked(order);
    tx.audit({
      action: "PACK",
      entity: "SO",
      entityId: so_id,
      warehouseId: warehouse_id,
      details: {
        so_number,
        total_expected: total_items,
        total_packed: order.lines.reduce(
          (sum, line) => sum + line.quantity_packed,
          0,
        ),
        total_items,
      },
    });
    tx.emit({
      type: "pack.confirmed",
      aggregateId: order.external_id,
      entity: "sales_order",
      entityId: so_id,
      warehouseId: warehouse_id,
      data: {
        sales_order_external_id: order.external_id,
        packages: [packageOf(order)],
        completed_by_user_external_id: by.externalId,
        completed_at: tx.now,
      },
    });
    return {
      message: `${so_number} is packed`,
      so_number,
      status: "PACKED",
      total_items,
      calculated_weight_lbs: order.weight_lbs,
    };
  });
}

async function lockPicked(tx: Tx, soId: number, by: Actor): Promise<Parcel> {
  const order = await lockParcel(tx, soId, by);
  const { so_number, status } = order;
  if (status !== "PICKED") throw SoNotPicked({ so_number, status });
  return order;
}

/** Lines of which units are still to be packed; a line that got nothing needs no scan. */
const unverified = ({ lines }: Parcel) =>
  lines.filter((line) => line.quantity_packed < line.quantity_picked).length;
