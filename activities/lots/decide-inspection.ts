import type { z } from "zod";
import { InspectionClosed, InspectionHasFewer, LotIsDecidedWhole } from "../../src/lots/inspections/problems.js";
import { inspectionOf } from "../../src/lots/inspections/queries.js";
import type { Inspection, NewDecision } from "../../src/lots/inspections/shapes.js";
import type { InspectionState } from "../../src/lots/inspections/workflow.js";
import type { Lot } from "../../src/lots/shapes.js";
import { type Actor, checkWarehouse, visibleWarehouses } from "../../src/platform/actor.js";
import { int, text } from "../../src/platform/db/columns.js";
import { Forbidden } from "../../src/platform/problem.js";
import { holdsOfInspection } from "../../src/stock/holds/queries.js";
import type { StockHold } from "../../src/stock/holds/shapes.js";
import { takeFrom } from "../../src/stock/sellable.js";
import { ConcurrentChange, command, type Tx } from "../command.js";
import { leavingSerials } from "../serials/leave.js";
import { PlacedUnits, recordAdjustments, takenOff } from "../stock/adjustments.js";
import { expectSellable, noIncrease, type StockIncrease } from "../stock/backorders.js";
import { changeHold, closeInspections, dropHolds, endHold, heldUnits } from "../stock/holds.js";
import { changeRows } from "../stock/stock.js";
import { tellHold } from "./hold-stock.js";
import { inspectionState } from "./inspection-state.js";
import { closeInspectionOfLot, openOne, recordDecision } from "./inspections.js";
import { holdLocked, ITS_ROWS, lockLot, releaseLocked, rowsOf } from "./lots.js";

/** The reason of the adjustments that take units out of stock which go back to the supplier. */
const RETURNED = "RETURN_TO_SUPPLIER";

/** An inspection after a decision, and what its workflow shows of it. */
export interface Decided {
  inspection: Inspection;
  state: InspectionState;
}

/**
 * Decides about units in quarantine, or about a lot (docs/inspection.md): they are sold again, stay on hold or among
 * what is damaged, or leave stock. Of a lot an ADMIN decides. Audit INSPECTION_DECIDE, with those and the events of
 * what it does: `stock.held`, `stock.released`, `lot.held`, `lot.released`, `inventoryadjusted.completed`.
 */
export function decideInspection(inspection_id: number, decided: NewDecision, by: Actor): Promise<Decided> {
  return command("inspections.decide", by, { inspection_id, ...decided }, async (tx) => {
    const { lot_id, warehouse_id } = await openOne(tx, inspection_id);
    if (warehouse_id !== null) checkWarehouse(by, warehouse_id);
    if (lot_id === null) await decideUnits(tx, inspection_id, decided, by);
    else if (by.role !== "ADMIN") throw Forbidden();
    else if (decided.quantity) throw LotIsDecidedWhole({ inspection_id });
    else await decideLot(tx, inspection_id, lot_id, decided, by);
    const inspection = (await inspectionOf(tx, inspection_id, visibleWarehouses(by))) as Inspection;
    return { inspection, state: await inspectionState(tx, inspection_id) };
  });
}

/** Units of a hold, about which is decided. */
interface Part {
  hold: StockHold;
  units: number;
}

const ITS_STOCK = `v.inventory_id in (
  select inventory_id from stock_holds h where h.inspection_id = $1 and h.quantity_held > 0)`;

/** The holds of an inspection that are still to be decided about. */
async function inQuarantine(tx: Tx, inspectionId: number): Promise<StockHold[]> {
  const holds = await holdsOfInspection(tx, inspectionId, null);
  return holds.filter((hold) => hold.condition === "QUARANTINE" && hold.quantity_held > 0);
}

async function decideUnits(tx: Tx, inspection_id: number, decided: NewDecision, by: Actor) {
  const { decision, quantity, reason } = decided;
  const increase = decision === "release" ? await expectSellable(tx, ITS_STOCK, inspection_id) : noIncrease(tx);
  const rows = (await inQuarantine(tx, inspection_id)).map((hold) => hold.inventory_id);
  await tx.run("select from inventory where inventory_id = any($1) order by item_id, bin_id, lot_number for update", [
    rows,
  ]);
  const holds = (await inQuarantine(tx, inspection_id)).map((hold) => ({ ...hold, available: hold.quantity_held }));
  if (holds.some((hold) => !rows.includes(hold.inventory_id))) throw new ConcurrentChange("the units were moved");
  const open = holds.reduce((sum, hold) => sum + hold.quantity_held, 0);
  if (open === 0) throw InspectionClosed({ inspection_id });
  const wanted = quantity ?? open;
  if (wanted > open) throw InspectionHasFewer({ inspection_id, open, requested: wanted });
  const parts: Part[] = [];
  takeFrom(holds, wanted, ({ available: _, ...hold }, units) => {
    parts.push({ hold, units });
  });
  for (const part of parts) await decidePart(tx, increase, part, { decision, reason }, by);
  if (decision === "return_to_supplier") {
    const rows = parts.map(({ hold, units }) => ({ ...hold, units }));
    await sendBack(tx, rows, decided, by);
  }
  await recordDecision(tx, inspection_id, { decision, quantity: wanted, reason }, by, holds[0]?.warehouse_id);
  await closeInspections(tx, [inspection_id]);
}

async function decidePart(
  tx: Tx,
  increase: StockIncrease,
  { hold, units }: Part,
  { decision, reason }: Pick<NewDecision, "decision" | "reason">,
  by: Actor,
) {
  if (decision === "release" || decision === "return_to_supplier") {
    await endHold(tx, increase, hold.hold_id, units);
    if (decision === "release") tellHold(tx, "stock.released", hold, { quantity: units, reason }, by);
    return;
  }
  const condition = decision === "hold" ? "HOLD" : "DAMAGED";
  await changeHold(tx, hold.hold_id, units, { condition, reason });
  tellHold(tx, "stock.held", { ...hold, condition }, { quantity: units, reason }, by);
}

const StockToSendBack = PlacedUnits.extend({ inventory_id: int, units: int, lot_number: text.nullable() });
type StockToSendBack = z.infer<typeof StockToSendBack>;

/** Takes units of an item and lot out of stock, which are free now. */
async function sendBack(tx: Tx, rows: StockToSendBack[], { reason, serial_numbers }: NewDecision, by: Actor) {
  const [first] = rows;
  if (!first) return;
  const leaving = {
    item_id: first.item_id,
    quantity: rows.reduce((sum, { units }) => sum + units, 0),
    lot: first.lot_number,
  };
  const serials = await leavingSerials(tx, leaving, serial_numbers);
  const changes = rows.map(({ inventory_id, units }) => ({ inventoryId: inventory_id, onHand: -units, released: 0 }));
  await changeRows(tx, [], undefined, changes);
  const adjustments = rows.map((row) => takenOff(row, row.units, reason, serials.splice(0, row.units)));
  await recordAdjustments(tx, RETURNED, adjustments, by);
}

async function decideLot(tx: Tx, inspection_id: number, lot_id: number, decided: NewDecision, by: Actor) {
  const { decision, reason } = decided;
  const lot = await lockLot(tx, lot_id);
  // It may have left quarantine before it was locked.
  await openOne(tx, inspection_id);
  if (decision === "release") await releaseLocked(tx, lot, reason, by);
  else await holdLocked(tx, lot, { condition: decision === "damage" ? "DAMAGED" : "HOLD", reason }, by);
  if (decision === "return_to_supplier") await sendLotBack(tx, lot, decided, by);
  await closeInspectionOfLot(tx, lot, { decision, reason }, by);
}

/**
 * Takes all units of a lot out of stock, in all warehouses, but those that were picked for transfer orders. Nothing
 * else claims them, as the lot is held.
 */
async function sendLotBack(tx: Tx, lot: Lot, decided: NewDecision, by: Actor) {
  const rows = await tx.rows(
    StockToSendBack,
    `select inventory_id, v.item_id, i.external_id as item_external_id, v.bin_id, bin_code,
            b.external_id as bin_external_id, v.warehouse_id, v.lot_number, quantity_on_hand - coalesce((
              select sum(picked) from transfer_reservations r where r.inventory_id = v.inventory_id), 0) as units
     from inventory v join items i using (item_id) join bins b using (bin_id)
     where ${ITS_ROWS} order by v.bin_id`,
    rowsOf(lot),
  );
  const there = rows.filter(({ units }) => units > 0);
  const held = await heldUnits(
    tx,
    there.map((row) => row.inventory_id),
  );
  await dropHolds(
    tx,
    noIncrease(tx),
    [...held].map(([inventoryId, units]) => ({ inventoryId, units })),
  );
  await sendBack(tx, there, decided, by);
}
