import type { ItemRow } from "../master-data/items/shapes.js";
import type { Scan } from "../platform/barcodes/scan.js";
import type { DomainError } from "../platform/problem.js";
import { firstExpired } from "../stock/sellable.js";
import { LotExpiresLater, LotNotFree, WrongLot } from "./problems.js";

/** Which lot a person may take in place of the planned one: docs/lots.md, Which lot is picked. */

/** A stock row of one bin. */
interface LotOfBin {
  inventory_id: number;
  lot_number: string | null;
  expiry_date: string | null;
  available: number;
}

/** Units that a person takes, and the lot that they are of. */
interface TakenUnits {
  lot: string;
  quantity: number;
  lot_picking: ItemRow["lot_picking"];
}

/** Whether the policy allows any lot but the planned one. */
export const mayChangeLot = (lot_picking: ItemRow["lot_picking"]): boolean => lot_picking !== "exact";

/** Why the units may not be of another lot of the bin than the planned one; undefined where they may. */
export function refusalOfLot(
  { lot, quantity, lot_picking }: TakenUnits,
  planned: LotOfBin,
  other: LotOfBin | undefined,
  fields: Record<string, unknown> = {},
): DomainError | undefined {
  const expected = planned.lot_number ?? "units without lot";
  if (!mayChangeLot(lot_picking) || !other) return WrongLot({ expected, scanned: lot }, fields);
  if (lot_picking === "first_expired_only" && firstExpired(other, planned) > 0)
    return LotExpiresLater({ lot, planned: expected }, fields);
  if (other.available < quantity) return LotNotFree({ lot, available: other.available, quantity }, fields);
  return undefined;
}

/**
 * The stock row from which units of a named lot are taken that nobody planned before: the planned one would be the
 * first of `rows`, those of the bin in the order of use. Undefined where they are taken in that order: where the house
 * knows of no lot, a label that names one says nothing wrong.
 */
export function rowOfLot<Row extends LotOfBin>(
  rows: Row[],
  units: TakenUnits,
  fields: Record<string, unknown> = {},
): Row | undefined {
  const { lot, quantity, lot_picking } = units;
  const planned = rows.find(({ available }) => available > 0);
  if (!planned || (planned.lot_number === null && !mayChangeLot(lot_picking))) return undefined;
  const named = rows.find(({ lot_number }) => lot_number === lot);
  const refusal = named === planned ? undefined : refusalOfLot(units, planned, named, fields);
  if (refusal) throw refusal;
  if (planned.available < quantity && named === planned)
    throw LotNotFree({ lot, available: planned.available, quantity }, fields);
  return named;
}

/** The lot that the label names, or the person; they must not differ. */
export function namedLot({ holds }: Scan, entered: string | null | undefined): string | null {
  const scanned = holds.lot_number;
  if (scanned !== null && entered && entered !== scanned) throw WrongLot({ expected: entered, scanned });
  return scanned ?? entered ?? null;
}
