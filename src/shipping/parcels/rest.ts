import { z } from "zod";
import { arrayOf, int, text } from "../../platform/db/columns.js";
import type { PickedLot } from "../../sales-orders/picked-lots.js";

/** What of an order line is in no parcel yet. */

/** SQL: how many units of the order line `l` are in parcels. */
export const UNITS_IN_PARCELS = `(
  select coalesce(sum(quantity), 0) from parcel_lines p join parcels using (parcel_id)
  where p.so_line_id = l.so_line_id and parcels.status <> 'VOIDED')`;

/** SQL: whether the packed serial `s` is in no parcel. */
export const IN_NO_PARCEL = `not exists (
  select from parcel_lines l join parcels using (parcel_id)
  where l.so_line_id = s.so_line_id and l.serial_number = s.serial_number and status <> 'VOIDED')`;

/** Units of a line in parcels, of one lot or of one that nobody named. */
export const UnitsInParcels = arrayOf(z.strictObject({ lot_number: text.nullable(), quantity: int }));

export interface PartlyPacked {
  quantity_picked: number;
  /** The lots that were picked; of the rest nobody knows the lot. */
  lots: z.infer<typeof PickedLot>[];
  in_parcels: z.infer<typeof UnitsInParcels>;
}

const sum = (units: { quantity: number }[]) => units.reduce((total, { quantity }) => total + quantity, 0);
const ofLot = <U extends { lot_number: string | null }>(units: U[], lot: string | null) =>
  units.filter(({ lot_number }) => lot_number === lot);

export const unitsInParcels = ({ in_parcels }: PartlyPacked): number => sum(in_parcels);

/** How many more units fit into parcels; of a named lot no more than were picked of it, and of no known lot. */
export function roomFor(line: PartlyPacked, lot: string | null): number {
  const { quantity_picked, lots, in_parcels } = line;
  const free = quantity_picked - sum(in_parcels);
  if (lot === null) return free;
  const unknown = quantity_picked - sum(lots);
  return Math.max(0, Math.min(free, sum(ofLot(lots, lot)) + unknown - sum(ofLot(in_parcels, lot))));
}

/** What is in no parcel yet, by lot; null where nobody can tell the lot. */
export function restByLot(line: PartlyPacked): { lot_number: string | null; quantity: number }[] {
  const { quantity_picked, lots, in_parcels } = line;
  const free = quantity_picked - sum(in_parcels);
  if (free === 0) return [];
  const isKnown = sum(lots) === quantity_picked && in_parcels.every(({ lot_number }) => lot_number !== null);
  const numbers = [...new Set(lots.map(({ lot_number }) => lot_number))];
  const rest = numbers
    .map((lot_number) => ({
      lot_number,
      quantity: sum(ofLot(lots, lot_number)) - sum(ofLot(in_parcels, lot_number)),
    }))
    .filter(({ quantity }) => quantity > 0);
  return isKnown && sum(rest) === free ? rest : [{ lot_number: null, quantity: free }];
}

/** The lot of units: as it was named, else the only one that is left. */
export function lotOfUnits(line: PartlyPacked, named: string | null): string | null {
  if (named !== null) return named;
  const rest = restByLot(line);
  return rest.length === 1 ? (rest[0]?.lot_number ?? null) : null;
}
