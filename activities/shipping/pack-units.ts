import { z } from "zod";
import { namedLot } from "../../src/picking/other-lot.js";
import { WrongLot } from "../../src/picking/problems.js";
import type { Actor } from "../../src/platform/actor.js";
import { checkScans, severalItems } from "../../src/platform/barcodes/match.js";
import { readScan, type Scan } from "../../src/platform/barcodes/scan.js";
import { isExactly, isOwnCode } from "../../src/platform/barcodes/sql.js";
import { arrayOf, bool, int, text } from "../../src/platform/db/columns.js";
import { refuseReturn } from "../../src/sales-orders/fulfilment.js";
import { refuseHeld } from "../../src/sales-orders/holds.js";
import { PICKED_LOTS, PickedLot } from "../../src/sales-orders/picked-lots.js";
import type { PackScan, VerifiedItem } from "../../src/shipping/packing/shapes.js";
import { IN_NO_PARCEL, lotOfUnits, roomFor, UnitsInParcels, unitsInParcels } from "../../src/shipping/parcels/rest.js";
import { AlreadyVerified, NotOnOrder, OverPack, SoNotPicked } from "../../src/shipping/problems.js";
import type { Tx } from "../command.js";
import { labelsOf, serialIn } from "../serials/named.js";
import { packSerial } from "../serials/pack.js";
import { packLine } from "../stock/line-counters.js";
import type { Order } from "./contents.js";

/** Counting scanned units as packed, into a parcel or into none. */

export const LineToPack = z.strictObject({
  so_line_id: int,
  sku: text,
  item_name: text,
  quantity_picked: int,
  quantity_packed: int,
  item_id: int,
  serial_policy: text,
  /** The lots that were picked for it, where they matter. */
  lots: arrayOf(PickedLot),
  /** What of it is in parcels, where that matters. */
  in_parcels: UnitsInParcels,
});
export type LineToPack = z.infer<typeof LineToPack>;

const Line = LineToPack.extend({
  /** Whether the scanned code belongs to the item: exactly, or by any of its forms. */
  is_exact: bool,
  is_scanned: bool,
});
type Line = z.infer<typeof Line>;

/** SQL: the units of the order line `l` in parcels, by lot. */
export const IN_PARCELS = `(
  select coalesce(json_agg(json_build_object('lot_number', lot_number, 'quantity', quantity)), '[]')
  from parcel_lines join parcels using (parcel_id)
  where parcel_lines.so_line_id = l.so_line_id and parcels.status <> 'VOIDED')`;

/** What a packer scanned, and whether the units go into a parcel. */
export interface UnitsToPack extends PackScan {
  intoParcel: boolean;
}

/** The same, with what the scan says. */
interface ReadUnits extends UnitsToPack {
  scan: Scan;
  quantity: number;
  lot: string | null;
}

/** Reads a scan: without a quantity it is the number that a carton's label says, else one. */
export function readUnits(input: UnitsToPack): ReadUnits {
  const scan = readScan(input.scanned_barcode);
  const quantity = input.quantity ?? scan.holds.quantity ?? 1;
  return { ...input, scan, quantity, lot: namedLot(scan, input.lot_number) };
}

/** The lines of an order that a scan is compared with. */
export function linesToPack(tx: Tx, { scan, lot, so_id, intoParcel }: ReadUnits): Promise<Line[]> {
  return tx.rows(
    Line,
    `select so_line_id, item_id, sku, item_name, quantity_picked, quantity_packed, serial_policy,
            case when :with_lots::boolean then ${PICKED_LOTS} else '[]' end as lots,
            case when :into_parcel::boolean then ${IN_PARCELS} else '[]' end as in_parcels,
            ${isExactly(":code::text")} as is_exact,
            ${isOwnCode(":code::text", ":forms::text[]")} as is_scanned
     from sales_order_lines l join items i using (item_id)
     where so_id = :so_id order by line_number, so_line_id`,
    { so_id, code: scan.text, forms: scan.forms, with_lots: lot !== null || intoParcel, into_parcel: intoParcel },
  );
}

/** Units of a line that were scanned. */
export interface PackedUnits {
  so_line_id: number;
  item_id: number;
  lot_number: string | null;
  serial_number: string | null;
  quantity: number;
}

/**
 * Counts scanned units as packed (docs/interface.md, Packing), on the lines of that item with units left to pack, in
 * order. Units that go into a parcel may be packed already, in none. The lock on the order's row serializes the scans
 * of two packers, so no more units of a line are packed than were picked.
 */
export async function packUnits(
  tx: Tx,
  order: Order,
  lines: Line[],
  input: ReadUnits,
  by: Actor,
): Promise<{ units: PackedUnits[]; answer: VerifiedItem }> {
  const { scan, quantity, lot, intoParcel } = input;
  refuseUnlessPicked(order);
  const matching = await scannedLines(tx, lines, scan, input.item_id);
  const [first] = matching;
  if (!first) throw NotOnOrder({ so_number: order.so_number });
  const { sku, item_name, serial_policy } = first;
  const roomOf = (line: Line, ofLot: string | null) => (intoParcel ? roomFor(line, ofLot) : unverified(line));
  const unpacked = matching.filter((line) => roomOf(line, null) > 0);
  if (unpacked.length === 0) throw AlreadyVerified({ sku });
  const open = linesWithLot(unpacked, lot);
  const remaining = open.reduce((sum, line) => sum + roomOf(line, lot), 0);
  if (quantity > remaining) throw OverPack({ sku, remaining, quantity });
  const named = serial_policy === "none" ? undefined : await namedUnit(tx, open, input, order, by);
  const spread = named ? [named] : spreadUnits(open, quantity, (line) => roomOf(line, lot));
  const units = spread.map(({ line, units: taken }) => ({
    ...{ so_line_id: line.so_line_id, item_id: line.item_id, quantity: taken },
    ...{ lot_number: lotOfUnits(line, lot), serial_number: named?.serial ?? null },
  }));
  let line_complete = false;
  for (const { line, units: taken } of spread) {
    const counted = named ? named.counted : intoParcel ? newlyPacked(line, taken) : taken;
    line.quantity_packed += counted;
    line_complete = !isUnverified(line);
    if (counted > 0) await packLine(tx.later, line.so_line_id, counted);
  }
  const total_lines = lines.length;
  const lines_verified = total_lines - countUnverified(lines);
  return {
    units,
    answer: {
      message: `Verified ${quantity} of ${sku}`,
      item: {
        ...{ sku, item_name, quantity_verified: quantity, line_complete },
        ...(named && { serial_number: named.serial }),
      },
      order_progress: { total_lines, lines_verified, all_verified: lines_verified === total_lines },
    },
  };
}

/** How many of these units, which go into a parcel, were not counted as packed before. */
export const newlyPacked = (line: LineToPack, units: number): number =>
  Math.max(0, unitsInParcels(line) + units - line.quantity_packed);

function spreadUnits(open: Line[], quantity: number, roomOf: (line: Line) => number) {
  let left = quantity;
  return open
    .map((line) => {
      const units = Math.min(left, roomOf(line));
      left -= units;
      return { line, units };
    })
    .filter(({ units }) => units > 0);
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

/**
 * Notes the serial of the scanned unit, whose item asks for one. A unit that is packed in no parcel may go into one: it
 * counts as packed already.
 */
async function namedUnit(
  tx: Tx,
  open: Line[],
  { serial_number, scan, quantity, intoParcel }: ReadUnits,
  order: Order,
  by: Actor,
): Promise<{ line: Line; units: number; counted: number; serial: string }> {
  const [{ item_id, sku }] = open as [Line];
  await checkScans(tx, labelsOf({ item_id, quantity, serial_numbers: serial_number ? [serial_number] : [] }));
  const serial = serial_number ? serialIn(serial_number) : scan.holds.serial_number;
  if (intoParcel && serial !== null && quantity === 1) {
    const packed = await lineOfLooseUnit(tx, item_id, serial);
    const line = open.find(({ so_line_id }) => so_line_id === packed?.so_line_id);
    if (line) return { line, units: 1, counted: 0, serial };
  }
  const line = open.find(isUnverified);
  if (!line) throw AlreadyVerified({ sku });
  return { line, units: 1, counted: 1, serial: await packSerial(tx, { ...line, quantity, serial }, order, by) };
}

/** The line for which a unit is packed that is in no parcel. */
const lineOfLooseUnit = (tx: Tx, itemId: number, serial: string) =>
  tx.row(
    { so_line_id: int },
    `select so_line_id from serials s
     where item_id = $1 and serial_number = $2 and state = 'PACKED' and so_line_id is not null and ${IN_NO_PARCEL}`,
    [itemId, serial],
  );

/** The lines of the scanned item: the chosen one, or the only one of the order with this code. */
async function scannedLines(tx: Tx, lines: Line[], scan: Scan, chosen: number | undefined): Promise<Line[]> {
  const exact = lines.filter((line) => line.is_exact);
  const fitting = exact.length > 0 ? exact : lines.filter((line) => line.is_scanned);
  if (chosen !== undefined) return lines.filter((line) => line.is_scanned && line.item_id === chosen);
  const items = [...new Set(fitting.map((line) => line.item_id))];
  if (items.length > 1) throw await severalItems(tx, items, scan);
  return fitting;
}

/** Throws 400 unless an order is being packed; 409 where it is on hold. */
export function refuseUnlessPicked(order: Pick<Order, "so_number" | "order_type" | "status" | "hold_reason">): void {
  refuseReturn(order);
  refuseHeld(order);
  const { so_number, status } = order;
  if (status !== "PICKED") throw SoNotPicked({ so_number, status });
}

type PackCounters = Pick<Line, "quantity_picked" | "quantity_packed">;

const unverified = (line: PackCounters): number => line.quantity_picked - line.quantity_packed;
/** Whether units of a line are still to be packed; a line without picked units needs no scan. */
const isUnverified = (line: PackCounters): boolean => unverified(line) > 0;

export const countUnverified = (lines: PackCounters[]): number => lines.filter(isUnverified).length;
