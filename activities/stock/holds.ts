import { int } from "../../src/platform/db/columns.js";
import type { Sql } from "../../src/platform/db/db.js";
import type { HeldCondition } from "../../src/stock/holds/shapes.js";
import type { Tx } from "../command.js";
import type { StockIncrease } from "./backorders.js";
import { allocateRows, releaseRows } from "./reserve-rows.js";

/**
 * Units of a stock row that are on hold (table stock_holds): they are claimed as reserved ones are, so nothing promises
 * them. Whoever has locked the stock row may change its holds.
 */

/** A hold that is made, on free units of a locked row. */
export interface NewHold {
  inventory_id: number;
  quantity: number;
  condition: HeldCondition;
  reason: string;
  held_by: string;
  inspection_id: number | null;
}

/** Holds free units of a locked row. */
export async function addHold(tx: Sql, hold: NewHold): Promise<number> {
  const made = await tx.row(
    { hold_id: int },
    `with units as (
       select :inventory_id::int as inventory_id, :quantity::int as units
     ), claimed as (
       ${allocateRows("units")}
     )
     insert into stock_holds (inventory_id, quantity, quantity_held, condition, reason, held_by, inspection_id)
     values (:inventory_id, :quantity, :quantity, :condition, :reason, :held_by, :inspection_id) returning hold_id`,
    { ...hold },
  );
  return made?.hold_id as number;
}

/** How many units of these rows are on hold, by row. */
export async function heldUnits(tx: Sql, inventoryIds: number[]): Promise<Map<number, number>> {
  const rows = await tx.rows(
    { inventory_id: int, units: int },
    `select inventory_id, sum(quantity_held) as units from stock_holds
     where inventory_id = any($1) and quantity_held > 0 group by inventory_id`,
    [inventoryIds],
  );
  return new Map(rows.map((row) => [row.inventory_id, row.units]));
}

/** SQL (CTEs): `cut` has up to the units $2 of the holds of each stock row of the array $1, the youngest hold first. */
const CUT_HOLDS = `
  with ranked as (
    select h.*, wanted,
      sum(quantity_held) over (partition by inventory_id order by held_at desc, hold_id desc) - quantity_held as before
    from stock_holds h join unnest($1::int[], $2::int[]) as w(inventory_id, wanted) using (inventory_id)
    where quantity_held > 0
  ), cut as (
    select ranked.*, least(quantity_held, wanted - before)::int as units from ranked where before < wanted
  )`;

/** SQL that lowers the holds of the CTE `cut`, as an update without `returning`. */
const LOWER_CUT = `
  update stock_holds h set quantity_held = h.quantity_held - c.units,
    ended_at = case when c.units = h.quantity_held then now() end
  from cut c where h.hold_id = c.hold_id`;

const Cut = { hold_id: int, warehouse_id: int, inspection_id: int.nullable(), units: int };

/**
 * Ends the hold of up to so many units of locked rows, because they are not there: the youngest first. The caller takes
 * the units out of stock. Audit HOLD_REDUCED.
 */
export async function dropHolds(
  tx: Tx,
  _increase: StockIncrease,
  rows: { inventoryId: number; units: number }[],
): Promise<void> {
  const wanted = rows.filter(({ units }) => units > 0);
  if (wanted.length === 0) return;
  const cut = await tx.rows(
    Cut,
    `${CUT_HOLDS}, lowered as (
       ${LOWER_CUT}
     ), of_rows as (
       ${releaseRows("cut")}
     )
     select hold_id, warehouse_id, inspection_id, units from cut join inventory using (inventory_id) order by hold_id`,
    [wanted.map((row) => row.inventoryId), wanted.map((row) => row.units)],
  );
  for (const { hold_id, warehouse_id, units: quantity } of cut)
    tx.audit({
      action: "HOLD_REDUCED",
      entity: "HOLD",
      entityId: hold_id,
      warehouseId: warehouse_id,
      details: { quantity },
    });
  await closeInspections(
    tx,
    cut.map((hold) => hold.inspection_id),
  );
}

/** Frees so many units of a hold, whose stock row is locked. */
export async function endHold(tx: Sql, _increase: StockIncrease, holdId: number, units: number): Promise<void> {
  await tx.run(
    `with cut as (
       select hold_id, inventory_id, $2::int as units from stock_holds where hold_id = $1
     ), of_rows as (
       ${releaseRows("cut")}
     )
     ${LOWER_CUT}`,
    [holdId, units],
  );
}

/**
 * Moves the holds of up to `quantity` units from one locked row to another, the youngest first; one that moves only in
 * part is split. Returns how many units. The caller changes the counters.
 */
export async function moveHolds(tx: Sql, from: number, to: number, quantity: number): Promise<number> {
  const moved = await tx.row(
    { units: int },
    `${CUT_HOLDS}, whole as (
       update stock_holds h set inventory_id = $3 from cut c where h.hold_id = c.hold_id and c.units = c.quantity_held
     ), reduced as (
       update stock_holds h set quantity = h.quantity - c.units, quantity_held = h.quantity_held - c.units
       from cut c where h.hold_id = c.hold_id and c.units < c.quantity_held
     ), split as (
       insert into stock_holds
         (inventory_id, quantity, quantity_held, condition, reason, held_by, held_at, inspection_id)
       select $3, units, units, condition, reason, held_by, held_at, inspection_id from cut where units < quantity_held
     )
     select coalesce(sum(units), 0) as units from cut`,
    [[from], [quantity], to],
  );
  return moved?.units ?? 0;
}

/** Closes those of these inspections that have nothing left in quarantine. */
export async function closeInspections(tx: Sql, inspectionIds: (number | null)[]): Promise<void> {
  const ids = [...new Set(inspectionIds)].filter((id) => id !== null);
  if (ids.length === 0) return;
  // Locked before it is read what others have left: of two that take the last units, the second one closes it.
  await tx.run("select from inspections where inspection_id = any($1) order by inspection_id for update", [ids]);
  await tx.run(
    `update inspections i set closed_at = clock_timestamp()
     where inspection_id = any($1) and lot_id is null and closed_at is null and not exists (
       select from stock_holds h
       where h.inspection_id = i.inspection_id and condition = 'QUARANTINE' and quantity_held > 0)`,
    [ids],
  );
}

/** Gives units of a hold, whose stock row is locked, another condition; a part of them becomes a hold of its own. */
export async function changeHold(
  tx: Sql,
  holdId: number,
  units: number,
  { condition, reason }: { condition: HeldCondition; reason: string },
): Promise<void> {
  await tx.run(
    `with whole as (
       update stock_holds set condition = :condition, reason = :reason
       where hold_id = :holdId and quantity_held = :units
     ), reduced as (
       update stock_holds set quantity = quantity - :units, quantity_held = quantity_held - :units
       where hold_id = :holdId and quantity_held > :units
     )
     insert into stock_holds (inventory_id, quantity, quantity_held, condition, reason, held_by, held_at, inspection_id)
     select inventory_id, :units, :units, :condition, :reason, held_by, held_at, inspection_id from stock_holds
     where hold_id = :holdId and quantity_held > :units`,
    { holdId, units, condition, reason },
  );
}
