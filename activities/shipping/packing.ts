import { z } from "zod";
import { namedLot } from "../../src/picking/other-lot.js";
import { WrongLot } from "../../src/picking/problems.js";
import { refuseSilentShortfall } from "../../src/picking/shortfall.js";
import type { Actor } from "../../src/platform/actor.js";
import { checkScans, severalItems } from "../../src/platform/barcodes/match.js";
import { readScan, type Scan } from "../../src/platform/barcodes/scan.js";
import { isExactly, isOwnCode } from "../../src/platform/barcodes/sql.js";
import { arrayOf, bool, int, text } from "../../src/platform/db/columns.js";
import { ofSalesOrder } from "../../src/platform/events/outbox.js";
import { NothingToShip } from "../../src/sales-orders/action-problems.js";
import { refuseReturn } from "../../src/sales-orders/fulfilment.js";
import { refuseHeld } from "../../src/sales-orders/holds.js";
import { PICKED_LOTS, PickedLot } from "../../src/sales-orders/picked-lots.js";
import type { PackedOrder, PackScan, VerifiedItem } from "../../src/shipping/packing/shapes.js";
import { AlreadyVerified, NotAllVerified, NotOnOrder, OverPack, SoNotPicked } from "../../src/shipping/problems.js";
import { command, type Tx } from "../command.js";
import { labelsOf, serialIn } from "../serials/named.js";
import { packSerial } from "../serials/pack.js";
import { packLine } from "../stock/line-counters.js";
import { lockOrder, lockParcel, type Order, type Parcel, packageOf, unitsPicked } from "./parcels.js";

const Line = z.strictObject({
  so_line_id: int,
  sku: text,
  item_name: text,
  quantity_picked: int,
  quantity_packed: int,
  item_id: int,
  serial_policy: text,
  /** The lots that were picked for it, where the packer names one. */
  lots: arrayOf(PickedLot),
  /** Whether the scanned code belongs to the item: exactly, or by any of its forms. */
  is_exact: bool,
  is_scanned: bool,
});
type Line = z.infer<typeof Line>;

/**
 * Counts scanned units as packed (docs/interface.md, Packing), on the lines of that item with units left to pack, in
 * order. Without a quantity it is the number that a carton's label says, else one. The lock on the order's row
 * serializes the scans of two packers, so no more units of a line are packed than were picked.
 */
export function verifyItem(input: PackScan, by: Actor): Promise<VerifiedItem> {
  return command("packing.verify", by, input, async (tx) => {
    const scan = readScan(input.scanned_barcode);
    const quantity = input.quantity ?? scan.holds.quantity ?? 1;
    const lot = namedLot(scan, input.lot_number);
    const [order, lines] = await tx.inOrder([
      lockOrder(tx, input.so_id, by),
      tx.rows(
        Line,
        `select so_line_id, item_id, sku, item_name, quantity_picked, quantity_packed, serial_policy,
                case when $4::boolean then ${PICKED_LOTS} else '[]' end as lots,
                ${isExactly("$2::text")} as is_exact,
                ${isOwnCode("$2::text", "$3::text[]")} as is_scanned
         from sales_order_lines l join items i using (item_id)
         where so_id = $1 order by line_number, so_line_id`,
        [input.so_id, scan.text, scan.forms, lot !== null],
      ),
    ]);
    refuseUnlessPicked(order);
    const matching = await scannedLines(tx, lines, scan, input.item_id);
    const [first] = matching;
    if (!first) throw NotOnOrder({ so_number: order.so_number });
    const unpacked = matching.filter(isUnverified);
    const { sku, item_name } = first;
    if (unpacked.length === 0) throw AlreadyVerified({ sku });
    const open = linesWithLot(unpacked, lot);
    const remaining = open.reduce((sum, line) => sum + line.quantity_picked - line.quantity_packed, 0);
    if (quantity > remaining) throw OverPack({ sku, remaining, quantity });
    const serial = await packedSerial(tx, input, scan, { ...(open[0] as Line), quantity }, order, by);
    let left = quantity;
    let line_complete = false;
    for (const line of open) {
      const units = Math.min(left, line.quantity_picked - line.quantity_packed);
      if (units === 0) break;
      left -= units;
      line.quantity_packed += units;
      line_complete = !isUnverified(line);
      await packLine(tx.later, line.so_line_id, units);
    }
    const total_lines = lines.length;
    const lines_verified = total_lines - countUnverified(lines);
    return {
      message: `Verified ${quantity} of ${sku}`,
      item: { sku, item_name, quantity_verified: quantity, line_complete, ...(serial && { serial_number: serial }) },
      order_progress: { total_lines, lines_verified, all_verified: lines_verified === total_lines },
    };
  });
}

/** The lines for which units of the named lot were picked, or units of which nobody knows the lot. */
function linesWithLot(lines: Line[], lot: string | null): Line[] {
  if (lot === null) return lines;
  const open = lines.filter(
    ({ lots, quantity_picked }) =>
      lots.some(({ lot_number }) => lot_number === lot) ||
      lots.reduce((units, { quantity }) => units + quantity, 0) < quantity_picked,
  );
  const picked = new Set(lines.flatMap(({ lots }) => lots.map(({ lot_number }) => lot_number)));
  if (open.length === 0) throw WrongLot({ expected: [...picked].join(", "), scanned: lot });
  return open;
}

/** Notes the serial of the scanned unit, where its item asks for one. */
async function packedSerial(
  tx: Tx,
  { serial_number }: PackScan,
  { holds }: Scan,
  unit: Line & { quantity: number },
  order: Order,
  by: Actor,
): Promise<string | undefined> {
  if (unit.serial_policy === "none") return undefined;
  await checkScans(tx, labelsOf({ ...unit, serial_numbers: serial_number ? [serial_number] : [] }));
  const serial = serial_number ? serialIn(serial_number) : holds.serial_number;
  return packSerial(tx, { ...unit, serial }, order, by);
}

/** The lines of the scanned item: the chosen one, or the only one of the order with this code. */
async function scannedLines(tx: Tx, lines: Line[], scan: Scan, chosen: number | undefined): Promise<Line[]> {
  const exact = lines.filter((line) => line.is_exact);
  const fitting = exact.length > 0 ? exact : lines.filter((line) => line.is_scanned);
  if (chosen !== undefined) return lines.filter((line) => line.is_scanned && line.item_id === chosen);
  const items = [...new Set(fitting.map((line) => line.item_id))];
  if (items.length > 1) throw await severalItems(tx, items, scan);
  return fitting;
}

/** Marks an order whose lines are all verified as PACKED, with a PACK audit row and a `pack.confirmed` event. */
export function completePacking(input: { so_id: number }, by: Actor): Promise<PackedOrder> {
  return command("packing.complete", by, input, async (tx) => {
    const order = await lockParcel(tx, input.so_id, by);
    refuseUnlessPicked(order);
    const { so_id, so_number, warehouse_id } = order;
    if (unitsPicked(order) === 0) throw NothingToShip({ so_number });
    const count = countUnverified(order.lines);
    if (count > 0) throw NotAllVerified({ count });
    await refuseSilentShortfall(tx, order);
    tx.later.run(
      "update sales_orders set status = 'PACKED', packed_at = now(), updated_at = clock_timestamp() where so_id = $1",
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
        total_packed: order.lines.reduce((sum, line) => sum + line.quantity_packed, 0),
        total_items,
      },
    });
    tx.emit({
      type: "pack.confirmed",
      ...ofSalesOrder(order),
      data: {
        sales_order_external_id: order.external_id,
        so_number,
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

function refuseUnlessPicked(order: Pick<Parcel, "so_number" | "order_type" | "status" | "hold_reason">): void {
  refuseReturn(order);
  refuseHeld(order);
  const { so_number, status } = order;
  if (status !== "PICKED") throw SoNotPicked({ so_number, status });
}

type PackCounters = Pick<Line, "quantity_picked" | "quantity_packed">;

/** Whether units of a line are still to be packed; a line without picked units needs no scan. */
const isUnverified = (line: PackCounters): boolean => line.quantity_packed < line.quantity_picked;

const countUnverified = (lines: PackCounters[]): number => lines.filter(isUnverified).length;
